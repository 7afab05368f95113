//! Who acts, and the one function that answers "may they, and if not, why" (R15, first question).

use std::collections::BTreeSet;

use crate::{
    ids::{PersonId, TeamId, TokenId},
    permission::Permission,
    refusal::Refusal,
    role::HeldRole,
    sensitivity::{Clearance, Sensitivity},
};

/// A signed-in person, as their account stands at this request (R16).
#[derive(Debug, Clone)]
pub struct Person {
    /// Their account.
    pub id: PersonId,
    /// Shown beside what they did.
    pub name: String,
    /// Their address.
    pub email: String,
    /// The roles they hold.
    pub roles: Vec<HeldRole>,
    /// The teams they belong to.
    pub teams: BTreeSet<TeamId>,
    /// Up to which sensitivity they see everything.
    pub clearance: Clearance,
    /// What a personal token narrows them to; `None` in a browser.
    pub limits: Option<BTreeSet<Permission>>,
}

/// An automation's token.
#[derive(Debug, Clone)]
pub struct Automation {
    /// The token.
    pub id: TokenId,
    /// Its name.
    pub name: String,
    /// The keys of the workflows it is bound to; `None` means any.
    pub workflows: Option<BTreeSet<String>>,
}

/// Who asks for something.
#[derive(Debug, Clone)]
pub enum Caller {
    /// Somebody in a browser, or their script.
    Person(Person),
    /// A program that reports work.
    Automation(Automation),
    /// Somebody with a shell on the machine: whoever holds the database may administer it.
    CommandLine,
    /// Recourse itself, in a background job of this name.
    Job(&'static str),
    /// Nobody yet: signing in, or holding a one-time link.
    Anonymous,
}

/// Where something is asked for.
#[derive(Debug, Clone, Copy)]
pub enum Scope<'a> {
    /// Not bound to a team or workflow.
    Installation,
    /// Within a workflow, and the team that answers for the thing.
    Within {
        /// The team of its workflow.
        team: TeamId,
        /// The team it was given to, where that is another.
        owner: Option<TeamId>,
        /// The workflow's key.
        workflow: &'a str,
    },
}

impl Person {
    /// Whether any of their roles carries `permission`, and their token, if they use one, lets it through.
    #[must_use]
    pub fn holds(&self, permission: Permission) -> bool {
        let let_through = self.limits.as_ref().is_none_or(|limits| limits.contains(&permission));
        let_through && self.roles.iter().any(|role| role.permissions.contains(&permission))
    }

    /// The teams whose things they see; `None` means all.
    #[must_use]
    pub fn bounds(&self) -> Option<&BTreeSet<TeamId>> {
        (!self.holds(Permission::TeamsAll)).then_some(&self.teams)
    }
}

impl Caller {
    /// How the caller is named in the audit.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Person(person) => &person.name,
            Self::Automation(token) => &token.name,
            Self::CommandLine => "command line",
            Self::Job(name) => name,
            Self::Anonymous => "not signed in",
        }
    }

    /// Whether payloads and other content of this sensitivity may be shown to the caller whole.
    #[must_use]
    pub fn sees(&self, sensitivity: Sensitivity) -> bool {
        match self {
            Self::Person(person) => person.clearance.covers(sensitivity),
            // An automation reads back what it reported itself.
            Self::Automation(_) | Self::CommandLine | Self::Job(_) => true,
            Self::Anonymous => false,
        }
    }
}

/// What automations may do with their token: report, and read what they reported.
const AUTOMATION_MAY: &[Permission] = &[Permission::ItemsRead];

/// Whether `caller` may use `permission` in `scope`. Something outside the caller's teams or workflows is not found
/// rather than forbidden: its existence is nobody else's business.
pub fn may(caller: &Caller, permission: Permission, scope: Scope<'_>) -> Result<(), Refusal> {
    match caller {
        Caller::Anonymous => Err(Refusal::NotSignedIn),
        Caller::CommandLine | Caller::Job(_) => Ok(()),
        Caller::Person(person) => {
            if let (Scope::Within { team, owner, .. }, Some(bounds)) = (scope, person.bounds())
                && !bounds.contains(&team)
                && !owner.is_some_and(|owner| bounds.contains(&owner))
            {
                return Err(Refusal::NotFound);
            }
            if person.holds(permission) { Ok(()) } else { Err(Refusal::MissingPermission(permission)) }
        }
        Caller::Automation(token) => {
            if !AUTOMATION_MAY.contains(&permission) {
                return Err(Refusal::WrongTokenKind);
            }
            match (scope, &token.workflows) {
                (Scope::Within { workflow, .. }, Some(bound)) if !bound.contains(workflow) => Err(Refusal::NotFound),
                _ => Ok(()),
            }
        }
    }
}

/// The automation that asks: nobody else reports.
pub fn automation(caller: &Caller) -> Result<&Automation, Refusal> {
    match caller {
        Caller::Automation(token) => Ok(token),
        Caller::Anonymous => Err(Refusal::NotSignedIn),
        Caller::Person(_) | Caller::CommandLine | Caller::Job(_) => Err(Refusal::WrongTokenKind),
    }
}

/// Whether `caller` is an automation that may report for `workflow`.
pub fn may_report<'c>(caller: &'c Caller, workflow: &str) -> Result<&'c Automation, Refusal> {
    let token = automation(caller)?;
    match &token.workflows {
        Some(bound) if !bound.contains(workflow) => Err(Refusal::ForeignWorkflow { workflow: workflow.to_owned() }),
        _ => Ok(token),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permission::Role;
    use uuid::Uuid;

    fn person(roles: &[Role], teams: &[u128]) -> Caller {
        Caller::Person(Person {
            id: PersonId(Uuid::from_u128(1)),
            name: "Amara".into(),
            email: "amara@example.test".into(),
            roles: roles.iter().copied().map(HeldRole::from).collect(),
            teams: teams.iter().map(|t| TeamId(Uuid::from_u128(*t))).collect(),
            clearance: Clearance::Internal,
            limits: None,
        })
    }
    fn within(team: u128) -> Scope<'static> {
        Scope::Within { team: TeamId(Uuid::from_u128(team)), owner: None, workflow: "invoice-sync" }
    }

    #[test]
    fn r15_teams_bound_operators_but_not_auditors() {
        let operator = person(&[Role::Operator], &[7]);
        assert_eq!(may(&operator, Permission::ItemsRead, within(7)), Ok(()));
        assert_eq!(may(&operator, Permission::ItemsRead, within(8)), Err(Refusal::NotFound));
        assert_eq!(may(&person(&[Role::Auditor], &[]), Permission::ItemsRead, within(8)), Ok(()));
    }

    #[test]
    fn r15_the_permission_counts_not_the_rank() {
        let admin = person(&[Role::Admin], &[7]);
        assert_eq!(
            may(&admin, Permission::ItemsRead, within(7)),
            Err(Refusal::MissingPermission(Permission::ItemsRead))
        );
        let both = person(&[Role::Admin, Role::Operator], &[7]);
        assert_eq!(may(&both, Permission::ItemsRead, within(7)), Ok(()));
    }

    #[test]
    fn automations_stay_inside_their_workflows_and_never_act_as_a_person() {
        let token = Caller::Automation(Automation {
            id: TokenId(Uuid::from_u128(2)),
            name: "sync".into(),
            workflows: Some(BTreeSet::from(["other".to_owned()])),
        });
        assert_eq!(may(&token, Permission::ItemsRead, within(7)), Err(Refusal::NotFound));
        assert_eq!(may(&token, Permission::ItemsWork, within(7)), Err(Refusal::WrongTokenKind));
        assert!(matches!(may_report(&token, "invoice-sync"), Err(Refusal::ForeignWorkflow { .. })));
        assert!(may_report(&token, "other").is_ok());
        assert!(matches!(may_report(&person(&[Role::Operator], &[7]), "other"), Err(Refusal::WrongTokenKind)));
    }
}
