-- Workflows, every version of their definition, and their steps.

CREATE TABLE workflow (
  id         UUID PRIMARY KEY,
  key        TEXT COLLATE "C" NOT NULL UNIQUE,
  name       TEXT COLLATE "C" NOT NULL,
  team_id    UUID NOT NULL REFERENCES team (id),
  -- The version that is current; NULL until the workflow is registered.
  version    TEXT COLLATE "C",
  registered BOOLEAN NOT NULL,
  created_at TIMESTAMPTZ NOT NULL
);

-- Every file that was applied, as it was; never changed (trigger).
CREATE TABLE workflow_definition (
  workflow_id UUID NOT NULL REFERENCES workflow (id),
  number      BIGINT NOT NULL CHECK (number >= 1),
  version     TEXT COLLATE "C" NOT NULL,
  -- The file's own text, and what it was read as.
  source      TEXT COLLATE "C" NOT NULL,
  definition  TEXT COLLATE "C" NOT NULL,
  -- The schema files it names, by path.
  schemas     TEXT COLLATE "C" NOT NULL,
  applied_by  TEXT COLLATE "C" NOT NULL,
  applied_at  TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (workflow_id, number)
);

CREATE TABLE step (
  workflow_id UUID NOT NULL REFERENCES workflow (id),
  key         TEXT COLLATE "C" NOT NULL,
  name        TEXT COLLATE "C" NOT NULL,
  registered  BOOLEAN NOT NULL,
  side_effect TEXT COLLATE "C" NOT NULL CHECK (side_effect IN ('none', 'reversible', 'irreversible')),
  repeat      TEXT COLLATE "C" NOT NULL CHECK (repeat IN ('key', 'lookup', 'nothing')),
  impact      TEXT COLLATE "C" CHECK (impact IN ('low', 'medium', 'high')),
  sensitivity TEXT COLLATE "C" CHECK (sensitivity IN ('internal', 'confidential', 'restricted')),
  PRIMARY KEY (workflow_id, key)
);

CREATE TRIGGER workflow_definition_no_change BEFORE UPDATE OR DELETE ON workflow_definition FOR EACH ROW EXECUTE FUNCTION refuse_change('an applied workflow definition is never changed');
CREATE TRIGGER workflow_definition_no_truncate BEFORE TRUNCATE ON workflow_definition FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('an applied workflow definition is never changed');
REVOKE UPDATE, DELETE, TRUNCATE ON workflow_definition FROM recourse_server;
