-- Working an item: who is at it, what was said and found, how it ended.

-- Who is working an item now. A claim that has run out counts for nothing.
CREATE TABLE claim (
  item_id   UUID PRIMARY KEY REFERENCES item (id),
  person_id UUID NOT NULL REFERENCES person (id),
  since     TIMESTAMPTZ NOT NULL,
  until     TIMESTAMPTZ NOT NULL
);
CREATE INDEX claim_by_person ON claim (person_id);

-- What people said. Append-only (trigger).
CREATE TABLE item_comment (
  id          UUID PRIMARY KEY,
  item_id     UUID NOT NULL REFERENCES item (id),
  person_id   UUID NOT NULL,
  person_name TEXT COLLATE "C" NOT NULL,
  text        TEXT COLLATE "C" NOT NULL,
  at          TIMESTAMPTZ NOT NULL
);
CREATE INDEX item_comment_by_item ON item_comment (item_id, at);

-- What was found out about an attempt (R9). Append-only (trigger): a second, different finding stands beside the first.
CREATE TABLE finding (
  id         UUID PRIMARY KEY,
  item_id    UUID NOT NULL REFERENCES item (id),
  attempt_id UUID NOT NULL REFERENCES attempt (id),
  finding    TEXT COLLATE "C" NOT NULL CHECK (finding IN ('applied', 'not_applied', 'partial', 'cannot_tell')),
  source     TEXT COLLATE "C" NOT NULL,
  evidence   TEXT COLLATE "C" NOT NULL,
  record_id  TEXT COLLATE "C",
  by_id      UUID NOT NULL,
  by_name    TEXT COLLATE "C" NOT NULL,
  at         TIMESTAMPTZ NOT NULL
);
CREATE INDEX finding_by_item ON finding (item_id, at);

-- How an item was closed by a person (R9). Append-only (trigger).
CREATE TABLE decision (
  id           UUID PRIMARY KEY,
  item_id      UUID NOT NULL REFERENCES item (id),
  resolution   TEXT COLLATE "C" NOT NULL,
  effect       TEXT COLLATE "C" NOT NULL,
  reason       TEXT COLLATE "C" NOT NULL,
  code         TEXT COLLATE "C",
  evidence     TEXT COLLATE "C",
  record_id    TEXT COLLATE "C",
  -- What still has to be done where less was accepted.
  follow_up    TEXT COLLATE "C",
  -- Which revision was accepted.
  revision     BIGINT,
  duplicate_of UUID REFERENCES item (id),
  by_id        UUID NOT NULL,
  by_name      TEXT COLLATE "C" NOT NULL,
  at           TIMESTAMPTZ NOT NULL
);
CREATE INDEX decision_by_item ON decision (item_id, at);

CREATE TRIGGER item_comment_no_change BEFORE UPDATE OR DELETE ON item_comment FOR EACH ROW EXECUTE FUNCTION refuse_change('a comment is never changed');
CREATE TRIGGER item_comment_no_truncate BEFORE TRUNCATE ON item_comment FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a comment is never changed');
REVOKE UPDATE, DELETE, TRUNCATE ON item_comment FROM recourse_server;

CREATE TRIGGER finding_no_change BEFORE UPDATE OR DELETE ON finding FOR EACH ROW EXECUTE FUNCTION refuse_change('R9: a finding is never changed');
CREATE TRIGGER finding_no_truncate BEFORE TRUNCATE ON finding FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('R9: a finding is never changed');
REVOKE UPDATE, DELETE, TRUNCATE ON finding FROM recourse_server;

CREATE TRIGGER decision_no_change BEFORE UPDATE OR DELETE ON decision FOR EACH ROW EXECUTE FUNCTION refuse_change('R9: a decision is never changed');
CREATE TRIGGER decision_no_truncate BEFORE TRUNCATE ON decision FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('R9: a decision is never changed');
REVOKE UPDATE, DELETE, TRUNCATE ON decision FROM recourse_server;

CREATE INDEX item_snoozed ON item (snoozed_until) WHERE state = 'snoozed';

-- What a personal token is limited to; without rows, to everything its person may do but what is reserved.
CREATE TABLE token_scope (
  token_id   UUID NOT NULL REFERENCES token (id),
  permission TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (token_id, permission)
);

-- Requests by the key their script gave them: the same again changes nothing.
CREATE TABLE asked (
  caller_id UUID NOT NULL,
  key       TEXT COLLATE "C" NOT NULL,
  digest    BYTEA NOT NULL CHECK (octet_length(digest) = 32),
  item_id   UUID NOT NULL REFERENCES item (id),
  at        TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (caller_id, key)
);
