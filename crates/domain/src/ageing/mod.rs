//! Ageing: what must have happened by when, and how late it is. One list of causes; each is a clock that runs from one moment
//! to another.

pub mod hours;

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    item::{Impact, State},
    span::Span,
    word::words,
    workflow::{Escalation, Hours, Target, Workflow},
};
pub use hours::WorkingTime;

words! {
    /// What has to happen in time.
    Cause {
        /// Somebody claims it for the first time.
        Claim = "claim",
        /// It is closed.
        Close = "close",
        /// The team it was escalated to claims it.
        Respond = "respond",
        /// Somebody works it again, whose claim ended or whose snooze is over, and whom nobody answers for.
        Unowned = "unowned",
        /// The other system tells the outcome of what it accepted.
        Outcome = "outcome",
        /// Somebody decides an approval before it expires.
        Approval = "approval",
        /// Somebody looks at a report in quarantine.
        Quarantine = "quarantine",
    }
}

words! {
    /// How late something is. Ordered.
    Level {
        /// A quarter of the time is left.
        AtRisk = "at_risk",
        /// The time is over.
        Overdue = "overdue",
        /// The time has been over for so long that another team is told.
        Escalated = "escalated",
    }
}

impl Cause {
    /// What is due, as the start of "… due in 2 h" and "… overdue by 2 h".
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Claim => "Claim",
            Self::Close => "Close",
            Self::Respond => "Response",
            Self::Unowned => "Claim again",
            Self::Outcome => "Outcome",
            Self::Approval => "Decision",
            Self::Quarantine => "Quarantine",
        }
    }

    /// What has not happened, as the end of the sentence "3 items …".
    #[must_use]
    pub const fn missing(self, one: bool) -> &'static str {
        match (self, one) {
            (Self::Claim, true) => "has not been claimed",
            (Self::Claim, false) => "have not been claimed",
            (Self::Close, true) => "is not closed",
            (Self::Close, false) => "are not closed",
            (Self::Respond, true) => "was escalated and has no answer",
            (Self::Respond, false) => "were escalated and have no answer",
            (Self::Unowned, true) => "was left by who worked it",
            (Self::Unowned, false) => "were left by who worked them",
            (Self::Outcome, true) => "was accepted and its outcome has not come",
            (Self::Outcome, false) => "were accepted and their outcomes have not come",
            (Self::Approval, true) => "waits for a decision",
            (Self::Approval, false) => "wait for a decision",
            (Self::Quarantine, true) => "is in quarantine",
            (Self::Quarantine, false) => "are in quarantine",
        }
    }
}

impl Level {
    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::AtRisk => "At risk",
            Self::Overdue => "Overdue",
            Self::Escalated => "Escalated",
        }
    }
}

/// What a workflow says of ageing: kept with it, so that no intake has to read its file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// Targets by impact.
    #[serde(default)]
    pub targets: BTreeMap<Impact, Target>,
    /// When they count.
    #[serde(default)]
    pub hours: Option<Hours>,
    /// Whom to tell when one is missed.
    #[serde(default)]
    pub escalate: Vec<Escalation>,
}

impl Rules {
    /// What a workflow file says.
    #[must_use]
    pub fn of(workflow: &Workflow) -> Self {
        Self { targets: workflow.targets.clone(), hours: workflow.hours.clone(), escalate: workflow.escalate.clone() }
    }

    /// When the team works.
    #[must_use]
    pub fn working(&self) -> WorkingTime {
        WorkingTime::of(self.hours.as_ref())
    }

    /// The target for an impact. Where a workflow says nothing there is one all the same: nothing waits unseen.
    #[must_use]
    pub fn target(&self, impact: Impact) -> Target {
        let fallback = |claim: &str, close: &str| {
            let span = |text: &str| text.parse::<Span>().unwrap_or_default();
            Target { claim: span(claim), close: span(close) }
        };
        self.targets.get(&impact).cloned().unwrap_or_else(|| match impact {
            Impact::High => fallback("1h", "1d"),
            Impact::Medium => fallback("4h", "3d"),
            Impact::Low => fallback("1d", "7d"),
        })
    }
}

/// One thing that has to happen in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    /// What.
    pub cause: Cause,
    /// When it began to run.
    pub from: DateTime<Utc>,
    /// From when three quarters of the time are over.
    pub risk_at: DateTime<Utc>,
    /// By when.
    pub due_at: DateTime<Utc>,
}

impl Clock {
    /// A clock that runs for `span` of working time; nothing where it never ends.
    #[must_use]
    pub fn running(cause: Cause, from: DateTime<Utc>, span: &Span, working: &WorkingTime) -> Option<Self> {
        let seconds = working.seconds_of(span);
        let risk_at = working.after(from, seconds - seconds / 4)?;
        Some(Self { cause, from, risk_at, due_at: working.after(from, seconds)? })
    }

    /// The same, but it ends at `last` at the latest.
    #[must_use]
    pub fn running_until(
        cause: Cause,
        from: DateTime<Utc>,
        span: &Span,
        working: &WorkingTime,
        last: DateTime<Utc>,
    ) -> Self {
        let running = Self::running(cause, from, span, working).filter(|clock| clock.due_at < last);
        running.unwrap_or_else(|| Self::until(cause, from, last))
    }

    /// A clock that ends at a moment somebody named.
    #[must_use]
    pub fn until(cause: Cause, from: DateTime<Utc>, due_at: DateTime<Utc>) -> Self {
        let whole = (due_at - from).max(TimeDelta::zero());
        Self { cause, from, risk_at: due_at - whole / 4, due_at }
    }

    /// How late it is.
    #[must_use]
    pub fn level(&self, now: DateTime<Utc>) -> Option<Level> {
        if now >= self.due_at {
            Some(Level::Overdue)
        } else if now >= self.risk_at {
            Some(Level::AtRisk)
        } else {
            None
        }
    }
}

/// What an item's clocks go by.
#[derive(Debug, Clone)]
pub struct Standing {
    /// What is going on.
    pub state: State,
    /// How much it matters.
    pub impact: Impact,
    /// When it came in, or came back.
    pub received_at: DateTime<Utc>,
    /// When somebody claimed it first since then.
    pub claimed_at: Option<DateTime<Utc>>,
    /// Until when somebody works it, or worked it last; or when its snooze is over.
    pub worked_until: Option<DateTime<Utc>>,
    /// A person answers for it.
    pub is_owned: bool,
    /// Clocks that end at a moment somebody named: an answer, an outcome, a decision.
    pub named: Vec<Clock>,
}

/// The clocks that run for an item, the next one first. None run for what is closed.
#[must_use]
pub fn clocks(standing: &Standing, rules: &Rules) -> Vec<Clock> {
    if standing.state == State::Closed {
        return Vec::new();
    }
    let (working, target) = (rules.working(), rules.target(standing.impact));
    let awaits_answer = standing.named.iter().any(|clock| clock.cause == Cause::Respond);
    let mut clocks = Vec::new();
    match (standing.claimed_at, standing.worked_until) {
        (None, _) => clocks.extend(Clock::running(Cause::Claim, standing.received_at, &target.claim, &working)),
        // While something is under way, or another team is to answer, nobody else is waited for.
        (Some(_), Some(until)) if !standing.is_owned && standing.state == State::Open && !awaits_answer => {
            clocks.extend(Clock::running(Cause::Unowned, until, &target.claim, &working));
        }
        (Some(_), _) => {}
    }
    clocks.extend(Clock::running(Cause::Close, standing.received_at, &target.close, &working));
    clocks.extend(standing.named.iter().cloned());
    clocks.sort_by_key(|clock| clock.due_at);
    clocks
}

/// Something that is told once: how late a thing is, from when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Threshold {
    /// When it is reached.
    pub at: DateTime<Utc>,
    /// When its clock began to run.
    pub from: DateTime<Utc>,
    /// What has not happened.
    pub cause: Cause,
    /// How late that is.
    pub level: Level,
    /// Which step of the escalation, from 0.
    pub step: usize,
}

/// Everything that is told of some clocks. What is overdue is not at risk any more, and of steps that are reached the last counts.
#[must_use]
pub fn thresholds(clocks: &[Clock], rules: &Rules, now: DateTime<Utc>) -> Vec<Threshold> {
    let working = rules.working();
    let mut all = Vec::new();
    for Clock { cause, from, risk_at, due_at } in clocks {
        let threshold = |at, level, step| Threshold { at, from: *from, cause: *cause, level, step };
        if now < *due_at {
            all.push(threshold(*risk_at, Level::AtRisk, 0));
        }
        all.push(threshold(*due_at, Level::Overdue, 0));
        // A target of the workflow is missed by claiming or closing too late; what else ages has its own people.
        if matches!(cause, Cause::Claim | Cause::Close) {
            let at = |step: &Escalation| working.after(*due_at, working.seconds_of(&step.after));
            let steps = rules.escalate.iter().enumerate();
            let mut steps: Vec<_> =
                steps.filter_map(|(number, step)| Some(threshold(at(step)?, Level::Escalated, number))).collect();
            let last = steps.iter().filter(|step| step.at <= now).map(|step| step.step).max();
            steps.retain(|step| step.at > now || Some(step.step) == last);
            all.extend(steps);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn standing() -> Standing {
        Standing {
            state: State::Open,
            impact: Impact::High,
            received_at: at("2026-11-30T10:00:00Z"),
            claimed_at: None,
            worked_until: None,
            is_owned: false,
            named: Vec::new(),
        }
    }

    fn due(standing: &Standing) -> Vec<(Cause, String)> {
        let shown = |clock: Clock| (clock.cause, clock.due_at.format("%dT%H:%M").to_string());
        clocks(standing, &Rules::default()).into_iter().map(shown).collect()
    }

    #[test]
    fn who_claims_ends_one_clock_and_who_leaves_starts_another() {
        let mut item = standing();
        assert_eq!(due(&item), [(Cause::Claim, "30T11:00".into()), (Cause::Close, "01T10:00".into())]);
        item.claimed_at = Some(at("2026-11-30T10:20:00Z"));
        item.worked_until = Some(at("2026-11-30T10:50:00Z"));
        assert_eq!(due(&item), [(Cause::Unowned, "30T11:50".into()), (Cause::Close, "01T10:00".into())]);
        item.is_owned = true;
        assert_eq!(due(&item), [(Cause::Close, "01T10:00".into())]);
        item.is_owned = false;
        item.named.push(Clock::until(Cause::Respond, at("2026-11-30T10:30:00Z"), at("2026-11-30T12:30:00Z")));
        assert_eq!(due(&item)[0], (Cause::Respond, "30T12:30".into()), "who is to answer is waited for");
        item.state = State::AwaitingOutcome;
        item.named.push(Clock::until(Cause::Outcome, at("2026-11-30T11:00:00Z"), at("2026-11-30T11:15:00Z")));
        assert_eq!(due(&item)[0], (Cause::Outcome, "30T11:15".into()));
        item.state = State::Closed;
        assert_eq!(due(&item), []);
    }

    #[test]
    fn a_quarter_of_the_time_is_the_risk() {
        let clock =
            Clock::running(Cause::Claim, at("2026-11-30T10:00:00Z"), &"4h".parse().unwrap(), &WorkingTime::Always)
                .unwrap();
        assert_eq!(clock.level(at("2026-11-30T12:59:59Z")), None);
        assert_eq!(clock.level(at("2026-11-30T13:00:00Z")), Some(Level::AtRisk));
        assert_eq!(clock.level(at("2026-11-30T13:59:59Z")), Some(Level::AtRisk));
        assert_eq!(clock.level(at("2026-11-30T14:00:00Z")), Some(Level::Overdue));
    }

    #[test]
    fn steps_go_by_the_hours_too_and_only_for_targets() {
        let source = "[workflow]\nkey = \"w\"\nname = \"W\"\nowner_team = \"t\"\nversion = \"1\"\n\
            [workflow.hours]\nzone = \"Europe/Oslo\"\ndays = [\"mon\", \"tue\"]\nfrom = \"08:00\"\nto = \"17:00\"\n\
            [[workflow.escalate]]\nafter = \"0m\"\nteam = \"leads\"\nnotify = [\"app\"]\n[[workflow.escalate]]\nafter = \"2h\"\nteam = \"heads\"\nnotify = [\"app\"]\n";
        let definition: crate::workflow::Definition = toml::from_str(source).unwrap();
        let rules = Rules::of(&definition.workflow);
        let clock = Clock::until(Cause::Close, at("2026-11-30T11:00:00Z"), at("2026-11-30T15:00:00Z"));
        let told = |clock: &Clock, now: &str| {
            let all = thresholds(std::slice::from_ref(clock), &rules, at(now));
            all.into_iter().map(|t| (t.level, t.step, t.at.format("%dT%H:%M").to_string())).collect::<Vec<_>>()
        };
        let late = [
            (Level::Overdue, 0, "30T15:00".to_owned()),
            (Level::Escalated, 0, "30T15:00".to_owned()),
            (Level::Escalated, 1, "01T08:00".to_owned()),
        ];
        assert_eq!(told(&clock, "2026-11-30T14:30:00Z")[0], (Level::AtRisk, 0, "30T14:00".to_owned()));
        assert_eq!(told(&clock, "2026-11-30T14:30:00Z")[1..], late);
        assert_eq!(told(&clock, "2026-11-30T15:00:00Z"), late, "what is overdue is not at risk any more");
        let both = told(&clock, "2026-12-01T08:00:00Z");
        assert_eq!(both, [late[0].clone(), late[2].clone()], "of steps that are reached the last counts");
        assert_eq!(told(&Clock { cause: Cause::Outcome, ..clock }, "2026-11-30T15:00:00Z"), late[..1]);
    }
}
