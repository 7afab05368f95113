use domain::{
    replay::Retries,
    workflow::{Destination, HeaderValue},
};
use leptos::prelude::*;
use service::{
    Revision,
    items::{packet::Packet, sending::Plan},
};

use super::marks::marks;
use crate::{
    age,
    components::{Fact, Icon, Moment, Panel, words::size},
    islands::Copy,
};

/// Headers that every request of Recourse carries beside those of the destination.
const OWN: &[&str] = &["Content-Type", "Recourse-Item", "Recourse-Attempt", "Recourse-Revision"];
/// What a signed request carries.
const SIGNED: &[&str] = &["webhook-id", "webhook-timestamp", "webhook-signature"];

/// What would be sent, where to, and what happens then.
pub(super) fn panel(packet: &Packet, plan: &Plan) -> impl IntoView + use<> {
    let (to, revision) = (&plan.destination, &plan.revision);
    let recognised = if plan.recognises_keys {
        ("check", "The destination recognises a repeat by this key and does nothing twice.")
    } else {
        ("triangle-alert", "The destination does not recognise a repeat by its key.")
    };
    view! {
        <Panel id="h-plan" title="What will be sent">
            <div class="panel-body">
                <dl class="facts">
                    <Fact name="To">{address(packet, plan)}</Fact>
                    <Fact name="Revision">{made(revision)}</Fact>
                    <Fact name="Content">{revision.media_type.clone()}{(!packet.content_hidden).then(|| format!(" · {}", size(revision.size)))}</Fact>
                    {(!packet.content_hidden).then(|| digest(revision))}
                    <Fact name="Key">
                        <bdi class="mono">{plan.key.clone()}</bdi>
                        <span class="remark"><span>"in the header "<code>{to.key_header().to_owned()}</code></span></span>
                        <span class="remark"><Icon name=recognised.0/>{recognised.1}</span>
                    </Fact>
                    <Fact name="Headers">{headers(to, packet.item.source_version.is_some())}</Fact>
                    <Fact name="Waits">{format!("{} for an answer", span(to.timeout()))}</Fact>
                    <Fact name="Tries">{tries(to, plan.recognises_keys)}</Fact>
                </dl>
            </div>
        </Panel>
    }
    .into_any()
}

/// The address with the payload's values only for those who may see them.
fn address(packet: &Packet, plan: &Plan) -> AnyView {
    let template = plan.destination.url.as_ref().map(|url| format!("{} {url}", plan.destination.method()));
    match &plan.request {
        Ok(request) if !packet.content_hidden => view! { <span class="mono">{request.clone()}</span> }.into_any(),
        Ok(_) => view! {
            <span class="mono">{template}</span>
            <span class="remark"><Icon name="lock-keyhole"/>"What is filled in is above your clearance."</span>
        }
        .into_any(),
        Err(why) => {
            let why = if packet.content_hidden {
                "It can't be filled in from this revision.".to_owned()
            } else {
                why.clone()
            };
            view! { <span class="mono">{template}</span><span class="remark" data-tone="danger"><Icon name="circle-alert"/>{why}</span> }
                .into_any()
        }
    }
}

fn made(revision: &Revision) -> impl IntoView + use<> {
    let what = if revision.number == 1 { ", the original, by " } else { ", by " };
    let reason = revision.reason.clone().map(|reason| view! { <span class="remark"><bdi>{reason}</bdi></span> });
    let marks = marks(revision).map(|marks| view! { <span class="remark"><Icon name="stamp"/>{marks}</span> });
    view! { {revision.number}{what}<bdi>{revision.author_name.clone()}</bdi>", " <Moment at=revision.at/> {reason} {marks} }
}

fn digest(revision: &Revision) -> impl IntoView + use<> {
    let hex = revision.sha256.hex();
    view! { <Fact name="SHA-256"><span class="mono">{hex.clone()}</span>" "<Copy text=hex what="the digest".to_owned()/></Fact> }
}

/// By their names: a value may be a secret, and none is shown.
fn headers(to: &Destination, source_version: bool) -> impl IntoView + use<> {
    let own = OWN.iter().map(|name| ((*name).to_owned(), false));
    let source = source_version.then(|| ("Recourse-Source-Version".to_owned(), false));
    let signed = to.sign_secret.iter().flat_map(|_| SIGNED).map(|name| ((*name).to_owned(), false));
    let configured = to.headers.iter().map(|(name, value)| (name.clone(), matches!(value, HeaderValue::Secret(_))));
    let one = |(name, secret): (String, bool)| {
        let secret = secret.then(|| view! { " " <i class="masked">"secret"</i> });
        view! { <li><code>{name}</code>{secret}</li> }
    };
    view! { <ul class="names">{configured.chain(own).chain(source).chain(signed).map(one).collect_view()}</ul> }
}

fn tries(to: &Destination, recognises_keys: bool) -> String {
    let retries = Retries::from(to);
    if retries.at_most() <= 1 {
        return "Once. Recourse does not try again by itself.".to_owned();
    }
    let when = if recognises_keys {
        "after an answer that says so, or no clear answer, with the same key"
    } else {
        "only after an answer that says nothing was done"
    };
    format!("At most {} within {}: again {when}.", retries.at_most(), span(retries.within()))
}

/// "10 s", "5 min".
fn span(delta: chrono::TimeDelta) -> String {
    match delta.num_seconds() {
        seconds @ ..120 => format!("{seconds} s"),
        seconds => age::in_words(seconds),
    }
}
