-- Corrections under way, and what a second person has to know about one that was saved.

-- What somebody typed so far: theirs alone, for one item and the revision they work from. It ends when it is saved or thrown away.
CREATE TABLE draft (
  person_id    UUID NOT NULL REFERENCES person (id),
  item_id      UUID NOT NULL,
  parent       BIGINT NOT NULL,
  -- Grows each time it is saved, and never begins anew: of two windows the second is told.
  version      BIGINT NOT NULL CHECK (version >= 1),
  -- As a browser returns it, with placeholders where something is masked for its author.
  content      BYTEA NOT NULL,
  -- Of the text it was made from, as its author saw it: where they see another by now, it is not shown.
  basis        BYTEA NOT NULL,
  reason       TEXT COLLATE "C" NOT NULL,
  -- The item's version that was looked at.
  item_version BIGINT NOT NULL,
  saved_at     TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (person_id, item_id, parent),
  FOREIGN KEY (item_id, parent) REFERENCES revision (item_id, number)
);
CREATE INDEX draft_by_item ON draft (item_id, saved_at);

-- It touches what is not open for editing; it was saved although it fails the step's schema.
ALTER TABLE revision ADD COLUMN breaks_glass BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE revision ADD COLUMN overrides_schema BOOLEAN NOT NULL DEFAULT FALSE;
