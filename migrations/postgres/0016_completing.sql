-- A correction that does the rest of what happened in part, and nothing of what was done: it may be sent beside that, once a
-- second person has approved it.
ALTER TABLE revision ADD COLUMN completing BOOLEAN NOT NULL DEFAULT FALSE;
