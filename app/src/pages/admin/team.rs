use chrono::{DateTime, Utc};
use leptos::prelude::*;
use service::{Service, teams::TeamSeen};

use super::{AdminFrame, people::people_table};
use crate::{
    components::{AdminPlace, Empty, Field, Panel, StepUp, words::counted},
    pages::answer::{answered, param},
    paths,
    visit::{FormState, Visit},
};

/// One team: members, workflows, name. Posts to its own address.
#[component]
pub(in crate::pages) fn TeamPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let form = use_context::<FormState>().unwrap_or_default();
    let key = param("key").unwrap_or_default();
    let now = service.now();
    let ask = async move { service.team(&visit.request, &key).await };
    answered(ask, move |seen| {
        let (title, about) = (seen.team.name.clone(), format!("Key: {}", seen.team.key));
        view! { <AdminFrame title at=AdminPlace::Teams about>{parts(&seen, &form, now)}</AdminFrame> }
    })
}

fn parts(seen: &TeamSeen, form: &FormState, now: DateTime<Utc>) -> AnyView {
    let members = match seen.members.is_empty() {
        true => view! {
            <Empty icon="users" small=true><p>"Nobody belongs to it: what is given to it is seen by nobody but those who see every team."</p></Empty>
        }
        .into_any(),
        false => people_table(&seen.members, now),
    };
    let count = counted(i64::try_from(seen.members.len()).unwrap_or(0), "member", "members");
    let workflows = match seen.workflows.is_empty() {
        true => view! { <p class="muted">"None yet."</p> }.into_any(),
        false => {
            let names = seen.workflows.iter().map(|key| view! { <li><bdi>{key.clone()}</bdi></li> });
            view! { <ul class="names">{names.collect_view()}</ul> }.into_any()
        }
    };
    let name = form.typed.get("name").cloned().unwrap_or_else(|| seen.team.name.clone());
    view! {
        <Panel id="members" title="Members" note=count>{members}</Panel>
        <Panel id="workflows" title="Workflows"><div class="panel-body">{workflows}</div></Panel>
        <Panel id="name-title" title="Name">
            <div class="panel-body">
                <form class="form" method="post" action=paths::team(&seen.team.key)>
                    <Field id="name" name="name" label="Name" value=name problem=form.problem("name")/>
                    <StepUp id="rename"/>
                    <div class="form-end"><button class="button">"Save the name"</button></div>
                </form>
            </div>
        </Panel>
    }
    .into_any()
}
