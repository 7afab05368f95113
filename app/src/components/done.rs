use leptos::prelude::*;
use url::form_urlencoded;

use super::Notice;
use crate::visit::Visit;

/// Says what was done last, as the page's address names it.
#[component]
pub(crate) fn Done() -> impl IntoView {
    let visit = expect_context::<Visit>();
    let what = form_urlencoded::parse(visit.query().as_bytes()).find(|(name, _)| name == "done")?.1;
    let words = match what.as_ref() {
        "password" => "The password was changed. Other sessions were ended.",
        "two-step-off" => "The second step was taken away.",
        "session" => "The session was ended.",
        "sessions" => "The sessions were ended.",
        "asked" => "If there is an account with this address, the admins were told. They pass a link on to you.",
        "name" => "The name and address were changed.",
        "rights" => "Saved. It counts from their next click.",
        "waiting" => {
            "Saved. What decides over others' work waits for a second admin and takes effect after a day at the earliest."
        }
        "disabled" => "The account was disabled and its sessions were ended.",
        "enabled" => "The account was enabled again.",
        "deleted" => "The account was deleted. What they did stays, under their name of then.",
        "role" => "The role was saved. It counts from the next click of everybody who holds it.",
        "role-removed" => "The role was removed.",
        "confirmed" => "Confirmed. It takes effect when its day has passed.",
        "refused" => "It was turned down.",
        "team" => "The team was saved.",
        "channel" => "The channel was saved. Send a test to see whether it works.",
        "channel-disabled" => "The channel was disabled. Nothing is sent through it any more.",
        "channel-enabled" => "The channel was enabled again.",
        "test-arrived" => "The test arrived.",
        "test-failed" => "The test did not arrive. Below is why.",
        "choices" => "Saved. It counts for what you are told from now on.",
        "revoked" => "The token was revoked. It is refused from now on.",
        _ => return None,
    };
    let tone = if what == "test-failed" { "danger" } else { "good" };
    Some(view! { <div role="status"><Notice tone=tone><p>{words}</p></Notice></div> })
}
