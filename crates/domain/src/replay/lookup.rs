//! Looking up whether an effect is there: what an answer shows, and when "it is not there" counts (R4).

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    answer::{holds, record_at},
    lease,
};
use crate::workflow::{Lookup, Step};

/// What the other system shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// The effect is there; with the record's id where the answer names it.
    Found(Option<String>),
    /// It is not there.
    Absent,
    /// The answer does not tell; why.
    CannotTell(String),
}

/// Reads the answer to a lookup.
#[must_use]
pub fn shown(lookup: &Lookup, status: u16, body: &[u8], cut: bool) -> Shown {
    let unclear = |why: &str| Shown::CannotTell(format!("Answered {status}{why}."));
    if cut {
        return unclear(", but the answer broke off or was too long to be read whole");
    }
    let body = std::str::from_utf8(body).unwrap_or_default();
    let is_there = |rule: &Option<_>| rule.as_ref().is_some_and(|rule| holds(rule, body));
    let found = (200..300).contains(&status) && is_there(&lookup.found);
    // "No such record" is what 404 says; its body must say so too, or it may be the wrong address.
    let absent = ((200..300).contains(&status) || status == 404) && is_there(&lookup.absent);
    match (found, absent) {
        (true, true) => unclear(" with both: it is there, and it is not"),
        (true, false) => {
            let place = lookup.found.as_ref().map_or("", |rule| rule.pointer.as_str());
            Shown::Found(record_at(body, place))
        }
        (false, true) => Shown::Absent,
        (false, false) => unclear(", which neither shows the record nor says that it is not there"),
    }
}

/// When "it is not there" counts.
#[derive(Debug, Clone, Copy)]
pub struct Waiting {
    settle: TimeDelta,
    /// How often it must be confirmed.
    pub confirmations: u32,
}

impl Waiting {
    /// As a step's settings say, and never less than a send can take.
    #[must_use]
    pub fn of(lookup: &Lookup, step: &Step) -> Self {
        let settle = lookup.settle.as_ref().map_or(TimeDelta::minutes(2), |span| span.delta());
        let send = step.destination.as_ref().map_or(TimeDelta::zero(), |to| lease(to.timeout()));
        Self { settle: settle.max(send), confirmations: lookup.confirmations.unwrap_or(2) }
    }

    /// From when on "it is not there" counts for an attempt that ended then.
    #[must_use]
    pub fn counts_from(&self, ended: DateTime<Utc>) -> DateTime<Utc> {
        ended.checked_add_signed(self.settle).unwrap_or(DateTime::<Utc>::MAX_UTC)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOKUP: &str = "url = \"https://ledger.example/?key={key}\"\nfound = { pointer = \"/items/0/id\" }\nabsent = { pointer = \"/count\", equals = 0 }";

    #[test]
    fn r4_a_lookup_tells_only_what_was_agreed() {
        let lookup: Lookup = toml::from_str(LOOKUP).unwrap();
        let shown = |status, body: &str| shown(&lookup, status, body.as_bytes(), false);
        assert_eq!(shown(200, r#"{"items": [{"id": 42}], "count": 1}"#), Shown::Found(Some("42".into())));
        assert_eq!(shown(200, r#"{"items": [], "count": 0}"#), Shown::Absent);
        assert_eq!(shown(404, r#"{"count": 0}"#), Shown::Absent);
        for (status, body) in
            [(404, "not here"), (500, r#"{"count": 0}"#), (200, "{}"), (200, r#"{"items": [{"id": 1}], "count": 0}"#)]
        {
            assert!(matches!(shown(status, body), Shown::CannotTell(_)), "{status} {body}");
        }
    }

    #[test]
    fn r4_not_there_counts_only_once_a_send_must_be_over() {
        let step = |settle: &str, timeout: &str| -> Step {
            toml::from_str(&format!(
                "key = \"s\"\nside_effect = \"irreversible\"\n[destination]\nkind = \"http\"\nurl = \"https://a.example/\"\ntimeout = \"{timeout}\"\n[lookup]\n{LOOKUP}\n{settle}"
            ))
            .unwrap()
        };
        let wait = |step: &Step| {
            let lookup = step.lookup.as_ref().unwrap();
            (Waiting::of(lookup, step).counts_from(DateTime::UNIX_EPOCH) - DateTime::UNIX_EPOCH).num_seconds()
        };
        assert_eq!(wait(&step("", "10s")), 120);
        assert_eq!(wait(&step("settle = \"5m\"", "10s")), 300);
        assert_eq!(wait(&step("settle = \"1s\"", "10s")), lease(TimeDelta::seconds(10)).num_seconds());
        assert_eq!(wait(&step("settle = \"1s\"", "4m")), lease(TimeDelta::minutes(4)).num_seconds());
    }
}
