//! The wasm entry. The page's hydration script imports the bundle and calls `hydrate`, which wakes the islands it finds.

// Islands are exported by `app`; a crate that nothing refers to is not linked, and its exports vanish.
use app as _;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_islands();
}
