-- People, their roles and teams, sessions, tokens and one-time links.

CREATE TABLE team (
  id         BLOB PRIMARY KEY,
  key        TEXT NOT NULL UNIQUE,
  name       TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE person (
  id            BLOB PRIMARY KEY,
  email         TEXT NOT NULL,
  -- Folded in Rust, so that both databases agree on what is the same address.
  email_folded  TEXT NOT NULL UNIQUE,
  name          TEXT NOT NULL,
  password_hash TEXT,
  clearance     TEXT NOT NULL CHECK (clearance IN ('internal', 'confidential', 'restricted')),
  created_at    TEXT NOT NULL,
  disabled_at   TEXT
) STRICT;

CREATE TABLE person_role (
  person_id BLOB NOT NULL REFERENCES person (id),
  role      TEXT NOT NULL,
  PRIMARY KEY (person_id, role)
) STRICT;

CREATE TABLE person_team (
  person_id BLOB NOT NULL REFERENCES person (id),
  team_id   BLOB NOT NULL REFERENCES team (id),
  PRIMARY KEY (person_id, team_id)
) STRICT;
CREATE INDEX person_team_by_team ON person_team (team_id);

-- Only a hash of the session's id is stored: who reads this table can't take over a session.
CREATE TABLE session (
  id_hash    BLOB PRIMARY KEY,
  person_id  BLOB REFERENCES person (id),
  data       TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX session_by_person ON session (person_id);
CREATE INDEX session_by_expiry ON session (expires_at);

CREATE TABLE token (
  id           BLOB PRIMARY KEY,
  kind         TEXT NOT NULL CHECK (kind IN ('automation', 'personal')),
  name         TEXT NOT NULL,
  secret_hash  BLOB NOT NULL UNIQUE,
  person_id    BLOB REFERENCES person (id),
  any_workflow INTEGER NOT NULL,
  created_at   TEXT NOT NULL,
  expires_at   TEXT,
  last_used_at TEXT,
  revoked_at   TEXT,
  CHECK ((kind = 'personal') = (person_id IS NOT NULL))
) STRICT;

-- By key, not by id: a token may be bound to a workflow that is not registered yet.
CREATE TABLE token_workflow (
  token_id     BLOB NOT NULL REFERENCES token (id),
  workflow_key TEXT NOT NULL,
  PRIMARY KEY (token_id, workflow_key)
) STRICT;

CREATE TABLE invite (
  id          BLOB PRIMARY KEY,
  secret_hash BLOB NOT NULL UNIQUE,
  created_at  TEXT NOT NULL,
  expires_at  TEXT NOT NULL,
  used_at     TEXT,
  used_by     BLOB REFERENCES person (id)
) STRICT;
