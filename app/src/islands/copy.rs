//! A button that copies.

use leptos::prelude::*;

/// Copies a text, or what stands in another element. Hidden where the browser can't copy.
#[island]
pub fn Copy(
    /// The text; where it is long, the element is better.
    #[prop(optional)]
    text: Option<String>,
    /// The element's id.
    #[prop(optional)]
    from: Option<String>,
    /// What is copied, as the end of "Copy …".
    what: String,
) -> impl IntoView {
    let ready = RwSignal::new(false);
    let done = RwSignal::new(false);
    #[cfg(feature = "hydrate")]
    Effect::new(move |_| ready.set(clipboard::exists()));
    let copy = move |_| {
        #[cfg(feature = "hydrate")]
        clipboard::copy(text.as_deref(), from.as_deref(), done);
        #[cfg(not(feature = "hydrate"))]
        let _ = (&text, &from, done);
    };
    view! {
        <button
            class="button button--quiet button--small no-print"
            type="button"
            hidden=move || !ready.get()
            aria-label=format!("Copy {what}")
            on:click=copy
        >
            {move || if done.get() { "Copied" } else { "Copy" }}
        </button>
        <span class="visually-hidden" role="status">{move || done.get().then_some("Copied")}</span>
    }
}

#[cfg(feature = "hydrate")]
mod clipboard {
    use std::time::Duration;

    use leptos::prelude::*;
    use wasm_bindgen::{JsValue, prelude::Closure};
    use web_sys::js_sys::Reflect;

    /// Only secure pages have one.
    pub(super) fn exists() -> bool {
        Reflect::get(&window().navigator(), &JsValue::from_str("clipboard")).is_ok_and(|found| !found.is_undefined())
    }

    /// Says that it is done only when it is: the person may forbid it.
    pub(super) fn copy(text: Option<&str>, from: Option<&str>, done: RwSignal<bool>) {
        let elsewhere = || document().get_element_by_id(from?)?.text_content();
        let Some(text) = text.map(str::to_owned).or_else(elsewhere) else { return };
        let say = Closure::once(move |_: JsValue| {
            done.set(true);
            set_timeout(move || done.set(false), Duration::from_secs(2));
        });
        let refused = Closure::once(|_: JsValue| ());
        let _ = window().navigator().clipboard().write_text(&text).then2(&say, &refused);
        say.forget();
        refused.forget();
    }
}
