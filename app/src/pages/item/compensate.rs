//! Asking for a compensation: which plan, its parameters, why. Another person decides before anything is sent.

use std::collections::HashMap;

use domain::{
    effect::Effect,
    ids::ItemId,
    refusal::Refusal,
    workflow::{Compensation as Plan, Param, ParamType, Undoes},
};
use leptos::prelude::*;
use service::{
    Error, Service,
    approvals::read::RequestShown,
    items::{
        packet::Packet,
        verbs::{compensate::ACTION, from_form},
    },
};
use url::form_urlencoded;

use super::{effect, head};
use crate::{
    components::{Frame, Icon, Impossible, Panel, Problem, RefusalNotice, TextArea, described_by},
    pages::{
        Place,
        answer::{answered, id_in, param},
        approvals::sent::request,
    },
    paths,
    visit::{FormState, Visit},
};

/// The page, for one plan at a time.
#[component]
pub(in crate::pages) fn CompensatePage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let state = use_context::<FormState>().unwrap_or_default();
    let mut query = form_urlencoded::parse(visit.query().as_bytes());
    let asked = query.find(|(name, _)| name == "plan").map(|(_, value)| value.into_owned());
    let typed = Some(state.typed("plan")).filter(|plan| !plan.is_empty());
    let (asked, id) = (typed.or(asked), param("id"));
    let typed = state.typed.clone();
    let ask = async move { read(&service, &visit, id_in(id.as_deref())?, &typed).await };
    answered(ask, move |(packet, preview)| {
        let packet = &packet;
        let (requests, refusal) = match preview {
            Some(Err(refusal)) => (None, Some(refusal)),
            Some(Ok(requests)) => (Some(requests), state.refusal.clone()),
            None => (None, state.refusal.clone()),
        };
        let state = FormState { refusal, ..state.clone() };
        let (id, name) = (packet.item.id, head::name(&packet.item).to_owned());
        let refused = state.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> });
        let impossible =
            packet.refusal_of(ACTION.step).filter(|refusal| state.refusal.as_ref() != Some(refusal)).cloned();
        let possible = impossible.is_none();
        let impossible = impossible.map(|refusal| view! { <Impossible refusal/> });
        let chosen = packet.plans.iter().find(|plan| Some(plan.key.as_str()) == asked.as_deref());
        let chosen = chosen.or_else(|| packet.plans.first().filter(|_| asked.is_none()));
        view! {
            <Frame title="Ask for a compensation" at=Some(Place::Queue) class="page--reading">
                <header class="item-head">
                    <a class="crumb" href=paths::item(id)><Icon name="chevron-left"/><bdi>{name}</bdi></a>
                    <h1>"Ask for a compensation"</h1>
                    <p class="muted">{ACTION.explanation}</p>
                </header>
                <div class="stack">
                    {refused}
                    {impossible}
                    {effect::effect(packet)}
                    {choice(packet, chosen)}
                    {requests.map(|all| all.iter().enumerate().map(|(at, one)| request(at, all.len(), one, None)).collect_view())}
                    {chosen.filter(|_| possible || !state.typed("reason").is_empty()).map(|plan| form(packet, plan, &state, possible))}
                </div>
            </Frame>
        }
    })
}

/// What the form would send, where that was asked, or why it can't be.
type Preview = Option<Result<Vec<RequestShown>, Refusal>>;

async fn read(
    service: &Service,
    visit: &Visit,
    id: ItemId,
    typed: &HashMap<String, String>,
) -> Result<(Packet, Preview), Error> {
    let packet = service.packet(&visit.request, id).await?;
    if typed.get("stage").is_none_or(|stage| stage != "preview") {
        return Ok((packet, None));
    }
    match service.preview_compensation(&visit.request, id, from_form(&ACTION, typed)).await {
        Ok(requests) => Ok((packet, Some(Ok(requests)))),
        Err(Error::Refused(refusal)) => Ok((packet, Some(Err(refusal)))),
        Err(error) => Err(error),
    }
}

/// Which plan: each is a page of its own.
fn choice(packet: &Packet, chosen: Option<&Plan>) -> Option<impl IntoView + use<>> {
    let one = |plan: &Plan| {
        let current = chosen.is_some_and(|chosen| chosen.key == plan.key).then_some("page");
        view! {
            <li><a href=paths::compensate(packet.item.id, Some(plan.key.as_str())) aria-current=current><b>{plan.name.clone()}</b></a></li>
        }
    };
    (packet.plans.len() > 1).then(|| {
        view! { <nav class="picks" aria-label="Which plan"><ul>{packet.plans.iter().map(one).collect_view()}</ul></nav> }
    })
}

fn form(packet: &Packet, plan: &Plan, state: &FormState, possible: bool) -> AnyView {
    let id = packet.item.id;
    let undoes = match plan.undoes {
        Undoes::Whole => "Makes the whole effect good: once it is confirmed, the right version can be sent.",
        Undoes::Part => "Makes a part of the effect good.",
    };
    let stands = |a: &&service::Attempt| {
        a.compensation_id.is_none() && !a.made_good && matches!(a.effect, Effect::Confirmed | Effect::Partial)
    };
    let attempts: Vec<&service::Attempt> = packet.attempts.iter().filter(stands).collect();
    let chosen = state.typed("attempt");
    let option = |a: &&service::Attempt| {
        let record = a.record_id.as_ref().map(|record| format!(", record {record}")).unwrap_or_default();
        let value = a.id.to_string();
        let selected = value == chosen;
        view! { <option value=value selected=selected>{format!("Attempt {}: {}{record}", a.number, a.effect.words())}</option> }
    };
    let which = (attempts.len() > 1).then(|| {
        view! {
            <div class="field">
                <label for="compensate-attempt">"Of which attempt"</label>
                <select id="compensate-attempt" name="attempt" required>
                    <option value="" selected=chosen.is_empty()>"Choose…"</option>
                    {attempts.iter().map(option).collect_view()}
                </select>
                <Problem id="compensate-attempt".to_owned() problem=state.problem("attempt")/>
            </div>
        }
    });
    let parts = plan.parts.iter().enumerate().map(|(at, part)| {
        let request = format!("{} {}", part.destination().method(), part.url);
        view! { <li><b>{format!("{}. {}", at + 1, part.name)}</b>" "<span class="mono">{request}</span></li> }
    });
    let approvers = match plan.approvers {
        1 => "One other person decides.".to_owned(),
        several => format!("{several} other people decide."),
    };
    view! {
        <Panel id="h-plan" title=plan.name.clone()>
            <div class="panel-body stack">
                <div class="stack stack--tight">
                    <p>{undoes}</p>
                    <p><b>"What it can't undo: "</b>{plan.cannot_undo.clone()}</p>
                    <p>{approvers}" They see exactly what would be sent where, and so can you before you ask."</p>
                </div>
                <ol class="plain-list">{parts.collect_view()}</ol>
                <form class="form" method="post" action=paths::item_action(id, ACTION.step.as_str())>
                    <input type="hidden" name="version" value=packet.item.version.to_string()/>
                    <input type="hidden" name="plan" value=plan.key.to_string()/>
                    {which}
                    {plan.params.iter().map(|param| row(param, state)).collect_view()}
                    <TextArea
                        id="compensate-reason" name="reason" label="Reason" hint="Why it has to be made good."
                        value=state.typed("reason") problem=state.problem("reason")
                    />
                    {possible.then(|| view! {
                        <div class="form-end">
                            // The first button is what the enter key presses; a reason is given when it is asked for.
                            <button class="button" name="stage" value="preview" formnovalidate><Icon name="eye"/>"Show what would be sent"</button>
                            <button class="button button--primary"><Icon name="stamp"/>"Ask for approval"</button>
                            <a class="button button--quiet" href=paths::item(id)>"Don't ask"</a>
                        </div>
                    })}
                </form>
            </div>
        </Panel>
    }
    .into_any()
}

/// One parameter, by its type and bounds.
fn row(param: &Param, state: &FormState) -> AnyView {
    let name = format!("parameters.{}", param.key);
    let id = format!("compensate-{}", param.key);
    let problem = state.problem(&format!("parameters/{}", param.key));
    let typed = state.typed(&name);
    let bound = |bound: &Option<domain::workflow::Scalar>| {
        use domain::workflow::Scalar;
        bound.as_ref().map(|bound| match bound {
            Scalar::Bool(value) => value.to_string(),
            Scalar::Integer(value) => value.to_string(),
            Scalar::Decimal(value) => value.to_string(),
            Scalar::Text(value) => value.clone(),
        })
    };
    let unit = if param.kind == ParamType::Text { " characters" } else { "" };
    let hint = match (bound(&param.min), bound(&param.max)) {
        (Some(min), Some(max)) => format!("From {min} to {max}{unit}."),
        (Some(min), None) => format!("{min}{unit} or more."),
        (None, Some(max)) => format!("At most {max}{unit}."),
        (None, None) => String::new(),
    };
    let described = described_by(&id, !hint.is_empty(), problem.is_some());
    let invalid = problem.is_some().then_some("true");
    let control = if param.kind == ParamType::Choice {
        let option = |choice: &String| {
            let selected = *choice == typed;
            view! { <option value=choice.clone() selected=selected>{choice.clone()}</option> }
        };
        view! {
            <select id=id.clone() name=name required aria-invalid=invalid aria-describedby=described>
                <option value="" selected=typed.is_empty()>"Choose…"</option>
                {param.choices.iter().map(option).collect_view()}
            </select>
        }
        .into_any()
    } else {
        let kind = if param.kind == ParamType::Date { "date" } else { "text" };
        let mode = matches!(param.kind, ParamType::Integer | ParamType::Decimal).then_some("decimal");
        view! {
            <input id=id.clone() name=name type=kind inputmode=mode value=typed required aria-invalid=invalid aria-describedby=described/>
        }
        .into_any()
    };
    let hint = (!hint.is_empty()).then(|| view! { <p class="hint" id=format!("{id}-hint")>{hint}</p> });
    view! {
        <div class="field">
            <label for=id.clone()>{param.key.to_string().replace(['_', '-'], " ")}</label>
            {hint}
            {control}
            <Problem id problem/>
        </div>
    }
    .into_any()
}
