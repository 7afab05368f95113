-- What one person asks for and another decides (R11, R12), and compensations: new business actions that make an effect good.

-- What is asked for, exactly: whatever of `bound` changes voids it.
CREATE TABLE approval (
  id                BLOB PRIMARY KEY,
  item_id           BLOB NOT NULL REFERENCES item (id),
  kind              TEXT NOT NULL CHECK (kind IN ('replay', 'compensation')),
  -- What will be done, with which bytes, where, under which policy, as JSON.
  bound             TEXT NOT NULL,
  hash              BLOB NOT NULL CHECK (length(hash) = 32),
  reason            TEXT NOT NULL,
  requested_by      BLOB NOT NULL,
  requested_by_name TEXT NOT NULL,
  requested_at      TEXT NOT NULL,
  -- How many different people have to approve it.
  approvers         INTEGER NOT NULL CHECK (approvers >= 1),
  expires_at        TEXT NOT NULL,
  -- Whom it was handed to, if to somebody.
  delegate_id       BLOB REFERENCES person (id),
  -- The item's version it was compared with last.
  seen_version      INTEGER NOT NULL,
  state             TEXT NOT NULL CHECK (state IN ('waiting', 'approved', 'rejected', 'withdrawn', 'expired', 'void')),
  ended_at          TEXT,
  ended_by_name     TEXT,
  ended_why         TEXT,
  CHECK ((state = 'waiting') = (ended_at IS NULL))
) STRICT;
CREATE UNIQUE INDEX approval_one_waiting ON approval (item_id) WHERE ended_at IS NULL;
CREATE INDEX approval_waiting ON approval (requested_at, id) WHERE ended_at IS NULL;
CREATE INDEX approval_ended ON approval (ended_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX approval_by_item ON approval (item_id, requested_at);
CREATE INDEX approval_by_requester ON approval (requested_by, requested_at);

-- Who may not decide it, and why; written with it. Append-only (trigger).
CREATE TABLE approval_exclusion (
  approval_id BLOB NOT NULL REFERENCES approval (id),
  person_id   BLOB NOT NULL,
  why         TEXT NOT NULL CHECK (why IN ('asked', 'edited', 'found', 'substitute')),
  PRIMARY KEY (approval_id, person_id)
) STRICT;

-- What people decided. Append-only (trigger).
CREATE TABLE approval_decision (
  approval_id BLOB NOT NULL REFERENCES approval (id),
  person_id   BLOB NOT NULL,
  person_name TEXT NOT NULL,
  -- For whom they stand in, if for somebody.
  acts_for    BLOB,
  verdict     TEXT NOT NULL CHECK (verdict IN ('approve', 'reject')),
  reason      TEXT NOT NULL,
  -- What they looked at.
  hash        BLOB NOT NULL CHECK (length(hash) = 32),
  at          TEXT NOT NULL,
  PRIMARY KEY (approval_id, person_id)
) STRICT;

-- Who stands in for whom while they are away.
CREATE TABLE substitute (
  id              BLOB PRIMARY KEY,
  person_id       BLOB NOT NULL REFERENCES person (id),
  substitute_id   BLOB NOT NULL REFERENCES person (id),
  starts_at       TEXT NOT NULL,
  ends_at         TEXT NOT NULL,
  ended_at        TEXT,
  CHECK (person_id <> substitute_id)
) STRICT;
CREATE INDEX substitute_by_person ON substitute (person_id, ends_at) WHERE ended_at IS NULL;
CREATE INDEX substitute_by_substitute ON substitute (substitute_id, ends_at) WHERE ended_at IS NULL;

-- A compensation that was approved. Its parts are sent as attempts, in order.
CREATE TABLE compensation (
  id          BLOB PRIMARY KEY,
  item_id     BLOB NOT NULL REFERENCES item (id),
  approval_id BLOB NOT NULL UNIQUE REFERENCES approval (id),
  -- The attempt whose effect it makes good.
  attempt_id  BLOB NOT NULL REFERENCES attempt (id),
  -- The plan as it was approved, as JSON.
  plan        TEXT NOT NULL,
  stage       TEXT NOT NULL CHECK (stage IN ('running', 'executed', 'failed', 'uncertain', 'partly_done')),
  started_at  TEXT NOT NULL,
  ended_at    TEXT,
  CHECK ((stage = 'running') = (ended_at IS NULL))
) STRICT;
CREATE INDEX compensation_by_item ON compensation (item_id, started_at);

ALTER TABLE attempt ADD COLUMN compensation_id BLOB REFERENCES compensation (id);
-- Which part of it, from 0.
ALTER TABLE attempt ADD COLUMN part INTEGER;
-- A compensation has made its whole effect good.
ALTER TABLE attempt ADD COLUMN made_good INTEGER NOT NULL DEFAULT 0;

-- Which approval a request that was given a key has asked for.
ALTER TABLE asked ADD COLUMN approval_id BLOB REFERENCES approval (id);

ALTER TABLE replay ADD COLUMN approval_id BLOB REFERENCES approval (id);
ALTER TABLE replay ADD COLUMN compensation_id BLOB REFERENCES compensation (id);
ALTER TABLE replay ADD COLUMN part INTEGER;
-- The body that is sent where it is not the revision's bytes, and the address as it was approved.
ALTER TABLE replay ADD COLUMN body_id BLOB REFERENCES payload (id);
ALTER TABLE replay ADD COLUMN address TEXT;

CREATE TRIGGER approval_no_update BEFORE UPDATE ON approval
WHEN NEW.id <> OLD.id OR NEW.item_id <> OLD.item_id OR NEW.kind <> OLD.kind OR NEW.bound <> OLD.bound OR NEW.hash <> OLD.hash
     OR NEW.reason <> OLD.reason OR NEW.requested_by <> OLD.requested_by OR NEW.requested_by_name <> OLD.requested_by_name
     OR NEW.requested_at <> OLD.requested_at OR NEW.approvers <> OLD.approvers OR NEW.expires_at <> OLD.expires_at
     OR (OLD.state IN ('rejected', 'withdrawn', 'expired', 'void') AND NEW.state <> OLD.state)
     OR (OLD.state = 'approved' AND NEW.state NOT IN ('approved', 'void'))
BEGIN SELECT RAISE(ABORT, 'R12: what an approval is about is never changed'); END;
CREATE TRIGGER approval_no_delete BEFORE DELETE ON approval
BEGIN SELECT RAISE(ABORT, 'R12: an approval is never removed'); END;
CREATE TRIGGER approval_born_waiting BEFORE INSERT ON approval WHEN NEW.state <> 'waiting'
BEGIN SELECT RAISE(ABORT, 'R11: an approval begins by waiting'); END;
CREATE TRIGGER approval_enough BEFORE UPDATE ON approval
WHEN NEW.state = 'approved' AND OLD.state <> 'approved'
     AND (SELECT COUNT(*) FROM approval_decision WHERE approval_id = OLD.id AND verdict = 'approve') < OLD.approvers
BEGIN SELECT RAISE(ABORT, 'R11: not enough people have approved it'); END;

CREATE TRIGGER approval_exclusion_no_update BEFORE UPDATE ON approval_exclusion
BEGIN SELECT RAISE(ABORT, 'R11: who is excluded is never changed'); END;
CREATE TRIGGER approval_exclusion_no_delete BEFORE DELETE ON approval_exclusion
BEGIN SELECT RAISE(ABORT, 'R11: who is excluded is never changed'); END;

CREATE TRIGGER approval_decision_by_another BEFORE INSERT ON approval_decision
WHEN EXISTS (SELECT 1 FROM approval_exclusion WHERE approval_id = NEW.approval_id AND person_id IN (NEW.person_id, NEW.acts_for))
     OR EXISTS (SELECT 1 FROM approval WHERE id = NEW.approval_id AND requested_by IN (NEW.person_id, NEW.acts_for))
BEGIN SELECT RAISE(ABORT, 'R11: another person has to decide it'); END;
CREATE TRIGGER approval_decision_in_time BEFORE INSERT ON approval_decision
WHEN NOT EXISTS (SELECT 1 FROM approval WHERE id = NEW.approval_id AND state = 'waiting' AND hash = NEW.hash)
BEGIN SELECT RAISE(ABORT, 'R12: it does not wait, or is about something else'); END;
CREATE TRIGGER approval_decision_no_update BEFORE UPDATE ON approval_decision
BEGIN SELECT RAISE(ABORT, 'R11: a decision is never changed'); END;
CREATE TRIGGER approval_decision_no_delete BEFORE DELETE ON approval_decision
BEGIN SELECT RAISE(ABORT, 'R11: a decision is never changed'); END;

CREATE TRIGGER compensation_no_update BEFORE UPDATE ON compensation
WHEN NEW.id <> OLD.id OR NEW.item_id <> OLD.item_id OR NEW.approval_id <> OLD.approval_id OR NEW.attempt_id <> OLD.attempt_id
     OR NEW.plan <> OLD.plan OR NEW.started_at <> OLD.started_at
BEGIN SELECT RAISE(ABORT, 'R11: what a compensation does is never changed'); END;
CREATE TRIGGER compensation_no_delete BEFORE DELETE ON compensation
BEGIN SELECT RAISE(ABORT, 'R11: a compensation is never removed'); END;

CREATE TRIGGER attempt_compensation_no_update BEFORE UPDATE ON attempt
WHEN NEW.compensation_id IS NOT OLD.compensation_id OR NEW.part IS NOT OLD.part OR NEW.made_good < OLD.made_good
BEGIN SELECT RAISE(ABORT, 'R3: what an attempt sent is never changed'); END;
