//! A one-time link: accepting an invitation, or setting a password anew. Posts to its own address.

use leptos::prelude::*;
use service::{Purpose, Service};

use super::answer::{answered, param};
use crate::{
    components::{Door, Field, RefusalNotice},
    paths,
    visit::FormState,
};

#[component]
pub(super) fn LinkPage() -> impl IntoView {
    let service = expect_context::<Service>();
    let form = use_context::<FormState>().unwrap_or_default();
    let secret = param("secret").unwrap_or_default();
    let link = secret.clone();
    let ask = async move { service.link(&link).await };
    answered(ask, move |link| {
        let joining = link.purpose == Purpose::Join;
        let (title, words, button) = match joining {
            true => ("Welcome to Recourse", "Choose a password, and you are in.", "Create my account"),
            false => ("Set a new password", "Your second step, if you have one, stays as it is.", "Set the password"),
        };
        let typed = form.typed.get("name").cloned().unwrap_or_else(|| link.name.clone());
        let name = joining.then(|| {
            view! { <Field id="name" name="name" label="Your name" autocomplete="name" value=typed problem=form.problem("name")/> }
        });
        view! {
            <Door title>
                <section class="panel">
                    <h1>{title}</h1>
                    <p>{words}</p>
                    {form.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> })}
                    <form class="form" method="post" action=paths::link(&secret)>
                        <input type="hidden" name="username" autocomplete="username" value=link.email.clone()/>
                        <p>"For "<bdi>{link.email.clone()}</bdi></p>
                        {name}
                        <Field
                            id="password" name="password" label="Password" kind="password" autocomplete="new-password"
                            hint="At least 12 characters; several words that have nothing to do with one another are best."
                            problem=form.problem("password")
                        />
                        <div class="form-end"><button class="button button--primary">{button}</button></div>
                    </form>
                </section>
            </Door>
        }
    })
}
