-- A draft may be a file that was chosen: its bytes are meant just so, and not as a browser returned a text.
ALTER TABLE draft ADD COLUMN exact BOOLEAN NOT NULL DEFAULT FALSE;
