use domain::refusal::Refusal;
use leptos::prelude::*;
use service::{Error, Service};

use super::answer::{answered, param};
use crate::{
    components::{Door, Field, RefusalNotice},
    paths,
    visit::FormState,
};

/// The first admin, by a one-time link. Posts to its own address.
#[component]
pub(super) fn SetupPage() -> impl IntoView {
    let service = expect_context::<Service>();
    let form = use_context::<FormState>().unwrap_or_default();
    let secret = param("secret").unwrap_or_default();
    let link = secret.clone();
    let ask = async move {
        if service.first_admin_link_is_open(&link).await? { Ok(()) } else { Err(Error::Refused(Refusal::BadInvite)) }
    };
    answered(ask, move |()| {
        view! {
            <Door title="First administrator">
                <section class="panel panel--wide">
                    <h1>"First administrator"</h1>
                    <p>"Nobody can sign in yet. This page works once."</p>
                    {form.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> })}
                    <form class="form" method="post" action=paths::setup(&secret)>
                        <Field
                            id="name" name="name" label="Name" autocomplete="name"
                            value=form.typed("name") problem=form.problem("name")
                        />
                        <Field
                            id="email" name="email" label="E-mail" kind="email" autocomplete="username"
                            value=form.typed("email") problem=form.problem("email")
                        />
                        <Field
                            id="password" name="password" label="Password" kind="password" autocomplete="new-password"
                            hint="At least 12 characters; a sentence is best." problem=form.problem("password")
                        />
                        <div class="form-end"><button class="button button--primary">"Create the administrator"</button></div>
                    </form>
                </section>
                <p>"An administrator manages people and settings, and may neither approve nor replay."</p>
            </Door>
        }
    })
}
