use leptos::prelude::*;
use service::items::{
    packet::Packet,
    verbs::correct::{ACTION, Preview},
};

use crate::{
    components::{Fact, unified, words::size},
    paths,
    visit::FormState,
};

/// What a correction would change, and the button that saves it.
pub(super) fn panel(packet: &Packet, preview: &Preview, state: &FormState) -> impl IntoView + use<> {
    let id = packet.item.id;
    let lines = match &preview.hunks {
        Some(hunks) => unified(hunks, "The difference"),
        None => {
            view! { <div class="panel-body"><p>"One of the two is not text: they differ in size or digest."</p></div> }
                .into_any()
        }
    };
    let kept = ["version", "parent", "text", "file", "reason"].into_iter().filter_map(|name| {
        let value = state.typed.get(name)?.clone();
        Some(view! { <textarea name=name hidden>{format!("\n{value}")}</textarea> })
    });
    let size_of = |(bytes, digest): (usize, domain::digest::Sha256)| {
        format!("{} · {}…", size(i64::try_from(bytes).unwrap_or(i64::MAX)), digest.hex().get(..12).unwrap_or_default())
    };
    view! {
        <section class="panel" aria-labelledby="h-difference">
            <header><h2 id="h-difference">"The difference"</h2><span class="note">{format!("from revision {}", preview.parent)}</span></header>
            {lines}
            <div class="panel-body stack">
                <dl class="facts facts--across">
                    <Fact name="Before">{size_of(preview.before)}</Fact>
                    <Fact name="After">{size_of(preview.after)}</Fact>
                    <Fact name="Reason"><bdi>{state.typed("reason")}</bdi></Fact>
                </dl>
                <form class="form" method="post" action=paths::item_action(id, ACTION.step.as_str()) enctype="multipart/form-data">
                    <input type="hidden" name="stage" value="save"/>
                    {kept.collect_view()}
                    <div class="form-end"><button class="button button--primary">"Save as a new revision"</button></div>
                </form>
            </div>
        </section>
    }
    .into_any()
}
