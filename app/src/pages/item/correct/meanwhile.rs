use leptos::prelude::*;
use service::{items::verbs::correct::ACTION, payloads::draft::ThreeWay};

use super::{Seen, edit};
use crate::{
    components::{Lines, Moment, changes, escaped, visible},
    paths,
    visit::FormState,
};

/// What somebody else made of the same revision while this was typed: both changes, and what can be done with them.
pub(super) fn panel(seen: &Seen, state: &FormState) -> Option<AnyView> {
    let meanwhile = seen.meanwhile.as_ref()?;
    let kept = || seen.desk.draft.as_ref().map(super::text_of);
    let mine = state.typed.get("text").cloned().or_else(kept).unwrap_or_default();
    let side = |title: String, difference: &Option<service::payloads::difference::Difference>| {
        let body = difference.as_ref().map(|difference| changes(difference, Lines::Unified));
        view! { <div class="three-way-side"><h3>{title}</h3>{body}</div> }
    };
    Some(
        view! {
            <section class="panel" id="meanwhile" aria-labelledby="h-meanwhile">
                <header>
                    <h2 id="h-meanwhile">{format!("Revision {} was made meanwhile", meanwhile.newest)}</h2>
                    <span class="note">"by "<bdi>{meanwhile.by.clone()}</bdi>", "<Moment at=meanwhile.at/></span>
                </header>
                <div class="three-way">
                    {side(format!("What {} changed, from revision {}", meanwhile.by, meanwhile.parent), &meanwhile.theirs)}
                    {side("What you changed".to_owned(), &meanwhile.mine)}
                </div>
                {conflicts(meanwhile)}
                <div class="panel-body row">
                    {next(seen, state, meanwhile.newest, &meanwhile.merged, format!("Go on from revision {} with both", meanwhile.newest), true)}
                    {next(seen, state, meanwhile.parent, &mine, format!("Keep to revision {} with yours alone", meanwhile.parent), false)}
                </div>
            </section>
        }
        .into_any(),
    )
}

fn conflicts(meanwhile: &ThreeWay) -> Option<AnyView> {
    let one = |conflict: &domain::document::merge::Conflict| {
        view! {
            <li>
                <p>{format!("Line {}: yours is taken. Theirs was:", conflict.line)}</p>
                <pre class="code code--plain" tabindex="0">{visible::shown(conflict.theirs.trim_end())}</pre>
            </li>
        }
    };
    (!meanwhile.conflicts.is_empty()).then(|| {
        view! {
            <div class="panel-body">
                <p><strong>"Both of you changed the same lines."</strong></p>
                <ul class="findings">{meanwhile.conflicts.iter().map(one).collect_view()}</ul>
            </div>
        }
        .into_any()
    })
}

/// Goes on with this text from that revision, having seen the item as it is now. Nothing is saved yet.
fn next(seen: &Seen, state: &FormState, parent: i64, text: &str, words: String, main: bool) -> AnyView {
    let draft = if parent == seen.editable.parent.number { edit::draft_version(seen, state) } else { 0 };
    let class = if main { "button button--primary" } else { "button" };
    view! {
        <form method="post" action=paths::item_action(seen.id(), ACTION.step.as_str()) enctype="multipart/form-data">
            <input type="hidden" name="stage" value="preview"/>
            <input type="hidden" name="version" value=seen.packet.item.version.to_string()/>
            <input type="hidden" name="parent" value=parent.to_string()/>
            <input type="hidden" name="draft_version" value=draft.to_string()/>
            <input type="hidden" name="reason" value=state.typed("reason")/>
            <textarea name="text" hidden>{format!("\n{}", escaped(text))}</textarea>
            <button class=class>{words}</button>
        </form>
    }
    .into_any()
}
