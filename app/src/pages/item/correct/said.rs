use leptos::prelude::*;
use service::items::verbs::correct::ACTION;

use super::{Seen, typed_in};
use crate::{
    components::{Moment, Notice, visible, words::size},
    paths,
    visit::FormState,
};

/// What somebody who corrects this has to know first: who else is at it, a draft that is there, what is hidden or not open.
pub(super) fn said(seen: &Seen, state: &FormState) -> impl IntoView + use<> {
    view! { {others(seen)}{draft(seen, state)}{kept_back(seen)}{elsewhere(seen)}{hidden(seen)}{open(seen)} }
}

fn others(seen: &Seen) -> Option<AnyView> {
    let others = &seen.desk.others;
    (!others.is_empty()).then(|| {
        let other = |other: &service::OtherDraft| {
            view! { <li><b><bdi>{other.name.clone()}</bdi></b>{format!(", from revision {}, ", other.parent)}<Moment at=other.saved_at/></li> }
        };
        view! {
            <Notice tone="warn" title="Somebody else is correcting this item">
                <ul>{others.iter().map(other).collect_view()}</ul>
                <p>"Whoever saves second is shown both changes before anything is kept."</p>
            </Notice>
        }
        .into_any()
    })
}

/// The page begins with the draft, unless a form was posted.
fn draft(seen: &Seen, state: &FormState) -> Option<AnyView> {
    let draft = seen.desk.draft.as_ref().filter(|_| typed_in(&state.typed).is_none())?;
    let what = draft.exact.then(|| {
        let told = size(i64::try_from(draft.content.len()).unwrap_or(i64::MAX));
        view! { <p>{format!("Your draft is a file of {told}. It is meant byte for byte.")}</p> }
    });
    let as_text = (draft.exact && !seen.by_field && seen.desk.text.is_some()).then(|| {
        let hint = format!("As text its line ends become those of revision {}.", draft.parent);
        view! {
            <form class="row" method="post" action=paths::item_action(seen.id(), ACTION.step.as_str())>
                <input type="hidden" name="stage" value="as_text"/>
                <input type="hidden" name="version" value=seen.packet.item.version.to_string()/>
                <input type="hidden" name="parent" value=draft.parent.to_string()/>
                <input type="hidden" name="draft_version" value=draft.version.to_string()/>
                <input type="hidden" name="reason" value=draft.reason.clone()/>
                <button class="button button--small" aria-describedby="as-text-hint">"Go on with it as text"</button>
                <p class="hint" id="as-text-hint">{hint}</p>
            </form>
        }
    });
    Some(
        view! {
            <Notice tone="info" title="This is your draft">
                {what}
                <p>"Kept "<Moment at=draft.saved_at/>". It is yours alone and stays until you save it or throw it away."</p>
                <div class="row">
                    <form method="post" action=paths::item_action(seen.id(), ACTION.step.as_str())>
                        <input type="hidden" name="stage" value="drop"/>
                        <input type="hidden" name="draft_version" value=draft.version.to_string()/>
                        <input type="hidden" name="parent" value=draft.parent.to_string()/>
                        <button class="button button--small">"Throw the draft away"</button>
                    </form>
                    {as_text}
                </div>
            </Notice>
        }
        .into_any(),
    )
}

fn kept_back(seen: &Seen) -> Option<AnyView> {
    seen.desk.kept_back.map(|_| {
        let words = "You see this payload otherwise than when you typed it, so it is not shown. What you type now takes its place.";
        view! { <Notice tone="info" title="A draft of yours is kept back"><p>{words}</p></Notice> }.into_any()
    })
}

fn elsewhere(seen: &Seen) -> Option<AnyView> {
    let one = |number: &i64| {
        view! { <li><a href=paths::correct(seen.id(), *number, false)>{format!("From revision {number}")}</a></li> }
    };
    let drafts = &seen.desk.elsewhere;
    (!drafts.is_empty()).then(|| {
        view! { <Notice tone="info" title="You have another draft of this item"><ul>{drafts.iter().map(one).collect_view()}</ul></Notice> }
            .into_any()
    })
}

fn hidden(seen: &Seen) -> Option<AnyView> {
    let words = match seen.editable.hidden {
        0 => return None,
        1 => "One value is above your clearance. A placeholder stands for it.".to_owned(),
        many => format!("{many} values are above your clearance. A placeholder stands for each."),
    };
    Some(
        view! {
            <Notice tone="info" title="Something is hidden from you">
                <p>{words}" Leave the placeholders as they are: the values come back in their places when you save."</p>
            </Notice>
        }
        .into_any(),
    )
}

fn open(seen: &Seen) -> Option<AnyView> {
    let open = &seen.editable.editable;
    if !open.is_empty() && !seen.editable.has_places {
        let words = "The step opens places of JSON for editing, and this payload has none. Any change of it is break-glass: a permission of its own, a mark in the audit trail, and a second person for the replay.";
        return Some(
            view! { <Notice tone="info" title="Nothing is open for editing"><p>{words}</p></Notice> }.into_any(),
        );
    }
    (!open.is_empty()).then(|| {
        let one = |pattern: &String| view! { <li><code>{visible::shown(pattern)}</code></li> };
        view! {
            <Notice tone="info" title="Open for editing">
                <ul class="names">{open.iter().map(one).collect_view()}</ul>
                <p>"Anything else is break-glass: a permission of its own, a mark in the audit trail, and a second person for the replay."</p>
            </Notice>
        }
        .into_any()
    })
}
