//! What every refusal says, for people.

use super::Refusal;
use crate::{effect::Effect, permission::Permission};

impl Refusal {
    /// What happened and what would help, for people.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::NotSignedIn => "Sign in, or send a bearer token.".into(),
            Self::BadToken => "This token is unknown, revoked or expired. Ask an admin for a new one.".into(),
            Self::BadCredentials => "E-mail or password is wrong, or the account can't sign in.".into(),
            Self::BadInvite => {
                "This one-time link is unknown, was used already or has expired. Ask for a new one.".into()
            }
            Self::BadCode => {
                "The code is wrong, was used before, or came too late. Wait for the next one, or use a recovery code.".into()
            }
            Self::TooManyTries { wait } if *wait <= 90 => format!("Too many tries. Try again in {wait} seconds."),
            Self::TooManyTries { wait } => format!("Too many tries. Try again in {} minutes.", wait.div_euclid(60) + 1),
            Self::StepUpNeeded => "This is consequential: confirm that it is you, once every ten minutes.".into(),
            Self::IdentityRefused { why } => why.clone(),
            Self::GrantToSelf(permission) => {
                format!("Nobody gives themselves the right to {}. Another admin has to.", permission.label())
            }
            Self::ClearanceOfSelf => "Nobody raises their own clearance. Another admin has to.".into(),
            Self::SecondAdminNeeded => "Whoever asked for it, or would get it, can't confirm it. Another admin has to.".into(),
            Self::LastAdmin => {
                "Nobody who can sign in would be left to manage people. Give that right to another person first.".into()
            }
            Self::ChangedMeanwhile { what } => {
                format!("{what} was changed since this page was shown. Look at it again before you change it.")
            }
            Self::MadeAlready => {
                "This form was sent before, and what it made was shown then. Open the page anew to make another.".into()
            }
            Self::RoleHeld { people: 1 } => "One person holds this role. Take it from them first.".into(),
            Self::RoleHeld { people } => format!("{people} people hold this role. Take it from them first."),
            Self::WrongTokenKind => "This kind of token may not do this.".into(),
            Self::ForeignWorkflow { workflow } => {
                format!("This token is not bound to the workflow `{workflow}`. The report was kept in quarantine.")
            }
            Self::MissingPermission(permission) => {
                format!("This needs the permission `{permission}` ({}). Ask an admin.", permission.label())
            }
            Self::AboveClearance => {
                "This content is above your clearance. Ask an admin, or a colleague who is cleared.".into()
            }
            Self::NotFound => "It does not exist, or it is outside your teams.".into(),
            Self::Malformed { message } => message.clone(),
            Self::Invalid(problems) => match problems.as_slice() {
                [only] if only.pointer.is_empty() => only.message.clone(),
                [only] => format!("{}: {}", only.pointer, only.message),
                many => format!("{} fields are wrong; each is named in `fields`.", many.len()),
            },
            Self::NotEditable(places) => {
                let named: Vec<&str> = places.iter().take(5).map(String::as_str).collect();
                let more = places.len().saturating_sub(named.len());
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!(
                    "The step does not open these for editing: {}{more}. Leave them as they are, or break the glass (break_glass): that needs the permission `{}`, is marked in the audit trail, and a second person has to approve its replay.",
                    named.join(", "),
                    Permission::PayloadsBreakGlass
                )
            }
            Self::SchemaFails(problems) => {
                let first = problems.first().map(|first| format!(" {}: {}", first.pointer, first.message)).unwrap_or_default();
                format!(
                    "The correction fails the step's schema in {} place{}.{first} Correct it, or override the schema (override_schema): that needs the permission `{}`, is marked in the audit trail, and a second person has to approve its replay.",
                    problems.len(),
                    if problems.len() == 1 { "" } else { "s" },
                    Permission::PayloadsOverrideSchema
                )
            }
            Self::NoPayload => "The payload of this item is kept by the automation, not here.".into(),
            Self::TooLarge { limit } => format!(
                "The payload may have at most {limit} bytes. Keep it on your side and report it with \"payload\": null and a \"payload_ref\"."
            ),
            Self::BodyTooLarge { what, limit } => {
                format!("{what} may have at most {limit} bytes. Send less at once.")
            }
            Self::Busy => "Four documents above 1 MiB are being worked on already. Try again in a few seconds.".into(),
            Self::ReportIdTaken { item } => format!(
                "This report_id was used before with other content, for item {item}. The new report was kept in quarantine."
            ),
            Self::InProgress { kind, by, since } => {
                format!("{} ({by}, since {}).", kind.label(), since.format("%Y-%m-%d %H:%M:%S UTC"))
            }
            Self::RetryCancelled { by, at } => format!(
                "{by} cancelled the planned retry at {}. Do not start it: a person is working this item.",
                at.format("%Y-%m-%d %H:%M:%S UTC")
            ),
            Self::NoPlannedRetry => {
                "There is no planned retry to cancel; it may have started or lapsed meanwhile.".into()
            }
            Self::Closed => "The item is closed. Reopen it first.".into(),
            Self::NotClosed => "The item is not closed.".into(),
            Self::NothingChanged => "This is the same, byte for byte. No revision was made.".into(),
            Self::NotOpen { state } => format!("The item is not open now: {}.", state.label().to_lowercase()),
            Self::NotSnoozed => "The item is not snoozed.".into(),
            Self::Claimed { by, until } => format!(
                "{by} is working this item until {}. Claim it with a reason to take over; they are told.",
                until.format("%Y-%m-%d %H:%M UTC")
            ),
            Self::NotClaimed => "Only whoever has claimed the item can do this. Claim it first.".into(),
            Self::NothingToReconcile { effect } => {
                format!("Nothing is unsettled here: the effect is {}.", effect.words())
            }
            Self::PossibleDoubleEffect => {
                "Two attempts may both have had an effect. Record a finding that one of them did not happen first."
                    .into()
            }
            Self::EffectForbidsReplay { effect: Effect::Uncertain } => {
                "Nobody knows whether it happened: sending it again could do it twice. Look it up, or record what you found, first.".into()
            }
            Self::EffectForbidsReplay { effect: Effect::Confirmed } => {
                "It has happened already. Mark it resolved; a replay would do it a second time.".into()
            }
            Self::EffectForbidsReplay { effect: Effect::Partial } => {
                "It happened in part: sending the whole again would repeat that part. It needs a compensation, or a completing correction that a supervisor approves.".into()
            }
            Self::EffectForbidsReplay { effect } => format!("The effect is {}.", effect.words()),
            Self::NoDestination { pull: false } => {
                "This step runs in the automation: its workflow names no destination that Recourse could send to.".into()
            }
            Self::NoDestination { pull: true } => {
                "This step is handed to a worker that asks for it, and that is not there yet.".into()
            }
            Self::KeysNotRecognised => {
                "The destination is not known to recognise a repeat by its key: asking again could do it twice.".into()
            }
            Self::KeyNoLongerHelps => {
                "The destination would not recognise the repeat: that attempt carried no key, or one that may be forgotten by now. Record a finding instead.".into()
            }
            Self::NoLookup => {
                "The workflow does not say how to look it up. Look in the other system yourself and record what you found.".into()
            }
            Self::FollowUp => {
                "This follows up work that was accepted, so nothing is sent, corrected, looked up or reported for it. Do what is left to do, then mark it resolved.".into()
            }
            Self::NeedsApproval => {
                "A second person has to approve it first: ask for their approval (request_approval: true).".into()
            }
            Self::Excluded(why) => format!("You {}. Somebody who had no hand in it has to decide.", why.phrase()),
            Self::NotWaiting { state, by: Some(by) } => {
                format!("It does not wait any more. {} by {by}.", state.label())
            }
            Self::NotWaiting { state, by: None } => format!("It does not wait any more. {}.", state.label()),
            Self::NotAsker => "Only whoever asked for it can withdraw it. Reject it instead.".into(),
            Self::DecidedBefore => "You have decided it already; it waits for somebody else.".into(),
            Self::ApprovalStale(changes) => {
                format!("It is not what was asked for any more, so nothing was done. {}", changes.join(" "))
            }
            Self::ConditionFails { why, .. } => {
                format!("The other system does not show what this rests on, so nothing was done. {why}")
            }
            Self::SourceUnreadable { why } => {
                format!("The source record's version could not be read, so nothing was done. {why}")
            }
            Self::NothingToCompensate { effect: Effect::Uncertain } => {
                "Nobody knows whether it happened. Look it up, or record what you found, first.".into()
            }
            Self::NothingToCompensate { effect } => {
                format!("There is no effect to make good: {}.", effect.words())
            }
            Self::NoCompensation => {
                "The workflow names no plan that makes this step's effect good. Do it in the other system, then record that.".into()
            }
            Self::NeedsDecision(wanted) => {
                let told: Vec<&str> = wanted.iter().map(|accept| accept.sentence()).collect();
                let names: Vec<&str> = wanted.iter().map(|accept| accept.as_str()).collect();
                format!("{} Accept it explicitly to go on (accept: {}).", told.join(" "), names.join(", "))
            }
            Self::WhichAttempt { numbers } => {
                let numbers: Vec<String> = numbers.iter().map(|(number, id)| format!("#{number} is {id}")).collect();
                format!("Several attempts are unsettled ({}). Say which one you found out about.", numbers.join(", "))
            }
            Self::KeyUsed => "This Idempotency-Key was used for another request. Use a new one for each.".into(),
            Self::VersionRequired => "Send If-Match with the version of the item that you looked at.".into(),
            Self::QuarantineDecided { by, at } => {
                format!("{by} already dealt with this report at {}.", at.format("%Y-%m-%d %H:%M:%S UTC"))
            }
            Self::Conflict { current, last_change } => {
                format!("The item is at version {current} now: {last_change}. Look at it again before you act.")
            }
            Self::AttemptSettled { number } => format!(
                "Attempt {number} has ended with another outcome already. What you sent was kept in quarantine."
            ),
            Self::Taken { what, name } => format!("A {what} `{name}` exists already."),
        }
    }
}
