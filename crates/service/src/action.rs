//! The one shape of every use case that changes something.
//!
//! An [`Action`] states once who may use it and what the audit calls it. [`Service::run`] opens the unit of work, asks the
//! gate, performs the action, writes the audit entry in the same transaction and commits. A refusal rolls everything back
//! and writes its own entry in a transaction of its own. There is no other way to commit a change.

use chrono::{DateTime, Utc};
use domain::{
    access::{self, Caller, Scope},
    audit::{ActorKind, AuditKind, AuditOutcome},
    channel::Telling,
    ids::{ItemId, PersonId, TeamId},
    notice::NoticeKind,
    permission::Permission,
    refusal::Refusal,
};
use serde_json::{Map, Value};
use store::{Item, NewAudit, NewNotice, Uow};
use uuid::Uuid;

use crate::{
    Error, Request, Result, Service,
    channels::{self, Target},
    new_id, secret,
    sign_in::step_up,
};

/// Who may use an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// Whoever holds the permission, for the installation as a whole.
    Permission(Permission),
    /// Whoever holds the permission within the team of the thing; asked once the thing was found.
    Within(Permission),
    /// An automation's token that is bound to the workflow; asked once the workflow is known.
    Automation,
    /// Whoever knows a secret (a password, a one-time link), or ends what is their own.
    Open,
    /// A person in a browser, for their own account; no token of theirs.
    Own,
    /// Only Recourse itself, or somebody with a shell on the machine.
    Machine,
}

/// A use case that changes something.
pub trait Action: Send {
    /// Names it in the table of actions.
    const NAME: &'static str;
    /// Who may use it.
    const GATE: Gate;
    /// What the audit calls it.
    const AUDIT: AuditKind;
    /// Whether who they are has to be confirmed shortly before (see [`crate::sign_in::step_up`]).
    const STEP_UP: bool = false;
    /// What it answers.
    type Output: Send;

    /// Does it, or refuses. May return early at any point: nothing is kept then.
    fn perform(self, act: &mut Act<'_>) -> impl Future<Output = Result<Self::Output>> + Send;
}

/// One performance of an action: its unit of work, who asks, and what the audit will say.
pub struct Act<'a> {
    /// The transaction.
    pub uow: Uow,
    /// Who asks.
    pub caller: &'a Caller,
    /// The time, the same throughout.
    pub now: DateTime<Utc>,
    /// The use cases' settings.
    pub settings: &'a crate::Settings,
    /// The request it is done for.
    pub(crate) request: &'a Request,
    entry: Option<Entry>,
    further: Vec<Entry>,
}

/// What somebody is told.
pub(crate) struct Told<'t> {
    /// Who.
    pub(crate) person: PersonId,
    /// What of.
    pub(crate) kind: NoticeKind,
    /// What it is about, as the sentence needs it.
    pub(crate) about: &'t str,
    /// The item it is about.
    pub(crate) item: Option<ItemId>,
    /// The alert it is about.
    pub(crate) alert: Option<Uuid>,
    /// What an e-mail says besides: a name and a value each.
    pub(crate) lines: Vec<(String, String)>,
    /// A workflow's file asks for an e-mail: they get one where they leave it to the workflow.
    pub(crate) asked: bool,
}

/// What an audit entry will say.
#[derive(Debug, Clone)]
pub struct Entry {
    kind: AuditKind,
    team: Option<TeamId>,
    workflow: Option<String>,
    item: Option<ItemId>,
    detail: Map<String, Value>,
    text: Option<String>,
    refused: Option<&'static str>,
}

impl Entry {
    /// An entry of this kind.
    #[must_use]
    pub fn new(kind: AuditKind) -> Self {
        Self { kind, team: None, workflow: None, item: None, detail: Map::new(), text: None, refused: None }
    }

    /// It is about this item.
    pub fn item(&mut self, item: &Item) -> &mut Self {
        self.item = Some(item.id);
        self.within(item.team_id, &item.workflow_key)
    }

    /// It is within this team and workflow.
    pub fn within(&mut self, team: TeamId, workflow: &str) -> &mut Self {
        self.team = Some(team);
        self.workflow = Some(workflow.to_owned());
        self
    }

    /// An id, a number or a word of a closed list.
    pub fn detail(&mut self, name: &str, value: impl Into<Value>) -> &mut Self {
        self.detail.insert(name.to_owned(), value.into());
        self
    }

    /// It tells of a refusal.
    pub fn refused(&mut self, refusal: &Refusal) -> &mut Self {
        self.refused = Some(refusal.code());
        self
    }

    /// Free text: kept apart, so that it can be erased.
    pub fn text(&mut self, text: impl AsRef<str>) -> &mut Self {
        self.text = Some(domain::text::message(text.as_ref()));
        self
    }
}

impl Act<'_> {
    /// What the audit will say of this action.
    pub fn entry(&mut self) -> &mut Entry {
        self.entry.get_or_insert_with(|| Entry::new(AuditKind::ItemReported))
    }

    /// The audit calls it something more precise.
    pub fn record_as(&mut self, kind: AuditKind) -> &mut Entry {
        let entry = self.entry();
        entry.kind = kind;
        entry
    }

    /// Something else happened with it, told in an entry of its own.
    pub fn also(&mut self, entry: Entry) {
        self.further.push(entry);
    }

    /// What follows is told in an entry of its own, until [`Act::told`] is given what this answers.
    pub(crate) fn tell_apart(&mut self, kind: AuditKind) -> Option<Entry> {
        self.entry.replace(Entry::new(kind))
    }

    /// What was told apart is complete; the entry from before goes on.
    pub(crate) fn told(&mut self, before: Option<Entry>) {
        self.further.extend(std::mem::replace(&mut self.entry, before));
    }

    /// The action has no entry of its own; what else happened with it keeps its entries.
    pub(crate) fn no_entry(&mut self) {
        self.entry = None;
    }

    /// Nothing was changed, so there is nothing to record.
    pub fn nothing_changed(&mut self) {
        self.entry = None;
        self.further.clear();
    }

    /// The person who acts; a program can't do this.
    pub(crate) fn person(&self) -> Result<&domain::access::Person> {
        match self.caller {
            Caller::Person(person) => Ok(person),
            Caller::Anonymous => Err(Refusal::NotSignedIn.into()),
            Caller::Automation(_) | Caller::CommandLine | Caller::Job(_) => Err(Refusal::WrongTokenKind.into()),
        }
    }

    /// Tells somebody of it, in the same transaction: in the app, and by e-mail where they chose that.
    pub(crate) async fn tell(
        &mut self,
        person: PersonId,
        kind: NoticeKind,
        about: &str,
        item: Option<ItemId>,
    ) -> Result<()> {
        self.tell_of(Told { person, kind, about, item, alert: None, lines: Vec::new(), asked: false }).await
    }

    /// The same with more to say.
    pub(crate) async fn tell_of(&mut self, told: Told<'_>) -> Result<()> {
        let Told { person, kind, about, item, alert, lines, asked } = told;
        let (id, by_name) = (new_id(self.now), self.caller.name());
        let about = domain::text::message(about);
        self.uow.add_notice(&NewNotice { id, person, kind, by_name, about: &about, item, alert }, self.now).await?;
        let url = &self.settings.public_url;
        let telling = Telling {
            kind: kind.as_str().to_owned(),
            title: kind.sentence(by_name, &about),
            lines,
            link: match (alert, item) {
                (Some(alert), _) => format!("{url}/alerts/{alert}"),
                (None, Some(item)) => format!("{url}/items/{item}"),
                (None, None) => format!("{url}/notices"),
            },
        };
        let to = if asked { Target::Asked(person, kind.topic()) } else { Target::Person(person, kind.topic()) };
        // Who lost the item, or only looks after who works it, is told without seeing it.
        let unseen = matches!((kind, alert), (NoticeKind::EscalatedAway, _) | (NoticeKind::AlertRaised, None));
        channels::send_about(self, to, item.filter(|_| !unseen), &telling).await.map(drop)
    }

    /// Asks for a permission within a team and workflow.
    pub fn require(&self, permission: Permission, team: TeamId, workflow: &str) -> Result<()> {
        Ok(access::may(self.caller, permission, Scope::Within { team, owner: None, workflow })?)
    }
}

impl Service {
    /// Performs an action: everything it does and its audit entry, or nothing but the entry of its refusal.
    pub async fn run<A: Action>(&self, request: &Request, action: A) -> Result<A::Output> {
        let (outcome, entry) = self.run_once(request, action).await;
        if let Err(Error::Refused(refusal)) = &outcome {
            self.record_refusal(request, entry, refusal).await?;
        }
        outcome
    }

    /// The same for what is kept in quarantine when it is refused: keeping it writes the entry of the refusal.
    pub(crate) async fn run_to_keep<A: Action>(&self, request: &Request, action: A) -> Result<A::Output> {
        self.run_once(request, action).await.0
    }

    /// Performs an action; answers what the entry of its refusal is to say, too.
    async fn run_once<A: Action>(&self, request: &Request, action: A) -> (Result<A::Output>, Entry) {
        let unit_of_work = match self.store.begin().await {
            Ok(unit_of_work) => unit_of_work,
            Err(error) => return (Err(error.into()), Entry::new(A::AUDIT)),
        };
        let now = self.now();
        let mut act = Act {
            uow: unit_of_work,
            caller: &request.caller,
            now,
            settings: &self.settings,
            request,
            entry: Some(Entry::new(A::AUDIT)),
            further: Vec::new(),
        };
        let allowed = gate(A::GATE, &request.caller).and_then(|()| match A::STEP_UP {
            true => step_up::recent(request, now),
            false => Ok(()),
        });
        let outcome = match allowed {
            Ok(()) => action.perform(&mut act).await,
            Err(refusal) => Err(refusal.into()),
        };
        match outcome {
            Ok(output) => {
                let entries = act.entry.take().into_iter().chain(std::mem::take(&mut act.further));
                let kept = keep(act.uow, request, entries.collect(), now).await;
                (kept.map(|()| output), Entry::new(A::AUDIT))
            }
            Err(error) => {
                let entry = act.entry.take().unwrap_or_else(|| Entry::new(A::AUDIT));
                (Err(error), Entry { kind: A::AUDIT, refused: None, ..entry })
            }
        }
    }

    /// Reads for somebody. Being refused writes an entry of its own (R14), about `item` where there is one. What is not
    /// there for the caller is no refusal.
    pub(crate) async fn reading<T>(
        &self,
        request: &Request,
        mut entry: Entry,
        item: Option<ItemId>,
        read: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let read = read.await;
        let Err(Error::Refused(refusal)) = &read else { return read };
        if refusal.code() != "forbidden" || request.refused {
            return read;
        }
        if let Some(id) = item
            && let Some(item) = self.store.read().await?.item(id).await?
        {
            entry.item(&item);
        }
        self.record_refusal(request, entry, refusal).await?;
        read
    }

    /// Writes the entry of a refusal in a transaction of its own.
    pub(crate) async fn record_refusal(&self, request: &Request, mut entry: Entry, refusal: &Refusal) -> Result<()> {
        entry.refused(refusal);
        keep(self.store.begin().await?, request, vec![entry], self.now()).await
    }
}

/// Commits a unit of work with its entries.
async fn keep(mut uow: Uow, request: &Request, entries: Vec<Entry>, now: DateTime<Utc>) -> Result<()> {
    for entry in entries {
        write(&mut uow, request, &entry, now).await?;
    }
    Ok(uow.commit().await?)
}

fn gate(gate: Gate, caller: &Caller) -> Result<(), Refusal> {
    match (gate, caller) {
        (Gate::Permission(permission), _) => access::may(caller, permission, Scope::Installation),
        (Gate::Machine, Caller::CommandLine | Caller::Job(_)) => Ok(()),
        (Gate::Machine, _) => Err(Refusal::WrongTokenKind),
        (Gate::Own, Caller::Person(person)) if person.limits.is_none() => Ok(()),
        (Gate::Own, Caller::Anonymous) => Err(Refusal::NotSignedIn),
        (Gate::Own, _) => Err(Refusal::WrongTokenKind),
        (Gate::Within(_) | Gate::Automation, Caller::Anonymous) => Err(Refusal::NotSignedIn),
        (Gate::Within(_) | Gate::Automation | Gate::Open, _) => Ok(()),
    }
}

async fn write(uow: &mut Uow, request: &Request, entry: &Entry, now: DateTime<Utc>) -> Result<()> {
    let (actor_kind, actor_id): (_, Option<Uuid>) = match &request.caller {
        Caller::Person(person) => (ActorKind::Person, Some(person.id.0)),
        Caller::Automation(token) => (ActorKind::Automation, Some(token.id.0)),
        Caller::CommandLine => (ActorKind::CommandLine, None),
        Caller::Job(_) => (ActorKind::Job, None),
        Caller::Anonymous => (ActorKind::Anonymous, None),
    };
    let new = NewAudit {
        id: new_id(now),
        actor_kind,
        actor_id,
        actor_name: request.caller.name(),
        action: entry.kind,
        outcome: if entry.refused.is_some() { AuditOutcome::Refused } else { AuditOutcome::Done },
        code: entry.refused,
        team: entry.team,
        workflow_key: entry.workflow.as_deref(),
        item: entry.item,
        detail: &entry.detail,
        text: entry.text.as_deref().map(|text| (text, secret::salt())),
        request_id: request.id.as_deref(),
    };
    Ok(uow.add_audit(&new, now).await?)
}
