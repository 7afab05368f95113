//! "12 new — show": asks every 15 s while the tab is visible, and offers. It never moves a row.

use leptos::prelude::*;

use crate::calls::{Unheard, arrivals::Fresh};

/// Offers what came since the queue was shown. Stands in an element with `role="status"`.
#[island]
pub fn Arrivals(
    /// The queue's query.
    query: String,
    /// When the queue was read, in microseconds since 1970.
    since: i64,
    /// Where the new ones are shown first.
    show: String,
) -> impl IntoView {
    let heard = RwSignal::new(None::<Result<Fresh, Unheard>>);
    #[cfg(feature = "hydrate")]
    poll::start(query, since, heard);
    #[cfg(not(feature = "hydrate"))]
    let _ = (query, since);
    move || {
        let words = match heard.get()? {
            Ok(Fresh { number, more }) => format!("{number}{} new — show", if more { "+" } else { "" }),
            Err(Unheard::SignedOut) => "You are signed out — sign in".to_owned(),
            Err(Unheard::Unavailable) => return None,
        };
        Some(view! { <a class="fresh" href=show.clone()><span aria-hidden="true">"↑"</span>{words}</a> })
    }
}

#[cfg(feature = "hydrate")]
mod poll {
    use std::time::Duration;

    use leptos::{prelude::*, task::spawn_local};
    use web_sys::VisibilityState;

    use crate::calls::{
        Unheard,
        arrivals::{Fresh, count_arrivals},
    };

    const EVERY: Duration = Duration::from_secs(15);

    pub(super) fn start(query: String, since: i64, heard: RwSignal<Option<Result<Fresh, Unheard>>>) {
        set_interval(
            move || {
                let over = heard.with_untracked(|heard| matches!(heard, Some(Err(Unheard::SignedOut))));
                if over || document().visibility_state() != VisibilityState::Visible {
                    return;
                }
                let query = query.clone();
                spawn_local(async move {
                    let answer = count_arrivals(query, since).await;
                    let news = answer.map_or(true, |fresh| fresh.number > 0);
                    let same = heard.with_untracked(|heard| *heard == Some(answer));
                    if news && !same && answer != Err(Unheard::Unavailable) {
                        heard.set(Some(answer));
                    }
                });
            },
            EVERY,
        );
    }
}
