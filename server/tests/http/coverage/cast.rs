//! One of each kind that may come to a door.

use domain::{
    permission::{Permission, Role},
    role::RoleKey,
    sensitivity::Clearance,
};
use service::{
    people::leave::{Account, DisablePerson},
    rights::roles::SaveRole,
    tokens::create::CreatePersonalToken,
};

use crate::{
    app::{App, Token, command_line},
    browser::Browser,
    words::INVOICES,
};

/// Where the step after the one with the side effect begins.
const EXTRACT: &str = "[[step]]\nkey = \"extract\"";

/// Where the side effect goes: nobody listens there, which is not asked before anybody's rights.
const LEDGER: &str = "[step.destination]\nkind = \"http\"\nurl = \"http://127.0.0.1:9/\"\nallow_private = true\n\
    [step.lookup]\nurl = \"http://127.0.0.1:9/?key={key}\"\nallow_private = true\nfound = { pointer = \"/id\" }\nabsent = { pointer = \"/none\" }\n\
    [[step.compensation]]\nkey = \"reverse_invoice\"\nname = \"Reverse it\"\ncannot_undo = \"The entry stays.\"\n\
    [[step.compensation.part]]\nname = \"reversal\"\nurl = \"http://127.0.0.1:9/{record_id}\"\nallow_private = true\n";

/// Who comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Without token and session.
    Nobody,
    /// The automation whose workflow it is.
    Automation,
    /// Another workflow's automation.
    Stranger,
    Operator,
    /// An operator of another team.
    Outsider,
    Supervisor,
    Auditor,
    Admin,
    /// Somebody with a role that an admin put together.
    NightShift,
    /// Somebody whose account was disabled while they were signed in.
    Gone,
}

/// What the night shift's role adds up to.
const NIGHT_SHIFT: &[Permission] = &[
    Permission::ItemsRead,
    Permission::ItemsWork,
    Permission::QuarantineWork,
    Permission::PayloadsReveal,
    Permission::TokensManage,
];

impl Kind {
    pub(super) const ALL: [Self; 10] = [
        Self::Nobody,
        Self::Automation,
        Self::Stranger,
        Self::Operator,
        Self::Outsider,
        Self::Supervisor,
        Self::Auditor,
        Self::Admin,
        Self::NightShift,
        Self::Gone,
    ];

    /// The role they hold; nothing is held that no longer stands.
    fn role(self) -> Option<RoleKey> {
        match self {
            Self::Nobody | Self::Automation | Self::Stranger => None,
            Self::Operator | Self::Outsider | Self::Gone => Some(Role::Operator.into()),
            Self::Supervisor => Some(Role::Supervisor.into()),
            Self::Auditor => Some(Role::Auditor.into()),
            Self::Admin => Some(Role::Admin.into()),
            Self::NightShift => Some("night-shift".parse().unwrap()),
        }
    }

    /// What they may do, as long as they may do anything; `None` for whoever is no person, or is none any more.
    pub(super) fn permissions(self) -> Option<&'static [Permission]> {
        match self {
            Self::Gone => None,
            Self::NightShift => Some(NIGHT_SHIFT),
            _ => self.role()?.built_in().map(Role::permissions),
        }
    }

    /// Their account's address.
    pub(super) fn email(self) -> String {
        format!("{self:?}@example.test").to_lowercase()
    }
}

/// Everybody, with what they bring: a browser for the pages, a token for the API.
pub(super) struct Cast<'a> {
    pub(super) app: &'a App,
    /// The automation that makes the things.
    pub(super) sync: Token<'a>,
    doors: Vec<(Kind, Token<'a>, Browser<'a>)>,
}

impl<'a> Cast<'a> {
    pub(super) async fn gather(app: &'a App) -> Cast<'a> {
        let sync = app.invoices().await;
        app.register(&INVOICES.replace(EXTRACT, &format!("{LEDGER}{EXTRACT}"))).await;
        let stranger = app.token(&["support-replies"]).await;
        let night_shift = SaveRole {
            key: "night-shift".into(),
            name: "Night shift".into(),
            permissions: NIGHT_SHIFT.iter().copied().collect(),
            version: None,
        };
        app.service.run(&command_line(), night_shift).await.unwrap();
        let mut doors = Vec::new();
        for kind in Kind::ALL {
            let browser = app.browser();
            let token = match kind {
                Kind::Nobody => app.nobody(),
                Kind::Automation => sync.clone(),
                Kind::Stranger => stranger.clone(),
                _ => {
                    let team = if kind == Kind::Outsider { "support" } else { "finance-ops" };
                    let email =
                        app.add(&format!("{kind:?}"), kind.role().as_slice(), &[team], Clearance::Restricted).await;
                    assert_eq!(email, kind.email());
                    browser.sign_in(&email).await.is(303);
                    // What is reserved has to be named, and is here, so that the permission alone decides.
                    let scopes = kind.permissions().unwrap_or(Role::Operator.permissions()).to_vec();
                    let action = CreatePersonalToken { email: email.clone(), scopes };
                    let secret = app.service.run(&command_line(), action).await.unwrap();
                    if kind == Kind::Gone {
                        app.service.run(&command_line(), DisablePerson(Account::Email(email))).await.unwrap();
                    }
                    Token { app, secret }
                }
            };
            doors.push((kind, token, browser));
        }
        Cast { app, sync, doors }
    }

    /// What they bring to the API.
    pub(super) fn token(&self, kind: Kind) -> &Token<'a> {
        &self.doors.iter().find(|(other, ..)| *other == kind).unwrap().1
    }

    /// What they bring to the pages.
    pub(super) fn browser(&self, kind: Kind) -> &Browser<'a> {
        &self.doors.iter().find(|(other, ..)| *other == kind).unwrap().2
    }
}
