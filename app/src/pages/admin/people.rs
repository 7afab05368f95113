use chrono::{DateTime, Utc};
use leptos::prelude::*;
use service::{
    Service,
    people::read::{ListedPerson, People},
};
use url::form_urlencoded;

use super::{AdminFrame, standing_tag};
use crate::{
    components::{AdminPlace, Age, Cell, Empty, Head, Icon, Pager, Person, Table, Tag},
    pages::answer::answered,
    paths,
    visit::Visit,
};

/// Everybody who has an account.
#[component]
pub(in crate::pages) fn PeoplePage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let (mut text, mut after) = (None, None);
    for (name, value) in form_urlencoded::parse(visit.query().as_bytes()) {
        match name.as_ref() {
            "q" if !value.trim().is_empty() && !value.contains('\0') => text = Some(value.trim().to_owned()),
            "after" => after = paths::read_address(&value.replace('\0', "")),
            _ => {}
        }
    }
    let (now, further) = (service.now(), after.is_some());
    let asked = text.clone();
    let ask = async move { service.people(&visit.request, asked.as_deref(), after).await };
    answered(ask, move |people| {
        let invite =
            view! { <a class="button button--primary" href=paths::INVITE><Icon name="user-plus"/>"Invite…"</a> };
        let about = "Who can sign in, and what they may do. A change counts from their next click.";
        view! {
            <AdminFrame title="People" at=AdminPlace::People about end=Some(invite.into_any())>
                <form class="filters" method="get" action=paths::PEOPLE role="search">
                    <div class="search">
                        <Icon name="search"/>
                        <input type="search" name="q" value=text.clone() placeholder="Part of an address, or a team's key…" aria-label="Part of an address, or a team's key"/>
                        <kbd aria-hidden="true">"/"</kbd>
                    </div>
                    <button class="button">"Search"</button>
                </form>
                {list(&people, text.as_deref(), further, now)}
            </AdminFrame>
        }
    })
}

fn list(people: &People, text: Option<&str>, further: bool, now: DateTime<Utc>) -> AnyView {
    if people.people.is_empty() {
        return view! {
            <section class="panel">
                <Empty icon="search" title="Nobody"><p>"No account has such an address or team. Deleted accounts are not listed."</p></Empty>
            </section>
        }
        .into_any();
    }
    let first = further.then(|| ("First", paths::people(text, None)));
    let next = people.next.as_ref().map(|next| ("Next", paths::people(text, Some(next))));
    view! {
        <section class="panel" aria-label="People">
            {people_table(&people.people, now)}
            <Pager shown="By address" first next/>
        </section>
    }
    .into_any()
}

/// Accounts, one a row.
pub(super) fn people_table(people: &[ListedPerson], now: DateTime<Utc>) -> AnyView {
    let names = |names: Vec<String>| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let row = |seen: &ListedPerson| {
        let row = &seen.row;
        let roles = names(seen.roles.iter().map(|role| role.name.clone()).collect());
        let teams = names(seen.teams.iter().map(|team| team.name.clone()).collect());
        let last = match row.signed_in_at {
            Some(at) => view! { <Age at now/>" ago" }.into_any(),
            None => view! { <span class="muted">"never"</span> }.into_any(),
        };
        let two_step = seen.two_step.then(|| view! { <Tag icon="shield-check" words="second step"/> });
        view! {
            <Cell class="cell-main">
                <a class="open" href=paths::person(row.id)><Person name=row.name.clone()/></a>
                <span class="sub clip">{row.email.clone()}</span>
            </Cell>
            <Cell label="Roles"><bdi>{roles}</bdi></Cell>
            <Cell label="Teams"><bdi>{teams}</bdi></Cell>
            <Cell label="Clearance">{row.clearance.label()}</Cell>
            <Cell label="State" class="cell-fit"><div class="badges">{standing_tag(seen.standing)}{two_step}</div></Cell>
            <Cell label="Signed in" class="cell-fit">{last}</Cell>
        }
        .into_any()
    };
    let heads = ["Person", "Roles", "Teams", "Clearance", "State", "Signed in"]
        .map(|words| view! { <Head>{words}</Head> }.into_any());
    view! { <Table caption="People" heads=heads.into() rows=people.iter().map(row).collect()/> }.into_any()
}
