-- People, their roles and teams, sessions, tokens and one-time links.

-- The server works as this role: it may add to append-only tables and no more. Migrations run as the owner.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'recourse_server') THEN CREATE ROLE recourse_server NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
DO $$ BEGIN
  IF NOT pg_has_role(current_user, 'recourse_server', 'MEMBER') THEN EXECUTE format('GRANT recourse_server TO %I', current_user); END IF;
END $$;
GRANT USAGE ON SCHEMA public TO recourse_server;
-- The server sees whether the tables are up to date; it may work under a login that does not own them.
GRANT SELECT ON _sqlx_migrations TO recourse_server;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO recourse_server;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END $$;

CREATE TABLE team (
  id         UUID PRIMARY KEY,
  key        TEXT COLLATE "C" NOT NULL UNIQUE,
  name       TEXT COLLATE "C" NOT NULL,
  created_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE person (
  id            UUID PRIMARY KEY,
  email         TEXT COLLATE "C" NOT NULL,
  -- Folded in Rust, so that both databases agree on what is the same address.
  email_folded  TEXT COLLATE "C" NOT NULL UNIQUE,
  name          TEXT COLLATE "C" NOT NULL,
  password_hash TEXT COLLATE "C",
  clearance     TEXT COLLATE "C" NOT NULL CHECK (clearance IN ('internal', 'confidential', 'restricted')),
  created_at    TIMESTAMPTZ NOT NULL,
  disabled_at   TIMESTAMPTZ
);

CREATE TABLE person_role (
  person_id UUID NOT NULL REFERENCES person (id),
  role      TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (person_id, role)
);

CREATE TABLE person_team (
  person_id UUID NOT NULL REFERENCES person (id),
  team_id   UUID NOT NULL REFERENCES team (id),
  PRIMARY KEY (person_id, team_id)
);
CREATE INDEX person_team_by_team ON person_team (team_id);

-- Only a hash of the session's id is stored: who reads this table can't take over a session.
CREATE TABLE session (
  id_hash    BYTEA PRIMARY KEY,
  person_id  UUID REFERENCES person (id),
  data       TEXT COLLATE "C" NOT NULL,
  expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX session_by_person ON session (person_id);
CREATE INDEX session_by_expiry ON session (expires_at);

CREATE TABLE token (
  id           UUID PRIMARY KEY,
  kind         TEXT COLLATE "C" NOT NULL CHECK (kind IN ('automation', 'personal')),
  name         TEXT COLLATE "C" NOT NULL,
  secret_hash  BYTEA NOT NULL UNIQUE,
  person_id    UUID REFERENCES person (id),
  any_workflow BOOLEAN NOT NULL,
  created_at   TIMESTAMPTZ NOT NULL,
  expires_at   TIMESTAMPTZ,
  last_used_at TIMESTAMPTZ,
  revoked_at   TIMESTAMPTZ,
  CHECK ((kind = 'personal') = (person_id IS NOT NULL))
);

-- By key, not by id: a token may be bound to a workflow that is not registered yet.
CREATE TABLE token_workflow (
  token_id     UUID NOT NULL REFERENCES token (id),
  workflow_key TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (token_id, workflow_key)
);

CREATE TABLE invite (
  id          UUID PRIMARY KEY,
  secret_hash BYTEA NOT NULL UNIQUE,
  created_at  TIMESTAMPTZ NOT NULL,
  expires_at  TIMESTAMPTZ NOT NULL,
  used_at     TIMESTAMPTZ,
  used_by     UUID REFERENCES person (id)
);
