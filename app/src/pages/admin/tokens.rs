use leptos::prelude::*;
use service::{Service, tokens::read::Tokens};
use url::form_urlencoded;
use uuid::Uuid;

use super::AdminFrame;
use crate::{
    components::{AdminPlace, Choices, Empty, Field, Pager, Panel, StepUp, Tick},
    pages::{answer::answered, tokens::token_table},
    paths,
    visit::{FormState, Visit},
};

/// Every token, and making one for an automation. Posts to its own address; the token is shown there, once.
#[component]
pub(in crate::pages) fn TokensPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let form = use_context::<FormState>().unwrap_or_default();
    let mut query = form_urlencoded::parse(visit.query().as_bytes());
    let before = query.find(|(name, _)| name == "before").and_then(|(_, word)| paths::read_place(&word));
    let now = service.now();
    let ask = async move { service.tokens(&visit.request, before).await };
    answered(ask, move |tokens| {
        let list = match tokens.tokens.is_empty() {
            true => view! { <Empty icon="command" small=true><p>"No automation has a token yet, and no script acts as a person."</p></Empty> }.into_any(),
            false => token_table(&tokens.tokens, now, |id| format!("{}/{id}/revoke", paths::TOKENS), true),
        };
        let first = before.map(|_| ("Newest", paths::tokens(None)));
        let next = tokens.next.map(|next| ("Older", paths::tokens(Some(next))));
        let blank = if form.made.is_some() { FormState::default() } else { form.clone() };
        view! {
            <AdminFrame title="Tokens" at=AdminPlace::Tokens about="Automations report with theirs; people make their own for their scripts. Only digests are kept.">
                <section class="panel" aria-label="Tokens">{list}<Pager shown="Newest first" first next/></section>
                {new_token(&tokens, &blank)}
            </AdminFrame>
        }
    })
}

fn new_token(tokens: &Tokens, form: &FormState) -> AnyView {
    let tick = |key: &String| {
        let name = format!("workflow:{key}");
        Tick { ticked: form.ticked(&name, false), name, label: key.clone(), hint: String::new() }
    };
    let any = form.ticked("any", false);
    view! {
        <Panel id="new-token" title="Make a token for an automation">
            <div class="panel-body">
                <form class="form" method="post" action=paths::TOKENS>
                    <input type="hidden" name="id" value=Uuid::new_v4().to_string()/>
                    <div class="form-pair">
                        <Field id="name" name="name" label="Name" hint="As the audit will show it." value=form.typed("name") problem=form.problem("name")/>
                        <Field
                            id="days" name="days" label="Ends after days" kind="number" hint="Empty: it lasts until it is revoked."
                            value=form.typed("days") problem=form.problem("days") optional=true
                        />
                    </div>
                    <Choices legend="Workflows that it may report for" ticks=tokens.workflows.iter().map(tick).collect() wide=true problem=form.problem("workflows")/>
                    <Field
                        id="further" name="further" label="Others" hint="Keys of workflows that are not here yet, with commas between them."
                        value=form.typed("further") optional=true
                    />
                    <label class="check"><input type="checkbox" name="any" value="yes" checked=any/>"Any workflow, whatever is ticked above"</label>
                    <StepUp id="token"/>
                    <div class="form-end"><button class="button button--primary">"Make the token"</button></div>
                </form>
            </div>
        </Panel>
    }
    .into_any()
}
