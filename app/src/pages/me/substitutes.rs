use leptos::prelude::*;
use service::{Service, Substitute};

use super::tabs;
use crate::{
    components::{Field, Frame, Icon, Moment, Panel, Person, RefusalNotice, StepUp},
    pages::{Place, answer::answered},
    paths,
    visit::{FormState, Visit},
};

/// Who stands in while one is away, and for whom one does.
#[component]
pub(in crate::pages) fn SubstitutesPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let state = use_context::<FormState>().unwrap_or_default();
    let ask = async move {
        let person = visit.person().ok_or(service::Error::Refused(domain::refusal::Refusal::NotSignedIn))?;
        service.substitutes(person).await
    };
    answered(ask, move |found| {
        let refused = state.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> });
        let by = |one: &Substitute| {
            view! {
                <li class="row">
                    <Person name=one.substitute_name.clone()/>" until "<Moment at=one.ends_at exact=true/>" "
                    <form method="post" action=paths::end_substitute(one.id)><button class="button button--small">"End it"</button></form>
                </li>
            }
        };
        let of = |one: &Substitute| view! { <li><Person name=one.person_name.clone()/>" until "<Moment at=one.ends_at exact=true/></li> };
        let nobody = found.by.is_empty().then(|| view! { <p class="muted">"Nobody stands in for you."</p> });
        let stands_in = (!found.of.is_empty()).then(|| {
            view! {
                <Panel id="h-of" title="You stand in for">
                    <div class="panel-body"><ul class="plain-list">{found.of.iter().map(of).collect_view()}</ul></div>
                </Panel>
            }
        });
        view! {
            <Frame title="While I am away" at=Some(Place::Me) class="page--reading">
                <div class="page-head"><div><h1>"While I am away"</h1></div></div>
                {tabs(paths::SUBSTITUTES)}
                <div class="stack">
                    {refused}
                    {stands_in}
                    <Panel id="h-by" title="Who stands in for you">
                        <div class="panel-body stack">
                            <p>"They are told of what is handed to you to decide, and decide it by their own rights. What you may not decide, they may not either."</p>
                            {nobody}
                            <ul class="plain-list">{found.by.iter().map(by).collect_view()}</ul>
                            <form class="form" method="post" action=paths::SUBSTITUTES>
                                <Field id="substitute-person" name="person" kind="email" label="Their address" value=state.typed("person") problem=state.problem("person")/>
                                <Field id="substitute-until" name="until" kind="datetime-local" label="Until (UTC)" value=state.typed("until") problem=state.problem("until")/>
                                <StepUp id="substitute"/>
                                <div class="form-end"><button class="button button--primary"><Icon name="user-plus"/>"Name them"</button></div>
                            </form>
                        </div>
                    </Panel>
                </div>
            </Frame>
        }
    })
}
