use leptos::prelude::*;
use service::{Service, TeamSize};

use super::AdminFrame;
use crate::{
    components::{AdminPlace, Cell, Empty, Field, Head, Panel, StepUp, Table, Team},
    pages::answer::answered,
    paths,
    visit::{FormState, Visit},
};

/// Every team. Its form posts to its own address.
#[component]
pub(in crate::pages) fn TeamsPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let form = use_context::<FormState>().unwrap_or_default();
    let ask = async move { service.teams(&visit.request).await };
    answered(ask, move |teams| {
        let about = "A team owns workflows; its members see and do what belongs to it. A workflow's file names its team by its key.";
        let list = match teams.is_empty() {
            true => view! { <Empty icon="users" small=true><p>"There is no team yet."</p></Empty> }.into_any(),
            false => table(&teams),
        };
        view! {
            <AdminFrame title="Teams" at=AdminPlace::Teams about>
                <section class="panel" aria-label="Teams">{list}</section>
                <Panel id="new-team" title="Add a team">
                    <div class="panel-body">
                        <form class="form" method="post" action=paths::TEAMS>
                            <div class="form-pair">
                                <Field id="name" name="name" label="Name" hint="As people read it." value=form.typed("name") problem=form.problem("name")/>
                                <Field id="key" name="key" label="Key" hint="As workflow files name it, such as finance-ops; it stays." value=form.typed("key") problem=form.problem("key")/>
                            </div>
                            <StepUp id="team"/>
                            <div class="form-end"><button class="button">"Add the team"</button></div>
                        </form>
                    </div>
                </Panel>
            </AdminFrame>
        }
    })
}

fn table(teams: &[TeamSize]) -> AnyView {
    let row = |size: &TeamSize| {
        view! {
            <Cell class="cell-main">
                <a class="open" href=paths::team(&size.team.key)><Team name=size.team.name.clone()/></a>
                <span class="sub mono">{size.team.key.clone()}</span>
            </Cell>
            <Cell label="Members" class="cell-fit">{size.members}</Cell>
            <Cell label="Workflows" class="cell-fit">{size.workflows}</Cell>
        }
        .into_any()
    };
    let heads = ["Team", "Members", "Workflows"].map(|words| view! { <Head>{words}</Head> }.into_any());
    view! { <Table caption="Teams" heads=heads.into() rows=teams.iter().map(row).collect()/> }.into_any()
}
