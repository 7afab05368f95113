-- Who may do what, and how they prove who they are: roles of one's own, sessions that can be listed and ended, the second
-- step of signing in, tries that are counted, rights that wait for a second admin, and what people are told.

-- Whoever changes rights takes this row first: of two who take each other's away, one comes second and is asked anew.
CREATE TABLE access (
  one     BIGINT PRIMARY KEY CHECK (one = 1),
  version BIGINT NOT NULL
);
INSERT INTO access (one, version) VALUES (1, 0);

ALTER TABLE person ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE person ADD COLUMN deleted_at TIMESTAMPTZ;
ALTER TABLE person ADD COLUMN signed_in_at TIMESTAMPTZ;

-- Roles beside the four that are always there.
CREATE TABLE role (
  key        TEXT COLLATE "C" PRIMARY KEY CHECK (key NOT IN ('operator', 'supervisor', 'auditor', 'admin')),
  name       TEXT COLLATE "C" NOT NULL,
  version    BIGINT NOT NULL,
  created_at TIMESTAMPTZ NOT NULL
);
CREATE TABLE role_permission (
  role_key   TEXT COLLATE "C" NOT NULL REFERENCES role (key),
  permission TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (role_key, permission)
);
CREATE INDEX person_role_by_role ON person_role (role);

-- A right that waits for a second admin: a role for a person, or a permission for a role that people hold.
CREATE TABLE right_grant (
  id                UUID PRIMARY KEY,
  person_id         UUID REFERENCES person (id),
  role_key          TEXT COLLATE "C" NOT NULL,
  permission        TEXT COLLATE "C",
  asked_by          UUID,
  asked_by_name     TEXT COLLATE "C" NOT NULL,
  asked_at          TIMESTAMPTZ NOT NULL,
  -- Not before this.
  due_at            TIMESTAMPTZ NOT NULL,
  confirmed_by      UUID,
  confirmed_by_name TEXT COLLATE "C",
  confirmed_at      TIMESTAMPTZ,
  ended_how         TEXT COLLATE "C" CHECK (ended_how IN ('given', 'refused', 'lapsed')),
  ended_by_name     TEXT COLLATE "C",
  ended_at          TIMESTAMPTZ,
  CHECK ((person_id IS NULL) <> (permission IS NULL)),
  CHECK ((ended_how IS NULL) = (ended_at IS NULL)),
  -- R11: four eyes.
  CHECK (confirmed_by <> asked_by),
  CHECK (confirmed_by <> person_id)
);
CREATE INDEX right_grant_open ON right_grant (asked_at, id) WHERE ended_at IS NULL;

ALTER TABLE invite ADD COLUMN purpose TEXT COLLATE "C" NOT NULL DEFAULT 'first_admin' CHECK (purpose IN ('first_admin', 'join', 'reset'));
ALTER TABLE invite ADD COLUMN person_id UUID REFERENCES person (id);
CREATE INDEX invite_by_person ON invite (person_id) WHERE person_id IS NOT NULL;

ALTER TABLE token ADD COLUMN made_by TEXT COLLATE "C";
CREATE INDEX token_by_person ON token (person_id);

-- Everybody signs in again.
DROP TABLE session;
CREATE TABLE session (
  id_hash       BYTEA PRIMARY KEY,
  -- Names it on pages; it opens nothing.
  id            UUID NOT NULL UNIQUE,
  person_id     UUID REFERENCES person (id),
  data          TEXT COLLATE "C" NOT NULL,
  address       TEXT COLLATE "C",
  agent         TEXT COLLATE "C",
  started_at    TIMESTAMPTZ NOT NULL,
  seen_at       TIMESTAMPTZ NOT NULL,
  -- When they last proved who they are.
  stepped_up_at TIMESTAMPTZ NOT NULL,
  expires_at    TIMESTAMPTZ NOT NULL
);
CREATE INDEX session_by_person ON session (person_id);
CREATE INDEX session_by_expiry ON session (expires_at);

-- The second step of signing in (RFC 6238). `last_step` is the time step of the last code that was used: none counts twice.
CREATE TABLE two_step (
  person_id    UUID PRIMARY KEY REFERENCES person (id),
  secret       BYTEA NOT NULL,
  last_step    BIGINT NOT NULL,
  created_at   TIMESTAMPTZ NOT NULL,
  confirmed_at TIMESTAMPTZ
);
CREATE TABLE recovery_code (
  person_id UUID NOT NULL REFERENCES person (id),
  code_hash BYTEA NOT NULL,
  used_at   TIMESTAMPTZ,
  PRIMARY KEY (person_id, code_hash)
);

-- Accounts by what an identity provider calls them.
CREATE TABLE identity (
  issuer     TEXT COLLATE "C" NOT NULL,
  subject    TEXT COLLATE "C" NOT NULL,
  person_id  UUID NOT NULL REFERENCES person (id),
  created_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX identity_by_person ON identity (person_id);

-- Tries, by what they are counted for. `due` is when the next would be on time, in microseconds since 1970; how far it may lie
-- ahead is how many are let through at once.
CREATE TABLE throttle (
  bucket      TEXT COLLATE "C" PRIMARY KEY,
  due         BIGINT NOT NULL,
  turned_away BIGINT NOT NULL
);
-- From where a person signed in: a stranger elsewhere can't keep them out there.
CREATE TABLE known_address (
  person_id UUID NOT NULL REFERENCES person (id),
  address   TEXT COLLATE "C" NOT NULL,
  at        TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (person_id, address)
);

CREATE TABLE notice (
  id        UUID PRIMARY KEY,
  person_id UUID NOT NULL REFERENCES person (id),
  kind      TEXT COLLATE "C" NOT NULL,
  by_name   TEXT COLLATE "C" NOT NULL,
  about     TEXT COLLATE "C" NOT NULL,
  item_id   UUID REFERENCES item (id),
  at        TIMESTAMPTZ NOT NULL,
  read_at   TIMESTAMPTZ
);
CREATE INDEX notice_by_person ON notice (person_id, at, id);
CREATE INDEX notice_unread ON notice (person_id) WHERE read_at IS NULL;
