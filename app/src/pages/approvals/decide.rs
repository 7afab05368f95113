//! The forms of a request's page: approve, reject, withdraw, hand on. What is refused says why.

use domain::{approval::ApprovalState, refusal::Refusal};
use leptos::prelude::*;
use service::approvals::read::Shown;

use crate::{
    components::{Field, Icon, Impossible, Panel, StepUp, TextArea},
    paths,
    visit::FormState,
};

pub(super) fn forms(shown: &Shown, state: &FormState) -> Option<AnyView> {
    if shown.approval.state != ApprovalState::Waiting {
        return None;
    }
    if shown.own {
        return Some(withdraw(shown, state));
    }
    let decide = if shown.reject_refusal.is_none() {
        view! { {approve(shown, state)}{reject(shown, state)}{hand_on(shown, state)} }.into_any()
    } else {
        shown.reject_refusal.as_ref().map(refused).into_any()
    };
    Some(decide)
}

fn refused(refusal: &Refusal) -> impl IntoView + use<> {
    view! { <Impossible refusal=refusal.clone()/> }
}

fn approve(shown: &Shown, state: &FormState) -> AnyView {
    if let Some(refusal) = &shown.refusal {
        return refused(refusal).into_any();
    }
    let state = &state.of("approve");
    let last = shown.approval.approvers <= i64::try_from(shown.decisions.len()).unwrap_or(i64::MAX) + 1;
    let words = if last { "Approve: it is sent at once" } else { "Approve" };
    view! {
        <Panel id="h-approve" title="Approve">
            <div class="panel-body">
                <form class="form" method="post" action=paths::decide(shown.approval.id, "approve")>
                    <input type="hidden" name="version" value=shown.item.version.to_string()/>
                    <TextArea
                        id="approve-reason" name="reason" label="Reason" hint="Why it is right, on exactly this content."
                        value=state.typed("reason") problem=state.problem("reason")
                    />
                    <StepUp id="approve"/>
                    <div class="form-end"><button class="button button--primary"><Icon name="stamp"/>{words}</button></div>
                </form>
            </div>
        </Panel>
    }
    .into_any()
}

fn reject(shown: &Shown, state: &FormState) -> AnyView {
    let state = &state.of("reject");
    view! {
        <Panel id="h-reject" title="Reject">
            <div class="panel-body">
                <form class="form" method="post" action=paths::decide(shown.approval.id, "reject")>
                    <input type="hidden" name="version" value=shown.item.version.to_string()/>
                    <TextArea
                        id="reject-reason" name="reason" label="Reason" hint="What has to be different. Nothing is sent."
                        value=state.typed("reason") problem=state.problem("reason")
                    />
                    <StepUp id="reject"/>
                    <div class="form-end"><button class="button"><Icon name="ban"/>"Reject"</button></div>
                </form>
            </div>
        </Panel>
    }
    .into_any()
}

fn withdraw(shown: &Shown, state: &FormState) -> AnyView {
    let state = &state.of("withdraw");
    view! {
        <Panel id="h-withdraw" title="Withdraw your request">
            <div class="panel-body">
                <form class="form" method="post" action=paths::decide(shown.approval.id, "withdraw")>
                    <TextArea
                        id="withdraw-reason" name="reason" label="Reason" hint="Nothing is sent; it can be asked for anew."
                        value=state.typed("reason") problem=state.problem("reason")
                    />
                    <div class="form-end"><button class="button"><Icon name="undo-2"/>"Withdraw"</button></div>
                </form>
            </div>
        </Panel>
    }
    .into_any()
}

fn hand_on(shown: &Shown, state: &FormState) -> AnyView {
    let state = &state.of("hand_on");
    view! {
        <Panel id="h-hand-on" title="Hand it to somebody else">
            <div class="panel-body">
                <form class="form" method="post" action=paths::decide(shown.approval.id, "hand_on")>
                    <Field
                        id="hand-on-person" name="person" kind="email" label="Their address"
                        value=state.typed("person") problem=state.problem("person")
                    />
                    <TextArea
                        id="hand-on-note" name="note" label="Note" hint="They are told, with this."
                        value=state.typed("note") problem=state.problem("note")
                    />
                    <div class="form-end"><button class="button"><Icon name="user-plus"/>"Hand on"</button></div>
                </form>
            </div>
        </Panel>
    }
    .into_any()
}
