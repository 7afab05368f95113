-- What one person asks for and another decides (R11, R12), and compensations: new business actions that make an effect good.

-- What is asked for, exactly: whatever of `bound` changes voids it.
CREATE TABLE approval (
  id                UUID PRIMARY KEY,
  item_id           UUID NOT NULL REFERENCES item (id),
  kind              TEXT COLLATE "C" NOT NULL CHECK (kind IN ('replay', 'compensation')),
  -- What will be done, with which bytes, where, under which policy, as JSON.
  bound             TEXT COLLATE "C" NOT NULL,
  hash              BYTEA NOT NULL CHECK (octet_length(hash) = 32),
  reason            TEXT COLLATE "C" NOT NULL,
  requested_by      UUID NOT NULL,
  requested_by_name TEXT COLLATE "C" NOT NULL,
  requested_at      TIMESTAMPTZ NOT NULL,
  -- How many different people have to approve it.
  approvers         BIGINT NOT NULL CHECK (approvers >= 1),
  expires_at        TIMESTAMPTZ NOT NULL,
  -- Whom it was handed to, if to somebody.
  delegate_id       UUID REFERENCES person (id),
  -- The item's version it was compared with last.
  seen_version      BIGINT NOT NULL,
  state             TEXT COLLATE "C" NOT NULL CHECK (state IN ('waiting', 'approved', 'rejected', 'withdrawn', 'expired', 'void')),
  ended_at          TIMESTAMPTZ,
  ended_by_name     TEXT COLLATE "C",
  ended_why         TEXT COLLATE "C",
  CHECK ((state = 'waiting') = (ended_at IS NULL))
);
CREATE UNIQUE INDEX approval_one_waiting ON approval (item_id) WHERE ended_at IS NULL;
CREATE INDEX approval_waiting ON approval (requested_at, id) WHERE ended_at IS NULL;
CREATE INDEX approval_ended ON approval (ended_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX approval_by_item ON approval (item_id, requested_at);
CREATE INDEX approval_by_requester ON approval (requested_by, requested_at);

-- Who may not decide it, and why; written with it. Append-only (trigger).
CREATE TABLE approval_exclusion (
  approval_id UUID NOT NULL REFERENCES approval (id),
  person_id   UUID NOT NULL,
  why         TEXT COLLATE "C" NOT NULL CHECK (why IN ('asked', 'edited', 'found', 'substitute')),
  PRIMARY KEY (approval_id, person_id)
);

-- What people decided. Append-only (trigger).
CREATE TABLE approval_decision (
  approval_id UUID NOT NULL REFERENCES approval (id),
  person_id   UUID NOT NULL,
  person_name TEXT COLLATE "C" NOT NULL,
  -- For whom they stand in, if for somebody.
  acts_for    UUID,
  verdict     TEXT COLLATE "C" NOT NULL CHECK (verdict IN ('approve', 'reject')),
  reason      TEXT COLLATE "C" NOT NULL,
  -- What they looked at.
  hash        BYTEA NOT NULL CHECK (octet_length(hash) = 32),
  at          TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (approval_id, person_id)
);

-- Who stands in for whom while they are away.
CREATE TABLE substitute (
  id              UUID PRIMARY KEY,
  person_id       UUID NOT NULL REFERENCES person (id),
  substitute_id   UUID NOT NULL REFERENCES person (id),
  starts_at       TIMESTAMPTZ NOT NULL,
  ends_at         TIMESTAMPTZ NOT NULL,
  ended_at        TIMESTAMPTZ,
  CHECK (person_id <> substitute_id)
);
CREATE INDEX substitute_by_person ON substitute (person_id, ends_at) WHERE ended_at IS NULL;
CREATE INDEX substitute_by_substitute ON substitute (substitute_id, ends_at) WHERE ended_at IS NULL;

-- A compensation that was approved. Its parts are sent as attempts, in order.
CREATE TABLE compensation (
  id          UUID PRIMARY KEY,
  item_id     UUID NOT NULL REFERENCES item (id),
  approval_id UUID NOT NULL UNIQUE REFERENCES approval (id),
  -- The attempt whose effect it makes good.
  attempt_id  UUID NOT NULL REFERENCES attempt (id),
  -- The plan as it was approved, as JSON.
  plan        TEXT COLLATE "C" NOT NULL,
  stage       TEXT COLLATE "C" NOT NULL CHECK (stage IN ('running', 'executed', 'failed', 'uncertain', 'partly_done')),
  started_at  TIMESTAMPTZ NOT NULL,
  ended_at    TIMESTAMPTZ,
  CHECK ((stage = 'running') = (ended_at IS NULL))
);
CREATE INDEX compensation_by_item ON compensation (item_id, started_at);

ALTER TABLE attempt ADD COLUMN compensation_id UUID REFERENCES compensation (id);
-- Which part of it, from 0.
ALTER TABLE attempt ADD COLUMN part BIGINT;
-- A compensation has made its whole effect good.
ALTER TABLE attempt ADD COLUMN made_good BOOLEAN NOT NULL DEFAULT FALSE;

-- Which approval a request that was given a key has asked for.
ALTER TABLE asked ADD COLUMN approval_id UUID REFERENCES approval (id);

ALTER TABLE replay ADD COLUMN approval_id UUID REFERENCES approval (id);
ALTER TABLE replay ADD COLUMN compensation_id UUID REFERENCES compensation (id);
ALTER TABLE replay ADD COLUMN part BIGINT;
-- The body that is sent where it is not the revision's bytes, and the address as it was approved.
ALTER TABLE replay ADD COLUMN body_id UUID REFERENCES payload (id);
ALTER TABLE replay ADD COLUMN address TEXT COLLATE "C";

CREATE FUNCTION approval_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.id <> OLD.id OR NEW.item_id <> OLD.item_id OR NEW.kind <> OLD.kind OR NEW.bound <> OLD.bound OR NEW.hash <> OLD.hash
     OR NEW.reason <> OLD.reason OR NEW.requested_by <> OLD.requested_by OR NEW.requested_by_name <> OLD.requested_by_name
     OR NEW.requested_at <> OLD.requested_at OR NEW.approvers <> OLD.approvers OR NEW.expires_at <> OLD.expires_at
     OR (OLD.state IN ('rejected', 'withdrawn', 'expired', 'void') AND NEW.state <> OLD.state)
     OR (OLD.state = 'approved' AND NEW.state NOT IN ('approved', 'void')) THEN
    RAISE EXCEPTION 'R12: what an approval is about is never changed';
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION approval_enough() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state = 'approved' AND OLD.state <> 'approved'
     AND (SELECT COUNT(*) FROM approval_decision WHERE approval_id = OLD.id AND verdict = 'approve') < OLD.approvers THEN
    RAISE EXCEPTION 'R11: not enough people have approved it';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approval_guard BEFORE UPDATE ON approval FOR EACH ROW EXECUTE FUNCTION approval_guard();
CREATE TRIGGER approval_enough BEFORE UPDATE ON approval FOR EACH ROW EXECUTE FUNCTION approval_enough();
CREATE TRIGGER approval_no_delete BEFORE DELETE ON approval FOR EACH ROW EXECUTE FUNCTION refuse_change('R12: an approval is never removed');
CREATE TRIGGER approval_no_truncate BEFORE TRUNCATE ON approval FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('R12: an approval is never removed');
CREATE FUNCTION approval_born_waiting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state <> 'waiting' THEN
    RAISE EXCEPTION 'R11: an approval begins by waiting';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approval_born_waiting BEFORE INSERT ON approval FOR EACH ROW EXECUTE FUNCTION approval_born_waiting();
REVOKE DELETE, TRUNCATE ON approval FROM recourse_server;

CREATE TRIGGER approval_exclusion_no_change BEFORE UPDATE OR DELETE ON approval_exclusion FOR EACH ROW EXECUTE FUNCTION refuse_change('R11: who is excluded is never changed');
CREATE TRIGGER approval_exclusion_no_truncate BEFORE TRUNCATE ON approval_exclusion FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('R11: who is excluded is never changed');
REVOKE UPDATE, DELETE, TRUNCATE ON approval_exclusion FROM recourse_server;

CREATE FUNCTION approval_decision_by_another() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM approval_exclusion WHERE approval_id = NEW.approval_id AND person_id IN (NEW.person_id, NEW.acts_for))
     OR EXISTS (SELECT 1 FROM approval WHERE id = NEW.approval_id AND requested_by IN (NEW.person_id, NEW.acts_for)) THEN
    RAISE EXCEPTION 'R11: another person has to decide it';
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION approval_decision_in_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM approval WHERE id = NEW.approval_id AND state = 'waiting' AND hash = NEW.hash) THEN
    RAISE EXCEPTION 'R12: it does not wait, or is about something else';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approval_decision_by_another BEFORE INSERT ON approval_decision FOR EACH ROW EXECUTE FUNCTION approval_decision_by_another();
CREATE TRIGGER approval_decision_in_time BEFORE INSERT ON approval_decision FOR EACH ROW EXECUTE FUNCTION approval_decision_in_time();
CREATE TRIGGER approval_decision_no_change BEFORE UPDATE OR DELETE ON approval_decision FOR EACH ROW EXECUTE FUNCTION refuse_change('R11: a decision is never changed');
CREATE TRIGGER approval_decision_no_truncate BEFORE TRUNCATE ON approval_decision FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('R11: a decision is never changed');
REVOKE UPDATE, DELETE, TRUNCATE ON approval_decision FROM recourse_server;

CREATE FUNCTION compensation_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.id <> OLD.id OR NEW.item_id <> OLD.item_id OR NEW.approval_id <> OLD.approval_id OR NEW.attempt_id <> OLD.attempt_id
     OR NEW.plan <> OLD.plan OR NEW.started_at <> OLD.started_at THEN
    RAISE EXCEPTION 'R11: what a compensation does is never changed';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER compensation_guard BEFORE UPDATE ON compensation FOR EACH ROW EXECUTE FUNCTION compensation_guard();
CREATE TRIGGER compensation_no_delete BEFORE DELETE ON compensation FOR EACH ROW EXECUTE FUNCTION refuse_change('R11: a compensation is never removed');
CREATE TRIGGER compensation_no_truncate BEFORE TRUNCATE ON compensation FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('R11: a compensation is never removed');
REVOKE DELETE, TRUNCATE ON compensation FROM recourse_server;

CREATE FUNCTION attempt_compensation_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.compensation_id IS DISTINCT FROM OLD.compensation_id OR NEW.part IS DISTINCT FROM OLD.part OR (OLD.made_good AND NOT NEW.made_good) THEN
    RAISE EXCEPTION 'R3: what an attempt sent is never changed';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER attempt_compensation_guard BEFORE UPDATE ON attempt FOR EACH ROW EXECUTE FUNCTION attempt_compensation_guard();
