-- Channels: ways out by which others are told, and what is on its way through them.

CREATE TABLE channel (
  id              BLOB PRIMARY KEY,
  -- By this workflow files name it; it stays.
  name            TEXT NOT NULL UNIQUE,
  kind            TEXT NOT NULL CHECK (kind IN ('webhook', 'slack', 'teams')),
  url             TEXT NOT NULL,
  -- The name of the secret that it is signed with; settings give its value.
  secret          TEXT,
  allow_private   INTEGER NOT NULL,
  version         INTEGER NOT NULL CHECK (version >= 1),
  -- How it went the last time.
  worked_at       TEXT,
  failing_since   TEXT,
  last_error      TEXT,
  -- Since when what does not arrive is given up; admins were told.
  giving_up_since TEXT,
  disabled_at     TEXT,
  disabled_why    TEXT,
  created_by_name TEXT NOT NULL,
  created_at      TEXT NOT NULL,
  changed_by_name TEXT NOT NULL,
  changed_at      TEXT NOT NULL,
  CHECK (secret IS NULL OR kind = 'webhook'),
  CHECK ((failing_since IS NULL) = (last_error IS NULL)),
  CHECK ((disabled_at IS NULL) = (disabled_why IS NULL))
) STRICT;

-- One telling on its way through one channel, or to one person by e-mail. Written in the transaction of what it tells of.
CREATE TABLE posting (
  id           BLOB PRIMARY KEY,
  channel_id   BLOB REFERENCES channel (id),
  person_id    BLOB REFERENCES person (id),
  -- The person's e-mail address, as it was when this was written.
  address      TEXT,
  -- The item it is about, where a person must see that still when it is sent.
  item_id      BLOB REFERENCES item (id),
  -- What it says, as JSON: title, lines, link. Never a value of a payload.
  telling      TEXT NOT NULL,
  created_at   TEXT NOT NULL,
  -- Not before this.
  due_at       TEXT NOT NULL,
  -- Tries that were begun.
  tries        INTEGER NOT NULL,
  first_try_at TEXT,
  tried_at     TEXT,
  -- Grows with each try that begins: whoever comes back late writes nothing.
  fence        INTEGER NOT NULL,
  -- Until then it is somebody's to send.
  leased_until TEXT,
  last_error   TEXT,
  sent_at      TEXT,
  given_up_at  TEXT,
  -- It was given up on purpose: its reader was not to get it.
  withheld     INTEGER NOT NULL,
  CHECK (given_up_at IS NOT NULL OR NOT withheld),
  CHECK ((channel_id IS NULL) <> (address IS NULL)),
  CHECK ((person_id IS NULL) = (address IS NULL))
) STRICT;
CREATE INDEX posting_due ON posting (due_at, id) WHERE sent_at IS NULL AND given_up_at IS NULL;
CREATE INDEX posting_by_channel ON posting (channel_id, created_at, id);
CREATE INDEX posting_by_person ON posting (person_id, created_at, id);

-- Whether a person is told by e-mail, too, of what belongs to a topic. What is not here is as by default.
CREATE TABLE notice_choice (
  person_id BLOB NOT NULL REFERENCES person (id),
  topic     TEXT NOT NULL,
  by_email  INTEGER NOT NULL,
  PRIMARY KEY (person_id, topic)
) STRICT;

-- When a person gets no e-mail, by the clock of their zone.
CREATE TABLE quiet_hours (
  person_id BLOB PRIMARY KEY REFERENCES person (id),
  begins    TEXT NOT NULL,
  ends      TEXT NOT NULL,
  zone      TEXT NOT NULL
) STRICT;
