-- Reports that were refused, kept whole so that nothing is lost (R17).

CREATE TABLE quarantine (
  id           BLOB PRIMARY KEY,
  team_id      BLOB NOT NULL REFERENCES team (id),
  -- As far as it could be read.
  workflow_key TEXT,
  token_id     BLOB NOT NULL REFERENCES token (id),
  token_name   TEXT NOT NULL,
  -- The request body, and the Recourse-Item header where there was one.
  payload_id   BLOB NOT NULL UNIQUE REFERENCES payload (id),
  content_type TEXT NOT NULL,
  item_header  TEXT,
  -- What was sent: a report, an attempt or a change, and for which item.
  door         TEXT NOT NULL CHECK (door IN ('report', 'attempt', 'amend')),
  target_item  BLOB REFERENCES item (id),
  code         TEXT NOT NULL,
  reason       TEXT NOT NULL,
  problems     TEXT NOT NULL,
  state        TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'closed')),
  item_id      BLOB REFERENCES item (id),
  -- What was accepted in its place, when a person corrected it.
  corrected_id BLOB REFERENCES payload (id),
  decided_by   TEXT,
  decided_at   TEXT,
  note         TEXT,
  received_at  TEXT NOT NULL,
  CHECK ((state = 'open') = (decided_at IS NULL))
) STRICT;
CREATE INDEX quarantine_open ON quarantine (received_at, id, team_id) WHERE state = 'open';
CREATE INDEX quarantine_done ON quarantine (received_at, id, team_id) WHERE state <> 'open';
