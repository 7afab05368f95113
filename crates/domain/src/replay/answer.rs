//! How an answer is read (R8): one table, with a golden file.

use crate::{
    attempt::Outcome,
    document::pointer,
    effect::Effect,
    failure::FailureClass,
    word::words,
    workflow::{AnswerMeans, AnswerRule, Destination, Scalar, SideEffect},
};

words! {
    /// What a status code means before the answer's body is looked at.
    Meaning {
        /// It may have happened as asked: the success rule decides.
        Success = "success",
        /// Known not to have happened.
        NoEffect = "no_effect",
        /// Known not to have happened, and it may be asked again.
        TryAgain = "try_again",
        /// Taken on; the outcome follows.
        Accepted = "accepted",
        /// Nobody knows.
        Uncertain = "uncertain",
    }
}

/// The table of R8. `retry_after`: the answer says when to come again.
#[must_use]
pub const fn meaning(status: u16, retry_after: bool) -> Meaning {
    match status {
        202 => Meaning::Accepted,
        200..=299 => Meaning::Success,
        307 | 308 | 400..=406 | 410 | 411 | 413..=415 | 422 | 431 => Meaning::NoEffect,
        425 | 429 => Meaning::TryAgain,
        503 if retry_after => Meaning::TryAgain,
        _ => Meaning::Uncertain,
    }
}

/// What a destination answered.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// Its status code.
    pub status: u16,
    /// It says when to come again.
    pub retry_after: bool,
    /// Its body, as far as it was read.
    pub body: &'a [u8],
    /// The body did not arrive whole.
    pub cut: bool,
}

/// What an answer says about the attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What it means.
    pub meaning: Meaning,
    /// The other system's record.
    pub record_id: Option<String>,
    /// In a sentence, for people.
    pub message: String,
}

impl Verdict {
    /// How the attempt ended, and its effect.
    #[must_use]
    pub const fn settles(&self, side_effect: SideEffect) -> (Outcome, Effect) {
        match (self.meaning, side_effect) {
            (Meaning::Success, _) => (Outcome::Succeeded, Effect::Confirmed),
            (Meaning::NoEffect | Meaning::TryAgain, _) => (Outcome::Failed, Effect::None),
            (Meaning::Accepted, _) => (Outcome::Accepted, Effect::Uncertain),
            // Without a side effect there is nothing to be in doubt about.
            (Meaning::Uncertain, SideEffect::None) => (Outcome::Uncertain, Effect::None),
            (Meaning::Uncertain, _) => (Outcome::Uncertain, Effect::Uncertain),
        }
    }
}

/// Reads an answer by the table and by what the destination's settings say of it.
#[must_use]
pub fn read(answer: &Answer<'_>, to: &Destination) -> Verdict {
    let status = answer.status;
    let own = to.answers.iter().find(|(code, _)| code.as_str().parse() == Ok(status)).map(|(_, means)| *means);
    let meaning = match own {
        None => meaning(status, answer.retry_after),
        Some(AnswerMeans::Success) => Meaning::Success,
        Some(AnswerMeans::NoEffect) => Meaning::NoEffect,
        Some(AnswerMeans::Retry) => Meaning::TryAgain,
        Some(AnswerMeans::Accepted) => Meaning::Accepted,
        Some(AnswerMeans::Uncertain) => Meaning::Uncertain,
    };
    if meaning == Meaning::Success {
        return judge_success(answer, to);
    }
    let message = match meaning {
        Meaning::Accepted => format!("Answered {status}: taken on, the outcome follows."),
        Meaning::NoEffect if matches!(status, 307 | 308) => {
            format!("Answered {status}: moved to another address, which is never followed. Nothing was done.")
        }
        Meaning::NoEffect => format!("Answered {status}: refused, nothing was done."),
        Meaning::TryAgain => format!("Answered {status}: not now, nothing was done."),
        Meaning::Success | Meaning::Uncertain => {
            format!("Answered {status}: that does not tell whether it was done.")
        }
    };
    Verdict { meaning, record_id: None, message }
}

/// A success counts only if its body came whole and says what was agreed.
fn judge_success(answer: &Answer<'_>, to: &Destination) -> Verdict {
    let status = answer.status;
    let doubtful = |why: &str| Verdict {
        meaning: Meaning::Uncertain,
        record_id: None,
        message: format!("Answered {status}, but {why}"),
    };
    if answer.cut {
        return doubtful("the answer broke off or was too long to be read whole.");
    }
    let body = std::str::from_utf8(answer.body).unwrap_or_default();
    if let Some(rule) = &to.success
        && !holds(rule, body)
    {
        return doubtful("the answer does not say what a success must say.");
    }
    let record_id = match &to.record_id {
        None => None,
        Some(place) => match record_at(body, place.as_str()) {
            Some(id) => Some(id),
            None => return doubtful("the answer does not name the record that was made."),
        },
    };
    Verdict { meaning: Meaning::Success, record_id, message: format!("Answered {status}: done.") }
}

/// What names a record, or its version, at a place of an answer: one value, no control characters, at most 200 characters.
#[must_use]
pub fn record_at(body: &str, place: &str) -> Option<String> {
    let id = pointer::plain(pointer::at(body, place)?)?;
    (!id.is_empty() && !id.chars().any(char::is_control)).then(|| id.chars().take(200).collect())
}

/// The class of failure that a status code stands for.
#[must_use]
pub const fn failure_class(status: u16) -> FailureClass {
    match status {
        401 | 407 => FailureClass::Auth,
        402 | 403 | 451 => FailureClass::Permission,
        404 | 410 => FailureClass::NotFound,
        408 | 504 => FailureClass::Timeout,
        409 | 412 => FailureClass::Conflict,
        425 | 429 => FailureClass::RateLimited,
        400..=499 => FailureClass::Validation,
        500..=599 => FailureClass::Unavailable,
        _ => FailureClass::Unknown,
    }
}

/// Whether a rule about an answer holds.
#[must_use]
pub fn holds(rule: &AnswerRule, body: &str) -> bool {
    let Some(found) = pointer::at(body, rule.pointer.as_str()) else { return false };
    match &rule.equals {
        None => found != "null",
        Some(Scalar::Bool(expected)) => found == expected.to_string(),
        Some(Scalar::Integer(expected)) => found.parse() == Ok(*expected),
        Some(Scalar::Decimal(expected)) => found.parse() == Ok(*expected),
        Some(Scalar::Text(expected)) => {
            found.starts_with('"') && pointer::plain(found).is_some_and(|text| text == *expected)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn destination(more: &str) -> Destination {
        toml::from_str(&format!("kind = \"http\"\nurl = \"https://ledger.example/\"\n{more}")).unwrap()
    }
    fn answered(status: u16, body: &str, to: &Destination) -> Verdict {
        read(&Answer { status, retry_after: false, body: body.as_bytes(), cut: false }, to)
    }

    #[test]
    fn r8_answers_are_read_by_the_table() {
        let mut table = String::new();
        for meaning_of in Meaning::ALL {
            let codes = |retry_after| {
                (200..600)
                    .filter(move |status| meaning(*status, retry_after) == *meaning_of)
                    .map(|s: u16| s.to_string())
            };
            table.push_str(&format!("{meaning_of}: {}\n", codes(false).collect::<Vec<_>>().join(" ")));
            let with: Vec<String> = codes(true).filter(|code| !codes(false).any(|other| other == *code)).collect();
            if !with.is_empty() {
                table.push_str(&format!("{meaning_of}, where it says when to come again: {}\n", with.join(" ")));
            }
        }
        insta::assert_snapshot!("answers", table);
    }

    #[test]
    fn r8_a_success_must_come_whole_and_say_what_was_agreed() {
        let to = destination("success = { pointer = \"/ok\", equals = true }\nrecord_id = \"/invoice/id\"");
        let done = answered(200, r#"{"ok": true, "invoice": {"id": 12345678901234567890}}"#, &to);
        assert_eq!((done.meaning, done.record_id.as_deref()), (Meaning::Success, Some("12345678901234567890")));
        for wrong in [
            r#"{"ok": "true", "invoice": {"id": "I-1"}}"#,
            r#"{"ok": true, "invoice": {"id": "I\u0000"}}"#,
            r#"{"ok": true}"#,
            r#"{"ok": true, "invoice": {"id": ""}}"#,
            "",
            "<html>",
        ] {
            assert_eq!(answered(200, wrong, &to).meaning, Meaning::Uncertain, "{wrong}");
        }
        let cut = Answer { status: 200, retry_after: false, body: br#"{"ok": true, "invoice": {"id": 1}}"#, cut: true };
        assert_eq!(read(&cut, &to).meaning, Meaning::Uncertain);
        assert_eq!(answered(204, "", &destination("")).meaning, Meaning::Success);
        assert_eq!(
            read(&Answer { status: 422, ..cut }, &to).meaning,
            Meaning::NoEffect,
            "a refusal needs no whole body"
        );
    }

    #[test]
    fn r8_a_step_may_override_single_codes() {
        let to = destination("answers = { 409 = \"no_effect\", 500 = \"retry\", 200 = \"accepted\" }");
        assert_eq!(answered(409, "", &to).meaning, Meaning::NoEffect);
        assert_eq!(answered(500, "", &to).meaning, Meaning::TryAgain);
        assert_eq!(answered(200, "", &to).meaning, Meaning::Accepted);
        assert_eq!(answered(502, "", &to).meaning, Meaning::Uncertain);
    }

    #[test]
    fn r8_without_a_side_effect_nothing_is_in_doubt() {
        let broken = answered(500, "", &destination(""));
        assert_eq!(broken.settles(SideEffect::None), (Outcome::Uncertain, Effect::None));
        assert_eq!(broken.settles(SideEffect::Reversible), (Outcome::Uncertain, Effect::Uncertain));
    }
}
