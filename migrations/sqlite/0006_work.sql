-- Working an item: who is at it, what was said and found, how it ended.

-- Who is working an item now. A claim that has run out counts for nothing.
CREATE TABLE claim (
  item_id   BLOB PRIMARY KEY REFERENCES item (id),
  person_id BLOB NOT NULL REFERENCES person (id),
  since     TEXT NOT NULL,
  until     TEXT NOT NULL
) STRICT;
CREATE INDEX claim_by_person ON claim (person_id);

-- What people said. Append-only (trigger).
CREATE TABLE item_comment (
  id          BLOB PRIMARY KEY,
  item_id     BLOB NOT NULL REFERENCES item (id),
  person_id   BLOB NOT NULL,
  person_name TEXT NOT NULL,
  text        TEXT NOT NULL,
  at          TEXT NOT NULL
) STRICT;
CREATE INDEX item_comment_by_item ON item_comment (item_id, at);

-- What was found out about an attempt (R9). Append-only (trigger): a second, different finding stands beside the first.
CREATE TABLE finding (
  id         BLOB PRIMARY KEY,
  item_id    BLOB NOT NULL REFERENCES item (id),
  attempt_id BLOB NOT NULL REFERENCES attempt (id),
  finding    TEXT NOT NULL CHECK (finding IN ('applied', 'not_applied', 'partial', 'cannot_tell')),
  source     TEXT NOT NULL,
  evidence   TEXT NOT NULL,
  record_id  TEXT,
  by_id      BLOB NOT NULL,
  by_name    TEXT NOT NULL,
  at         TEXT NOT NULL
) STRICT;
CREATE INDEX finding_by_item ON finding (item_id, at);

-- How an item was closed by a person (R9). Append-only (trigger).
CREATE TABLE decision (
  id           BLOB PRIMARY KEY,
  item_id      BLOB NOT NULL REFERENCES item (id),
  resolution   TEXT NOT NULL,
  effect       TEXT NOT NULL,
  reason       TEXT NOT NULL,
  code         TEXT,
  evidence     TEXT,
  record_id    TEXT,
  -- What still has to be done where less was accepted.
  follow_up    TEXT,
  -- Which revision was accepted.
  revision     INTEGER,
  duplicate_of BLOB REFERENCES item (id),
  by_id        BLOB NOT NULL,
  by_name      TEXT NOT NULL,
  at           TEXT NOT NULL
) STRICT;
CREATE INDEX decision_by_item ON decision (item_id, at);

CREATE TRIGGER item_comment_no_update BEFORE UPDATE ON item_comment
BEGIN SELECT RAISE(ABORT, 'a comment is never changed'); END;
CREATE TRIGGER item_comment_no_delete BEFORE DELETE ON item_comment
BEGIN SELECT RAISE(ABORT, 'a comment is never changed'); END;

CREATE TRIGGER finding_no_update BEFORE UPDATE ON finding
BEGIN SELECT RAISE(ABORT, 'R9: a finding is never changed'); END;
CREATE TRIGGER finding_no_delete BEFORE DELETE ON finding
BEGIN SELECT RAISE(ABORT, 'R9: a finding is never changed'); END;

CREATE TRIGGER decision_no_update BEFORE UPDATE ON decision
BEGIN SELECT RAISE(ABORT, 'R9: a decision is never changed'); END;
CREATE TRIGGER decision_no_delete BEFORE DELETE ON decision
BEGIN SELECT RAISE(ABORT, 'R9: a decision is never changed'); END;

CREATE INDEX item_snoozed ON item (snoozed_until) WHERE state = 'snoozed';

-- What a personal token is limited to; without rows, to everything its person may do but what is reserved.
CREATE TABLE token_scope (
  token_id   BLOB NOT NULL REFERENCES token (id),
  permission TEXT NOT NULL,
  PRIMARY KEY (token_id, permission)
) STRICT;

-- Requests by the key their script gave them: the same again changes nothing.
CREATE TABLE asked (
  caller_id BLOB NOT NULL,
  key       TEXT NOT NULL,
  digest    BLOB NOT NULL CHECK (length(digest) = 32),
  item_id   BLOB NOT NULL REFERENCES item (id),
  at        TEXT NOT NULL,
  PRIMARY KEY (caller_id, key)
) STRICT;
