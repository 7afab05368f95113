use domain::{
    access::Person,
    permission::{Permission, RESERVED},
    refusal::Refusal,
};
use leptos::prelude::*;
use service::{Error, Service};
use uuid::Uuid;

use crate::{
    components::{Choices, Done, Empty, Field, Frame, MadeNotice, Panel, RefusalNotice, StepUp, Tick},
    pages::{answer::answered, tokens::token_table},
    paths,
    visit::{FormState, Visit},
};

/// The tokens that act as the person. Posts to its own address.
#[component]
pub(in crate::pages) fn OwnTokensPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let form = use_context::<FormState>().unwrap_or_default();
    let now = service.now();
    let ask = async move {
        let person = visit.person().ok_or(Error::Refused(Refusal::NotSignedIn))?.clone();
        let tokens = service.own_tokens(&person).await?;
        Ok((person, tokens))
    };
    answered(ask, move |(person, tokens)| {
        let list = match tokens.is_empty() {
            true => view! { <Empty icon="command" small=true><p>"No script acts as you yet."</p></Empty> }.into_any(),
            false => token_table(&tokens, now, |id| format!("{}/{id}/revoke", paths::OWN_TOKENS), false),
        };
        view! {
            <Frame title="My tokens" class="page--reading">
                <div class="page-head">
                    <div><h1>"My tokens"</h1><p>"With a token a script acts as you, with your permissions as they are at that moment."</p></div>
                </div>
                {super::tabs(paths::OWN_TOKENS)}
                <div class="stack">
                    <Done/>
                    <MadeNotice/>
                    {form.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> })}
                    <Panel id="tokens" title="Tokens">{list}</Panel>
                    {new_token(&person, &form)}
                </div>
            </Frame>
        }
    })
}

fn new_token(person: &Person, form: &FormState) -> AnyView {
    let held = Permission::ALL.iter().filter(|permission| person.holds(**permission));
    let tick = |permission: &Permission| {
        let name = format!("scope:{permission}");
        let reserved = RESERVED.contains(permission);
        let hint = if reserved {
            format!("{permission} · only if ticked, and for 30 days at most")
        } else {
            permission.to_string()
        };
        Tick { ticked: form.ticked(&name, false), name, label: permission.label().to_owned(), hint }
    };
    view! {
        <Panel id="new-token" title="Make a token">
            <div class="panel-body">
                <form class="form" method="post" action=paths::OWN_TOKENS>
                    <input type="hidden" name="id" value=Uuid::new_v4().to_string()/>
                    <div class="form-pair">
                        <Field
                            id="name" name="name" label="Name" hint="What it is for, as the audit will show it."
                            value=form.typed("name") problem=form.problem("name")
                        />
                        <Field
                            id="days" name="days" label="Ends after days" kind="number" hint="Empty: it lasts until it is revoked."
                            value=form.typed("days") problem=form.problem("days") optional=true
                        />
                    </div>
                    <Choices
                        legend="What it may do; nothing ticked: whatever you may, but deciding, revealing, exporting and administering"
                        ticks=held.map(tick).collect() wide=true problem=form.problem("scopes")
                    />
                    <StepUp id="token"/>
                    <div class="form-end"><button class="button button--primary">"Make the token"</button></div>
                </form>
            </div>
        </Panel>
    }
    .into_any()
}
