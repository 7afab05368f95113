//! How a team stands, for whoever comes next.

use chrono::{DateTime, Utc};
use domain::{
    access::{self, Caller, Scope},
    audit::AuditKind,
    ids::TeamId,
    permission::Permission,
    refusal::Refusal,
};
use store::{Load, ShiftItem, ShiftPart, TeamRow, Uow};

use crate::{Request, Result, Service, action::Entry, clearance::Veil};

/// Rows of one part.
const ROWS: usize = 25;
/// The parts, in the order in which they are read.
const PARTS: [ShiftPart; 7] = [
    ShiftPart::Due,
    ShiftPart::InDoubt,
    ShiftPart::WithNobody,
    ShiftPart::OnItsWay,
    ShiftPart::Aside,
    ShiftPart::Claimed,
    ShiftPart::Elsewhere,
];

/// How a team stands.
#[derive(Debug, Clone)]
pub struct Shift {
    /// The team; none where the viewer belongs to none.
    pub team: Option<TeamRow>,
    /// The teams the viewer may look at.
    pub teams: Vec<TeamRow>,
    /// Who has how much of what it answers for; whoever has no name is nobody.
    pub load: Vec<Load>,
    /// Items its people can work in a day, as their workflows say.
    pub capacity: Option<i64>,
    /// What it answers for, what its people work, and what of its workflows is with another team, part by part.
    pub parts: Vec<Listed>,
    /// When this was read.
    pub as_of: DateTime<Utc>,
}

/// A part of a team's items.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Which.
    pub part: ShiftPart,
    /// What is due next first.
    pub rows: Vec<ShiftItem>,
    /// Whether there are more.
    pub more: bool,
}

impl Shift {
    /// How many items are open with this team; at most 5,000.
    #[must_use]
    pub fn open(&self) -> i64 {
        self.load.iter().map(|load| load.open).sum()
    }

    /// Whether so many are open that not all of them were looked at: then nothing is said of all.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.open() >= store::SHIFT_LOOKS_AT
    }
}

impl Service {
    /// How a team stands; the viewer's first team where none is named.
    pub async fn shift(&self, request: &Request, team: Option<String>) -> Result<Shift> {
        let read = self.read_shift(&request.caller, team);
        self.reading(request, Entry::new(AuditKind::ItemRead), None, read).await
    }

    async fn read_shift(&self, caller: &Caller, key: Option<String>) -> Result<Shift> {
        access::may(caller, Permission::ItemsRead, Scope::Installation)?;
        let Caller::Person(person) = caller else { return Err(Refusal::WrongTokenKind.into()) };
        let mut uow = self.store.read().await?;
        let mut teams = uow.teams().await?;
        if let Some(bounds) = person.bounds() {
            teams.retain(|team| bounds.contains(&team.id));
        }
        let team = match key {
            Some(key) => Some(teams.iter().find(|team| team.key == key).ok_or(Refusal::NotFound)?),
            None => teams.iter().find(|team| person.teams.contains(&team.id)).or(teams.first()),
        };
        let (team, as_of) = (team.cloned(), self.now());
        let bound_to = person.bounds().map(|_| person.id);
        let (mut load, mut capacity, mut parts) = (Vec::new(), None, Vec::new());
        if let Some(team) = &team {
            load = uow.load(team.id, as_of).await?;
            capacity = capacity_of(&mut uow, team.id).await?;
            for part in PARTS {
                let mut rows = uow.shift(team.id, part, bound_to, as_of).await?;
                let more = rows.len() > ROWS;
                rows.truncate(ROWS);
                rows.iter_mut().for_each(|row| Veil::over_row(caller, &mut row.item));
                parts.push(Listed { part, rows, more });
            }
        }
        Ok(Shift { team, teams, load, capacity, parts, as_of })
    }
}

/// What the workflows of a team say that its people can work in a day.
async fn capacity_of(uow: &mut Uow, team: TeamId) -> Result<Option<i64>> {
    let mut whole = None;
    for key in uow.workflows_of_team(team).await? {
        let Some(workflow) = uow.workflow_by_key(&key).await? else { continue };
        let definition = uow.latest_definition(workflow.id).await?;
        if let Some(one) = definition.and_then(|row| row.definition.0.workflow.manual_capacity_per_day) {
            whole = Some(whole.unwrap_or(0) + i64::from(one));
        }
    }
    Ok(whole)
}
