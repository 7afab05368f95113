-- Who may do what, and how they prove who they are: roles of one's own, sessions that can be listed and ended, the second
-- step of signing in, tries that are counted, rights that wait for a second admin, and what people are told.

-- Whoever changes rights takes this row first: of two who take each other's away, one comes second and is asked anew.
CREATE TABLE access (
  one     INTEGER PRIMARY KEY CHECK (one = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO access (one, version) VALUES (1, 0);

ALTER TABLE person ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE person ADD COLUMN deleted_at TEXT;
ALTER TABLE person ADD COLUMN signed_in_at TEXT;

-- Roles beside the four that are always there.
CREATE TABLE role (
  key        TEXT PRIMARY KEY CHECK (key NOT IN ('operator', 'supervisor', 'auditor', 'admin')),
  name       TEXT NOT NULL,
  version    INTEGER NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE TABLE role_permission (
  role_key   TEXT NOT NULL REFERENCES role (key),
  permission TEXT NOT NULL,
  PRIMARY KEY (role_key, permission)
) STRICT;
CREATE INDEX person_role_by_role ON person_role (role);

-- A right that waits for a second admin: a role for a person, or a permission for a role that people hold.
CREATE TABLE right_grant (
  id                BLOB PRIMARY KEY,
  person_id         BLOB REFERENCES person (id),
  role_key          TEXT NOT NULL,
  permission        TEXT,
  asked_by          BLOB,
  asked_by_name     TEXT NOT NULL,
  asked_at          TEXT NOT NULL,
  -- Not before this.
  due_at            TEXT NOT NULL,
  confirmed_by      BLOB,
  confirmed_by_name TEXT,
  confirmed_at      TEXT,
  ended_how         TEXT CHECK (ended_how IN ('given', 'refused', 'lapsed')),
  ended_by_name     TEXT,
  ended_at          TEXT,
  CHECK ((person_id IS NULL) <> (permission IS NULL)),
  CHECK ((ended_how IS NULL) = (ended_at IS NULL)),
  -- R11: four eyes.
  CHECK (confirmed_by <> asked_by),
  CHECK (confirmed_by <> person_id)
) STRICT;
CREATE INDEX right_grant_open ON right_grant (asked_at, id) WHERE ended_at IS NULL;

ALTER TABLE invite ADD COLUMN purpose TEXT NOT NULL DEFAULT 'first_admin' CHECK (purpose IN ('first_admin', 'join', 'reset'));
ALTER TABLE invite ADD COLUMN person_id BLOB REFERENCES person (id);
CREATE INDEX invite_by_person ON invite (person_id) WHERE person_id IS NOT NULL;

ALTER TABLE token ADD COLUMN made_by TEXT;
CREATE INDEX token_by_person ON token (person_id);

-- Everybody signs in again.
DROP TABLE session;
CREATE TABLE session (
  id_hash       BLOB PRIMARY KEY,
  -- Names it on pages; it opens nothing.
  id            BLOB NOT NULL UNIQUE,
  person_id     BLOB REFERENCES person (id),
  data          TEXT NOT NULL,
  address       TEXT,
  agent         TEXT,
  started_at    TEXT NOT NULL,
  seen_at       TEXT NOT NULL,
  -- When they last proved who they are.
  stepped_up_at TEXT NOT NULL,
  expires_at    TEXT NOT NULL
) STRICT;
CREATE INDEX session_by_person ON session (person_id);
CREATE INDEX session_by_expiry ON session (expires_at);

-- The second step of signing in (RFC 6238). `last_step` is the time step of the last code that was used: none counts twice.
CREATE TABLE two_step (
  person_id    BLOB PRIMARY KEY REFERENCES person (id),
  secret       BLOB NOT NULL,
  last_step    INTEGER NOT NULL,
  created_at   TEXT NOT NULL,
  confirmed_at TEXT
) STRICT;
CREATE TABLE recovery_code (
  person_id BLOB NOT NULL REFERENCES person (id),
  code_hash BLOB NOT NULL,
  used_at   TEXT,
  PRIMARY KEY (person_id, code_hash)
) STRICT;

-- Accounts by what an identity provider calls them.
CREATE TABLE identity (
  issuer     TEXT NOT NULL,
  subject    TEXT NOT NULL,
  person_id  BLOB NOT NULL REFERENCES person (id),
  created_at TEXT NOT NULL,
  PRIMARY KEY (issuer, subject)
) STRICT;
CREATE INDEX identity_by_person ON identity (person_id);

-- Tries, by what they are counted for. `due` is when the next would be on time, in microseconds since 1970; how far it may lie
-- ahead is how many are let through at once.
CREATE TABLE throttle (
  bucket      TEXT PRIMARY KEY,
  due         INTEGER NOT NULL,
  turned_away INTEGER NOT NULL
) STRICT;
-- From where a person signed in: a stranger elsewhere can't keep them out there.
CREATE TABLE known_address (
  person_id BLOB NOT NULL REFERENCES person (id),
  address   TEXT NOT NULL,
  at        TEXT NOT NULL,
  PRIMARY KEY (person_id, address)
) STRICT;

CREATE TABLE notice (
  id        BLOB PRIMARY KEY,
  person_id BLOB NOT NULL REFERENCES person (id),
  kind      TEXT NOT NULL,
  by_name   TEXT NOT NULL,
  about     TEXT NOT NULL,
  item_id   BLOB REFERENCES item (id),
  at        TEXT NOT NULL,
  read_at   TEXT
) STRICT;
CREATE INDEX notice_by_person ON notice (person_id, at, id);
CREATE INDEX notice_unread ON notice (person_id) WHERE read_at IS NULL;
