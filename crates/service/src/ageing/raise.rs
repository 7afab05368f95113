//! Raising an alert: one for one cause and level of a step, whatever the number of items. Who answers for them is told once.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use domain::{
    access::{self, Caller},
    ageing::{Cause, Level, Threshold},
    audit::AuditKind,
    channel::{self, Telling},
    ids::{PersonId, TeamId},
    notice::NoticeKind,
    permission::Permission,
    report::StepStatus,
    sensitivity::Sensitivity,
};
use store::{Item, NewAlert, Reached, Uow};
use uuid::Uuid;

use super::number;
use crate::{
    Result,
    action::{Act, Entry, Told},
    approvals::ask::{self, name_of},
    channels::{self, Target},
    items::{self, actions::scope},
    new_id,
    people::who,
};

/// What becomes late this soon after an alert was acknowledged belongs to it: whoever acknowledged it knows of the cause.
const JOINS_FOR: TimeDelta = TimeDelta::hours(1);
/// What joins an alert that nobody acknowledged for this long, a shift, is told again.
const TOLD_FOR: TimeDelta = TimeDelta::hours(8);

/// What an alert is raised about.
pub(super) struct Late<'a> {
    /// An item, or a report in quarantine.
    pub(super) subject: Uuid,
    pub(super) item: Option<&'a Item>,
    pub(super) name: String,
    pub(super) workflow: &'a str,
    pub(super) team: TeamId,
    /// The team that sees it besides.
    pub(super) told: Option<TeamId>,
    /// The team it is escalated to with this.
    pub(super) escalated_to: Option<String>,
    /// The channels that the workflow names for this: `app`, `email` or `webhook:NAME`.
    pub(super) notify: &'a [String],
    /// The lower level of the same cause that was not told either: one alert is enough for both.
    pub(super) lower: Option<Threshold>,
}

impl Late<'_> {
    fn step(&self) -> Option<&str> {
        self.item.map(|item| item.step.as_str())
    }

    /// Where it belongs, in parentheses; nothing where no workflow is known.
    fn place(&self) -> String {
        match (self.workflow, self.step()) {
            ("", _) => String::new(),
            (workflow, None) => format!(" ({workflow})"),
            (workflow, Some(step)) => format!(" ({workflow} › {step})"),
        }
    }
}

/// Puts something late into its alert, raised anew if there is none, and tells who has to know. Whether its lower level was
/// told with it: where whoever that concerns may not know of this alert, it was not.
pub(super) async fn raise(act: &mut Act<'_>, late: &Late<'_>, threshold: &Threshold) -> Result<bool> {
    let gathers = gathers(late, threshold);
    let (alert, is_news) = find_or_raise(act, late, threshold, &gathers).await?;
    let takes_lower = late.lower.is_some() && (is_news || act.uow.tells_lower(alert).await?);
    let lower = late.lower.filter(|_| takes_lower);
    if !join(act, late, alert, threshold).await? {
        return Ok(false);
    }
    if let Some(lower) = &lower {
        join(act, late, alert, lower).await?;
    }
    let item = late.item.map(|item| item.id);
    if is_news {
        let mut entry = Entry::new(AuditKind::AlertRaised);
        match late.item {
            Some(item) => entry.item(item),
            None => entry.within(late.team, late.workflow),
        };
        entry.detail("alert", alert.to_string()).detail("cause", threshold.cause.as_str());
        entry.detail("level", threshold.level.as_str());
        act.also(entry);
    }
    let concerned = concerned(act, late, threshold, is_news).await?;
    // Whom the lower level concerns has to know, and is told in the app: the step's e-mail is for its team.
    let mut told = match late.item {
        Some(item) if lower.is_some() && late.escalated_to.is_some() => answering(act, item, late, is_news).await?,
        _ => BTreeSet::new(),
    };
    told.extend(&concerned);
    if told.is_empty() && !is_news {
        return Ok(lower.is_some());
    }
    let mut about = domain::text::message(&sentence(&late.name, late, threshold));
    let mut lines = match late.item {
        Some(item) => facts(act, item).await?,
        None => Vec::new(),
    };
    if is_news {
        let link = format!("{}/alerts/{alert}", act.settings.public_url);
        let kind = NoticeKind::AlertRaised.as_str().to_owned();
        let telling = Telling { kind, title: about.clone(), lines: lines.clone(), link };
        for name in late.notify.iter().filter_map(|notify| channel::named(notify)) {
            channels::send_to(act, Target::Channel(name), &telling).await?;
        }
    }
    let is_stranded = told.is_empty();
    if is_stranded {
        // Whoever can change that is told that there is something; neither it nor the alert is theirs to see.
        told = act.uow.who_may(Permission::PeopleManage).await?.into_iter().collect();
        let name = if late.item.is_some() { "An item" } else { &late.name };
        let can = if threshold.cause == Cause::Approval { "decide" } else { "work" };
        about = domain::text::message(&sentence(name, late, threshold));
        about.push_str(&format!(", and nobody who can sign in may {can} it"));
        lines.clear();
    }
    let by_mail = late.notify.iter().any(|notify| notify == "email");
    for person in told {
        if act.uow.tell_of_alert(alert, person).await? {
            let kind = NoticeKind::AlertRaised;
            let lines = lines.clone();
            let alert = Some(alert).filter(|_| !is_stranded);
            let asked = by_mail && (is_stranded || concerned.contains(&person));
            act.tell_of(Told { person, kind, about: &about, item, alert, lines, asked }).await?;
        }
    }
    Ok(lower.is_some())
}

/// Puts something into an alert; `false` if it is in one of this kind already.
async fn join(act: &mut Act<'_>, late: &Late<'_>, alert: Uuid, threshold: &Threshold) -> Result<bool> {
    let Threshold { cause, level, .. } = *threshold;
    let reached = Reached { id: new_id(act.now), alert_id: alert, cause, level, step: number(threshold) };
    let item = late.item.map(|item| item.id);
    Ok(act.uow.join_alert(reached.id, &reached, late.subject, item, act.now).await?)
}

/// The alert that it belongs to, and whether that is news: it was raised now, or was over or silent for so long that it is
/// told again.
async fn find_or_raise(
    act: &mut Act<'_>,
    late: &Late<'_>,
    threshold: &Threshold,
    gathers: &str,
) -> Result<(Uuid, bool)> {
    let since = act.now - JOINS_FOR;
    if let Some(known) = act.uow.alert_to_join(gathers, since).await? {
        match known.acknowledged_at {
            None => {
                let is_silent = known.last_at <= since || known.told_at <= act.now - TOLD_FOR;
                let again = is_silent || !act.uow.has_open_subjects(known.id).await?;
                if again {
                    act.uow.tell_alert_again(known.id, act.now).await?;
                }
                return Ok((known.id, again));
            }
            // Whoever acknowledged it knows of what waited already, not of what began since or goes to another team.
            Some(at) if threshold.from < at && threshold.level != Level::Escalated => return Ok((known.id, false)),
            Some(_) => {}
        }
    }
    let new = NewAlert {
        cause: threshold.cause,
        level: threshold.level,
        gathers,
        workflow_key: late.workflow,
        step: late.step(),
        team: late.team,
        told_team: late.told,
    };
    let id: Uuid = new_id(act.now);
    if act.uow.add_alert(id, &new, act.now).await? {
        return Ok((id, true));
    }
    // Another process was quicker.
    let other = act.uow.alert_to_join(gathers, act.now).await?;
    Ok((other.map_or(id, |known| known.id), false))
}

/// What somebody has to know of an item to decide what to do: nothing of its payload.
async fn facts(act: &mut Act<'_>, item: &Item) -> Result<Vec<(String, String)>> {
    let done: Vec<&str> = item
        .steps
        .iter()
        .filter(|step| step.status == StepStatus::Confirmed && item.sensitivity != Sensitivity::Restricted)
        .map(|step| step.name.as_str())
        .collect();
    let owner = match item.owner_person_id {
        Some(person) => act.uow.person_name(person).await?,
        None => act.uow.team_name(item.owner_team_id.unwrap_or(item.team_id)).await?,
    };
    // What the item's state allows; what a reader may do is asked when they do it.
    let is_claimed = act.uow.claim_of(item.id, act.now).await?.is_some();
    let offers =
        if is_claimed { Vec::new() } else { items::offers_now(&mut act.uow, act.caller, item, act.now).await? };
    let next: Vec<&str> = offers
        .iter()
        .filter(|offer| offer.refusal.is_none())
        .map(|offer| offer.action.label.trim_end_matches('…'))
        .collect();
    let line = |name: &str, value: String| (name.to_owned(), value);
    let mut lines = vec![
        line("Item", name_of(item).to_owned()),
        line("Step", format!("{} › {}", item.workflow_key, item.step)),
        line("Effect", item.effect.words().to_owned()),
        line("Completed", if done.is_empty() { "no step is confirmed".to_owned() } else { done.join(", ") }),
        line("Owner", owner.unwrap_or_default()),
    ];
    if !next.is_empty() {
        lines.push(line("What can be done", next.join(", ")));
    }
    Ok(lines)
}

/// What makes an alert one: lengths keep two keys from being read as another two.
fn gathers(late: &Late<'_>, threshold: &Threshold) -> String {
    let told = late.told.map(|team| team.to_string()).unwrap_or_default();
    let step = late.step().unwrap_or_default();
    format!(
        "{} {} {} {} {told} {}:{} {}:{step}",
        threshold.cause,
        threshold.level,
        threshold.step,
        late.team,
        late.workflow.len(),
        late.workflow,
        step.len()
    )
}

/// "INV-1042 (invoice-sync › create_invoice) has not been claimed and is overdue".
fn sentence(name: &str, late: &Late<'_>, threshold: &Threshold) -> String {
    let how = match (threshold.level, &late.escalated_to) {
        (Level::AtRisk, _) => "soon too late".to_owned(),
        (Level::Overdue, _) => "overdue".to_owned(),
        (Level::Escalated, Some(team)) => format!("overdue: it was escalated to {team}"),
        (Level::Escalated, None) => "still overdue".to_owned(),
    };
    format!("{name}{} {}: {how}", late.place(), threshold.cause.missing(true))
}

/// Who has to know: whoever answers for it or works it; else whoever can. What joins an alert that is known concerns only
/// its own people.
async fn concerned(
    act: &mut Act<'_>,
    late: &Late<'_>,
    threshold: &Threshold,
    is_news: bool,
) -> Result<BTreeSet<PersonId>> {
    let mut found = BTreeSet::new();
    match (late.item, late.told.filter(|_| late.escalated_to.is_some())) {
        (None, _) if is_news => found = able(&mut act.uow, Permission::QuarantineWork, late).await?,
        (Some(item), _) if threshold.cause == Cause::Approval && is_news => {
            let waiting = act.uow.approvals_of(item.id).await?.into_iter().find(|asked| asked.ended_at.is_none());
            found = ask::deciders(&mut act.uow, item).await?.into_iter().collect();
            if let Some(asked) = waiting {
                let excluded = act.uow.exclusions(asked.id).await?;
                found.retain(|person| !excluded.iter().any(|excluded| excluded.person_id == *person));
            }
        }
        (Some(_), Some(team)) if is_news => {
            let members = act.uow.members_of(team).await?.into_iter().map(|row| row.id).collect::<BTreeSet<_>>();
            let able = able(&mut act.uow, Permission::ItemsWork, late).await?;
            found = able.intersection(&members).copied().collect();
            if found.is_empty() {
                // Nobody of that team can work it; whoever else can has to know.
                found = able;
            }
        }
        (Some(item), None) if threshold.cause != Cause::Approval => found = answering(act, item, late, is_news).await?,
        _ => {}
    }
    Ok(found)
}

/// Whoever answers for an item or works it; else, of what is news, whoever can.
async fn answering(act: &mut Act<'_>, item: &Item, late: &Late<'_>, is_news: bool) -> Result<BTreeSet<PersonId>> {
    let working = act.uow.claim_of(item.id, act.now).await?.map(|claim| claim.person_id);
    let mut found = BTreeSet::new();
    for person in item.owner_person_id.into_iter().chain(working) {
        if is_able(&mut act.uow, person, Permission::ItemsWork, late).await? {
            found.insert(person);
        }
    }
    if found.is_empty() && is_news {
        found = able(&mut act.uow, Permission::ItemsWork, late).await?;
    }
    Ok(found)
}

/// Who may do this with it.
async fn able(uow: &mut Uow, permission: Permission, late: &Late<'_>) -> Result<BTreeSet<PersonId>> {
    let mut found = BTreeSet::new();
    for id in uow.who_may(permission).await? {
        if is_able(uow, id, permission, late).await? {
            found.insert(id);
        }
    }
    Ok(found)
}

async fn is_able(uow: &mut Uow, id: PersonId, permission: Permission, late: &Late<'_>) -> Result<bool> {
    let place = match late.item {
        Some(item) => scope(item),
        None => access::Scope::Within { team: late.team, owner: None, workflow: late.workflow },
    };
    may(uow, id, permission, place).await
}

/// Whether somebody can sign in and may do this there.
pub(super) async fn may(uow: &mut Uow, id: PersonId, permission: Permission, place: access::Scope<'_>) -> Result<bool> {
    let Some(row) = uow.person_by_id(id).await?.filter(|row| row.disabled_at.is_none()) else { return Ok(false) };
    let caller = Caller::Person(who::person(uow, row).await?);
    Ok(access::may(&caller, permission, place).is_ok())
}

/// What an item is called in an alert.
pub(super) fn called(item: &Item) -> String {
    name_of(item).to_owned()
}
