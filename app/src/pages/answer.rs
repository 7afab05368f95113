use leptos::prelude::*;
use service::{Error, Result};

use super::trouble::Trouble;

/// Shows what a use case answers, or the trouble it met.
pub(super) fn answered<T, V>(
    ask: impl Future<Output = Result<T>> + Send + 'static,
    show: impl FnOnce(T) -> V + Send + 'static,
) -> impl IntoView
where
    T: 'static,
    V: IntoView + 'static,
{
    Suspend::new(async move {
        match ask.await {
            Ok(found) => show(found).into_any(),
            Err(error) => view! { <Trouble error/> }.into_any(),
        }
    })
}

/// The id in an address. What is none names nothing.
pub(super) fn id_in<T: std::str::FromStr>(word: Option<&str>) -> Result<T, Error> {
    word.and_then(|word| word.parse().ok()).ok_or(Error::Refused(domain::refusal::Refusal::NotFound))
}

/// A parameter of the page's path.
pub(super) fn param(name: &str) -> Option<String> {
    leptos_router::hooks::use_params_map().with_untracked(|params| params.get(name))
}
