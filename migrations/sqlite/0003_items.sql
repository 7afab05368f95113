-- Items: payload bytes, revisions, attempts, what is live, and the reports they came from.

-- The exact bytes, never changed (R1, trigger). Only an erasure may take the bytes away; size and digest stay.
CREATE TABLE payload (
  id     BLOB PRIMARY KEY,
  sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
  size   INTEGER NOT NULL,
  bytes  BLOB,
  CHECK (bytes IS NULL OR length(bytes) = size)
) STRICT;

CREATE TABLE erasure (
  id         BLOB PRIMARY KEY,
  payload_id BLOB REFERENCES payload (id),
  reason     TEXT NOT NULL,
  by_name    TEXT NOT NULL,
  at         TEXT NOT NULL
) STRICT;
CREATE INDEX erasure_by_payload ON erasure (payload_id);

CREATE TABLE item (
  id               BLOB PRIMARY KEY,
  workflow_id      BLOB NOT NULL REFERENCES workflow (id),
  workflow_key     TEXT NOT NULL,
  step             TEXT NOT NULL,
  dedupe_key       TEXT NOT NULL,
  -- The team that answers for the workflow: it bounds who sees the item.
  team_id          BLOB NOT NULL REFERENCES team (id),
  owner_person_id  BLOB REFERENCES person (id),
  -- The team it was given to, where that is another: it sees the item too.
  owner_team_id    BLOB REFERENCES team (id),
  lane             TEXT NOT NULL CHECK (lane IN ('dead_letter', 'needs_review')),
  state            TEXT NOT NULL CHECK (state IN ('open', 'replaying', 'awaiting_outcome', 'awaiting_approval', 'compensating', 'snoozed', 'closed')),
  resolution       TEXT CHECK (resolution IN ('replayed', 'accepted', 'done_by_hand', 'accepted_degraded', 'discarded', 'duplicate', 'compensated', 'succeeded_meanwhile')),
  effect           TEXT NOT NULL CHECK (effect IN ('none', 'confirmed', 'uncertain', 'partial', 'compensated')),
  epoch            INTEGER NOT NULL CHECK (epoch >= 0),
  -- Counts the changes a decision rests on; `If-Match` names it.
  version          INTEGER NOT NULL CHECK (version >= 1),
  last_change      TEXT NOT NULL,
  business_ref     TEXT,
  correlation_id   TEXT,
  sequence_key     TEXT,
  workflow_version TEXT,
  failure_class    TEXT NOT NULL,
  message          TEXT NOT NULL,
  message_head     TEXT NOT NULL,
  detail           TEXT,
  sensitivity      TEXT NOT NULL CHECK (sensitivity IN ('internal', 'confidential', 'restricted')),
  impact           TEXT NOT NULL CHECK (impact IN ('low', 'medium', 'high')),
  customer_impact  TEXT,
  effect_system    TEXT,
  effect_evidence  TEXT,
  record_id        TEXT,
  source_version   TEXT,
  payload_ref      TEXT,
  payload_changed  INTEGER NOT NULL,
  -- JSON texts of the recovery packet's parts.
  steps            TEXT NOT NULL,
  affected         TEXT NOT NULL,
  evidence         TEXT NOT NULL,
  ai               TEXT NOT NULL,
  proposed_action  TEXT NOT NULL,
  -- Reference, key and message, folded in Rust.
  search_text      TEXT NOT NULL,
  valid_until      TEXT,
  occurred_at      TEXT,
  received_at      TEXT NOT NULL,
  last_report_at   TEXT NOT NULL,
  closed_at        TEXT,
  snoozed_until    TEXT,
  -- How often it was escalated, and when an answer is due.
  escalations      INTEGER NOT NULL,
  respond_by       TEXT,
  UNIQUE (workflow_id, step, dedupe_key),
  CHECK ((state = 'closed') = (closed_at IS NOT NULL)),
  CHECK ((state = 'closed') = (resolution IS NOT NULL)),
  CHECK ((state = 'snoozed') = (snoozed_until IS NOT NULL))
) STRICT;
-- One index for each list and each single filter; the teams are there so that other teams' rows are skipped inside the index.
CREATE INDEX item_open ON item (received_at, id, team_id, owner_team_id) WHERE state <> 'closed';
CREATE INDEX item_open_lane ON item (lane, received_at, id, team_id, owner_team_id) WHERE state <> 'closed';
CREATE INDEX item_open_uncertain ON item (received_at, id, team_id, owner_team_id) WHERE state <> 'closed' AND effect = 'uncertain';
CREATE INDEX item_open_workflow ON item (workflow_key, received_at, id, team_id, owner_team_id) WHERE state <> 'closed';
CREATE INDEX item_open_class ON item (failure_class, received_at, id, team_id, owner_team_id) WHERE state <> 'closed';
CREATE INDEX item_open_step ON item (step, received_at, id, team_id, owner_team_id) WHERE state <> 'closed';
CREATE INDEX item_closed ON item (received_at, id, team_id, owner_team_id) WHERE state = 'closed';
CREATE INDEX item_by_business_ref ON item (business_ref) WHERE business_ref IS NOT NULL;
CREATE INDEX item_by_correlation ON item (correlation_id) WHERE correlation_id IS NOT NULL;
CREATE INDEX item_by_dedupe_key ON item (dedupe_key, received_at, id, team_id, owner_team_id);

-- Revision 1 is the original. Append-only (trigger).
CREATE TABLE revision (
  item_id     BLOB NOT NULL REFERENCES item (id),
  number      INTEGER NOT NULL CHECK (number >= 1),
  payload_id  BLOB NOT NULL UNIQUE REFERENCES payload (id),
  media_type  TEXT NOT NULL,
  parent      INTEGER,
  author_kind TEXT NOT NULL CHECK (author_kind IN ('automation', 'person')),
  author_id   BLOB NOT NULL,
  author_name TEXT NOT NULL,
  reason      TEXT,
  at          TEXT NOT NULL,
  PRIMARY KEY (item_id, number),
  CHECK ((number = 1) = (parent IS NULL)),
  FOREIGN KEY (item_id, parent) REFERENCES revision (item_id, number)
) STRICT;

CREATE TABLE attempt (
  id              BLOB PRIMARY KEY,
  item_id         BLOB NOT NULL REFERENCES item (id),
  number          INTEGER NOT NULL CHECK (number >= 1),
  made_by         TEXT NOT NULL CHECK (made_by IN ('automation', 'replay', 'person')),
  by_id           BLOB NOT NULL,
  by_name         TEXT NOT NULL,
  -- The automation's own number, so that a cumulative report does not add an attempt twice.
  reported_number INTEGER,
  revision        INTEGER,
  epoch           INTEGER NOT NULL CHECK (epoch >= 0),
  idempotency_key TEXT,
  -- The destination as configured then, as JSON; NULL for the automation's own attempts.
  destination     TEXT,
  outcome         TEXT NOT NULL CHECK (outcome IN ('in_flight', 'accepted', 'succeeded', 'failed', 'uncertain')),
  effect          TEXT NOT NULL CHECK (effect IN ('none', 'confirmed', 'uncertain', 'partial')),
  sent            INTEGER,
  status_code     INTEGER,
  record_id       TEXT,
  message         TEXT,
  -- Word that came after the item was closed.
  late            INTEGER NOT NULL,
  started_at      TEXT,
  finished_at     TEXT,
  received_at     TEXT NOT NULL,
  UNIQUE (item_id, number),
  FOREIGN KEY (item_id, revision) REFERENCES revision (item_id, number)
) STRICT;

-- What is live on a piece of work: at most one (R5).
CREATE TABLE activity (
  id          BLOB PRIMARY KEY,
  item_id     BLOB NOT NULL REFERENCES item (id),
  kind        TEXT NOT NULL CHECK (kind IN ('automation_attempt', 'planned_retry', 'replay', 'compensation', 'ledger_lease')),
  attempt_id  BLOB REFERENCES attempt (id),
  by_id       BLOB NOT NULL,
  by_name     TEXT NOT NULL,
  -- Grows with each adoption; a holder with an old one has lost it.
  fence       INTEGER NOT NULL,
  due_at      TEXT,
  started_at  TEXT NOT NULL,
  lease_until TEXT NOT NULL,
  ended_at    TEXT,
  ended_how   TEXT CHECK (ended_how IN ('finished', 'started', 'replaced', 'lapsed', 'cancelled')),
  ended_by    TEXT,
  CHECK ((ended_at IS NULL) = (ended_how IS NULL))
) STRICT;
CREATE UNIQUE INDEX activity_one_live ON activity (item_id) WHERE ended_at IS NULL;
CREATE INDEX activity_by_item ON activity (item_id, started_at);
CREATE INDEX activity_live_lease ON activity (lease_until) WHERE ended_at IS NULL;

-- A possible double effect (R10): both attempts named. Ends only by a compensation or a finding.
CREATE TABLE double_effect (
  id             BLOB PRIMARY KEY,
  item_id        BLOB NOT NULL REFERENCES item (id),
  attempt_id     BLOB REFERENCES attempt (id),
  late_attempt_id BLOB NOT NULL REFERENCES attempt (id),
  raised_at      TEXT NOT NULL,
  ended_at       TEXT
) STRICT;
CREATE INDEX double_effect_by_item ON double_effect (item_id);

-- Reports by their name: the same again changes nothing. Append-only (trigger).
CREATE TABLE report (
  workflow_id BLOB NOT NULL REFERENCES workflow (id),
  report_id   TEXT NOT NULL,
  digest      BLOB NOT NULL CHECK (length(digest) = 32),
  item_id     BLOB NOT NULL REFERENCES item (id),
  token_id    BLOB NOT NULL,
  -- The first answer, given again to a repeat.
  answer      TEXT NOT NULL,
  received_at TEXT NOT NULL,
  PRIMARY KEY (workflow_id, report_id)
) STRICT;
CREATE INDEX report_by_item ON report (item_id);

CREATE TRIGGER payload_whole BEFORE INSERT ON payload WHEN NEW.bytes IS NULL
BEGIN SELECT RAISE(ABORT, 'R1: a payload is stored with its bytes'); END;
CREATE TRIGGER payload_no_update BEFORE UPDATE ON payload
WHEN NOT (NEW.bytes IS NULL AND OLD.bytes IS NOT NULL AND NEW.id = OLD.id AND NEW.sha256 = OLD.sha256 AND NEW.size = OLD.size
          AND EXISTS (SELECT 1 FROM erasure WHERE payload_id = OLD.id))
BEGIN SELECT RAISE(ABORT, 'R1: a payload is never changed'); END;
CREATE TRIGGER payload_no_delete BEFORE DELETE ON payload
BEGIN SELECT RAISE(ABORT, 'R1: a payload is never deleted'); END;

CREATE TRIGGER revision_no_update BEFORE UPDATE ON revision
BEGIN SELECT RAISE(ABORT, 'R2: a revision is never changed'); END;
CREATE TRIGGER revision_no_delete BEFORE DELETE ON revision
BEGIN SELECT RAISE(ABORT, 'R2: a revision is never changed'); END;

CREATE TRIGGER report_no_update BEFORE UPDATE ON report
BEGIN SELECT RAISE(ABORT, 'a report is never changed'); END;
CREATE TRIGGER report_no_delete BEFORE DELETE ON report
BEGIN SELECT RAISE(ABORT, 'a report is never changed'); END;

CREATE TRIGGER erasure_no_update BEFORE UPDATE ON erasure
BEGIN SELECT RAISE(ABORT, 'R1: an erasure is never changed'); END;
CREATE TRIGGER erasure_no_delete BEFORE DELETE ON erasure
BEGIN SELECT RAISE(ABORT, 'R1: an erasure is never changed'); END;
