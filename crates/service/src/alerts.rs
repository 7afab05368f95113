//! Alerts, as people work them: what is late, for whom, and who knows of it.

use chrono::{DateTime, Utc};
use domain::{
    access::{self, Caller, Scope},
    ageing::Cause,
    audit::AuditKind,
    effect::Effect,
    ids::{ItemId, PersonId, QuarantineId, TeamId},
    item::State,
    permission::Permission,
    refusal::Refusal,
    report::{StepStatus, TEXT_LIMIT},
};
use store::{Alert, AlertPlace, Due, Uow};
use uuid::Uuid;

use crate::{
    Request, Result, Service,
    action::{Act, Action, Entry, Gate},
    ageing,
    approvals::ask::name_of,
    calendar,
    clearance::Veil,
    items::{self, actions::Offer},
};

/// Alerts of a page.
const PAGE: usize = 50;
/// What is shown of one alert at a time: each is read as its own page would be.
const SUBJECTS: usize = 20;

/// Where a page of what is in an alert begins: after this one; whether it is settled, when it became late, its place.
pub type SubjectPlace = (bool, DateTime<Utc>, Uuid);

/// A page of alerts.
#[derive(Debug, Clone)]
pub struct Alerts {
    /// Its rows: of what waits the latest first, then the newest.
    pub rows: Vec<Alert>,
    /// Where the next page begins.
    pub next: Option<AlertPlace>,
    /// How many wait to be acknowledged; counted up to 100.
    pub waiting: i64,
    /// When this was read.
    pub as_of: DateTime<Utc>,
}

/// One alert, with what is in it.
#[derive(Debug, Clone)]
pub struct AlertSeen {
    /// The alert.
    pub alert: Alert,
    /// What is still late first.
    pub subjects: Vec<Subject>,
    /// Where the next ones begin.
    pub next: Option<SubjectPlace>,
    /// Whether the viewer may acknowledge it.
    pub may_acknowledge: bool,
    /// When this was read.
    pub as_of: DateTime<Utc>,
}

/// Something in an alert. Nothing of it is from a payload.
#[derive(Debug, Clone)]
pub struct Subject {
    /// What it is.
    pub about: About,
    /// When it became late.
    pub reached_at: DateTime<Utc>,
    /// When what was missing happened.
    pub settled_at: Option<DateTime<Utc>>,
}

/// What something in an alert is.
#[derive(Debug, Clone)]
pub enum About {
    /// An item.
    Item(Box<LateItem>),
    /// A report in quarantine.
    Report(QuarantineId),
    /// Something the viewer can't see.
    Hidden,
}

/// A late item, as an alert names it.
#[derive(Debug, Clone)]
pub struct LateItem {
    /// Its id.
    pub id: ItemId,
    /// What people call it.
    pub name: String,
    /// Its step.
    pub step: String,
    /// What is going on.
    pub state: State,
    /// What is known about the side effect.
    pub effect: Effect,
    /// Steps of its run that are confirmed.
    pub completed: Vec<String>,
    /// The person who answers for it.
    pub owner_name: Option<String>,
    /// The team that does.
    pub team_name: String,
    /// The clock of the alert's cause; nothing where it does not run any more.
    pub due: Due,
    /// What the viewer may do with it now.
    pub actions: Vec<Offer>,
}

/// Acknowledges an alert: it is known, and by whom. Of two the first is named; the second is told so where they said
/// something that would be lost.
#[derive(Debug)]
pub struct AcknowledgeAlert {
    /// Which.
    pub id: Uuid,
    /// What is done about it, if something is said.
    pub note: Option<String>,
}

impl Action for AcknowledgeAlert {
    const NAME: &'static str = "alert.acknowledge";
    const GATE: Gate = Gate::Within(Permission::ItemsWork);
    const AUDIT: AuditKind = AuditKind::AlertAcknowledged;
    /// Whether it was this person who did it: of two, the first is named.
    type Output = bool;

    async fn perform(self, act: &mut Act<'_>) -> Result<bool> {
        let alert = act.uow.lock_alert(self.id).await?.ok_or(Refusal::NotFound)?;
        may_acknowledge(act.caller, &alert)?;
        act.entry().within(alert.team_id, &alert.workflow_key).detail("alert", self.id.to_string());
        let note = self.note.as_deref().map(str::trim).filter(|note| !note.is_empty());
        if note.is_some_and(|note| note.chars().count() > TEXT_LIMIT) {
            return Err(Refusal::field("/note", format!("Use at most {TEXT_LIMIT} characters.")).into());
        }
        let person = act.person()?.clone();
        let note = note.map(domain::text::message);
        let by = (person.id, person.name.as_str());
        let first = act.uow.acknowledge_alert(self.id, by, note.as_deref(), act.now).await?;
        if first {
            act.entry().detail("cause", alert.cause.as_str()).detail("level", alert.level.as_str());
            if let Some(note) = note {
                act.entry().text(note);
            }
        } else if note.is_some() && note != alert.note {
            return Err(Refusal::ChangedMeanwhile { what: "The alert" }.into());
        } else {
            act.nothing_changed();
        }
        Ok(first)
    }
}

/// Whoever works what is in it; of what waits for a decision whoever decides, too.
fn may_acknowledge(caller: &Caller, alert: &Alert) -> Result<(), Refusal> {
    let may = |permission| access::may(caller, permission, scope(alert));
    match alert.cause {
        Cause::Quarantine => may(Permission::QuarantineWork),
        Cause::Approval => may(Permission::ApprovalsDecide).or_else(|_| may(Permission::ItemsWork)),
        _ => may(Permission::ItemsWork),
    }
}

fn scope(alert: &Alert) -> Scope<'_> {
    Scope::Within { team: alert.team_id, owner: alert.told_team_id.map(TeamId), workflow: &alert.workflow_key }
}

impl Service {
    /// Alerts that wait, or that were acknowledged, as the caller may see them.
    pub async fn alerts(&self, request: &Request, waiting: bool, after: Option<AlertPlace>) -> Result<Alerts> {
        let read = self.read_alerts(&request.caller, waiting, after);
        self.reading(request, Entry::new(AuditKind::AlertsRead), None, read).await
    }

    async fn read_alerts(&self, caller: &Caller, waiting: bool, after: Option<AlertPlace>) -> Result<Alerts> {
        access::may(caller, Permission::ItemsRead, Scope::Installation)?;
        let bound = bound(caller)?;
        let mut uow = self.store.read().await?;
        let after = after.map(|(at, id)| (calendar::within(at), id));
        let mut rows = uow.alerts(waiting, bound, after, limit(PAGE)).await?;
        let more = rows.len() > PAGE;
        rows.truncate(PAGE);
        let place = |alert: &Alert| (if waiting { Some(alert.last_at) } else { alert.acknowledged_at }, alert.id);
        let next = rows.last().filter(|_| more).map(place).and_then(|(at, id)| Some((at?, id)));
        Ok(Alerts { waiting: uow.count_alerts(bound).await?, rows, next, as_of: self.now() })
    }

    /// How many alerts wait for somebody of the caller's teams; counted up to 100.
    pub async fn alerts_waiting(&self, caller: &Caller) -> Result<i64> {
        access::may(caller, Permission::ItemsRead, Scope::Installation)?;
        Ok(self.store.read().await?.count_alerts(bound(caller)?).await?)
    }

    /// One alert, with what is in it.
    pub async fn alert(&self, request: &Request, id: Uuid, after: Option<SubjectPlace>) -> Result<AlertSeen> {
        let read = self.read_alert(&request.caller, id, after);
        self.reading(request, Entry::new(AuditKind::AlertsRead), None, read).await
    }

    async fn read_alert(&self, caller: &Caller, id: Uuid, after: Option<SubjectPlace>) -> Result<AlertSeen> {
        let mut uow = self.store.read().await?;
        let alert = uow.alert(id).await?.ok_or(Refusal::NotFound)?;
        access::may(caller, Permission::ItemsRead, scope(&alert))?;
        let after = after.map(|(settled, at, id)| (settled, calendar::within(at), id));
        let mut rows = uow.alert_subjects(id, after, limit(SUBJECTS)).await?;
        let more = rows.len() > SUBJECTS;
        rows.truncate(SUBJECTS);
        let next = rows.last().filter(|_| more).map(|last| (last.settled_at.is_some(), last.reached_at, last.id));
        let mut subjects = Vec::with_capacity(rows.len());
        for row in rows {
            let about = match row.item_id {
                Some(item) => self.late_item(&mut uow, caller, ItemId(item), alert.cause).await?,
                None => About::Report(QuarantineId(row.subject_id)),
            };
            subjects.push(Subject { about, reached_at: row.reached_at, settled_at: row.settled_at });
        }
        let may_acknowledge = alert.acknowledged_at.is_none() && may_acknowledge(caller, &alert).is_ok();
        Ok(AlertSeen { alert, subjects, next, may_acknowledge, as_of: self.now() })
    }

    async fn late_item(&self, uow: &mut Uow, caller: &Caller, id: ItemId, cause: Cause) -> Result<About> {
        let mut item = match items::readable(uow, caller, id).await {
            Ok(item) => item,
            // It was given to another team since.
            Err(crate::Error::Refused(_)) => return Ok(About::Hidden),
            Err(error) => return Err(error),
        };
        let due = ageing::due_for(uow, &item, cause).await?;
        Veil::of(caller, item.sensitivity).over_item(&mut item);
        let done = item.steps.iter().filter(|step| step.status == StepStatus::Confirmed);
        let late = LateItem {
            id,
            name: name_of(&item).to_owned(),
            step: item.step.clone(),
            state: item.state,
            effect: item.effect,
            completed: done.map(|step| step.name.clone()).collect(),
            owner_name: match item.owner_person_id {
                Some(person) => uow.person_name(person).await?,
                None => None,
            },
            team_name: uow.team_name(item.owner_team_id.unwrap_or(item.team_id)).await?.unwrap_or_default(),
            due,
            actions: items::offers_now(uow, caller, &item, self.now()).await?,
        };
        Ok(About::Item(Box::new(late)))
    }
}

/// Whom a list of alerts is bound to. Alerts are for people.
fn bound(caller: &Caller) -> Result<Option<PersonId>, Refusal> {
    match caller {
        Caller::Person(person) => Ok(person.bounds().map(|_| person.id)),
        Caller::CommandLine | Caller::Job(_) => Ok(None),
        Caller::Automation(_) | Caller::Anonymous => Err(Refusal::WrongTokenKind),
    }
}

fn limit(rows: usize) -> i64 {
    i64::try_from(rows + 1).unwrap_or(i64::MAX)
}
