//! The difference between two form bodies, field by field.

use std::collections::{HashMap, HashSet, VecDeque};

use url::form_urlencoded;

use super::{
    ChangeKind,
    sequence::{Aligned, align},
};

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    /// What it is called.
    pub name: String,
    /// What it says.
    pub value: String,
    /// Name and value as they are written.
    pub raw: String,
    /// Its place among the fields, from 0.
    pub place: usize,
}

/// What happened to a field. Of [`ChangeKind::Reordered`], and of a spelling between the fields, there is no field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChange {
    /// What happened.
    pub kind: ChangeKind,
    /// The field as it was.
    pub old: Option<Field>,
    /// The field as it is.
    pub new: Option<Field>,
}

/// How one body of `application/x-www-form-urlencoded` differs from another: first whether the fields stand in another order,
/// then the fields in the order of the newer body, then what is gone. The list is empty exactly where the texts are equal.
#[must_use]
pub fn form_diff(old: &str, new: &str) -> Vec<FieldChange> {
    if old == new {
        return Vec::new();
    }
    let (olds, news) = (fields(old), fields(new));
    let partners = partners(&olds, &news);
    let mut changes = Vec::new();
    if !partners.iter().flatten().is_sorted() {
        changes.push(FieldChange { kind: ChangeKind::Reordered, old: None, new: None });
    }
    let mut names = HashSet::new();
    let mut gone = vec![true; olds.len()];
    for (field, partner) in news.iter().zip(partners) {
        let again = !names.insert(&field.name);
        let before = partner.map(|place| &olds[place]);
        if let Some(before) = before {
            gone[before.place] = false;
        }
        let kind = match before {
            None if again => ChangeKind::Duplicated,
            None => ChangeKind::Added,
            Some(before) if before.raw == field.raw => continue,
            Some(before) if said(before) == said(field) => ChangeKind::Respelled,
            Some(_) => ChangeKind::Changed,
        };
        changes.push(FieldChange { kind, old: before.cloned(), new: Some(field.clone()) });
    }
    let gone = olds.into_iter().filter(|field| gone[field.place]);
    changes.extend(gone.map(|field| FieldChange { kind: ChangeKind::Removed, old: Some(field), new: None }));
    if changes.is_empty() {
        changes.push(FieldChange { kind: ChangeKind::Respelled, old: None, new: None });
    }
    changes
}

fn fields(body: &str) -> Vec<Field> {
    let field = |(place, raw): (usize, &str)| {
        let (name, value) = form_urlencoded::parse(raw.as_bytes()).next().unwrap_or_default();
        Field { name: name.into_owned(), value: value.into_owned(), raw: raw.to_owned(), place }
    };
    body.split('&').filter(|raw| !raw.is_empty()).enumerate().map(field).collect()
}

/// What a field says. Bytes that are no text decode to one and the same character, so these count as written.
fn said(field: &Field) -> (&str, &str) {
    let text = !field.name.contains('\u{fffd}') && !field.value.contains('\u{fffd}');
    if text { (&field.name, &field.value) } else { (&field.raw, "") }
}

/// The place each newer field had: by what it says, in order and then anywhere; otherwise by its name, the first with the first.
fn partners(olds: &[Field], news: &[Field]) -> Vec<Option<usize>> {
    let saying = |fields| -> Vec<(&str, &str)> { <[Field]>::iter(fields).map(said).collect() };
    let Aligned { pairs, .. } = align(&saying(olds), &saying(news));
    let mut partners = vec![None; news.len()];
    let mut taken = vec![false; olds.len()];
    for (one, other) in pairs {
        partners[other] = Some(one);
        taken[one] = true;
    }
    let by_name: fn(&Field) -> (&str, &str) = |field| (&field.name, "");
    for goes_by in [said, by_name] {
        let mut left: HashMap<_, VecDeque<usize>> = HashMap::new();
        for field in olds.iter().filter(|field| !taken[field.place]) {
            left.entry(goes_by(field)).or_default().push_back(field.place);
        }
        for (field, partner) in news.iter().zip(&mut partners).filter(|(_, partner)| partner.is_none()) {
            *partner = left.get_mut(&goes_by(field)).and_then(VecDeque::pop_front);
            partner.iter().for_each(|place| taken[*place] = true);
        }
    }
    partners
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn told(old: &str, new: &str) -> Vec<String> {
        let raw = |field: &Option<Field>| field.as_ref().map_or_else(|| "-".to_owned(), |field| field.raw.clone());
        form_diff(old, new)
            .iter()
            .map(|change| format!("{:?} {} {}", change.kind, raw(&change.old), raw(&change.new)))
            .collect()
    }

    #[test]
    fn fields_are_compared_by_what_they_say() {
        for (old, new, expected) in [
            ("a=1&b=2", "a=1&b=2", &[][..]),
            ("a=1&b=x+y", "a=1&b=x%20y", &["Respelled b=x+y b=x%20y"]),
            ("a=1&b=2", "a=1&b=3&c=4", &["Changed b=2 b=3", "Added - c=4"]),
            ("a=1&b=2", "b=2", &["Removed a=1 -"]),
            ("a=1&b=2", "b=2&a=1", &["Reordered - -"]),
            ("i=1&i=2", "i=0&i=1&i=2", &["Added - i=0"]),
            ("i=1&i=2", "i=1&i=2&i=3", &["Duplicated - i=3"]),
            ("i=1&i=2", "i=1&i=9", &["Changed i=2 i=9"]),
            ("a=%FF", "a=%FE", &["Changed a=%FF a=%FE"]),
            ("a=%e5", "a=%E5", &["Changed a=%e5 a=%E5"]),
            ("a", "a=", &["Respelled a a="]),
            ("a=1&&b=2", "a=1&b=2", &["Respelled - -"]),
            ("", "a=1", &["Added - a=1"]),
        ] {
            assert_eq!(told(old, new), expected, "{old} {new}");
        }
        let change = form_diff("n=%C3%A6", "n=%C3%A5+%26").remove(0);
        assert_eq!(change.new.map(|field| (field.name, field.value)), Some(("n".to_owned(), "å &".to_owned())));
    }

    proptest! {
        #[test]
        fn nothing_that_differs_is_left_untold(old in "[ab=&+%20]{0,16}", new in "[ab=&+%20]{0,16}") {
            prop_assert_eq!(form_diff(&old, &new).is_empty(), old == new);
        }
    }
}
