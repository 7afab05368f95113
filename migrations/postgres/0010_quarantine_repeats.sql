-- A refused report that is sent again and refused in the same way is counted on the one that waits, and who may read it
-- depends on how sensitive it is.

-- Digest of what makes it the same again: sender, door, content and refusal.
ALTER TABLE quarantine ADD COLUMN sameness BYTEA;
ALTER TABLE quarantine ADD COLUMN repeats BIGINT NOT NULL DEFAULT 0;
ALTER TABLE quarantine ADD COLUMN last_at TIMESTAMPTZ;
-- What is here already was kept before anybody asked, so the highest counts.
ALTER TABLE quarantine ADD COLUMN sensitivity TEXT COLLATE "C" NOT NULL DEFAULT 'restricted' CHECK (sensitivity IN ('internal', 'confidential', 'restricted'));
CREATE UNIQUE INDEX quarantine_same ON quarantine (sameness) WHERE state = 'open';
