//! What admins do with people.

use app::{paths, visit::Made};
use axum::{
    extract::{Path, State},
    response::Response,
};
use domain::{ids::PersonId, refusal::Refusal, role::RoleKey};
use service::{
    Error,
    people::{
        change::{RenamePerson, SetClearance, SetRoles, SetTeams},
        invite::InvitePerson,
        leave::{Account, DeletePerson, DisablePerson, EnablePerson},
    },
    sign_in::{link::MakeLink, sessions::EndSessionsOf, two_step::RemoveTwoStepOf},
};

use super::{Posted, Then};
use crate::web::AppState;

pub(super) async fn invite(State(state): State<AppState>, posted: Posted) -> Response {
    let read = || -> Result<InvitePerson, Error> {
        Ok(InvitePerson {
            id: posted.field("id").parse().map_err(|_| Refusal::field("", "Open the form anew."))?,
            email: posted.field("email").to_owned(),
            name: posted.field("name").to_owned(),
            roles: roles_of(&posted)?,
            teams: posted.ticked("team"),
            clearance: clearance_of(&posted)?,
        })
    };
    let action = read();
    let shown = |invited: service::people::invite::Invited| {
        Then::Show(Made::Link { link: invited.link, waiting: invited.waiting })
    };
    posted.act(&state, paths::INVITE, action, shown).await
}

fn roles_of(posted: &Posted) -> Result<Vec<RoleKey>, Error> {
    let wrong = |_| Refusal::field("/roles", "There is no such role.").into();
    posted.ticked("role").iter().map(|key| key.parse().map_err(wrong)).collect()
}

fn clearance_of(posted: &Posted) -> Result<domain::sensitivity::Clearance, Error> {
    posted.field("clearance").parse().map_err(|_| Refusal::field("/clearance", "Choose one of the three.").into())
}

/// The version of the account that the form was made from.
fn version(posted: &Posted) -> Result<i64, Error> {
    Ok(posted.number("version")?.ok_or_else(|| Refusal::field("", "Open the form anew."))?)
}

type Id = Path<PersonId>;

fn done(person: PersonId, what: &'static str) -> Then {
    Then::Go(paths::done(&paths::person(person), what))
}

pub(super) async fn name(State(state): State<AppState>, Path(person): Id, posted: Posted) -> Response {
    let (name, email) = (posted.field("name").to_owned(), posted.field("email").to_owned());
    let action = version(&posted).map(|version| RenamePerson { person, version, name, email });
    posted.act(&state, &paths::person(person), action, |()| done(person, "name")).await
}

pub(super) async fn roles(State(state): State<AppState>, Path(person): Id, posted: Posted) -> Response {
    let action = version(&posted).and_then(|version| Ok(SetRoles { person, version, roles: roles_of(&posted)? }));
    let then = |waiting: Vec<String>| done(person, if waiting.is_empty() { "rights" } else { "waiting" });
    posted.act(&state, &paths::person(person), action, then).await
}

pub(super) async fn teams(State(state): State<AppState>, Path(person): Id, posted: Posted) -> Response {
    let teams = posted.ticked("team").into_iter().collect();
    let action = version(&posted).map(|version| SetTeams { person, version, teams });
    posted.act(&state, &paths::person(person), action, |()| done(person, "rights")).await
}

pub(super) async fn clearance(State(state): State<AppState>, Path(person): Id, posted: Posted) -> Response {
    let read = version(&posted).and_then(|version| Ok((version, clearance_of(&posted)?)));
    let action = read.map(|(version, clearance)| SetClearance { person, version, clearance });
    posted.act(&state, &paths::person(person), action, |()| done(person, "rights")).await
}

pub(super) async fn link(State(state): State<AppState>, Path(person): Id, posted: Posted) -> Response {
    let then = |link| Then::Show(Made::Link { link, waiting: Vec::new() });
    posted.act(&state, &paths::person(person), Ok(MakeLink { person }), then).await
}

pub(super) async fn sessions(State(state): State<AppState>, Path(person): Id, posted: Posted) -> Response {
    let then = |_| done(person, "sessions");
    posted.act(&state, &paths::person(person), Ok(EndSessionsOf { person }), then).await
}

pub(super) async fn two_step(State(state): State<AppState>, Path(person): Id, posted: Posted) -> Response {
    let then = |()| done(person, "two-step-off");
    posted.act(&state, &paths::person(person), Ok(RemoveTwoStepOf { person }), then).await
}

pub(super) async fn disable(State(state): State<AppState>, Path(person): Id, posted: Posted) -> Response {
    let action = DisablePerson(Account::Id(person));
    posted.act(&state, &paths::person(person), Ok(action), |_| done(person, "disabled")).await
}

pub(super) async fn enable(State(state): State<AppState>, Path(person): Id, posted: Posted) -> Response {
    posted.act(&state, &paths::person(person), Ok(EnablePerson(person)), |()| done(person, "enabled")).await
}

pub(super) async fn delete(State(state): State<AppState>, Path(person): Id, posted: Posted) -> Response {
    let then = |()| Then::Go(paths::done(paths::PEOPLE, "deleted"));
    posted.act(&state, &paths::person(person), Ok(DeletePerson(person)), then).await
}
