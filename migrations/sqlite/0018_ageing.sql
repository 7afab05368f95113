-- Ageing: what must have happened by when, what was told of it, and to whom it was escalated.

-- What the workflow's file says of targets, hours and escalation, as JSON: no intake has to read the file.
ALTER TABLE workflow ADD COLUMN ageing TEXT NOT NULL DEFAULT '{}';

-- When somebody claimed it first since it came, and until when somebody worked it last.
ALTER TABLE item ADD COLUMN claimed_at TEXT;
ALTER TABLE item ADD COLUMN worked_until TEXT;
ALTER TABLE item ADD COLUMN escalated_at TEXT;
-- What is due next, from when that is at risk, and by when. The far end of the calendar stands for never, so that one index
-- orders all of them.
ALTER TABLE item ADD COLUMN due_cause TEXT;
ALTER TABLE item ADD COLUMN risk_at TEXT NOT NULL DEFAULT '9999-12-31T00:00:00+00:00';
ALTER TABLE item ADD COLUMN due_at TEXT NOT NULL DEFAULT '9999-12-31T00:00:00+00:00';
-- When its clocks have to be looked at next; items that are here already at once.
ALTER TABLE item ADD COLUMN look_at TEXT NOT NULL DEFAULT '1970-01-01T00:00:00+00:00';
CREATE INDEX item_open_due ON item (due_at, id, team_id, owner_team_id) WHERE state <> 'closed';
-- A team's items, whoever they were given by, in the order in which they are due.
CREATE INDEX item_open_team ON item (COALESCE(owner_team_id, team_id), due_at, id) WHERE state <> 'closed';
CREATE INDEX item_open_owner ON item (owner_person_id) WHERE state <> 'closed' AND owner_person_id IS NOT NULL;
CREATE INDEX item_to_look_at ON item (look_at, id) WHERE state <> 'closed';

-- What was there before: the rules that were applied, who works what, and who was to answer.
UPDATE workflow SET ageing = (SELECT json_extract(d.definition, '$.workflow') FROM workflow_definition AS d WHERE d.workflow_id = workflow.id ORDER BY d.number DESC LIMIT 1)
WHERE EXISTS (SELECT 1 FROM workflow_definition AS d WHERE d.workflow_id = workflow.id);
UPDATE item SET claimed_at = (SELECT MIN(entry.at) FROM audit_entry AS entry WHERE entry.item_id = item.id AND entry.action = 'item.claimed' AND entry.outcome = 'done' AND entry.at >= item.received_at)
WHERE state <> 'closed';
UPDATE item SET claimed_at = COALESCE(claimed_at, (SELECT since FROM claim WHERE claim.item_id = item.id)),
  worked_until = (SELECT until FROM claim WHERE claim.item_id = item.id)
WHERE EXISTS (SELECT 1 FROM claim WHERE claim.item_id = item.id);
UPDATE item SET worked_until = claimed_at WHERE claimed_at IS NOT NULL AND worked_until IS NULL;
UPDATE item SET escalated_at = received_at WHERE respond_by IS NOT NULL;

-- The same for a report in quarantine.
ALTER TABLE quarantine ADD COLUMN look_at TEXT NOT NULL DEFAULT '1970-01-01T00:00:00+00:00';
CREATE INDEX quarantine_to_look_at ON quarantine (look_at, id) WHERE state = 'open';

-- One alert for one cause and level of one step, however many items are in it. It stands until somebody acknowledges it.
CREATE TABLE alert (
  id                   BLOB PRIMARY KEY,
  cause                TEXT NOT NULL,
  level                TEXT NOT NULL,
  -- Cause, level, workflow, step and teams as one text: at most one is waiting of each.
  gathers              TEXT NOT NULL,
  workflow_key         TEXT NOT NULL,
  step                 TEXT,
  team_id              BLOB NOT NULL REFERENCES team (id),
  -- The team that is told: the one it was given or escalated to.
  told_team_id         BLOB REFERENCES team (id),
  -- How many are in it.
  subjects             INTEGER NOT NULL,
  raised_at            TEXT NOT NULL,
  last_at              TEXT NOT NULL,
  -- When people were told of it, the last time.
  told_at              TEXT NOT NULL,
  acknowledged_at      TEXT,
  acknowledged_by      BLOB,
  acknowledged_by_name TEXT,
  note                 TEXT,
  CHECK ((acknowledged_at IS NULL) = (acknowledged_by IS NULL)),
  CHECK ((acknowledged_at IS NULL) = (acknowledged_by_name IS NULL))
) STRICT;
CREATE UNIQUE INDEX alert_one_waiting ON alert (gathers) WHERE acknowledged_at IS NULL;
CREATE INDEX alert_by_group ON alert (gathers, raised_at);
CREATE INDEX alert_waiting ON alert (level, last_at, id) WHERE acknowledged_at IS NULL;
CREATE INDEX alert_done ON alert (acknowledged_at, id) WHERE acknowledged_at IS NOT NULL;

-- What an alert is about. Nothing is in two of one kind at a time: so each is told of once.
CREATE TABLE alert_subject (
  id         BLOB PRIMARY KEY,
  alert_id   BLOB NOT NULL REFERENCES alert (id),
  -- An item, or a report in quarantine.
  subject_id BLOB NOT NULL,
  item_id    BLOB REFERENCES item (id),
  cause      TEXT NOT NULL,
  level      TEXT NOT NULL,
  -- Which step of an escalation; 0 else.
  step       INTEGER NOT NULL,
  reached_at TEXT NOT NULL,
  settled_at TEXT
) STRICT;
CREATE UNIQUE INDEX alert_subject_once ON alert_subject (subject_id, cause, level, step) WHERE settled_at IS NULL;
CREATE INDEX alert_subject_open ON alert_subject (alert_id) WHERE settled_at IS NULL;
CREATE INDEX alert_subject_by_alert ON alert_subject (alert_id, reached_at, id);

-- Who was told of an alert, once each.
CREATE TABLE alert_told (
  alert_id  BLOB NOT NULL REFERENCES alert (id),
  person_id BLOB NOT NULL REFERENCES person (id),
  PRIMARY KEY (alert_id, person_id)
) STRICT;

ALTER TABLE notice ADD COLUMN alert_id BLOB REFERENCES alert (id);

-- The chain of an item's escalations. Only that it was answered is added.
CREATE TABLE escalation (
  id               BLOB PRIMARY KEY,
  item_id          BLOB NOT NULL REFERENCES item (id),
  level            INTEGER NOT NULL CHECK (level >= 1),
  team_id          BLOB NOT NULL REFERENCES team (id),
  team_name        TEXT NOT NULL,
  -- Who did it; nobody where a target was missed.
  by_id            BLOB,
  by_name          TEXT NOT NULL,
  reason           TEXT NOT NULL,
  respond_by       TEXT,
  at               TEXT NOT NULL,
  answered_at      TEXT,
  answered_by_name TEXT,
  CHECK ((answered_at IS NULL) = (answered_by_name IS NULL)),
  UNIQUE (item_id, level)
) STRICT;
CREATE TRIGGER escalation_guard BEFORE UPDATE ON escalation
WHEN NOT (OLD.answered_at IS NULL AND NEW.answered_at IS NOT NULL AND NEW.id = OLD.id AND NEW.item_id = OLD.item_id AND NEW.level = OLD.level
  AND NEW.team_id = OLD.team_id AND NEW.team_name = OLD.team_name AND NEW.by_id IS OLD.by_id AND NEW.by_name = OLD.by_name
  AND NEW.reason = OLD.reason AND NEW.respond_by IS OLD.respond_by AND NEW.at = OLD.at)
BEGIN SELECT RAISE(ABORT, 'an escalation is never changed'); END;
CREATE TRIGGER escalation_no_delete BEFORE DELETE ON escalation BEGIN SELECT RAISE(ABORT, 'an escalation is never changed'); END;
