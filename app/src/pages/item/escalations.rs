use leptos::prelude::*;
use service::{Escalation, items::packet::Packet};

use crate::components::{LongText, Moment, Panel, Person, Team};

/// The chain: to which team it went, why, and who answered.
pub(super) fn escalations(packet: &Packet) -> Option<AnyView> {
    let step = |step: &Escalation| {
        let by = match step.by_id {
            Some(_) => view! { "by "<Person name=step.by_name.clone()/> }.into_any(),
            None => view! { "by itself" }.into_any(),
        };
        let respond = step.respond_by.map(|at| view! { ", to be answered by "<Moment at/> });
        let answered = match (step.answered_at, step.answered_by_name.clone()) {
            (Some(at), Some(name)) => {
                view! { <p class="small"><Person name/>" claimed it "<Moment at/></p> }.into_any()
            }
            _ => view! { <p class="small muted">"Nobody has claimed it since."</p> }.into_any(),
        };
        view! {
            <li>
                <p><b>{step.level}</b>" "<Team name=step.team_name.clone()/>" "<span class="muted">{by}" "<Moment at=step.at/>{respond}</span></p>
                <LongText text=step.reason.clone() class="foreign" shown=600/>
                {answered}
            </li>
        }
    };
    (!packet.escalations.is_empty()).then(|| {
        view! {
            <Panel id="h-escalations" title="Escalations">
                <div class="panel-body">
                    <ol class="plain-list stack">{packet.escalations.iter().map(step).collect_view()}</ol>
                </div>
            </Panel>
        }
        .into_any()
    })
}
