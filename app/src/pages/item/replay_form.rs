use domain::replay::Accept;
use leptos::prelude::*;
use service::items::{
    sending::Plan,
    verbs::{replay::ACTION, ticked_as},
};

use super::replay::Seen;
use crate::{
    components::{Icon, Panel, TextArea},
    paths,
    visit::FormState,
};

/// What has to be accepted, why it is right, and the button. Where it is refused now there is no button, and nothing but
/// what was typed before.
pub(super) fn panel(seen: &Seen, plan: &Plan, state: &FormState) -> Option<AnyView> {
    let possible = seen.refusal().is_none() && plan.request.is_ok() && plan.unsuited.is_none();
    if !possible && state.typed("reason").is_empty() {
        return None;
    }
    let (id, number) = (seen.packet.item.id, plan.revision.number);
    let host = host(plan).map(|host| format!(" to {host}")).unwrap_or_default();
    let words = if plan.needs_approval {
        format!("Ask for approval to send revision {number}{host}")
    } else {
        format!("Send revision {number}{host}")
    };
    let icon = if plan.needs_approval { "stamp" } else { "send" };
    let second = plan.needs_approval.then(|| {
        view! {
            <input type="hidden" name="request_approval" value="yes"/>
            <p class="remark"><Icon name="stamp"/>"A second person has to approve it. Nothing is sent before."</p>
        }
    });
    // Where nobody has to, one may ask all the same.
    let may_ask = (!plan.needs_approval && possible).then(|| {
        view! { <button class="button" name="request_approval" value="yes"><Icon name="stamp"/>"Ask for approval first"</button> }
    });
    let demands = (!plan.demands.is_empty()).then(|| {
        let one = |accept: &Accept| demand(*accept, state);
        view! {
            <fieldset class="choices">
                <legend>"Accept explicitly"</legend>
                {plan.demands.iter().map(one).collect_view()}
            </fieldset>
        }
    });
    Some(
        view! {
            <Panel id="h-send" title="Decide">
                <div class="panel-body">
                    <form class="form" method="post" action=paths::item_action(id, ACTION.step.as_str())>
                        // What was seen: somebody who acts meanwhile makes this a conflict instead of a surprise.
                        <input type="hidden" name="version" value=seen.packet.item.version.to_string()/>
                        <input type="hidden" name="revision" value=number.to_string()/>
                        {second}
                        {demands}
                        <TextArea
                            id="replay-reason" name="reason" label="Reason" hint="Why it is right to send it now."
                            value=state.typed("reason") problem=state.problem("reason")
                        />
                        {possible.then(|| view! {
                            <div class="form-end">
                                <button class="button button--primary"><Icon name=icon/>{words}</button>
                                {may_ask}
                                <a class="button button--quiet" href=paths::item(id)>"Don't send"</a>
                            </div>
                        })}
                    </form>
                </div>
            </Panel>
        }
        .into_any(),
    )
}

fn demand(accept: Accept, state: &FormState) -> impl IntoView + use<> {
    let name = ticked_as("accept", accept);
    let ticked = state.typed.contains_key(&name);
    view! {
        <label class="choice">
            <input type="checkbox" name=name value="yes" checked=ticked required/>
            <span>{accept.sentence()}<small>{accept.rule()}</small></span>
        </label>
    }
}

/// Where the request goes, without what is filled in.
fn host(plan: &Plan) -> Option<String> {
    let url = url::Url::parse(plan.destination.url.as_ref()?.as_str()).ok()?;
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("{}{port}", url.host_str()?))
}
