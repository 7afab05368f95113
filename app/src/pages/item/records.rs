use domain::report::{Affected, Ai, Evidence, ProposedAction};
use leptos::prelude::*;
use service::{ListedItem, items::packet::Packet};

use crate::{
    components::{EffectBadge, LongText, Panel},
    paths,
};

/// Affected records, evidence, what is proposed, and related items: what there is of them.
pub(super) fn records(packet: &Packet) -> impl IntoView + use<> {
    let item = &packet.item;
    let affected = (!item.affected.is_empty()).then(|| affected(&item.affected));
    let evidence = (!item.evidence.is_empty() || item.ai.is_some()).then(|| evidence(packet));
    let proposed = item.proposed_action.as_ref().map(proposed);
    let related = (!packet.related.is_empty()).then(|| related(&packet.related));
    view! {
        <div class="two-panels">{affected}{evidence}{proposed}{related}</div>
    }
}

fn affected(records: &[Affected]) -> impl IntoView + use<> {
    let one = |record: &Affected| {
        let kind = record.kind.as_ref().map(|kind| format!(" {kind}")).unwrap_or_default();
        let name = format!("{}{kind} {}", record.system, record.id);
        let state = record.state.clone().map(|state| view! { <span class="muted"><bdi>{state}</bdi></span> });
        view! { <li><span>{link(name, record.url.clone())}</span>{state}</li> }
    };
    view! {
        <Panel id="h-affected" title="Affected records">
            <ul class="records">{records.iter().map(one).collect_view()}</ul>
        </Panel>
    }
}

fn evidence(packet: &Packet) -> impl IntoView + use<> {
    let hidden = packet.content_hidden;
    let one = |piece: &Evidence| {
        let text = piece.text.clone().map(|text| view! { <LongText text/> });
        let hidden = hidden.then(|| view! { " " <i class="masked">"above your clearance"</i> });
        view! { <li><span>{link(piece.label.clone(), piece.url.clone())}{hidden}{text}</span></li> }
    };
    let note = packet.item.ai.as_ref().map(model).unwrap_or_default();
    view! {
        <Panel id="h-evidence" title="Evidence" note>
            <ul class="records">{packet.item.evidence.iter().map(one).collect_view()}</ul>
        </Panel>
    }
}

fn model(ai: &Ai) -> String {
    let prompt = ai.prompt_version.as_ref().map(|version| format!("prompt {version}"));
    let contract = ai.output_contract.as_ref().map(|contract| format!("contract {contract}"));
    let parts = [ai.model.clone(), prompt, contract, ai.confidence.map(sure)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn proposed(proposed: &ProposedAction) -> impl IntoView + use<> {
    let by = proposed.by.as_ref().map(|by| format!("by {by}"));
    let note = [by, proposed.confidence.map(sure)].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let reason = proposed.reason.clone().map(|text| view! { <LongText text class="foreign"/> });
    view! {
        <Panel id="h-proposed" title="Proposed next" note>
            <div class="panel-body stack stack--tight"><p><b><bdi>{proposed.action.clone()}</bdi></b></p>{reason}</div>
        </Panel>
    }
}

fn related(items: &[ListedItem]) -> impl IntoView + use<> {
    let one = |item: &ListedItem| {
        let name = item.business_ref.as_ref().unwrap_or(&item.dedupe_key);
        let words = format!("{name} · {}", item.step);
        view! {
            <li>
                <a href=paths::item(item.id)><bdi>{words}</bdi></a>
                <EffectBadge effect=item.effect/>
                <span class="muted">{item.state.label().to_lowercase()}</span>
            </li>
        }
    };
    view! {
        <Panel id="h-related" title="Same reference or run">
            <ul class="records">{items.iter().map(one).collect_view()}</ul>
        </Panel>
    }
}

/// A name from outside, leading where it says if it says so. Only http and https pass the door.
fn link(name: String, url: Option<String>) -> AnyView {
    match url {
        Some(url) => view! { <a href=url rel="noreferrer noopener"><bdi>{name}</bdi></a> }.into_any(),
        None => view! { <bdi>{name}</bdi> }.into_any(),
    }
}

fn sure(confidence: f64) -> String {
    format!("{:.0} % sure", confidence * 100.0)
}
