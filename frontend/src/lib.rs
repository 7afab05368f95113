//! The wasm entry. The page's hydration script imports the bundle and calls `hydrate`, then wakes the islands it finds.

// Islands are exported by `app`; a crate that nothing refers to is not linked, and its exports vanish.
use app as _;
use leptos::prelude::{document, set_timeout};
use std::time::Duration;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_islands();
    // The script wakes all islands before the next task, so from then on `<html data-islands="awake">` is true.
    set_timeout(mark_awake, Duration::ZERO);
}

fn mark_awake() {
    if let Some(root) = document().document_element() {
        // It cannot fail: the name is a valid attribute's.
        let _ = root.set_attribute("data-islands", "awake");
    }
}
