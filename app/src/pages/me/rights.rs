use domain::{access::Person, permission::Permission, refusal::Refusal, role::HeldRole};
use leptos::prelude::*;
use service::{Error, Service, people::Account};

use super::super::{Place, answer::answered};
use crate::{
    components::{Cell, Fact, Frame, Head, Panel, Table, Tag, words::sensitivity_icon},
    paths,
    visit::Visit,
};

/// What the signed-in person may do, and why.
#[component]
pub(in crate::pages) fn MePage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let ask = async move {
        let person = visit.person().ok_or(Error::Refused(Refusal::NotSignedIn))?;
        service.account(person).await
    };
    answered(ask, |account| {
        view! {
            <Frame title="What I may do" at=Some(Place::Me) class="page--reading">
                <div class="page-head">
                    <div><h1>"What I may do"</h1><p>"As of now. A change of roles counts from your next click."</p></div>
                </div>
                {super::tabs(paths::ME)}
                <div class="stack">{facts(&account)}{permissions(&account)}</div>
            </Frame>
        }
    })
}

fn facts(account: &Account) -> impl IntoView + use<> {
    let person = &account.person;
    let roles = person.roles.iter().map(|role| role.name.as_str()).collect::<Vec<_>>().join(", ");
    let names = || account.teams.iter().map(|team| team.name.as_str()).collect::<Vec<_>>().join(", ");
    let teams = if person.holds(Permission::TeamsAll) { "every team".to_owned() } else { names() };
    let or_none = |text: String| if text.is_empty() { "none".to_owned() } else { text };
    let clearance = person.clearance;
    view! {
        <section class="panel" aria-label="My account">
            <div class="panel-body">
                <dl class="facts facts--across">
                    <Fact name="Name"><bdi>{person.name.clone()}</bdi></Fact>
                    <Fact name="E-mail">{person.email.clone()}</Fact>
                    <Fact name="Roles"><bdi>{or_none(roles)}</bdi></Fact>
                    <Fact name="Teams"><bdi>{or_none(teams)}</bdi></Fact>
                    <Fact name="Clearance"><Tag icon=sensitivity_icon(clearance) words=clearance.label()/></Fact>
                </dl>
            </div>
        </section>
    }
}

fn permissions(account: &Account) -> impl IntoView + use<> {
    let person: &Person = &account.person;
    let row = |permission: &Permission| {
        let from = |role: &&HeldRole| role.permissions.contains(permission);
        let name = |role: &HeldRole| role.name.to_lowercase();
        let mine: Vec<_> = person.roles.iter().filter(from).map(name).collect();
        let others = account.roles.iter().filter(from).map(name);
        let (icon, tone, word, why) = if mine.is_empty() {
            ("minus", "neutral", "no", format!("comes with: {}", others.collect::<Vec<_>>().join(", ")))
        } else {
            ("check", "good", "yes", format!("your role: {}", mine.join(", ")))
        };
        let why = if why.ends_with(": ") { "no role has it yet".to_owned() } else { why };
        view! {
            <Cell class="cell-main">{sentence(permission.label())}<span class="sub mono">{permission.as_str()}</span></Cell>
            <Cell label="May I?" class="cell-fit"><Tag icon tone words=word/></Cell>
            <Cell label="Because" class="muted">{why}</Cell>
        }
        .into_any()
    };
    let held = Permission::ALL.iter().filter(|permission| person.holds(**permission)).count();
    let heads = [
        view! { <Head>"What"</Head> }.into_any(),
        view! { <Head>"May I?"</Head> }.into_any(),
        view! { <Head>"Because"</Head> }.into_any(),
    ];
    view! {
        <Panel id="h-permissions" title="Permissions" note=format!("{held} of {}", Permission::ALL.len())>
            <Table caption="Permissions" heads=heads.into() rows=Permission::ALL.iter().map(row).collect()/>
        </Panel>
    }
}

/// "see items" as "See items".
fn sentence(label: &str) -> String {
    let mut rest = label.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}
