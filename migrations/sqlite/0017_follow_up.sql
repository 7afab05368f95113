-- What still has to be done where less was accepted is an item of its own: it names the one that it follows up.
ALTER TABLE item ADD COLUMN follow_up_of BLOB REFERENCES item (id);
CREATE INDEX item_by_follow_up_of ON item (follow_up_of) WHERE follow_up_of IS NOT NULL;
