-- The audit trail (R14). Entries are append-only; free text stands apart, so that it can be erased and the entry still verify.

CREATE TABLE audit_entry (
  id           UUID PRIMARY KEY,
  at           TIMESTAMPTZ NOT NULL,
  actor_kind   TEXT COLLATE "C" NOT NULL CHECK (actor_kind IN ('person', 'automation', 'command_line', 'job', 'anonymous')),
  actor_id     UUID,
  -- As it was then: renaming or removing an account changes no history.
  actor_name   TEXT COLLATE "C" NOT NULL,
  action       TEXT COLLATE "C" NOT NULL,
  outcome      TEXT COLLATE "C" NOT NULL CHECK (outcome IN ('done', 'refused')),
  -- The refusal's code.
  code         TEXT COLLATE "C",
  team_id      UUID,
  workflow_key TEXT COLLATE "C",
  item_id      UUID,
  -- Ids, numbers and words of closed lists only, as JSON.
  detail       TEXT COLLATE "C" NOT NULL,
  -- Salted digest of the free text.
  text_digest  BYTEA,
  request_id   TEXT COLLATE "C"
);
CREATE INDEX audit_by_time ON audit_entry (at, id);
CREATE INDEX audit_by_item ON audit_entry (item_id, at, id);
CREATE INDEX audit_by_actor ON audit_entry (actor_name, at, id);
CREATE INDEX audit_by_action ON audit_entry (action, at, id);
CREATE INDEX audit_by_workflow ON audit_entry (workflow_key, at, id);
CREATE INDEX audit_refused ON audit_entry (at, id) WHERE outcome = 'refused';

CREATE TABLE audit_text (
  entry_id UUID PRIMARY KEY REFERENCES audit_entry (id),
  salt     BYTEA NOT NULL,
  text     TEXT COLLATE "C"
);

CREATE TRIGGER audit_entry_no_change BEFORE UPDATE OR DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION refuse_change('R14: an audit entry is never changed');
CREATE TRIGGER audit_entry_no_truncate BEFORE TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('R14: an audit entry is never changed');
REVOKE UPDATE, DELETE, TRUNCATE ON audit_entry FROM recourse_server;

CREATE FUNCTION audit_text_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.text IS NULL AND NEW.entry_id = OLD.entry_id AND NEW.salt = OLD.salt THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'R14: audit text is only ever erased';
END $$;
CREATE TRIGGER audit_text_guard BEFORE UPDATE ON audit_text FOR EACH ROW EXECUTE FUNCTION audit_text_guard();
CREATE TRIGGER audit_text_no_delete BEFORE DELETE ON audit_text FOR EACH ROW EXECUTE FUNCTION refuse_change('R14: audit text is only ever erased');
CREATE TRIGGER audit_text_no_truncate BEFORE TRUNCATE ON audit_text FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('R14: audit text is only ever erased');
REVOKE UPDATE, DELETE, TRUNCATE ON audit_text FROM recourse_server;
GRANT UPDATE (text) ON audit_text TO recourse_server;
