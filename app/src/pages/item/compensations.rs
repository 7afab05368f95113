//! What waits for another person's decision, and what became of compensations.

use domain::approval::{ApprovalKind, ApprovalState};
use leptos::prelude::*;
use service::{Approval, Attempt, Compensation, CompensationStage, items::packet::Packet};

use crate::{
    components::{Moment, Notice, OutcomeBadge, Panel, Person},
    paths,
};

/// What the item waits for, with the way to its page.
pub(super) fn waiting(packet: &Packet) -> Option<AnyView> {
    let approval = packet.approvals.iter().find(|approval| approval.state == ApprovalState::Waiting)?;
    let title = match approval.kind {
        ApprovalKind::Replay => format!("Sending revision {} waits for approval", approval.bound.revision),
        ApprovalKind::Compensation => "A compensation waits for approval".to_owned(),
    };
    Some(
        view! {
            <Notice tone="info" title>
                <p>
                    <bdi>{approval.requested_by_name.clone()}</bdi>" asked for it " <Moment at=approval.requested_at/>
                    ". It expires " <Moment at=approval.expires_at exact=true/> ". Whatever it is about changes voids it."
                </p>
                <div class="row"><a class="button button--small" href=paths::approval(approval.id)>"Look at the request"</a></div>
            </Notice>
        }
        .into_any(),
    )
}

/// Requests that were decided and compensations with what came of each part; nothing where there was none.
pub(super) fn compensations(packet: &Packet) -> Option<AnyView> {
    let ended: Vec<&Approval> = packet.approvals.iter().filter(|a| a.state != ApprovalState::Waiting).collect();
    if ended.is_empty() {
        return None;
    }
    let row = |approval: &&Approval| {
        let compensation = packet.compensations.iter().find(|c| c.approval_id == approval.id);
        let what = match approval.kind {
            ApprovalKind::Replay => format!("Sending revision {}", approval.bound.revision),
            ApprovalKind::Compensation => {
                compensation.map_or_else(|| "A compensation".to_owned(), |c| c.plan.name.clone())
            }
        };
        let by = approval.ended_by_name.clone().map(|name| view! { " by "<Person name/> });
        let at = approval.ended_at.map(|at| view! { " "<Moment at/> });
        view! {
            <li>
                <p>
                    <a href=paths::approval(approval.id)>{what}</a>", asked for by "<Person name=approval.requested_by_name.clone()/>
                    ": "<b>{approval.state.label()}</b>{by}{at}
                </p>
                {compensation.map(|compensation| parts(packet, compensation))}
            </li>
        }
    };
    Some(
        view! {
            <Panel id="h-approvals" title="Approvals and compensations">
                <div class="panel-body"><ul class="plain-list">{ended.iter().map(row).collect_view()}</ul></div>
            </Panel>
        }
        .into_any(),
    )
}

fn parts(packet: &Packet, compensation: &Compensation) -> AnyView {
    let of = |number: usize| {
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        let own = |a: &&Attempt| a.compensation_id == Some(compensation.id.0) && a.part == Some(number);
        packet.attempts.iter().find(own)
    };
    let part = |(number, part): (usize, &domain::workflow::Part)| {
        let attempt = of(number);
        let told = match attempt {
            Some(attempt) => {
                let record =
                    attempt.record_id.clone().map(|record| view! { " record "<bdi class="mono">{record}</bdi> });
                let link = format!("#attempt-{}", attempt.number);
                view! { <OutcomeBadge outcome=attempt.outcome/>" "<a href=link>{format!("attempt {}", attempt.number)}</a>{record} }.into_any()
            }
            None => view! { <span class="muted">"not sent"</span> }.into_any(),
        };
        view! { <li>{part.name.to_string()}" — "{told}</li> }
    };
    let help = match compensation.stage {
        CompensationStage::Uncertain => Some("Nobody knows whether it happened: look it up, or record what you found."),
        CompensationStage::Failed => Some("Nothing of it happened. It can be asked for again."),
        CompensationStage::PartlyDone => Some("What was done stays done. The rest can be asked for again."),
        CompensationStage::Running | CompensationStage::Executed => None,
    };
    view! {
        <p>"Compensation: "<b>{compensation.stage.label()}</b>"."{help.map(|help| format!(" {help}"))}</p>
        <ol>{compensation.plan.parts.iter().enumerate().map(part).collect_view()}</ol>
    }
    .into_any()
}
