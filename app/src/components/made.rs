use leptos::prelude::*;

use super::Notice;
use crate::{
    islands::Copy,
    visit::{FormState, Made},
};

/// Shows what a form made and what is not kept: this once.
#[component]
pub(crate) fn MadeNotice() -> impl IntoView {
    let made = use_context::<FormState>()?.made?;
    let (title, words, text, waiting) = match made {
        Made::Link { link, waiting } => (
            "Pass this link on",
            "It works once and is shown this once. Give it to the person by a way that nobody else reads.",
            link,
            waiting,
        ),
        Made::Token(secret) => (
            "The token",
            "It is shown this once: only its digest is kept. Put it where the program reads it.",
            secret,
            Vec::new(),
        ),
        Made::Codes(codes) => (
            "Recovery codes",
            "Each works once in place of your authenticator. They are shown this once: print them, or keep them where you keep passwords.",
            codes.join("\n"),
            Vec::new(),
        ),
        // Has a page of its own.
        Made::Payload(_) => return None,
    };
    let waiting = (!waiting.is_empty()).then(|| {
        view! { <p>"Waits for a second admin, and a day: "<b>{waiting.join(", ")}</b>"."</p> }
    });
    let shown = view! {
        <div role="status">
            <Notice tone="good" title=title>
                <p>{words}</p>
                <pre class="secret" id="made" tabindex="0">{text}</pre>
                {waiting}
                <Copy from="made".to_owned() what="it".to_owned()/>
            </Notice>
        </div>
    }
    .into_any();
    Some(shown)
}
