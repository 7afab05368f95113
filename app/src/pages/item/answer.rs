use domain::document::{Kind, kind};
use leptos::prelude::*;
use service::{Attempt, items::packet::Packet};

use crate::components::{Content, words};

/// What was answered to an attempt, as far as it is kept, folded away. Above the viewer's clearance there is none of it.
pub(super) fn kept(packet: &Packet, attempt: &Attempt) -> Option<impl IntoView + use<>> {
    let answer = packet.answers.iter().find(|answer| answer.attempt_id == attempt.id)?;
    let media_type = answer.media_type.clone().unwrap_or_default();
    let kind = kind(&media_type, &answer.bytes);
    let declared = if media_type.is_empty() { "no media type".to_owned() } else { media_type };
    let size = words::size(i64::try_from(answer.bytes.len()).unwrap_or(i64::MAX));
    let cut = if answer.cut { ", cut" } else { "" };
    let body = match kind {
        Kind::Binary => view! { <p class="small muted">"It is not text."</p> }.into_any(),
        _ if answer.bytes.is_empty() => view! { <p class="small muted">"It was empty."</p> }.into_any(),
        _ => view! { <Content bytes=answer.bytes.clone() kind raw=false label="The answer"/> }.into_any(),
    };
    Some(view! {
        <details class="fold">
            <summary>"The answer"<span class="faint"><bdi>{declared}</bdi>" · "{size}{cut}</span></summary>
            {body}
        </details>
    })
}
