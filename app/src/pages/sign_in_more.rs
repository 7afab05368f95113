//! The second step of signing in, and what helps who can't sign in. Both post to their own address.

use leptos::prelude::*;
use url::form_urlencoded;

use crate::{
    components::{Done, Door, Field, RefusalNotice},
    paths,
    visit::{FormState, Visit},
};

/// The code of the authenticator, or a recovery code.
#[component]
pub(super) fn CodePage() -> impl IntoView {
    let (visit, form) = (expect_context::<Visit>(), use_context::<FormState>().unwrap_or_default());
    let asked = form_urlencoded::parse(visit.query().as_bytes())
        .find(|(name, _)| name == "next")
        .map(|(_, to)| to.into_owned());
    let next = form.typed.get("next").cloned().or(asked).unwrap_or_default();
    view! {
        <Door title="Second step">
            <section class="panel">
                <h1>"Second step"</h1>
                <p>"The code that your authenticator shows now, or one of your recovery codes."</p>
                {form.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> })}
                <form class="form" method="post" action=paths::SIGN_IN_CODE>
                    <input type="hidden" name="next" value=next/>
                    <Field id="code" name="code" label="Code" autocomplete="one-time-code" problem=form.problem("code")/>
                    <div class="form-end"><button class="button button--primary">"Sign in"</button></div>
                </form>
            </section>
            <p><a href=paths::SIGN_IN>"Begin anew"</a></p>
        </Door>
    }
}

/// Asking the admins for a link.
#[component]
pub(super) fn HelpPage() -> impl IntoView {
    let form = use_context::<FormState>().unwrap_or_default();
    view! {
        <Door title="Help with signing in">
            <section class="panel">
                <h1>"Can't sign in?"</h1>
                <p>"An admin can give you a link with which you choose a new password. Ask for it here; they are told at once."</p>
                <Done/>
                {form.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> })}
                <form class="form" method="post" action=paths::SIGN_IN_HELP>
                    <Field id="email" name="email" label="E-mail" kind="email" autocomplete="username" value=form.typed("email") problem=form.problem("email")/>
                    <div class="form-end"><button class="button button--primary">"Ask for a link"</button></div>
                </form>
            </section>
            <p><a href=paths::SIGN_IN>"Back to signing in"</a></p>
        </Door>
    }
}
