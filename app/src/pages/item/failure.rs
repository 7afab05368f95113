use leptos::prelude::*;
use service::items::packet::Packet;

use crate::{
    components::{CodeLines, LongText, Panel, words::thousands},
    islands::Copy,
};

/// Characters of technical detail that the page holds.
const DETAIL: usize = 1_000_000;

/// What went wrong: for people first, for engineers folded away.
pub(super) fn failure(packet: &Packet) -> impl IntoView + use<> {
    let item = &packet.item;
    let consequence =
        item.customer_impact.clone().map(|text| view! { <p class="muted">"Consequence: " <bdi>{text}</bdi></p> });
    let title = if item.follow_up_of.is_some() { "What is left to do" } else { "What went wrong" };
    view! {
        <Panel id="h-failure" title note=item.failure_class.label() class="failure">
            <div class="panel-body stack stack--tight">
                <LongText text=item.message.clone() shown=600/>
                {consequence}
                {item.detail.as_deref().map(detail)}
            </div>
        </Panel>
    }
}

fn detail(text: &str) -> impl IntoView + use<> {
    let cut = text.char_indices().nth(DETAIL).map(|(at, _)| at);
    let left_out = cut.map(|at| {
        let rest = text[at..].chars().count();
        let rest = thousands(i64::try_from(rest).unwrap_or(i64::MAX));
        view! { <p class="faint small">{format!("{rest} more characters are left out here.")}</p> }
    });
    // As it is, so that a copy of it is exact.
    let whole = text[..cut.unwrap_or(text.len())].to_owned().into_any();
    view! {
        <details class="fold">
            <summary>"Technical detail"</summary>
            <div class="stack stack--tight">
                <CodeLines lines=vec![whole] label="Technical detail" id="technical-detail" plain=true/>
                {left_out}
                <div class="row"><Copy from="technical-detail".to_owned() what="the technical detail".to_owned()/></div>
            </div>
        </details>
    }
}
