-- Corrections are looked through by time, newest first: revisions that people made.
CREATE INDEX revision_by_person ON revision (at, item_id, number) WHERE author_kind = 'person';
