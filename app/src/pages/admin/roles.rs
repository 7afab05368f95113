use domain::permission::CONSEQUENTIAL;
use leptos::prelude::*;
use service::{Service, rights::roles::RoleSeen};

use super::AdminFrame;
use crate::{
    components::{AdminPlace, Cell, Head, Icon, Table, Tag},
    pages::answer::answered,
    paths,
    visit::Visit,
};

/// Every role: the four that are always there, and those that admins put together.
#[component]
pub(in crate::pages) fn RolesPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let ask = async move { service.roles(&visit.request).await };
    answered(ask, move |roles| {
        let new = view! { <a class="button button--primary" href=paths::NEW_ROLE>"Put a role together…"</a> };
        let heads = ["Role", "Permissions", "People", "Kind"].map(|words| view! { <Head>{words}</Head> }.into_any());
        let about = "A role is a named sum of permissions; a person may hold several.";
        view! {
            <AdminFrame title="Roles" at=AdminPlace::Roles about end=Some(new.into_any())>
                <section class="panel" aria-label="Roles">
                    <Table caption="Roles" heads=heads.into() rows=roles.iter().map(row).collect()/>
                </section>
            </AdminFrame>
        }
    })
}

fn row(seen: &RoleSeen) -> AnyView {
    let decides = CONSEQUENTIAL.iter().any(|right| seen.role.permissions.contains(right));
    let decides = decides.then(|| view! { <Tag icon="user-check" words="decides over others' work"/> });
    let kind = match seen.version {
        None => view! { <Tag icon="lock" words="always there"/> }.into_any(),
        Some(_) => view! { <Tag icon="file-pen" words="your own"/> }.into_any(),
    };
    let words: Vec<String> = seen.role.permissions.iter().map(ToString::to_string).collect();
    view! {
        <Cell class="cell-main">
            <a class="open" href=paths::role(seen.role.key.as_str())><bdi>{seen.role.name.clone()}</bdi></a>
            <span class="sub mono">{seen.role.key.to_string()}</span>
        </Cell>
        <Cell label="Permissions"><span class="small">{words.join(", ")}</span>{decides}</Cell>
        <Cell label="People" class="cell-fit">{seen.people}</Cell>
        <Cell label="Kind" class="cell-fit">{kind}</Cell>
    }
    .into_any()
}

/// Takes a role away for good.
pub(super) fn removal(key: &str, people: usize) -> AnyView {
    let (words, refused) = match people {
        0 => ("Nobody holds it.".to_owned(), false),
        1 => ("One person holds it: take it from them first.".to_owned(), true),
        people => (format!("{people} people hold it: take it from them first."), true),
    };
    let inner = view! { <Icon name="circle-x"/><span><b>"Remove the role…"</b><small>{words}</small></span> };
    if refused {
        return view! { <div class="action action--refused"><div>{inner}</div></div> }.into_any();
    }
    view! {
        <details class="action">
            <summary>{inner}</summary>
            <form class="form" method="post" action=format!("{}/remove", paths::role(key))>
                <crate::components::StepUp id="remove"/>
                <div class="form-end"><button class="button button--danger">"Remove the role"</button></div>
            </form>
        </details>
    }
    .into_any()
}
