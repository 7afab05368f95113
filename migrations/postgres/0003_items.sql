-- Items: payload bytes, revisions, attempts, what is live, and the reports they came from.

-- The exact bytes, never changed (R1, trigger). Only an erasure may take the bytes away; size and digest stay.
CREATE TABLE payload (
  id     UUID PRIMARY KEY,
  sha256 BYTEA NOT NULL CHECK (octet_length(sha256) = 32),
  size   BIGINT NOT NULL,
  bytes  BYTEA,
  CHECK (bytes IS NULL OR octet_length(bytes) = size)
);

CREATE TABLE erasure (
  id         UUID PRIMARY KEY,
  payload_id UUID REFERENCES payload (id),
  reason     TEXT COLLATE "C" NOT NULL,
  by_name    TEXT COLLATE "C" NOT NULL,
  at         TIMESTAMPTZ NOT NULL
);
CREATE INDEX erasure_by_payload ON erasure (payload_id);

CREATE TABLE item (
  id               UUID PRIMARY KEY,
  workflow_id      UUID NOT NULL REFERENCES workflow (id),
  workflow_key     TEXT COLLATE "C" NOT NULL,
  step             TEXT COLLATE "C" NOT NULL,
  dedupe_key       TEXT COLLATE "C" NOT NULL,
  -- The team that answers for the workflow: it bounds who sees the item.
  team_id          UUID NOT NULL REFERENCES team (id),
  owner_person_id  UUID REFERENCES person (id),
  -- The team it was given to, where that is another: it sees the item too.
  owner_team_id    UUID REFERENCES team (id),
  lane             TEXT COLLATE "C" NOT NULL CHECK (lane IN ('dead_letter', 'needs_review')),
  state            TEXT COLLATE "C" NOT NULL CHECK (state IN ('open', 'replaying', 'awaiting_outcome', 'awaiting_approval', 'compensating', 'snoozed', 'closed')),
  resolution       TEXT COLLATE "C" CHECK (resolution IN ('replayed', 'accepted', 'done_by_hand', 'accepted_degraded', 'discarded', 'duplicate', 'compensated', 'succeeded_meanwhile')),
  effect           TEXT COLLATE "C" NOT NULL CHECK (effect IN ('none', 'confirmed', 'uncertain', 'partial', 'compensated')),
  epoch            BIGINT NOT NULL CHECK (epoch >= 0),
  -- Counts the changes a decision rests on; `If-Match` names it.
  version          BIGINT NOT NULL CHECK (version >= 1),
  last_change      TEXT COLLATE "C" NOT NULL,
  business_ref     TEXT COLLATE "C",
  correlation_id   TEXT COLLATE "C",
  sequence_key     TEXT COLLATE "C",
  workflow_version TEXT COLLATE "C",
  failure_class    TEXT COLLATE "C" NOT NULL,
  message          TEXT COLLATE "C" NOT NULL,
  message_head     TEXT COLLATE "C" NOT NULL,
  detail           TEXT COLLATE "C",
  sensitivity      TEXT COLLATE "C" NOT NULL CHECK (sensitivity IN ('internal', 'confidential', 'restricted')),
  impact           TEXT COLLATE "C" NOT NULL CHECK (impact IN ('low', 'medium', 'high')),
  customer_impact  TEXT COLLATE "C",
  effect_system    TEXT COLLATE "C",
  effect_evidence  TEXT COLLATE "C",
  record_id        TEXT COLLATE "C",
  source_version   TEXT COLLATE "C",
  payload_ref      TEXT COLLATE "C",
  payload_changed  BOOLEAN NOT NULL,
  -- JSON texts of the recovery packet's parts.
  steps            TEXT COLLATE "C" NOT NULL,
  affected         TEXT COLLATE "C" NOT NULL,
  evidence         TEXT COLLATE "C" NOT NULL,
  ai               TEXT COLLATE "C" NOT NULL,
  proposed_action  TEXT COLLATE "C" NOT NULL,
  -- Reference, key and message, folded in Rust.
  search_text      TEXT COLLATE "C" NOT NULL,
  valid_until      TIMESTAMPTZ,
  occurred_at      TIMESTAMPTZ,
  received_at      TIMESTAMPTZ NOT NULL,
  last_report_at   TIMESTAMPTZ NOT NULL,
  closed_at        TIMESTAMPTZ,
  snoozed_until    TIMESTAMPTZ,
  -- How often it was escalated, and when an answer is due.
  escalations      BIGINT NOT NULL,
  respond_by       TIMESTAMPTZ,
  UNIQUE (workflow_id, step, dedupe_key),
  CHECK ((state = 'closed') = (closed_at IS NOT NULL)),
  CHECK ((state = 'closed') = (resolution IS NOT NULL)),
  CHECK ((state = 'snoozed') = (snoozed_until IS NOT NULL))
);
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
  item_id     UUID NOT NULL REFERENCES item (id),
  number      BIGINT NOT NULL CHECK (number >= 1),
  payload_id  UUID NOT NULL UNIQUE REFERENCES payload (id),
  media_type  TEXT COLLATE "C" NOT NULL,
  parent      BIGINT,
  author_kind TEXT COLLATE "C" NOT NULL CHECK (author_kind IN ('automation', 'person')),
  author_id   UUID NOT NULL,
  author_name TEXT COLLATE "C" NOT NULL,
  reason      TEXT COLLATE "C",
  at          TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (item_id, number),
  CHECK ((number = 1) = (parent IS NULL)),
  FOREIGN KEY (item_id, parent) REFERENCES revision (item_id, number)
);

CREATE TABLE attempt (
  id              UUID PRIMARY KEY,
  item_id         UUID NOT NULL REFERENCES item (id),
  number          BIGINT NOT NULL CHECK (number >= 1),
  made_by         TEXT COLLATE "C" NOT NULL CHECK (made_by IN ('automation', 'replay', 'person')),
  by_id           UUID NOT NULL,
  by_name         TEXT COLLATE "C" NOT NULL,
  -- The automation's own number, so that a cumulative report does not add an attempt twice.
  reported_number BIGINT,
  revision        BIGINT,
  epoch           BIGINT NOT NULL CHECK (epoch >= 0),
  idempotency_key TEXT COLLATE "C",
  -- The destination as configured then, as JSON; NULL for the automation's own attempts.
  destination     TEXT COLLATE "C",
  outcome         TEXT COLLATE "C" NOT NULL CHECK (outcome IN ('in_flight', 'accepted', 'succeeded', 'failed', 'uncertain')),
  effect          TEXT COLLATE "C" NOT NULL CHECK (effect IN ('none', 'confirmed', 'uncertain', 'partial')),
  sent            BOOLEAN,
  status_code     BIGINT,
  record_id       TEXT COLLATE "C",
  message         TEXT COLLATE "C",
  -- Word that came after the item was closed.
  late            BOOLEAN NOT NULL,
  started_at      TIMESTAMPTZ,
  finished_at     TIMESTAMPTZ,
  received_at     TIMESTAMPTZ NOT NULL,
  UNIQUE (item_id, number),
  FOREIGN KEY (item_id, revision) REFERENCES revision (item_id, number)
);

-- What is live on a piece of work: at most one (R5).
CREATE TABLE activity (
  id          UUID PRIMARY KEY,
  item_id     UUID NOT NULL REFERENCES item (id),
  kind        TEXT COLLATE "C" NOT NULL CHECK (kind IN ('automation_attempt', 'planned_retry', 'replay', 'compensation', 'ledger_lease')),
  attempt_id  UUID REFERENCES attempt (id),
  by_id       UUID NOT NULL,
  by_name     TEXT COLLATE "C" NOT NULL,
  -- Grows with each adoption; a holder with an old one has lost it.
  fence       BIGINT NOT NULL,
  due_at      TIMESTAMPTZ,
  started_at  TIMESTAMPTZ NOT NULL,
  lease_until TIMESTAMPTZ NOT NULL,
  ended_at    TIMESTAMPTZ,
  ended_how   TEXT COLLATE "C" CHECK (ended_how IN ('finished', 'started', 'replaced', 'lapsed', 'cancelled')),
  ended_by    TEXT COLLATE "C",
  CHECK ((ended_at IS NULL) = (ended_how IS NULL))
);
CREATE UNIQUE INDEX activity_one_live ON activity (item_id) WHERE ended_at IS NULL;
CREATE INDEX activity_by_item ON activity (item_id, started_at);
CREATE INDEX activity_live_lease ON activity (lease_until) WHERE ended_at IS NULL;

-- A possible double effect (R10): both attempts named. Ends only by a compensation or a finding.
CREATE TABLE double_effect (
  id             UUID PRIMARY KEY,
  item_id        UUID NOT NULL REFERENCES item (id),
  attempt_id     UUID REFERENCES attempt (id),
  late_attempt_id UUID NOT NULL REFERENCES attempt (id),
  raised_at      TIMESTAMPTZ NOT NULL,
  ended_at       TIMESTAMPTZ
);
CREATE INDEX double_effect_by_item ON double_effect (item_id);

-- Reports by their name: the same again changes nothing. Append-only (trigger).
CREATE TABLE report (
  workflow_id UUID NOT NULL REFERENCES workflow (id),
  report_id   TEXT COLLATE "C" NOT NULL,
  digest      BYTEA NOT NULL CHECK (octet_length(digest) = 32),
  item_id     UUID NOT NULL REFERENCES item (id),
  token_id    UUID NOT NULL,
  -- The first answer, given again to a repeat.
  answer      TEXT COLLATE "C" NOT NULL,
  received_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (workflow_id, report_id)
);
CREATE INDEX report_by_item ON report (item_id);

-- With its own search path: a temporary table named erasure must not stand in for the real one.
CREATE FUNCTION payload_guard() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.bytes IS NULL THEN RAISE EXCEPTION 'R1: a payload is stored with its bytes'; END IF;
    RETURN NEW;
  END IF;
  IF NEW.bytes IS NULL AND OLD.bytes IS NOT NULL AND NEW.id = OLD.id AND NEW.sha256 = OLD.sha256 AND NEW.size = OLD.size
     AND EXISTS (SELECT 1 FROM erasure WHERE payload_id = OLD.id) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'R1: a payload is never changed';
END $$;
CREATE TRIGGER payload_guard BEFORE INSERT OR UPDATE ON payload FOR EACH ROW EXECUTE FUNCTION payload_guard();
CREATE TRIGGER payload_no_delete BEFORE DELETE ON payload FOR EACH ROW EXECUTE FUNCTION refuse_change('R1: a payload is never deleted');
CREATE TRIGGER payload_no_truncate BEFORE TRUNCATE ON payload FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('R1: a payload is never deleted');
REVOKE UPDATE, DELETE, TRUNCATE ON payload FROM recourse_server;
GRANT UPDATE (bytes) ON payload TO recourse_server;

CREATE TRIGGER revision_no_change BEFORE UPDATE OR DELETE ON revision FOR EACH ROW EXECUTE FUNCTION refuse_change('R2: a revision is never changed');
CREATE TRIGGER revision_no_truncate BEFORE TRUNCATE ON revision FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('R2: a revision is never changed');
REVOKE UPDATE, DELETE, TRUNCATE ON revision FROM recourse_server;

CREATE TRIGGER report_no_change BEFORE UPDATE OR DELETE ON report FOR EACH ROW EXECUTE FUNCTION refuse_change('a report is never changed');
CREATE TRIGGER report_no_truncate BEFORE TRUNCATE ON report FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a report is never changed');
REVOKE UPDATE, DELETE, TRUNCATE ON report FROM recourse_server;

CREATE TRIGGER erasure_no_change BEFORE UPDATE OR DELETE ON erasure FOR EACH ROW EXECUTE FUNCTION refuse_change('R1: an erasure is never changed');
CREATE TRIGGER erasure_no_truncate BEFORE TRUNCATE ON erasure FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('R1: an erasure is never changed');
REVOKE UPDATE, DELETE, TRUNCATE ON erasure FROM recourse_server;
