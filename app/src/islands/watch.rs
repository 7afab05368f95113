//! Whether what a page shows is still so: asks every 2 s while the tab is visible, and shows the page anew. Not while
//! somebody types in it: then it offers that.

use leptos::prelude::*;

use crate::calls::Unheard;

/// Watches an item whose replay is live. Stands in an element with `role="status"`.
#[island]
pub fn Watch(
    /// The item's id.
    item: String,
    /// The version that the page shows.
    version: i64,
    /// The page.
    page: String,
) -> impl IntoView {
    let heard = RwSignal::new(None::<Result<i64, Unheard>>);
    #[cfg(feature = "hydrate")]
    poll::start(item, version, heard);
    #[cfg(not(feature = "hydrate"))]
    let _ = (item, version);
    move || {
        let words = match heard.get()? {
            Ok(_) => "This has changed — look again",
            Err(Unheard::SignedOut) => "You are signed out — sign in",
            Err(Unheard::Unavailable) => return None,
        };
        Some(view! { <a class="fresh" href=page.clone()>{words}</a> })
    }
}

#[cfg(feature = "hydrate")]
mod poll {
    use std::time::Duration;

    use leptos::{ev, prelude::*, task::spawn_local};
    use web_sys::VisibilityState;

    use crate::calls::{Unheard, version::item_version};

    const EVERY: Duration = Duration::from_secs(2);
    const FIELDS: &str = "main form :is(input, textarea, select):focus";

    pub(super) fn start(item: String, version: i64, heard: RwSignal<Option<Result<i64, Unheard>>>) {
        let typed = StoredValue::new(false);
        let _ = window_event_listener(ev::input, move |_| typed.set_value(true));
        set_interval(
            move || {
                // Once it is said, it stays said.
                if heard.with_untracked(Option::is_some) || document().visibility_state() != VisibilityState::Visible {
                    return;
                }
                let item = item.clone();
                spawn_local(async move {
                    match item_version(item).await {
                        Ok(now) if now == version => {}
                        Ok(_) if !typed.get_value() && !is_typing() => drop(window().location().reload()),
                        Err(Unheard::Unavailable) => {}
                        told => heard.set(Some(told)),
                    }
                });
            },
            EVERY,
        );
    }

    fn is_typing() -> bool {
        document().query_selector(FIELDS).is_ok_and(|field| field.is_some())
    }
}
