use leptos::prelude::*;
use service::{Revision, corrections::Corrected, items::difference::Difference};

use crate::{
    components::{Compare, Fact, Moment, Panel, words::size},
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
    let said = |words: String| view! { <div class="panel-body"><p>{words}</p></div> }.into_any();
    let (note, body) = match difference {
        None => match &seen.hidden {
            Some(_) => ("", said("Not shown.".to_owned())),
            None => ("", said("The bytes of one of the two were erased. Their digests stay.".to_owned())),
        },
        Some(Difference::NotText) => {
            ("", said("One of the two is not text: they differ in size and digest.".to_owned()))
        }
        Some(Difference::Lines { hunks, .. }) if hunks.is_empty() => {
            ("", said("The two are the same, byte for byte.".to_owned()))
        }
        Some(Difference::Lines { hunks, laid_out }) => {
            let note = if *laid_out { "laid out for reading; each is one line" } else { "" };
            (note, view! { <Compare hunks=hunks.clone() before after/> }.into_any())
        }
    };
    view! { <Panel id title note=note.to_owned()>{body}</Panel> }.into_any()
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
                    <Fact name="Content">{revision.media_type.clone()}" · "{size(revision.size)}</Fact>
                    {digest}
                </dl>
            </div>
        </Panel>
    }
    .into_any()
}
