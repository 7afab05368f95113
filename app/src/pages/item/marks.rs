use service::Revision;

/// What a second person has to know of a correction, in words; `None` of one that nothing is to be said of.
pub(in crate::pages) fn marks(revision: &Revision) -> Option<String> {
    let marks = [
        (revision.breaks_glass, "touches what is not open for editing"),
        (revision.overrides_schema, "fails the step's schema"),
        (revision.completing, "does only the rest of what happened in part"),
    ];
    let said: Vec<&str> = marks.into_iter().filter_map(|(is_so, words)| is_so.then_some(words)).collect();
    (!said.is_empty()).then(|| said.join("; "))
}
