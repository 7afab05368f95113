//! What an automation makes of its tries: the class, the sentence, and what is known of the effect.

use reqwest::StatusCode;
use serde_json::Value;

use super::outbound::{End, Try};
use crate::report::{Attempt, AttemptOutcome, EffectStatus, Failure, FailureClass};

/// What is being attempted, in words for sentences: "The ledger", "the invoice".
pub(super) struct Subject<'a> {
    pub(super) system: &'a str,
    pub(super) thing: &'a str,
    /// Where the answer holds the record's id.
    pub(super) record_id: &'a str,
    pub(super) waited_s: i64,
}

pub(super) enum Verdict {
    Done { record_id: String },
    Failed(Box<Diagnosis>),
}

pub(super) struct Diagnosis {
    pub(super) failure: Failure,
    pub(super) effect: EffectStatus,
    /// How that is known.
    pub(super) grounds: String,
    pub(super) attempts: Vec<Attempt>,
}

/// Judges the tries of one call; the last one decides.
pub(super) fn judge(tries: &[Try], subject: &Subject<'_>) -> Verdict {
    let Some(last) = tries.last() else {
        return Verdict::Failed(Box::new(diagnosis(&End::NotSent, tries, subject)));
    };
    match record_of(&last.end, subject) {
        Some(record_id) => Verdict::Done { record_id },
        None => Verdict::Failed(Box::new(diagnosis(&last.end, tries, subject))),
    }
}

fn record_of(end: &End, subject: &Subject<'_>) -> Option<String> {
    match end {
        End::Answered { status, .. } if status.is_success() && *status != StatusCode::ACCEPTED => {
            end.json().pointer(subject.record_id).and_then(Value::as_str).map(str::to_owned)
        }
        _ => None,
    }
}

fn diagnosis(end: &End, tries: &[Try], subject: &Subject<'_>) -> Diagnosis {
    let seen = seen(end, subject);
    let message = match tries.len() {
        0 | 1 => seen.message,
        many => format!("{}. Given up after {many} tries.", seen.message.trim_end_matches('.')),
    };
    let attempts = tries.iter().map(|one| attempt(one, subject)).collect();
    Diagnosis {
        failure: Failure { class: seen.class, message, detail: detail(end) },
        effect: seen.effect,
        grounds: seen.grounds.to_owned(),
        attempts,
    }
}

struct Seen {
    class: FailureClass,
    effect: EffectStatus,
    message: String,
    grounds: &'static str,
}

fn seen(end: &End, subject: &Subject<'_>) -> Seen {
    use EffectStatus::{None as Nothing, Uncertain};
    let Subject { system, thing, waited_s, .. } = subject;
    let of = |class, effect, message, grounds| Seen { class, effect, message, grounds };
    match end {
        End::NoAnswer => of(
            FailureClass::Timeout,
            Uncertain,
            format!("{system} did not answer in {waited_s} s"),
            "request written, no response",
        ),
        End::Broken => of(
            FailureClass::Network,
            Uncertain,
            format!("The connection to {} broke before an answer arrived", lower(system)),
            "request written, connection reset",
        ),
        End::NotSent => of(
            FailureClass::Network,
            Nothing,
            format!("{system} could not be reached"),
            "connection refused, nothing was sent",
        ),
        End::Answered { status, .. } => {
            let (class, effect) = match class_of(*status) {
                (FailureClass::Validation, effect) if names_a_rule(end) => (FailureClass::BusinessRule, effect),
                other => other,
            };
            let said = said(end).unwrap_or_else(|| status.canonical_reason().unwrap_or("no reason given").to_owned());
            let message = match status.as_u16() {
                202 => format!("{system} accepted {thing} and never confirmed it"),
                200..=299 => format!("{system} answered {status}, but the answer does not name {thing}"),
                500..=599 => format!("{system} answered {status} while taking {thing}"),
                _ => format!("{system} refused {thing}: {said}"),
            };
            let known = effect == Nothing;
            of(
                class,
                effect,
                message,
                if known { "refused before anything was booked" } else { "the answer does not say" },
            )
        }
    }
}

/// As Recourse reads the codes: these are refusals, everything unlisted may have had an effect.
fn class_of(status: StatusCode) -> (FailureClass, EffectStatus) {
    use EffectStatus::{None as Nothing, Uncertain};
    match status.as_u16() {
        400 | 422 => (FailureClass::Validation, Nothing),
        401 => (FailureClass::Auth, Nothing),
        403 => (FailureClass::Permission, Nothing),
        404 | 410 => (FailureClass::NotFound, Nothing),
        409 => (FailureClass::Conflict, Nothing),
        412 => (FailureClass::Stale, Nothing),
        429 => (FailureClass::RateLimited, Nothing),
        503 => (FailureClass::Unavailable, Nothing),
        202 => (FailureClass::Timeout, Uncertain),
        500..=599 => (FailureClass::Unavailable, Uncertain),
        _ => (FailureClass::Unknown, Uncertain),
    }
}

/// Whether the refusal is about the business and not about the shape of the document.
fn names_a_rule(end: &End) -> bool {
    end.json().pointer("/error/type").is_some_and(|kind| kind == "business_rule")
}

fn attempt(one: &Try, subject: &Subject<'_>) -> Attempt {
    let seen = seen(&one.end, subject);
    let status_code = match &one.end {
        End::Answered { status, .. } => Some(status.as_u16()),
        _ => None,
    };
    let outcome = match seen.effect {
        EffectStatus::None => AttemptOutcome::Failed,
        _ if status_code == Some(202) => AttemptOutcome::Accepted,
        _ => AttemptOutcome::Uncertain,
    };
    Attempt {
        number: one.number,
        started_at: one.started_at,
        finished_at: Some(one.finished_at),
        outcome,
        sent: !matches!(one.end, End::NotSent),
        message: Some(seen.message),
        status_code,
        record_id: None,
    }
}

/// The sentence in a refusal, with the field it names.
fn said(end: &End) -> Option<String> {
    let body = end.json();
    let field = body.pointer("/error/fields/0");
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    match field {
        Some(field) => Some(format!("{} ({})", text(field.get("message"))?, text(field.get("pointer"))?)),
        None => text(body.pointer("/error/message")),
    }
}

fn detail(end: &End) -> Option<String> {
    match end {
        End::Answered { status, body, .. } => {
            let body: String = String::from_utf8_lossy(body).chars().take(2_000).collect();
            Some(format!("HTTP {status}\n\n{body}"))
        }
        End::Broken => Some("connection error: connection reset by peer (os error 104)".to_owned()),
        End::NoAnswer => {
            Some("operation timed out: deadline has elapsed while waiting for response headers".to_owned())
        }
        End::NotSent => Some("tcp connect error: connection refused (os error 111)".to_owned()),
    }
}

fn lower(system: &str) -> String {
    system.strip_prefix("The ").map_or_else(|| system.to_owned(), |rest| format!("the {rest}"))
}
