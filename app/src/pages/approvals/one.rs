use domain::{
    approval::{ApprovalKind, ApprovalState},
    document::kind,
};
use leptos::prelude::*;
use service::{
    ApprovalDecision, Service,
    approvals::read::{RequestShown, Shown},
};

use super::{decide, sent};
use crate::{
    components::{
        Content, EffectBadge, Fact, Frame, Icon, Lines, LongText, Moment, Notice, Panel, Person, RefusalNotice,
        changes, words::size,
    },
    pages::{
        Place,
        answer::{answered, id_in, param},
        item::marks::marks,
    },
    paths,
    visit::{FormState, Visit},
};

/// One request: what would be done, exactly, who asks and why, and the decision.
#[component]
pub(in crate::pages) fn ApprovalPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let state = use_context::<FormState>().unwrap_or_default();
    let id = param("id");
    let ask = async move { service.approval(&visit.request, id_in(id.as_deref())?).await };
    answered(ask, move |shown| {
        let shown = &shown;
        let title = title(shown);
        let refused = state.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> });
        view! {
            <Frame title=title.clone() at=Some(Place::Approvals) class="page--reading">
                <header class="item-head">
                    <a class="crumb" href=paths::APPROVALS><Icon name="chevron-left"/>"Approvals"</a>
                    <h1>{title}</h1>
                    <p class="muted foreign"><a href=paths::item(shown.item.id)><bdi>{shown.name.clone()}</bdi></a>" · "<bdi>{shown.item.workflow_key.clone()}</bdi>" › "<bdi>{shown.item.step.clone()}</bdi></p>
                </header>
                <div class="stack">
                    {refused}
                    {ended(shown)}
                    {changed(shown)}
                    {asked(shown)}
                    {shown.requests.iter().enumerate().map(|(at, request)| sending(shown, at, request)).collect_view()}
                    {difference(shown)}
                    {content(shown)}
                    {decisions(&shown.decisions)}
                    {decide::forms(shown, &state)}
                </div>
            </Frame>
        }
    })
}

fn title(shown: &Shown) -> String {
    match shown.approval.kind {
        ApprovalKind::Replay => format!("Send revision {}", shown.approval.bound.revision),
        ApprovalKind::Compensation => {
            let plan = shown.plan_name.clone().or_else(|| shown.approval.bound.plan.clone());
            format!("Compensation: {}", plan.unwrap_or_default())
        }
    }
}

fn ended(shown: &Shown) -> Option<AnyView> {
    let approval = &shown.approval;
    let at = approval.ended_at?;
    let by = approval.ended_by_name.clone().map(|name| view! { " by "<bdi>{name}</bdi> });
    let why = approval.ended_why.clone().map(|text| view! { <LongText text class="foreign" shown=600/> });
    Some(
        view! {
            <Notice tone="info" title=approval.state.label()>
                <p>"It ended "<Moment at exact=true/>{by}"."</p>{why}
            </Notice>
        }
        .into_any(),
    )
}

/// What is not as it was asked for any more.
fn changed(shown: &Shown) -> Option<AnyView> {
    let one = |change: &String| view! { <li>{change.clone()}</li> };
    (!shown.changes.is_empty()).then(|| {
        view! {
            <Notice tone="doubt" title="It is not what was asked for any more">
                <p>"It can't be approved. Whoever still wants it asks anew."</p>
                <ul>{shown.changes.iter().map(one).collect_view()}</ul>
            </Notice>
        }
        .into_any()
    })
}

fn asked(shown: &Shown) -> impl IntoView + use<> {
    let (approval, bound) = (&shown.approval, &shown.approval.bound);
    let source = (bound.source_version.is_some() || shown.source_now.is_some()).then(|| {
        let then = bound.source_version.clone().unwrap_or_else(|| "unknown".to_owned());
        let now = shown.source_now.clone().map(|now| view! { ", now "<bdi class="mono">{now}</bdi> });
        view! { <Fact name="Source record">"then "<bdi class="mono">{then}</bdi>{now}</Fact> }
    });
    let parameter = |(name, value): (&String, &String)| {
        view! { <li><b>{name.clone()}</b>": "<bdi class="foreign">{value.clone()}</bdi></li> }
    };
    let parameters = (!bound.parameters.is_empty()).then(|| {
        view! { <Fact name="Parameters"><ul class="plain-list">{bound.parameters.iter().map(parameter).collect_view()}</ul></Fact> }
    });
    let accepted = (!bound.accepted.is_empty()).then(|| {
        let one = |accept: &domain::replay::Accept| view! { <li>{accept.sentence()}</li> };
        view! { <Fact name="Accepted"><ul class="plain-list">{bound.accepted.iter().map(one).collect_view()}</ul></Fact> }
    });
    let corrected = shown.revision.as_ref().filter(|revision| revision.parent.is_some()).map(|revision| {
        let reason = revision.reason.clone().map(|text| view! { <LongText text class="foreign" shown=600/> });
        let marks = marks(revision).map(|marks| view! { <span class="remark"><Icon name="stamp"/>{marks}</span> });
        view! {
            <Fact name="Corrected by" wide=true>
                <Person name=revision.author_name.clone()/>" "<Moment at=revision.at exact=true/>{reason}{marks}
            </Fact>
        }
    });
    let cannot = bound.policy.cannot_undo.clone().map(|text| view! { <Fact name="Can't undo">{text}</Fact> });
    let delegate = shown.delegate.clone().map(|name| view! { <Fact name="Handed to"><Person name/></Fact> });
    let waits = (approval.state == ApprovalState::Waiting)
        .then(|| view! { <Fact name="Expires"><Moment at=approval.expires_at exact=true/></Fact> });
    let given = shown.decisions.len();
    let wanted = (approval.approvers > 1)
        .then(|| view! { <Fact name="Approvers">{format!("{given} of {} have decided", approval.approvers)}</Fact> });
    let hash = domain::digest::Sha256::from_slice(&approval.hash).map(|hash| hash.hex()).unwrap_or_default();
    view! {
        <Panel id="h-asked" title="Who asks, and why">
            <div class="panel-body">
                <dl class="facts">
                    <Fact name="Asked by"><Person name=approval.requested_by_name.clone()/>" "<Moment at=approval.requested_at exact=true/></Fact>
                    <Fact name="Why" wide=true><LongText text=approval.reason.clone() class="foreign" shown=2000/></Fact>
                    <Fact name="Effect"><EffectBadge effect=shown.item.effect/></Fact>
                    {corrected}
                    {cannot}
                    {parameters}
                    {accepted}
                    {source}
                    {wanted}
                    {delegate}
                    {waits}
                    <Fact name="Hash" wide=true><span class="mono">{hash}</span></Fact>
                </dl>
            </div>
        </Panel>
    }
    .into_any()
}

fn sending(shown: &Shown, at: usize, request: &RequestShown) -> AnyView {
    let about = (shown.approval.kind == ApprovalKind::Replay).then(|| {
        let bytes = request.size.map(|bytes| format!(", {}", size(i64::try_from(bytes).unwrap_or(i64::MAX))));
        format!("Revision {}{}", shown.approval.bound.revision, bytes.unwrap_or_default())
    });
    sent::request(at, shown.requests.len(), request, about)
}

fn difference(shown: &Shown) -> Option<AnyView> {
    let difference = shown.difference.as_ref()?;
    let title = format!("From the original to revision {}", shown.approval.bound.revision);
    Some(view! { <Panel id="h-difference" title>{changes(difference, Lines::Unified)}</Panel> }.into_any())
}

/// The whole content, with the viewer's masks.
fn content(shown: &Shown) -> AnyView {
    let hidden = shown.hidden.then(|| {
        view! { <p class="remark"><Icon name="lock-keyhole"/>"A part of it is above your clearance, so somebody else has to approve it."</p> }
    });
    let text = shown.content.clone().map(|text| {
        let bytes = text.into_bytes();
        let kind = kind("application/json", &bytes);
        let whole = paths::payload(shown.item.id, shown.approval.bound.revision);
        view! { <Content bytes kind raw=false label="The content" whole=Some(whole)/> }
    });
    let title = format!("The content: revision {}", shown.approval.bound.revision);
    view! {
        <Panel id="h-content" title>
            {hidden.map(|hidden| view! { <div class="panel-body">{hidden}</div> })}
            {text}
        </Panel>
    }
    .into_any()
}

fn decisions(all: &[ApprovalDecision]) -> Option<AnyView> {
    let one = |decision: &ApprovalDecision| {
        view! {
            <li><b>{decision.verdict.label()}</b>" by "<Person name=decision.person_name.clone()/>" "<Moment at=decision.at exact=true/>
                <LongText text=decision.reason.clone() class="foreign" shown=600/></li>
        }
    };
    (!all.is_empty()).then(|| {
        view! {
            <Panel id="h-decisions" title="Decisions">
                <div class="panel-body"><ul class="plain-list">{all.iter().map(one).collect_view()}</ul></div>
            </Panel>
        }
        .into_any()
    })
}
