-- Replays: what was asked for, how far its delivery is (the outbox), what was answered, and what was looked up.

CREATE TABLE replay (
  id                BLOB PRIMARY KEY,
  item_id           BLOB NOT NULL REFERENCES item (id),
  -- What holds the item while it is under way (R5).
  activity_id       BLOB NOT NULL UNIQUE REFERENCES activity (id),
  -- It asks again with the key of an attempt that is uncertain.
  asks_again        INTEGER NOT NULL,
  revision          INTEGER NOT NULL,
  epoch             INTEGER NOT NULL CHECK (epoch >= 0),
  key               TEXT NOT NULL,
  -- The destination as it was when this was asked for, as JSON: what is sent goes there or nowhere.
  destination       TEXT NOT NULL,
  reason            TEXT NOT NULL,
  -- What was accepted explicitly, as a JSON list (R18).
  accepted          TEXT NOT NULL,
  requested_by      BLOB NOT NULL,
  requested_by_name TEXT NOT NULL,
  requested_at      TEXT NOT NULL,
  stage             TEXT NOT NULL CHECK (stage IN ('queued', 'sending', 'awaiting', 'ended')),
  -- The try that is next, or under way, or was the last.
  attempt_id        BLOB NOT NULL REFERENCES attempt (id),
  due_at            TEXT NOT NULL,
  tries             INTEGER NOT NULL CHECK (tries >= 0),
  first_try_at      TEXT,
  -- Grows with each try that begins; whoever holds an old one brings late news.
  fence             INTEGER NOT NULL,
  FOREIGN KEY (item_id, revision) REFERENCES revision (item_id, number)
) STRICT;
CREATE INDEX replay_due ON replay (due_at, id) WHERE stage = 'queued';
CREATE INDEX replay_by_item ON replay (item_id, requested_at);

-- The key of each revision in each epoch, once it was used (R7). Append-only (trigger).
CREATE TABLE replay_key (
  item_id  BLOB NOT NULL,
  revision INTEGER NOT NULL,
  epoch    INTEGER NOT NULL CHECK (epoch >= 0),
  key      TEXT NOT NULL,
  PRIMARY KEY (item_id, revision, epoch),
  FOREIGN KEY (item_id, revision) REFERENCES revision (item_id, number)
) STRICT;

-- The method and address that were called; NULL for attempts that Recourse did not make.
ALTER TABLE attempt ADD COLUMN request TEXT;

-- What was answered, as far as it is kept. Append-only (trigger).
CREATE TABLE attempt_answer (
  attempt_id BLOB PRIMARY KEY REFERENCES attempt (id),
  media_type TEXT,
  bytes      BLOB NOT NULL,
  -- More came, or should have come.
  cut        INTEGER NOT NULL
) STRICT;

-- What the other system showed when it was asked (R4). Append-only (trigger).
CREATE TABLE lookup (
  id         BLOB PRIMARY KEY,
  item_id    BLOB NOT NULL REFERENCES item (id),
  attempt_id BLOB NOT NULL REFERENCES attempt (id),
  request    TEXT NOT NULL,
  shown      TEXT NOT NULL CHECK (shown IN ('found', 'absent', 'cannot_tell')),
  -- "Absent", seen late enough to count.
  counts     INTEGER NOT NULL,
  begun_at   TEXT NOT NULL,
  by_id      BLOB NOT NULL,
  by_name    TEXT NOT NULL
) STRICT;
CREATE INDEX lookup_by_item ON lookup (item_id, begun_at);

-- Which attempt a request that was given a key has made.
ALTER TABLE asked ADD COLUMN attempt_id BLOB REFERENCES attempt (id);

CREATE TRIGGER replay_key_no_update BEFORE UPDATE ON replay_key
BEGIN SELECT RAISE(ABORT, 'R7: a key that was used is never changed'); END;
CREATE TRIGGER replay_key_no_delete BEFORE DELETE ON replay_key
BEGIN SELECT RAISE(ABORT, 'R7: a key that was used is never changed'); END;

CREATE TRIGGER attempt_answer_no_update BEFORE UPDATE ON attempt_answer
BEGIN SELECT RAISE(ABORT, 'R3: an answer is never changed'); END;
CREATE TRIGGER attempt_answer_no_delete BEFORE DELETE ON attempt_answer
BEGIN SELECT RAISE(ABORT, 'R3: an answer is never changed'); END;

CREATE TRIGGER lookup_no_update BEFORE UPDATE ON lookup
BEGIN SELECT RAISE(ABORT, 'R4: what was looked up is never changed'); END;
CREATE TRIGGER lookup_no_delete BEFORE DELETE ON lookup
BEGIN SELECT RAISE(ABORT, 'R4: what was looked up is never changed'); END;

-- What an attempt sent, with which key and where, stays as it was; its beginning is told once.
CREATE TRIGGER attempt_sent_no_update BEFORE UPDATE ON attempt
WHEN NEW.id <> OLD.id OR NEW.item_id <> OLD.item_id OR NEW.number <> OLD.number OR NEW.made_by <> OLD.made_by OR NEW.epoch <> OLD.epoch
     OR NEW.revision IS NOT OLD.revision OR NEW.idempotency_key IS NOT OLD.idempotency_key OR NEW.destination IS NOT OLD.destination
     OR NEW.request IS NOT OLD.request
     OR (OLD.started_at IS NOT NULL AND NEW.started_at IS NOT OLD.started_at)
BEGIN SELECT RAISE(ABORT, 'R3: what an attempt sent is never changed'); END;
CREATE TRIGGER attempt_no_delete BEFORE DELETE ON attempt
BEGIN SELECT RAISE(ABORT, 'R3: an attempt is never removed'); END;
