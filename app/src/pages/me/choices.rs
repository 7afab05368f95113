use domain::{
    notice::{ByEmail, Topic},
    refusal::Refusal,
};
use leptos::prelude::*;
use service::{Service, channels::choices::NoticeChoices};

use super::tabs;
use crate::{
    components::{Choices, Done, Field, Frame, Panel, RefusalNotice, Select, StepUp, Tick},
    pages::{Place, answer::answered},
    paths,
    visit::{FormState, Visit},
};

/// How the person is told: what comes by e-mail, too, and when none does. Posts to its own address.
#[component]
pub(in crate::pages) fn ChoicesPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let form = use_context::<FormState>().unwrap_or_default();
    let ask = async move {
        let person = visit.person().ok_or(service::Error::Refused(domain::refusal::Refusal::NotSignedIn))?;
        Ok((service.notice_choices(person).await?, person.email.clone()))
    };
    answered(ask, move |(found, email)| {
        let refused = form.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> });
        let words = match found.mail {
            true => format!("You are told of everything here. What you choose goes to {email}, too."),
            false => "E-mail is not set up here, so you are told in the app only. What you choose counts once it is."
                .to_owned(),
        };
        view! {
            <Frame title="How I am told" at=Some(Place::Me) class="page--reading">
                <div class="page-head"><div><h1>"How I am told"</h1></div></div>
                {tabs(paths::NOTICE_CHOICES)}
                <div class="stack">
                    <Done/>
                    {refused}
                    <Panel id="h-choices" title="By e-mail, too">
                        <div class="panel-body stack">
                            <p><bdi>{words}</bdi></p>
                            <form class="form" method="post" action=paths::NOTICE_CHOICES>
                                {topics(&found, &form)}
                                {quiet(&found, &form)}
                                {asks_who(&form).then(|| view! { <StepUp id="choices"/> })}
                                <div class="form-end"><button class="button button--primary">"Save"</button></div>
                            </form>
                        </div>
                    </Panel>
                </div>
            </Frame>
        }
    })
}

/// Only what silences what is told of the account has to be confirmed: it is asked for when that was refused.
fn asks_who(form: &FormState) -> bool {
    form.refusal == Some(Refusal::StepUpNeeded) || form.problem("confirm").is_some()
}

fn topics(found: &NoticeChoices, form: &FormState) -> AnyView {
    let tick = |(topic, by_email): &(Topic, ByEmail)| {
        let name = format!("topic:{topic}");
        let ticked = form.ticked(&name, *by_email == ByEmail::Always);
        Tick { name, label: topic.label().to_owned(), hint: topic.explanation().to_owned(), ticked }
    };
    let (asked_for, ticked): (Vec<_>, Vec<_>) = found.topics.iter().partition(|(topic, _)| topic.is_asked_for());
    let select = |(topic, by_email): &(Topic, ByEmail)| {
        let chosen = form.typed.get(topic.as_str()).cloned().unwrap_or_else(|| by_email.as_str().to_owned());
        let options = ByEmail::ALL.iter().map(|choice| (choice.as_str(), choice.label())).collect();
        let (name, label, hint) = (topic.as_str(), topic.label(), topic.explanation());
        view! { <Select id=name name label options chosen hint/> }
    };
    view! {
        <Choices legend="What comes by e-mail, too" ticks=ticked.into_iter().map(tick).collect()/>
        {asked_for.into_iter().map(select).collect_view()}
    }
    .into_any()
}

fn quiet(found: &NoticeChoices, form: &FormState) -> AnyView {
    let quiet = found.quiet.clone();
    let [from, to, zone] = quiet.map_or_else(Default::default, |quiet| [quiet.begins, quiet.ends, quiet.zone]);
    let typed = |name: &str, otherwise: String| form.typed.get(name).cloned().unwrap_or(otherwise);
    view! {
        <div class="form-pair">
            <Field
                id="quiet-from" name="quiet_from" label="Quiet from" kind="time" value=typed("quiet_from", from)
                problem=form.problem("quiet_from") optional=true
            />
            <Field
                id="quiet-to" name="quiet_to" label="Quiet until" kind="time" value=typed("quiet_to", to)
                problem=form.problem("quiet_to") optional=true
            />
        </div>
        <Field
            id="quiet-zone" name="quiet_zone" label="By the clock of" value=typed("quiet_zone", zone)
            problem=form.problem("quiet_zone") hint="A time zone such as Europe/Oslo. E-mails wait until the quiet is over; both times empty: no quiet hours."
            optional=true
        />
    }
    .into_any()
}
