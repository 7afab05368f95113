-- Channels: ways out by which others are told, and what is on its way through them.

CREATE TABLE channel (
  id              UUID PRIMARY KEY,
  -- By this workflow files name it; it stays.
  name            TEXT COLLATE "C" NOT NULL UNIQUE,
  kind            TEXT COLLATE "C" NOT NULL CHECK (kind IN ('webhook', 'slack', 'teams')),
  url             TEXT COLLATE "C" NOT NULL,
  -- The name of the secret that it is signed with; settings give its value.
  secret          TEXT COLLATE "C",
  allow_private   BOOLEAN NOT NULL,
  version         BIGINT NOT NULL CHECK (version >= 1),
  -- How it went the last time.
  worked_at       TIMESTAMPTZ,
  failing_since   TIMESTAMPTZ,
  last_error      TEXT COLLATE "C",
  -- Since when what does not arrive is given up; admins were told.
  giving_up_since TIMESTAMPTZ,
  disabled_at     TIMESTAMPTZ,
  disabled_why    TEXT COLLATE "C",
  created_by_name TEXT COLLATE "C" NOT NULL,
  created_at      TIMESTAMPTZ NOT NULL,
  changed_by_name TEXT COLLATE "C" NOT NULL,
  changed_at      TIMESTAMPTZ NOT NULL,
  CHECK (secret IS NULL OR kind = 'webhook'),
  CHECK ((failing_since IS NULL) = (last_error IS NULL)),
  CHECK ((disabled_at IS NULL) = (disabled_why IS NULL))
);

-- One telling on its way through one channel, or to one person by e-mail. Written in the transaction of what it tells of.
CREATE TABLE posting (
  id           UUID PRIMARY KEY,
  channel_id   UUID REFERENCES channel (id),
  person_id    UUID REFERENCES person (id),
  -- The person's e-mail address, as it was when this was written.
  address      TEXT COLLATE "C",
  -- The item it is about, where a person must see that still when it is sent.
  item_id      UUID REFERENCES item (id),
  -- What it says, as JSON: title, lines, link. Never a value of a payload.
  telling      TEXT COLLATE "C" NOT NULL,
  created_at   TIMESTAMPTZ NOT NULL,
  -- Not before this.
  due_at       TIMESTAMPTZ NOT NULL,
  -- Tries that were begun.
  tries        BIGINT NOT NULL,
  first_try_at TIMESTAMPTZ,
  tried_at     TIMESTAMPTZ,
  -- Grows with each try that begins: whoever comes back late writes nothing.
  fence        BIGINT NOT NULL,
  -- Until then it is somebody's to send.
  leased_until TIMESTAMPTZ,
  last_error   TEXT COLLATE "C",
  sent_at      TIMESTAMPTZ,
  given_up_at  TIMESTAMPTZ,
  -- It was given up on purpose: its reader was not to get it.
  withheld     BOOLEAN NOT NULL,
  CHECK (given_up_at IS NOT NULL OR NOT withheld),
  CHECK ((channel_id IS NULL) <> (address IS NULL)),
  CHECK ((person_id IS NULL) = (address IS NULL))
);
CREATE INDEX posting_due ON posting (due_at, id) WHERE sent_at IS NULL AND given_up_at IS NULL;
CREATE INDEX posting_by_channel ON posting (channel_id, created_at, id);
CREATE INDEX posting_by_person ON posting (person_id, created_at, id);

-- Whether a person is told by e-mail, too, of what belongs to a topic. What is not here is as by default.
CREATE TABLE notice_choice (
  person_id UUID NOT NULL REFERENCES person (id),
  topic     TEXT COLLATE "C" NOT NULL,
  by_email  BOOLEAN NOT NULL,
  PRIMARY KEY (person_id, topic)
);

-- When a person gets no e-mail, by the clock of their zone.
CREATE TABLE quiet_hours (
  person_id UUID PRIMARY KEY REFERENCES person (id),
  begins    TEXT COLLATE "C" NOT NULL,
  ends      TEXT COLLATE "C" NOT NULL,
  zone      TEXT COLLATE "C" NOT NULL
);
