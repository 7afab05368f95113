use domain::{access::Person, refusal::Refusal};
use leptos::prelude::*;
use service::{Error, Service, sign_in::step_up::ConfirmWith};

use super::{sessions::sessions, two_step::two_step};
use crate::{
    components::{Done, Field, Frame, MadeNotice, Panel, RefusalNotice},
    pages::answer::answered,
    paths,
    visit::{FormState, Visit},
};

/// How the person signs in, and where they are signed in. Its forms post to addresses below it.
#[component]
pub(in crate::pages) fn SecurityPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let form = use_context::<FormState>().unwrap_or_default();
    let own = visit.request.session.map(|session| session.id);
    let now = service.now();
    let ask = async move {
        let person = visit.person().ok_or(Error::Refused(Refusal::NotSignedIn))?.clone();
        let (state, open) = (service.own_two_step(&person).await?, service.own_sessions(&person).await?);
        let with = service.confirms_with(&visit.request).await?;
        Ok((person, state, open, with))
    };
    answered(ask, move |(person, state, open, with)| {
        view! {
            <Frame title="Password and sessions" class="page--reading">
                <div class="page-head">
                    <div><h1>"Password and sessions"</h1><p>"How you sign in, and where you are signed in."</p></div>
                </div>
                {super::tabs(paths::SECURITY)}
                <div class="stack">
                    <Done/>
                    <MadeNotice/>
                    {form.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> })}
                    {(with != ConfirmWith::Provider).then(|| password(&person, &form))}
                    {two_step(state, &form)}
                    {sessions(&open, own, now)}
                </div>
            </Frame>
        }
    })
}

fn password(person: &Person, form: &FormState) -> AnyView {
    view! {
        <Panel id="password-title" title="Password">
            <div class="panel-body">
                <form class="form" method="post" action=format!("{}/password", paths::SECURITY)>
                    // So that password managers know whose it is.
                    <input type="hidden" name="username" autocomplete="username" value=person.email.clone()/>
                    <div class="form-pair">
                        <Field
                            id="present" name="present" label="Present password" kind="password"
                            autocomplete="current-password" problem=form.problem("present")
                        />
                        <Field
                            id="password" name="password" label="New password" kind="password" autocomplete="new-password"
                            problem=form.problem("password")
                        />
                    </div>
                    <p class="muted small">
                        "At least 12 characters that are hard to guess; several words that have nothing to do with one another are best. Your other sessions end."
                    </p>
                    <div class="form-end"><button class="button">"Change the password"</button></div>
                </form>
            </div>
        </Panel>
    }
    .into_any()
}
