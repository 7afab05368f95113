//! Who may do what, and who changes that: people, roles, teams, tokens and notices, through the pages' forms.

mod bounds;
mod confirming;
mod deleting;
mod inviting;
mod joining;
mod last_admin;
mod leaving;
mod notices;
mod oneself;
mod quicker;
mod roles;
mod strict;
mod strict_ends;
mod tokens;

use domain::{
    access::Caller,
    audit::{AuditKind, AuditOutcome},
    ids::PersonId,
    notice::NoticeKind,
    permission::Role,
    sensitivity::Clearance,
};
use service::{AuditRow, NoticeRow, Request, people::read::PersonSeen};
use uuid::Uuid;

use crate::{
    app::{App, FALLBACK_TEAM, PASSWORD, command_line},
    browser::Browser,
    databases::Content,
    wire::Answer,
};

/// What a refusal may leave behind: its entry, that somebody tried, that they were there, and that rights were locked.
const TRACES: &[&str] = &["access", "audit_entry", "audit_text", "session", "throttle"];

impl App {
    /// An admin and nothing else, signed in.
    async fn admin(&self, name: &str) -> Browser<'_> {
        self.signed_in_with(name, Role::Admin, FALLBACK_TEAM, Clearance::Internal).await
    }

    /// Somebody who signs in once more: time ends sessions, too.
    async fn again(&self, email: &str) -> Browser<'_> {
        let browser = self.browser();
        browser.sign_in(email).await.is(303);
        browser
    }

    /// The account with this address.
    async fn id_of(&self, email: &str) -> PersonId {
        self.service.account_of(email).await.unwrap()
    }

    /// An account as it stands.
    async fn account(&self, email: &str) -> PersonSeen {
        let id = self.id_of(email).await;
        self.service.person(&command_line(), id).await.unwrap()
    }

    /// The keys of the roles that an account holds.
    async fn held(&self, email: &str) -> Vec<String> {
        self.account(email).await.listed.roles.iter().map(|role| role.key.to_string()).collect()
    }

    /// What an account was told, the oldest first, but for what setting the story up told it.
    async fn told(&self, email: &str) -> Vec<NoticeRow> {
        let caller = self.service.caller_of(self.id_of(email).await).await.unwrap();
        assert!(matches!(caller, Caller::Person(_)), "{email} can't sign in");
        let mut rows = self.service.notices(&Request::of(caller), None).await.unwrap().rows;
        rows.retain(|row| row.by_name != "command line");
        rows.reverse();
        rows
    }

    /// What an account was told of this kind, as a sentence each.
    pub(super) async fn told_of(&self, email: &str, kind: NoticeKind) -> Vec<String> {
        let rows = self.told(email).await.into_iter().filter(|row| row.kind == kind);
        rows.map(|row| row.kind.sentence(&row.by_name, &row.about)).collect()
    }

    /// Everything there is, but for the traces of a refusal.
    async fn everything(&self) -> Content {
        self.database.content_without(TRACES).await
    }

    /// Insists that something changes nothing; answers what came of it.
    async fn unchanged<T>(&self, doing: impl Future<Output = T>) -> T {
        let before = self.everything().await;
        let done = doing.await;
        let after = self.everything().await;
        for (table, rows) in &before {
            assert_eq!(Some(rows), after.get(table), "{table} changed");
        }
        done
    }
}

impl Browser<'_> {
    /// Posts a form of an account's page, made from the account as it stands.
    async fn change(&self, email: &str, verb: &str, fields: &[(&str, &str)]) -> Answer {
        let row = self.app.account(email).await.listed.row;
        let version = row.version.to_string();
        self.post(&to(row.id, verb), &[&[("version", version.as_str())], fields].concat()).await
    }

    /// Posts an action on an item as it stands now.
    async fn work_on(&self, item: &str, action: &str, fields: &[(&str, &str)]) -> Answer {
        let version = self.app.version(item).await.to_string();
        self.post(&format!("/items/{item}/{action}"), &[&[("version", version.as_str())], fields].concat()).await
    }

    /// Lets an account hold exactly these roles.
    async fn set_roles(&self, email: &str, roles: &[&str]) -> Answer {
        self.change(email, "roles", &pairs(&ticked("role", roles))).await
    }

    /// Puts a role together; its name is its key.
    async fn make_role(&self, key: &str, permissions: &[&str]) -> Answer {
        let ticks = ticked("permission", permissions);
        self.post("/admin/roles/new", &[&[("key", key), ("name", key)], &pairs(&ticks)[..]].concat()).await
    }

    /// Lets a role allow exactly this, as it stands.
    async fn save_role(&self, key: &str, permissions: &[&str]) -> Answer {
        let version = role_version(self.app, key).await.to_string();
        let ticks = ticked("permission", permissions);
        let fields = [&[("version", version.as_str()), ("name", key)], &pairs(&ticks)[..]].concat();
        self.post(&format!("/admin/roles/{key}"), &fields).await
    }

    /// Invites somebody; answers the path of their link.
    async fn invite(&self, email: &str, roles: &[&str], teams: &[&str]) -> String {
        let answer = self.post("/admin/people/invite", &pairs(&invitation(email, roles, teams))).await;
        link_in(self.app, &answer)
    }

    /// Uses a link up.
    async fn join(&self, link: &str, name: &str) -> Answer {
        self.post(link, &[("name", name), ("password", PASSWORD)]).await
    }
}

/// Where a form of an account's page is posted to.
fn to(person: PersonId, verb: &str) -> String {
    format!("/admin/people/{person}/{verb}")
}

async fn role_version(app: &App, key: &str) -> i64 {
    app.service.role(&command_line(), &key.parse().unwrap()).await.unwrap().version.unwrap()
}

/// The fields of boxes that are ticked.
fn ticked(group: &str, names: &[&str]) -> Vec<(String, String)> {
    names.iter().map(|name| (format!("{group}:{name}"), "yes".to_owned())).collect()
}

fn pairs(fields: &[(String, String)]) -> Vec<(&str, &str)> {
    fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

/// The fields of an invitation whose form was just opened; the name is made from the address.
fn invitation(email: &str, roles: &[&str], teams: &[&str]) -> Vec<(String, String)> {
    let id = Uuid::new_v4().to_string();
    let name = email.split('@').next().unwrap();
    let fields = [("id", id.as_str()), ("email", email), ("name", name), ("clearance", "internal")];
    let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned()));
    fields.into_iter().chain(ticked("role", roles)).chain(ticked("team", teams)).collect()
}

/// What a page shows this once.
#[track_caller]
fn made(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", answer.shown());
    let page = answer.text();
    let (_, rest) = page.split_once("id=\"made\"").unwrap_or_else(|| panic!("nothing was made: {}", answer.shown()));
    let text = rest.split_once('>').unwrap().1.split_once('<').unwrap().0;
    text.trim().to_owned()
}

/// The path of a link that a page shows this once.
#[track_caller]
fn link_in(app: &App, answer: &Answer) -> String {
    made(answer).strip_prefix(&app.url).expect("it leads to this installation").to_owned()
}

/// The tag of a page's first field of this name.
#[track_caller]
fn field<'p>(page: &'p str, name: &str) -> &'p str {
    tag(page, &format!("name=\"{name}\""))
}

/// Whether a page's choice of this value is the chosen one.
#[track_caller]
fn is_chosen(page: &str, value: &str) -> bool {
    tag(page, &format!("<option value=\"{value}\"")).contains(" selected")
}

/// A page's first tag with this in it.
#[track_caller]
fn tag<'p>(page: &'p str, attribute: &str) -> &'p str {
    let at = page.find(attribute).unwrap_or_else(|| panic!("there is no {attribute}"));
    let begin = page[..=at].rfind('<').unwrap();
    &page[begin..at + page[at..].find('>').unwrap()]
}

/// Insists that a field of a page holds this text.
#[track_caller]
fn holds(page: &str, name: &str, text: &str) {
    let tag = field(page, name);
    assert!(tag.contains(&format!("value=\"{text}\"")), "{tag} should hold {text}");
}

/// Whether a box of a page is ticked.
#[track_caller]
fn is_ticked(page: &str, name: &str) -> bool {
    field(page, name).contains(" checked")
}

/// The entries of a kind and outcome among others.
fn of_kind(entries: &[AuditRow], kind: AuditKind, outcome: AuditOutcome) -> Vec<&AuditRow> {
    entries.iter().filter(|entry| (entry.action, entry.outcome) == (kind, outcome)).collect()
}
