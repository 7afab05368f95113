-- What automations are told (R9): every closing and reopening, numbered per workflow in the transaction that did it.

ALTER TABLE workflow ADD COLUMN outcomes BIGINT NOT NULL DEFAULT 0;

-- The event never changes; only that it was acknowledged is added (trigger).
CREATE TABLE outcome (
  workflow_id     UUID NOT NULL REFERENCES workflow (id),
  number          BIGINT NOT NULL CHECK (number >= 1),
  item_id         UUID NOT NULL REFERENCES item (id),
  event           TEXT COLLATE "C" NOT NULL,
  at              TIMESTAMPTZ NOT NULL,
  acknowledged_at TIMESTAMPTZ,
  PRIMARY KEY (workflow_id, number)
);
CREATE INDEX outcome_by_item ON outcome (item_id, number);
CREATE INDEX outcome_open ON outcome (workflow_id, number) WHERE acknowledged_at IS NULL;

CREATE FUNCTION outcome_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.acknowledged_at IS NULL AND NEW.workflow_id = OLD.workflow_id AND NEW.number = OLD.number
     AND NEW.item_id = OLD.item_id AND NEW.event = OLD.event AND NEW.at = OLD.at THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'R9: an outcome is never changed';
END $$;
CREATE TRIGGER outcome_guard BEFORE UPDATE ON outcome FOR EACH ROW EXECUTE FUNCTION outcome_guard();
CREATE TRIGGER outcome_no_delete BEFORE DELETE ON outcome FOR EACH ROW EXECUTE FUNCTION refuse_change('R9: an outcome is never changed');
CREATE TRIGGER outcome_no_truncate BEFORE TRUNCATE ON outcome FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('R9: an outcome is never changed');
REVOKE UPDATE, DELETE, TRUNCATE ON outcome FROM recourse_server;
GRANT UPDATE (acknowledged_at) ON outcome TO recourse_server;
