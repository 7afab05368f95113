//! Quarantine: reports that could not be understood, kept whole and worked like everything else.

mod case;
mod forms;
mod ward;

pub(super) use case::CasePage;
pub(super) use ward::WardPage;

use domain::text;
use service::{QuarantineState, Quarantined};

use crate::components::words::counted;

/// Where a report stands: icon, tone and words.
fn standing(report: &Quarantined) -> (&'static str, &'static str, String) {
    let by = |what: &str| match &report.decided_by {
        Some(name) => format!("{what} by {name}"),
        None => what.to_owned(),
    };
    match report.state {
        QuarantineState::Open => ("circle", "neutral", "waits".to_owned()),
        QuarantineState::Accepted => ("check", "good", by("accepted")),
        QuarantineState::Closed => ("x", "neutral", by("closed")),
    }
}

/// What kind of message it was.
fn door(report: &Quarantined) -> &'static str {
    match report.door.as_str() {
        "attempt" => "word about an attempt",
        "amend" => "a change of an item",
        _ => "a report",
    }
}

/// That the same came again, where it did.
fn again(report: &Quarantined) -> Option<String> {
    (report.repeats > 0).then(|| format!(", and again {}", counted(report.repeats, "time", "times")))
}

/// A reason short enough for a heading.
fn short_reason(report: &Quarantined) -> String {
    text::head(&report.reason, 160)
}
