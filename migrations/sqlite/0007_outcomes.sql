-- What automations are told (R9): every closing and reopening, numbered per workflow in the transaction that did it.

ALTER TABLE workflow ADD COLUMN outcomes INTEGER NOT NULL DEFAULT 0;

-- The event never changes; only that it was acknowledged is added (trigger).
CREATE TABLE outcome (
  workflow_id     BLOB NOT NULL REFERENCES workflow (id),
  number          INTEGER NOT NULL CHECK (number >= 1),
  item_id         BLOB NOT NULL REFERENCES item (id),
  event           TEXT NOT NULL,
  at              TEXT NOT NULL,
  acknowledged_at TEXT,
  PRIMARY KEY (workflow_id, number)
) STRICT;
CREATE INDEX outcome_by_item ON outcome (item_id, number);
CREATE INDEX outcome_open ON outcome (workflow_id, number) WHERE acknowledged_at IS NULL;

CREATE TRIGGER outcome_no_update BEFORE UPDATE ON outcome
WHEN NOT (OLD.acknowledged_at IS NULL AND NEW.workflow_id = OLD.workflow_id AND NEW.number = OLD.number
          AND NEW.item_id = OLD.item_id AND NEW.event = OLD.event AND NEW.at = OLD.at)
BEGIN SELECT RAISE(ABORT, 'R9: an outcome is never changed'); END;
CREATE TRIGGER outcome_no_delete BEFORE DELETE ON outcome
BEGIN SELECT RAISE(ABORT, 'R9: an outcome is never changed'); END;
