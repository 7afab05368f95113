-- Workflows, every version of their definition, and their steps.

CREATE TABLE workflow (
  id         BLOB PRIMARY KEY,
  key        TEXT NOT NULL UNIQUE,
  name       TEXT NOT NULL,
  team_id    BLOB NOT NULL REFERENCES team (id),
  -- The version that is current; NULL until the workflow is registered.
  version    TEXT,
  registered INTEGER NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

-- Every file that was applied, as it was; never changed (trigger).
CREATE TABLE workflow_definition (
  workflow_id BLOB NOT NULL REFERENCES workflow (id),
  number      INTEGER NOT NULL CHECK (number >= 1),
  version     TEXT NOT NULL,
  -- The file's own text, and what it was read as.
  source      TEXT NOT NULL,
  definition  TEXT NOT NULL,
  -- The schema files it names, by path.
  schemas     TEXT NOT NULL,
  applied_by  TEXT NOT NULL,
  applied_at  TEXT NOT NULL,
  PRIMARY KEY (workflow_id, number)
) STRICT;

CREATE TABLE step (
  workflow_id BLOB NOT NULL REFERENCES workflow (id),
  key         TEXT NOT NULL,
  name        TEXT NOT NULL,
  registered  INTEGER NOT NULL,
  side_effect TEXT NOT NULL CHECK (side_effect IN ('none', 'reversible', 'irreversible')),
  repeat      TEXT NOT NULL CHECK (repeat IN ('key', 'lookup', 'nothing')),
  impact      TEXT CHECK (impact IN ('low', 'medium', 'high')),
  sensitivity TEXT CHECK (sensitivity IN ('internal', 'confidential', 'restricted')),
  PRIMARY KEY (workflow_id, key)
) STRICT;

CREATE TRIGGER workflow_definition_no_update BEFORE UPDATE ON workflow_definition
BEGIN SELECT RAISE(ABORT, 'an applied workflow definition is never changed'); END;
CREATE TRIGGER workflow_definition_no_delete BEFORE DELETE ON workflow_definition
BEGIN SELECT RAISE(ABORT, 'an applied workflow definition is never changed'); END;
