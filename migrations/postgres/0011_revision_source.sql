-- The version of the source record that a revision was made from (R18); NULL where none was told.

ALTER TABLE revision ADD COLUMN source_version TEXT COLLATE "C";
