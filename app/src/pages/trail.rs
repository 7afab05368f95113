//! Audit entries in words.

use domain::audit::{ActorKind, AuditOutcome};
use leptos::prelude::*;
use service::AuditRow;

/// Says that the account of who did it is gone: whoever has the same name now is somebody else.
pub(super) fn gone(gone: bool) -> Option<impl IntoView + use<>> {
    gone.then(|| view! { <span class="muted small">" (deleted account)"</span> })
}

/// Who it was, for the beginning of a sentence.
pub(super) fn actor(row: &AuditRow) -> String {
    match row.actor_kind {
        ActorKind::Person | ActorKind::Automation => row.actor_name.clone(),
        ActorKind::CommandLine => "The command line".to_owned(),
        ActorKind::Job => format!("Recourse ({})", row.actor_name),
        ActorKind::Anonymous => "Somebody not signed in".to_owned(),
    }
}

/// What they did or were refused, for the end of it.
pub(super) fn phrase(row: &AuditRow) -> String {
    match (row.outcome, &row.code) {
        (AuditOutcome::Done, _) => row.action.phrase().to_owned(),
        (AuditOutcome::Refused, Some(code)) => format!("{} ({})", row.action.refused_phrase(), code.replace('_', " ")),
        (AuditOutcome::Refused, None) => row.action.refused_phrase().to_owned(),
    }
}
