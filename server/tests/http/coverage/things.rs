//! What pages of administration and of one's own account are used on: a new one for each use.

use std::collections::BTreeSet;

use domain::{
    access::Caller,
    ids::{GrantId, PersonId},
    permission::{Permission, Role},
    sensitivity::Clearance,
};
use service::{
    Request, Session,
    channels::save::{AddChannel, Wanted},
    people::{change::SetRoles, invite::InvitePerson},
    rights::roles::SaveRole,
    sign_in::two_step::{BeginTwoStep, RemoveTwoStep, TwoStep, authenticator},
    teams::CreateTeam,
    tokens::create::{CreateOwnToken, CreateToken},
};
use uuid::Uuid;

use super::cast::{Cast, Kind};
use crate::app::{App, command_line};

/// Somebody's account.
pub(super) async fn account(app: &App, name: &str) -> PersonId {
    let email = app.add(name, &[Role::Operator], &["finance-ops"], Clearance::Internal).await;
    app.service.account_of(&email).await.unwrap()
}

/// The secret of an invitation.
pub(super) async fn link(app: &App, name: &str) -> String {
    let invite = InvitePerson {
        id: PersonId(Uuid::new_v4()),
        email: format!("{}@example.test", name.replace(' ', ".")),
        name: name.to_owned(),
        roles: vec![Role::Operator.into()],
        teams: Vec::new(),
        clearance: Clearance::Internal,
    };
    let invited = app.service.run(&command_line(), invite).await.unwrap();
    invited.link.rsplit('/').next().unwrap().to_owned()
}

/// A role of an admin's own.
pub(super) async fn role(app: &App, name: &str) -> String {
    let (key, permissions) = (name.replace(' ', "-"), BTreeSet::from([Permission::ItemsRead]));
    let role = SaveRole { key: key.clone(), name: name.to_owned(), permissions, version: None };
    app.service.run(&command_line(), role).await.unwrap();
    key
}

/// A team.
pub(super) async fn team(app: &App, name: &str) -> String {
    let team = CreateTeam { key: name.replace(' ', "-"), name: name.to_owned() };
    app.service.run(&command_line(), team).await.unwrap()
}

/// A channel, where nobody listens.
pub(super) async fn channel(app: &App, name: &str) -> String {
    let url = "http://127.0.0.1:9/".to_owned();
    let wanted = Wanted { kind: "webhook".into(), url, secret: String::new(), allow_private: true };
    app.service.run(&command_line(), AddChannel { name: name.replace(' ', "-"), wanted }).await.unwrap()
}

/// An automation's token.
pub(super) async fn token(app: &App, name: &str) -> Uuid {
    let id = Uuid::new_v4();
    let token = CreateToken { id: Some(id.into()), ..CreateToken::lasting(name, None) };
    app.service.run(&command_line(), token).await.unwrap();
    id
}

/// The same request as somebody's own, shortly after they signed in.
pub(super) async fn as_person(app: &App, email: &str) -> Request {
    let id = app.service.account_of(email).await.unwrap();
    let caller = app.service.caller_of(id).await.unwrap();
    let session = Session { id: Uuid::new_v4().into(), stepped_up_at: app.service.now() };
    Request { session: Some(session), ..Request::of(caller) }
}

/// A token that acts as its owner.
pub(super) async fn own_token(app: &App, owner: Kind, name: &str) -> Uuid {
    let id = Uuid::new_v4();
    let token = CreateOwnToken { id: id.into(), name: name.to_owned(), scopes: Vec::new(), days: None };
    app.service.run(&as_person(app, &owner.email()).await, token).await.unwrap();
    id
}

/// A right that waits for a second admin; nobody asked for it who could not confirm it.
pub(super) async fn grant(app: &App, name: &str) -> GrantId {
    let person = account(app, name).await;
    let roles = vec![Role::Operator.into(), Role::Supervisor.into()];
    let asked = SetRoles { person, version: 2, roles };
    app.service.run(&Request::of(Caller::Job("test")), asked).await.unwrap();
    let (open, _) = app.service.grants(&command_line()).await.unwrap();
    open.into_iter().find(|waiting| waiting.row.person_id == Some(person.0)).unwrap().row.id
}

/// Another session of theirs, in a browser of its own.
pub(super) async fn other_session(app: &App, who: Kind) -> Uuid {
    let request = as_person(app, &who.email()).await;
    let Caller::Person(person) = &request.caller else { panic!("nobody") };
    let before: BTreeSet<Uuid> = app.service.own_sessions(person).await.unwrap().iter().map(|row| row.id.0).collect();
    app.browser().sign_in(&who.email()).await.is(303);
    let after = app.service.own_sessions(person).await.unwrap();
    after.iter().map(|row| row.id.0).find(|id| !before.contains(id)).unwrap()
}

/// A second step of their own: being set up anew, or asked for.
pub(super) async fn own_two_step(app: &App, who: Kind, on: bool) {
    let request = as_person(app, &who.email()).await;
    app.service.run(&request, RemoveTwoStep).await.unwrap();
    app.service.run(&request, BeginTwoStep).await.unwrap();
    if on {
        let code = code(app, who).await.unwrap();
        app.service.confirm_two_step(&request, code).await.unwrap();
    }
}

/// What the authenticator shows of somebody who is setting their second step up.
pub(super) async fn code(app: &App, who: Kind) -> Option<String> {
    who.permissions()?;
    let request = as_person(app, &who.email()).await;
    let Caller::Person(person) = &request.caller else { return None };
    match app.service.own_two_step(person).await.unwrap() {
        TwoStep::Begun { secret, .. } => authenticator(&secret, app.service.now().timestamp()),
        _ => None,
    }
}

/// Somebody of whom a second step is asked, by their address, with their recovery codes.
pub(super) async fn two_step(app: &App, name: &str) -> (String, Vec<String>) {
    let email = app.add(name, &[Role::Operator], &["finance-ops"], Clearance::Internal).await;
    let request = as_person(app, &email).await;
    app.service.run(&request, BeginTwoStep).await.unwrap();
    let Caller::Person(person) = &request.caller else { panic!("nobody") };
    let TwoStep::Begun { secret, .. } = app.service.own_two_step(person).await.unwrap() else { panic!("not begun") };
    let code = authenticator(&secret, app.service.now().timestamp()).unwrap();
    (email, app.service.confirm_two_step(&request, code).await.unwrap())
}

/// Somebody who may decide what others ask for, by their address.
pub(super) async fn decider(app: &App, name: &str) -> String {
    app.add(name, &[Role::Supervisor], &["finance-ops"], Clearance::Internal).await
}

/// Somebody who stands in for `owner`.
pub(super) async fn substitute(app: &App, owner: Kind, name: &str) -> Uuid {
    let email = decider(app, name).await;
    let request = as_person(app, &owner.email()).await;
    let until = app.service.now() + chrono::TimeDelta::days(1);
    app.service.name_substitute(&request, &email, until).await.unwrap();
    let Caller::Person(person) = &request.caller else { panic!("nobody") };
    app.service.substitutes(person).await.unwrap().by.last().unwrap().id.0
}

/// The last attempt of an item.
pub(super) async fn last_attempt(cast: &Cast<'_>, item: &str) -> Option<String> {
    let packet = cast.app.service.packet(&crate::app::command_line(), item.parse().unwrap()).await.unwrap();
    packet.attempts.first().map(|attempt| attempt.id.to_string())
}

/// A file of the web bundle, as a page names it.
pub(super) async fn bundle_file(cast: &Cast<'_>) -> String {
    let page = cast.browser(Kind::Nobody).get("/sign-in").await.text();
    let href =
        page.split("href=\"/pkg").nth(1).and_then(|rest| rest.split('"').next()).expect("a page links its style");
    format!("/pkg{href}")
}
