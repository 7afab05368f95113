use std::collections::BTreeSet;

use domain::{
    permission::{CONSEQUENTIAL, Permission},
    refusal::Refusal,
};
use leptos::prelude::*;
use service::{Error, Service, rights::roles::RoleSeen};

use super::{AdminFrame, roles::removal};
use crate::{
    components::{AdminPlace, Choices, Field, Panel, StepUp, Tick},
    pages::answer::{answered, param},
    paths,
    visit::{FormState, Visit},
};

/// A role: what it allows, and changing that where an admin put it together. Posts to its own address.
#[component]
pub(in crate::pages) fn RolePage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let form = use_context::<FormState>().unwrap_or_default();
    let key = param("key").unwrap_or_default();
    let ask = async move {
        let key = key.parse().map_err(|_| Error::Refused(Refusal::NotFound))?;
        service.role(&visit.request, &key).await
    };
    answered(ask, move |seen| {
        let about = match seen.version {
            None => "Always there, and always the same. Put a role of your own together where it does not fit.",
            Some(_) => "What you change counts from the next click of everybody who holds it.",
        };
        let title = seen.role.name.clone();
        view! { <AdminFrame title at=AdminPlace::Roles about>{existing(&seen, &form)}</AdminFrame> }
    })
}

fn existing(seen: &RoleSeen, form: &FormState) -> AnyView {
    let key = seen.role.key.as_str();
    let Some(version) = seen.version else {
        let held = seen
            .role
            .permissions
            .iter()
            .map(|right| view! { <li>{right.label()}" "<code>{right.as_str()}</code></li> });
        return view! {
            <Panel id="role-title" title="What it allows">
                <div class="panel-body"><ul class="stack stack--tight">{held.collect_view()}</ul></div>
            </Panel>
        }
        .into_any();
    };
    let name = form.typed.get("name").cloned().unwrap_or_else(|| seen.role.name.clone());
    view! {
        <Panel id="role-title" title="What it is called and allows">
            <div class="panel-body">
                <form class="form" method="post" action=paths::role(key)>
                    <input type="hidden" name="version" value=version/>
                    <Field id="name" name="name" label="Name" value=name problem=form.problem("name")/>
                    {permissions(&seen.role.permissions, form)}
                    <StepUp id="save"/>
                    <div class="form-end"><button class="button button--primary">"Save the role"</button></div>
                </form>
            </div>
        </Panel>
        <Panel id="remove-title" title="Removing it"><ul class="actions"><li>{removal(key, seen.people)}</li></ul></Panel>
    }
    .into_any()
}

/// Boxes for the whole catalogue.
fn permissions(held: &BTreeSet<Permission>, form: &FormState) -> AnyView {
    let tick = |right: &Permission| {
        let name = format!("permission:{right}");
        let decides = CONSEQUENTIAL.contains(right);
        let hint = if decides {
            format!("{right} · whoever decides is told when somebody gains it")
        } else {
            right.to_string()
        };
        Tick { ticked: form.ticked(&name, held.contains(right)), name, label: right.label().to_owned(), hint }
    };
    view! {
        <Choices
            legend="Whoever holds it may" ticks=Permission::ALL.iter().map(tick).collect() wide=true
            problem=form.problem("permissions")
        />
    }
    .into_any()
}

/// Putting a role together. Posts to its own address.
#[component]
pub(in crate::pages) fn NewRolePage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let form = use_context::<FormState>().unwrap_or_default();
    // Only to ask whether they may.
    let ask = async move { service.roles(&visit.request).await };
    answered(ask, move |_| {
        let about = "Nothing is in it but what you tick.";
        view! {
            <AdminFrame title="Put a role together" at=AdminPlace::Roles about>
                <Panel id="role-title" title="What it is called and allows">
                    <div class="panel-body">
                        <form class="form" method="post" action=paths::NEW_ROLE>
                            <div class="form-pair">
                                <Field id="name" name="name" label="Name" hint="As people read it." value=form.typed("name") problem=form.problem("name")/>
                                <Field
                                    id="key" name="key" label="Key" hint="Small letters, digits, - and _; it stays."
                                    value=form.typed("key") problem=form.problem("key")
                                />
                            </div>
                            {permissions(&BTreeSet::new(), &form)}
                            <StepUp id="save"/>
                            <div class="form-end"><button class="button button--primary">"Save the role"</button></div>
                        </form>
                    </div>
                </Panel>
            </AdminFrame>
        }
    })
}
