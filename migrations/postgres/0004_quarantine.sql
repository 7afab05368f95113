-- Reports that were refused, kept whole so that nothing is lost (R17).

CREATE TABLE quarantine (
  id           UUID PRIMARY KEY,
  team_id      UUID NOT NULL REFERENCES team (id),
  -- As far as it could be read.
  workflow_key TEXT COLLATE "C",
  token_id     UUID NOT NULL REFERENCES token (id),
  token_name   TEXT COLLATE "C" NOT NULL,
  -- The request body, and the Recourse-Item header where there was one.
  payload_id   UUID NOT NULL UNIQUE REFERENCES payload (id),
  content_type TEXT COLLATE "C" NOT NULL,
  item_header  TEXT COLLATE "C",
  -- What was sent: a report, an attempt or a change, and for which item.
  door         TEXT COLLATE "C" NOT NULL CHECK (door IN ('report', 'attempt', 'amend')),
  target_item  UUID REFERENCES item (id),
  code         TEXT COLLATE "C" NOT NULL,
  reason       TEXT COLLATE "C" NOT NULL,
  problems     TEXT COLLATE "C" NOT NULL,
  state        TEXT COLLATE "C" NOT NULL CHECK (state IN ('open', 'accepted', 'closed')),
  item_id      UUID REFERENCES item (id),
  -- What was accepted in its place, when a person corrected it.
  corrected_id UUID REFERENCES payload (id),
  decided_by   TEXT COLLATE "C",
  decided_at   TIMESTAMPTZ,
  note         TEXT COLLATE "C",
  received_at  TIMESTAMPTZ NOT NULL,
  CHECK ((state = 'open') = (decided_at IS NULL))
);
CREATE INDEX quarantine_open ON quarantine (received_at, id, team_id) WHERE state = 'open';
CREATE INDEX quarantine_done ON quarantine (received_at, id, team_id) WHERE state <> 'open';
