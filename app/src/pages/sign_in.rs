use leptos::prelude::*;
use url::form_urlencoded;

use crate::{
    components::{Door, Field, RefusalNotice},
    paths,
    visit::{FormState, Visit},
};

/// Signing in. Posts to its own address.
#[component]
pub(super) fn SignInPage() -> impl IntoView {
    let form = use_context::<FormState>().unwrap_or_default();
    let asked = use_context::<Visit>().and_then(|visit| {
        form_urlencoded::parse(visit.query().as_bytes()).find(|(name, _)| name == "next").map(|(_, to)| to.into_owned())
    });
    let next = form.typed.get("next").cloned().or(asked).unwrap_or_default();
    view! {
        <Door title="Sign in">
            <section class="panel">
                <h1>"Sign in"</h1>
                <p>"to work on what the automations could not finish."</p>
                {form.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> })}
                <form class="form" method="post" action=paths::SIGN_IN>
                    <input type="hidden" name="next" value=next/>
                    <Field
                        id="email" name="email" label="E-mail" kind="email" autocomplete="username"
                        value=form.typed("email") problem=form.problem("email")
                    />
                    <Field
                        id="password" name="password" label="Password" kind="password" autocomplete="current-password"
                        problem=form.problem("password")
                    />
                    <div class="form-end"><button class="button button--primary">"Sign in"</button></div>
                </form>
            </section>
            <p>"Recourse " {env!("CARGO_PKG_VERSION")}</p>
        </Door>
    }
}
