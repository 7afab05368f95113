//! The team, for whoever comes next: who has how much, and what is due, in doubt, with nobody, on its way and put aside of what
//! it answers for; what its people work; and what of its workflows is with another team.

use leptos::prelude::*;
use service::{
    Load, Service, ShiftItem, ShiftPart,
    shift::{Listed, Shift},
};
use url::form_urlencoded;

use super::{Place, answer::answered};
use crate::{
    components::{
        Age, Cell, DueTag, EffectBadge, Empty, Fact, Frame, Head, Moment, Panel, Person, Pick, Table, Tag, Team,
        words::{self, counted, thousands},
    },
    paths,
    visit::Visit,
};

/// One team.
#[component]
pub(super) fn ShiftPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let team = form_urlencoded::parse(visit.query().as_bytes())
        .find(|(name, value)| name == "team" && !value.is_empty())
        .map(|(_, value)| value.into_owned());
    answered(async move { service.shift(&visit.request, team).await }, |shift| {
        let name = shift.team.as_ref().map_or_else(|| "No team".to_owned(), |team| team.name.clone());
        let teams = shift.teams.iter().map(|team| (team.key.clone(), team.name.clone())).collect::<Vec<_>>();
        let chosen = shift.team.as_ref().map(|team| team.key.clone());
        let choose = (shift.teams.len() > 1).then(|| {
            view! {
                <form class="filters no-print" method="get" action=paths::SHIFT>
                    <Pick label="Team" name="team" any="my first" options=teams chosen/>
                    <button class="button">"Show"</button>
                </form>
            }
        });
        view! {
            <Frame title=format!("Shift: {name}") at=Some(Place::Queue) class="queue">
                <div class="page-head">
                    <div>
                        <h1>"Shift: "<bdi>{name}</bdi></h1>
                        <p>"How the team stands, for whoever comes next. It prints as it is. As of "<Moment at=shift.as_of/>"."</p>
                    </div>
                </div>
                <div class="stack">
                    {choose}
                    {load(&shift)}
                    {shift.parts.iter().map(|part| listed(part, &shift)).collect_view()}
                </div>
            </Frame>
        }
    })
}

/// Who has how much, against what the team can do in a day.
fn load(shift: &Shift) -> AnyView {
    if shift.team.is_none() {
        return view! { <section class="panel"><Empty icon="users" title="You belong to no team"><p>"An admin can put you into one."</p></Empty></section> }
            .into_any();
    }
    let open = shift.open();
    let capacity = shift.capacity.map(|capacity| {
        let days = (capacity > 0).then(|| {
            let tenths = (open * 10 + capacity / 2) / capacity;
            view! { <span class="remark">{format!("{}.{} days of work are open", tenths / 10, tenths % 10)}</span> }
        });
        view! { <Fact name="Capacity">{format!("{} a day", counted(capacity, "item", "items"))}{days}</Fact> }
    });
    let one = |load: &Load| {
        let who = match &load.name {
            Some(name) => view! { <Person name=name.clone()/> }.into_any(),
            None => view! { <span class="muted">"Nobody yet"</span> }.into_any(),
        };
        let late = (load.overdue > 0)
            .then(|| view! { <Tag icon="siren" tone="danger" words=format!("{} overdue", thousands(load.overdue))/> });
        view! {
            <Cell class="cell-main">{who}</Cell>
            <Cell>{counted(load.open, "open item", "open items")}</Cell>
            <Cell>{late}</Cell>
        }
        .into_any()
    };
    let heads = ["Who", "Has", "Late"].map(|words| view! { <Head>{words}</Head> }.into_any()).into();
    let rows: Vec<_> = shift.load.iter().map(one).collect();
    let table = (!rows.is_empty()).then(|| view! { <Table caption="Who has how much" heads rows/> });
    view! {
        <Panel id="h-load" title="Load">
            <div class="panel-body">
                <dl class="facts facts--across">
                    <Fact name="Open with this team">{counted(open, "item", "items")}</Fact>
                    {capacity}
                </dl>
            </div>
            {table}
        </Panel>
    }
    .into_any()
}

const fn title(part: ShiftPart) -> (&'static str, &'static str, &'static str) {
    match part {
        ShiftPart::Due => ("h-due", "Due next", "Nothing is open with this team."),
        ShiftPart::InDoubt => ("h-doubt", "In doubt", "No effect is uncertain of what this team answers for."),
        ShiftPart::WithNobody => ("h-nobody", "With nobody", "Nothing that this team answers for is with nobody."),
        ShiftPart::OnItsWay => {
            ("h-way", "On its way", "Nothing is being sent, awaited or decided of what this team answers for.")
        }
        ShiftPart::Aside => ("h-aside", "Put aside", "Nothing is snoozed of what this team answers for."),
        ShiftPart::Claimed => {
            ("h-claimed", "Worked by its people", "Nobody of this team has claimed anything that you may see.")
        }
        ShiftPart::Elsewhere => {
            ("h-elsewhere", "With other teams", "Nothing of this team's workflows is with another team.")
        }
    }
}

fn listed(part: &Listed, shift: &Shift) -> AnyView {
    let (id, title, nothing) = title(part.part);
    let now = shift.as_of;
    // Of what may be with another team it is said which.
    let names_team = matches!(part.part, ShiftPart::Claimed | ShiftPart::Elsewhere);
    let row = |ShiftItem { item: row, worker_name }: &ShiftItem| {
        let name = row.business_ref.as_ref().unwrap_or(&row.dedupe_key).clone();
        let person = row.owner_name.clone().map(|name| view! { <Person name/> });
        let team = (names_team || person.is_none()).then(|| view! { <Team name=row.team_name.clone()/> });
        let worker = match worker_name.clone() {
            Some(name) => view! { <span class="sub"><bdi>{name}</bdi>" works it"</span> }.into_any(),
            None if names_team => view! { <span class="sub">"Nobody works it"</span> }.into_any(),
            None => ().into_any(),
        };
        view! {
            <Cell class="cell-due"><span class="why"><DueTag due=row.due.clone() now/><Tag icon=words::state_icon(row.state) words=row.state.label()/></span></Cell>
            <Cell class="cell-main">
                <a class="open clip" href=paths::item(row.id)><bdi>{name}</bdi></a>
                <span class="message clip">{row.message_head.clone()}</span>
            </Cell>
            <Cell class="cell-effect"><EffectBadge effect=row.effect/></Cell>
            <Cell class="cell-owner" label="Owner"><span class="why">{team}{person}{worker}</span></Cell>
            <Cell class="cell-age cell-fit cell-end"><Age at=row.received_at now/></Cell>
        }
        .into_any()
    };
    let heads = ["Due", "Item", "Effect", "Owner", "Age"].map(|words| view! { <Head>{words}</Head> }.into_any()).into();
    let more =
        part.more.then(|| view! { <p class="panel-body small muted">"There are more; these are due first."</p> });
    let body = if part.rows.is_empty() {
        // Of these only the first that are open were looked through.
        let cut = (shift.is_cut() && !names_team)
            .then_some(" So many are open that only those that are due first were looked at.");
        view! { <p class="panel-body muted">{nothing}{cut}</p> }.into_any()
    } else {
        view! { <Table class="queue-table" caption=title heads rows=part.rows.iter().map(row).collect()/>{more} }
            .into_any()
    };
    view! {
        <section class="panel" aria-labelledby=id>
            <header><h2 id=id>{title}</h2></header>
            {body}
        </section>
    }
    .into_any()
}
