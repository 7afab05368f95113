//! A button that copies the text of another element.

use leptos::prelude::*;

/// Copies what stands in the element with this id. Hidden where the browser can't copy.
#[island]
pub fn Copy(
    /// The element's id.
    from: String,
    /// What is copied, as the end of "Copy …".
    what: String,
) -> impl IntoView {
    let ready = RwSignal::new(false);
    let done = RwSignal::new(false);
    #[cfg(feature = "hydrate")]
    Effect::new(move |_| ready.set(clipboard::exists()));
    let copy = move |_| {
        #[cfg(feature = "hydrate")]
        clipboard::copy(&from, done);
        #[cfg(not(feature = "hydrate"))]
        let _ = (&from, done);
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
    pub(super) fn copy(from: &str, done: RwSignal<bool>) {
        let Some(text) = document().get_element_by_id(from).and_then(|element| element.text_content()) else { return };
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
