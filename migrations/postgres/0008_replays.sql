-- Replays: what was asked for, how far its delivery is (the outbox), what was answered, and what was looked up.

CREATE TABLE replay (
  id                UUID PRIMARY KEY,
  item_id           UUID NOT NULL REFERENCES item (id),
  -- What holds the item while it is under way (R5).
  activity_id       UUID NOT NULL UNIQUE REFERENCES activity (id),
  -- It asks again with the key of an attempt that is uncertain.
  asks_again        BOOLEAN NOT NULL,
  revision          BIGINT NOT NULL,
  epoch             BIGINT NOT NULL CHECK (epoch >= 0),
  key               TEXT COLLATE "C" NOT NULL,
  -- The destination as it was when this was asked for, as JSON: what is sent goes there or nowhere.
  destination       TEXT COLLATE "C" NOT NULL,
  reason            TEXT COLLATE "C" NOT NULL,
  -- What was accepted explicitly, as a JSON list (R18).
  accepted          TEXT COLLATE "C" NOT NULL,
  requested_by      UUID NOT NULL,
  requested_by_name TEXT COLLATE "C" NOT NULL,
  requested_at      TIMESTAMPTZ NOT NULL,
  stage             TEXT COLLATE "C" NOT NULL CHECK (stage IN ('queued', 'sending', 'awaiting', 'ended')),
  -- The try that is next, or under way, or was the last.
  attempt_id        UUID NOT NULL REFERENCES attempt (id),
  due_at            TIMESTAMPTZ NOT NULL,
  tries             BIGINT NOT NULL CHECK (tries >= 0),
  first_try_at      TIMESTAMPTZ,
  -- Grows with each try that begins; whoever holds an old one brings late news.
  fence             BIGINT NOT NULL,
  FOREIGN KEY (item_id, revision) REFERENCES revision (item_id, number)
);
CREATE INDEX replay_due ON replay (due_at, id) WHERE stage = 'queued';
CREATE INDEX replay_by_item ON replay (item_id, requested_at);

-- The key of each revision in each epoch, once it was used (R7). Append-only (trigger).
CREATE TABLE replay_key (
  item_id  UUID NOT NULL,
  revision BIGINT NOT NULL,
  epoch    BIGINT NOT NULL CHECK (epoch >= 0),
  key      TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (item_id, revision, epoch),
  FOREIGN KEY (item_id, revision) REFERENCES revision (item_id, number)
);

-- The method and address that were called; NULL for attempts that Recourse did not make.
ALTER TABLE attempt ADD COLUMN request TEXT COLLATE "C";

-- What was answered, as far as it is kept. Append-only (trigger).
CREATE TABLE attempt_answer (
  attempt_id UUID PRIMARY KEY REFERENCES attempt (id),
  media_type TEXT COLLATE "C",
  bytes      BYTEA NOT NULL,
  -- More came, or should have come.
  cut        BOOLEAN NOT NULL
);

-- What the other system showed when it was asked (R4). Append-only (trigger).
CREATE TABLE lookup (
  id         UUID PRIMARY KEY,
  item_id    UUID NOT NULL REFERENCES item (id),
  attempt_id UUID NOT NULL REFERENCES attempt (id),
  request    TEXT COLLATE "C" NOT NULL,
  shown      TEXT COLLATE "C" NOT NULL CHECK (shown IN ('found', 'absent', 'cannot_tell')),
  -- "Absent", seen late enough to count.
  counts     BOOLEAN NOT NULL,
  begun_at   TIMESTAMPTZ NOT NULL,
  by_id      UUID NOT NULL,
  by_name    TEXT COLLATE "C" NOT NULL
);
CREATE INDEX lookup_by_item ON lookup (item_id, begun_at);

-- Which attempt a request that was given a key has made.
ALTER TABLE asked ADD COLUMN attempt_id UUID REFERENCES attempt (id);

CREATE TRIGGER replay_key_no_change BEFORE UPDATE OR DELETE ON replay_key FOR EACH ROW EXECUTE FUNCTION refuse_change('R7: a key that was used is never changed');
CREATE TRIGGER replay_key_no_truncate BEFORE TRUNCATE ON replay_key FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('R7: a key that was used is never changed');
REVOKE UPDATE, DELETE, TRUNCATE ON replay_key FROM recourse_server;

CREATE TRIGGER attempt_answer_no_change BEFORE UPDATE OR DELETE ON attempt_answer FOR EACH ROW EXECUTE FUNCTION refuse_change('R3: an answer is never changed');
CREATE TRIGGER attempt_answer_no_truncate BEFORE TRUNCATE ON attempt_answer FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('R3: an answer is never changed');
REVOKE UPDATE, DELETE, TRUNCATE ON attempt_answer FROM recourse_server;

CREATE TRIGGER lookup_no_change BEFORE UPDATE OR DELETE ON lookup FOR EACH ROW EXECUTE FUNCTION refuse_change('R4: what was looked up is never changed');
CREATE TRIGGER lookup_no_truncate BEFORE TRUNCATE ON lookup FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('R4: what was looked up is never changed');
REVOKE UPDATE, DELETE, TRUNCATE ON lookup FROM recourse_server;

-- What an attempt sent, with which key and where, stays as it was; its beginning is told once.
CREATE FUNCTION attempt_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.id <> OLD.id OR NEW.item_id <> OLD.item_id OR NEW.number <> OLD.number OR NEW.made_by <> OLD.made_by OR NEW.epoch <> OLD.epoch
     OR NEW.revision IS DISTINCT FROM OLD.revision OR NEW.idempotency_key IS DISTINCT FROM OLD.idempotency_key
     OR NEW.destination IS DISTINCT FROM OLD.destination OR NEW.request IS DISTINCT FROM OLD.request
     OR (OLD.started_at IS NOT NULL AND NEW.started_at IS DISTINCT FROM OLD.started_at) THEN
    RAISE EXCEPTION 'R3: what an attempt sent is never changed';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER attempt_guard BEFORE UPDATE ON attempt FOR EACH ROW EXECUTE FUNCTION attempt_guard();
CREATE TRIGGER attempt_no_delete BEFORE DELETE ON attempt FOR EACH ROW EXECUTE FUNCTION refuse_change('R3: an attempt is never removed');
CREATE TRIGGER attempt_no_truncate BEFORE TRUNCATE ON attempt FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('R3: an attempt is never removed');
REVOKE DELETE, TRUNCATE ON attempt FROM recourse_server;
