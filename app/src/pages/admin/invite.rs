use domain::sensitivity::Clearance;
use leptos::prelude::*;
use service::{Service, people::read::Choices};
use uuid::Uuid;

use super::{AdminFrame, clearance_choice, role_choices, team_choices};
use crate::{
    components::{AdminPlace, Field, Panel, StepUp},
    pages::answer::answered,
    paths,
    visit::{FormState, Visit},
};

/// Inviting a person. Posts to its own address; the link is shown there, once.
#[component]
pub(in crate::pages) fn InvitePage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let form = use_context::<FormState>().unwrap_or_default();
    let ask = async move { service.choices(&visit.request).await };
    answered(ask, move |choices| {
        // What was just made is not to be made again by another click.
        let blank = if form.made.is_some() { FormState::default() } else { form.clone() };
        let about = "They get an account and a one-time link with which they choose a password, within three days.";
        view! {
            <AdminFrame title="Invite a person" at=AdminPlace::People about>
                {invitation(&choices, &blank)}
            </AdminFrame>
        }
    })
}

fn invitation(choices: &Choices, form: &FormState) -> AnyView {
    view! {
        <Panel id="invite" title="Who, and what they may do">
            <div class="panel-body">
                <form class="form" method="post" action=paths::INVITE>
                    <input type="hidden" name="id" value=Uuid::new_v4().to_string()/>
                    <div class="form-pair">
                        <Field id="name" name="name" label="Name" value=form.typed("name") problem=form.problem("name")/>
                        <Field id="email" name="email" label="E-mail" kind="email" value=form.typed("email") problem=form.problem("email")/>
                    </div>
                    {role_choices(&choices.roles, &[], form)}
                    {team_choices(&choices.teams, &[], form)}
                    {clearance_choice(Clearance::Internal, form)}
                    <StepUp id="invite"/>
                    <div class="form-end"><button class="button button--primary">"Invite"</button></div>
                </form>
            </div>
        </Panel>
    }
    .into_any()
}
