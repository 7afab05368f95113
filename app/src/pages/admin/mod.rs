//! Administration: people, teams, roles, rights that wait, tokens, channels, settings.

mod channel;
mod channels;
mod invite;
mod people;
mod person;
mod person_forms;
mod rights;
mod role;
mod roles;
mod settings;
mod team;
mod teams;
mod tokens;

pub(super) use channel::ChannelPage;
pub(super) use channels::ChannelsPage;
pub(super) use invite::InvitePage;
pub(super) use people::PeoplePage;
pub(super) use person::PersonPage;
pub(super) use rights::RightsPage;
pub(super) use role::{NewRolePage, RolePage};
pub(super) use roles::RolesPage;
pub(super) use settings::SettingsPage;
pub(super) use team::TeamPage;
pub(super) use teams::TeamsPage;
pub(super) use tokens::TokensPage;

use domain::{role::HeldRole, sensitivity::Clearance};
use leptos::prelude::*;
use service::{TeamRow, people::read::Standing};

use crate::{
    components::{AdminPlace, AdminTabs, Body, Choices, Done, Frame, MadeNotice, RefusalNotice, Select, Tag, Tick},
    pages::Place,
    visit::FormState,
};

/// What stands around every page of administration.
#[component]
fn AdminFrame(
    #[prop(into)] title: String,
    at: AdminPlace,
    /// Says what the page is for.
    #[prop(into)]
    about: String,
    /// At the end of the heading's line.
    #[prop(optional_no_strip)]
    end: Option<AnyView>,
    children: Body,
) -> impl IntoView {
    let form = use_context::<FormState>().unwrap_or_default();
    view! {
        <Frame title=title.clone() at=Some(Place::Admin)>
            <div class="page-head"><div><h1><bdi>{title}</bdi></h1><p>{about}</p></div>{end}</div>
            <AdminTabs at/>
            <div class="stack">
                <Done/>
                <MadeNotice/>
                {form.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> })}
                {children.0}
            </div>
        </Frame>
    }
    .into_any()
}

/// Boxes for roles.
fn role_choices(all: &[HeldRole], held: &[HeldRole], form: &FormState) -> AnyView {
    let tick = |role: &HeldRole| {
        let name = format!("role:{}", role.key);
        let ticked = form.ticked(&name, held.iter().any(|other| other.key == role.key));
        let consequential = domain::permission::CONSEQUENTIAL.iter().filter(|right| role.permissions.contains(right));
        let words: Vec<&str> = consequential.map(|right| right.label()).collect();
        let count = crate::components::words::counted(
            i64::try_from(role.permissions.len()).unwrap_or(0),
            "permission",
            "permissions",
        );
        let hint = if words.is_empty() { count } else { format!("{count}; may {}", words.join(" and ")) };
        Tick { name, label: role.name.clone(), hint, ticked }
    };
    view! { <Choices legend="Roles" ticks=all.iter().map(tick).collect() wide=true problem=form.problem("roles")/> }
        .into_any()
}

/// Boxes for teams.
fn team_choices(all: &[TeamRow], member: &[TeamRow], form: &FormState) -> AnyView {
    let tick = |team: &TeamRow| {
        let name = format!("team:{}", team.key);
        let ticked = form.ticked(&name, member.iter().any(|other| other.id == team.id));
        let hint = if team.name == team.key { String::new() } else { team.key.clone() };
        Tick { name, label: team.name.clone(), hint, ticked }
    };
    view! { <Choices legend="Teams" ticks=all.iter().map(tick).collect() wide=true problem=form.problem("teams")/> }
        .into_any()
}

/// Up to which sensitivity somebody sees everything.
fn clearance_choice(now: Clearance, form: &FormState) -> AnyView {
    let options = Clearance::ALL.iter().map(|level| (level.as_str(), level.label())).collect();
    let chosen = form.typed.get("clearance").cloned().unwrap_or_else(|| now.to_string());
    view! { <Select id="clearance" name="clearance" label="Clearance" options chosen/> }.into_any()
}

/// How an account stands.
fn standing_tag(standing: Standing) -> AnyView {
    match standing {
        Standing::Active => view! { <Tag icon="check" tone="good" words="active"/> }.into_any(),
        Standing::Invited(Some(_)) => view! { <Tag icon="hourglass" words="invited"/> }.into_any(),
        Standing::Invited(None) => view! { <Tag icon="clock-alert" words="invitation ran out"/> }.into_any(),
        Standing::Disabled => view! { <Tag icon="ban" tone="danger" words="disabled"/> }.into_any(),
    }
}
