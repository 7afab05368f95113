use std::sync::Arc;

use domain::refusal::Refusal;
use leptos::prelude::*;
use url::form_urlencoded;

use crate::{
    components::{Done, Door, Field, RefusalNotice, escaped},
    paths,
    visit::{FormState, Setup, Visit},
};

/// Signing in. Posts to its own address.
#[component]
pub(super) fn SignInPage() -> impl IntoView {
    let form = use_context::<FormState>().unwrap_or_default();
    let asked = use_context::<Visit>().and_then(|visit| {
        form_urlencoded::parse(visit.query().as_bytes()).find(|(name, _)| name == "next").map(|(_, to)| to.into_owned())
    });
    let next = form.typed.get("next").cloned().or(asked).unwrap_or_default();
    let to = next.clone();
    let provider = use_context::<Arc<Setup>>().and_then(|setup| setup.identity_provider.clone());
    view! {
        <Door title="Sign in">
            <section class="panel">
                <h1>"Sign in"</h1>
                <p>"to work on what the automations could not finish."</p>
                <Done/>
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
            {provider.map(|label| {
                view! { <p><a class="button" href=paths::sign_in_openid(&to)>"Sign in with "{label}</a></p> }
            })}
            {kept(&form)}
            <p><a href=paths::SIGN_IN_HELP>"Can't sign in?"</a></p>
            <p>"Recourse " {env!("CARGO_PKG_VERSION")}</p>
        </Door>
    }
}

/// A session that ended while something was typed: here it is, to be copied.
fn kept(form: &FormState) -> Option<impl IntoView + use<>> {
    let own = ["email", "password", "next", "mode", "theme", "version", "id", FormState::NAME];
    let field = |(name, text): (&String, &String)| {
        let (id, name, text) = (format!("kept-{name}"), name.clone(), format!("\n{}", escaped(text)));
        view! {
            <div class="field"><label for=id.clone()>{name}</label><textarea id=id readonly>{text}</textarea></div>
        }
    };
    let mut typed: Vec<_> =
        form.typed.iter().filter(|(name, text)| !own.contains(&name.as_str()) && !text.is_empty()).collect();
    typed.sort();
    let lost = form.refusal == Some(Refusal::NotSignedIn) && !typed.is_empty();
    lost.then(|| {
        view! {
            <section class="panel panel--wide" aria-labelledby="kept">
                <h2 id="kept">"What you had typed"</h2>
                <p>"The session had ended, so nothing was changed. Copy this before you sign in."</p>
                <div class="form">{typed.into_iter().map(field).collect_view()}</div>
            </section>
        }
    })
}
