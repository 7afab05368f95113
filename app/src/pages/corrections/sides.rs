use leptos::prelude::*;
use service::{Revision, corrections::Corrected, payloads::difference::Difference};

use crate::{
    components::{Fact, Lines, Moment, Panel, changes, words::size},
    islands::Copy,
    pages::trail::gone,
};

/// The original beside the correction; and the parent beside it, where that is another.
pub(super) fn panels(seen: &Corrected) -> impl IntoView + use<> {
    let number = seen.correction.number;
    let from_parent = seen.parent.as_ref().map(|parent| {
        let before = format!("Revision {}", parent.number);
        let title = format!("What this correction changed, from revision {}", parent.number);
        panel("h-parent", title, seen.from_parent.as_ref(), seen, (before, format!("Revision {number}")))
    });
    let title = match seen.parent {
        Some(_) => "All that differs from the original".to_owned(),
        None => "Original and correction".to_owned(),
    };
    let sides = ("The original".to_owned(), format!("Revision {number}"));
    let from_original = panel("h-original", title, seen.from_original.as_ref(), seen, sides);
    view! { {from_parent}{from_original} }
}

fn panel(
    id: &'static str,
    title: String,
    difference: Option<&Difference>,
    seen: &Corrected,
    (before, after): (String, String),
) -> AnyView {
    let said = |words: &'static str| view! { <div class="panel-body"><p>{words}</p></div> }.into_any();
    let body = match (difference, &seen.hidden) {
        (Some(difference), _) => changes(difference, Lines::Beside(before, after)),
        (None, Some(_)) => said("Not shown."),
        (None, None) => said("The bytes of one of the two were erased. Their digests stay."),
    };
    view! { <Panel id title>{body}</Panel> }.into_any()
}

/// Size, media type and digest of a revision, and who made it.
pub(super) fn facts(title: &'static str, id: &'static str, revision: &Revision, hidden: bool) -> AnyView {
    let reason = revision.reason.clone().filter(|_| !hidden);
    let reason = reason.map(|reason| view! { <Fact name="Why"><bdi>{reason}</bdi></Fact> });
    let digest = (!hidden).then(|| {
        let hex = revision.sha256.hex();
        view! { <Fact name="SHA-256"><span class="mono">{hex.clone()}</span>" "<Copy text=hex what="the digest".to_owned()/></Fact> }
    });
    view! {
        <Panel id title note=format!("revision {}", revision.number)>
            <div class="panel-body">
                <dl class="facts">
                    <Fact name="Who"><bdi>{revision.author_name.clone()}</bdi>{gone(revision.author_deleted_at.is_some())}</Fact>
                    <Fact name="When"><Moment at=revision.at exact=true/></Fact>
                    {reason}
                    <Fact name="Content">{revision.media_type.clone()}{(!hidden).then(|| format!(" · {}", size(revision.size)))}</Fact>
                    {digest}
                </dl>
            </div>
        </Panel>
    }
    .into_any()
}
