-- The audit trail (R14). Entries are append-only; free text stands apart, so that it can be erased and the entry still verify.

CREATE TABLE audit_entry (
  id           BLOB PRIMARY KEY,
  at           TEXT NOT NULL,
  actor_kind   TEXT NOT NULL CHECK (actor_kind IN ('person', 'automation', 'command_line', 'job', 'anonymous')),
  actor_id     BLOB,
  -- As it was then: renaming or removing an account changes no history.
  actor_name   TEXT NOT NULL,
  action       TEXT NOT NULL,
  outcome      TEXT NOT NULL CHECK (outcome IN ('done', 'refused')),
  -- The refusal's code.
  code         TEXT,
  team_id      BLOB,
  workflow_key TEXT,
  item_id      BLOB,
  -- Ids, numbers and words of closed lists only, as JSON.
  detail       TEXT NOT NULL,
  -- Salted digest of the free text.
  text_digest  BLOB,
  request_id   TEXT
) STRICT;
CREATE INDEX audit_by_time ON audit_entry (at, id);
CREATE INDEX audit_by_item ON audit_entry (item_id, at, id);
CREATE INDEX audit_by_actor ON audit_entry (actor_name, at, id);
CREATE INDEX audit_by_action ON audit_entry (action, at, id);
CREATE INDEX audit_by_workflow ON audit_entry (workflow_key, at, id);
CREATE INDEX audit_refused ON audit_entry (at, id) WHERE outcome = 'refused';

CREATE TABLE audit_text (
  entry_id BLOB PRIMARY KEY REFERENCES audit_entry (id),
  salt     BLOB NOT NULL,
  text     TEXT
) STRICT;

CREATE TRIGGER audit_entry_no_update BEFORE UPDATE ON audit_entry
BEGIN SELECT RAISE(ABORT, 'R14: an audit entry is never changed'); END;
CREATE TRIGGER audit_entry_no_delete BEFORE DELETE ON audit_entry
BEGIN SELECT RAISE(ABORT, 'R14: an audit entry is never changed'); END;

CREATE TRIGGER audit_text_no_update BEFORE UPDATE ON audit_text
WHEN NOT (NEW.text IS NULL AND NEW.entry_id = OLD.entry_id AND NEW.salt = OLD.salt)
BEGIN SELECT RAISE(ABORT, 'R14: audit text is only ever erased'); END;
CREATE TRIGGER audit_text_no_delete BEFORE DELETE ON audit_text
BEGIN SELECT RAISE(ABORT, 'R14: audit text is only ever erased'); END;
