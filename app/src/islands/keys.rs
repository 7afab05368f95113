//! The keyboard: moving in lists, going to places, searching. Nothing here changes anything.

use leptos::prelude::*;

/// Listens on the whole page, except while something is typed. `keys` is the id of the dialog that lists them.
#[island]
pub fn Keys(keys: String) -> impl IntoView {
    #[cfg(feature = "hydrate")]
    listen::start(keys);
    #[cfg(not(feature = "hydrate"))]
    let _ = keys;
}

#[cfg(feature = "hydrate")]
mod listen {
    use std::{cell::Cell, time::Duration};

    use leptos::{ev, prelude::*};
    use wasm_bindgen::JsCast as _;
    use web_sys::{Element, HtmlDialogElement, HtmlElement, KeyboardEvent};

    const TYPING: &str = "input, textarea, select, [contenteditable]";
    /// How long `g` waits for the key of a place.
    const GO_WITHIN: Duration = Duration::from_secs(2);

    pub(super) fn start(dialog: String) {
        let opens = dialog.clone();
        // What opens the list of keys is shown only to those who have them.
        if let Some(button) = find(&format!("[data-opens={opens}]")) {
            button.set_hidden(false);
            let _ = window_event_listener(ev::click, move |event| {
                if target(&event).is_some_and(|element| closest(&element, "[data-opens]")) {
                    show(&opens);
                }
            });
        }
        let going = Cell::new(None::<f64>);
        let _ = window_event_listener(ev::keydown, move |event| press(&event, &dialog, &going));
    }

    fn press(event: &KeyboardEvent, dialog: &str, going: &Cell<Option<f64>>) {
        let held = event.ctrl_key() || event.meta_key() || event.alt_key() || event.is_composing();
        if held
            || event.default_prevented()
            || document().query_selector("dialog[open]").is_ok_and(|open| open.is_some())
        {
            return;
        }
        let key = event.key();
        if let Some(field) = target(event).filter(|element| closest(element, TYPING)) {
            if let (Ok(field), "Escape") = (field.dyn_into::<HtmlElement>(), key.as_str()) {
                let _ = field.blur();
            }
            return;
        }
        let now = event.time_stamp();
        let went = going.take().is_some_and(|since| now - since < GO_WITHIN.as_secs_f64() * 1000.0);
        let done = match key.as_str() {
            // The key names a place only if it is one plain letter, so it can stand in a selector.
            letter if went && letter.len() == 1 && letter.as_bytes()[0].is_ascii_alphabetic() => {
                find(&format!("nav [data-go={letter}]")).map(|link| link.click())
            }
            "g" => Some(going.set(Some(now))),
            "j" => step(1),
            "k" => step(-1),
            "o" => row().map(|link| link.click()),
            "/" => find("input[type=search]").map(|field| drop(field.focus())),
            "?" => show(dialog),
            _ => None,
        };
        if done.is_some() {
            event.prevent_default();
        }
    }

    /// The link of the row that has the focus.
    fn row() -> Option<HtmlElement> {
        document().active_element()?.dyn_into::<HtmlElement>().ok().filter(|element| closest(element, "a.open"))
    }

    /// Moves the focus by one row, or to the first.
    fn step(by: i32) -> Option<()> {
        let rows = document().query_selector_all("a.open").ok()?;
        let last = i32::try_from(rows.length()).ok()? - 1;
        let current = row().and_then(|row| (0..=last).find(|at| rows.get(at.unsigned_abs()).as_ref() == Some(&row)));
        let next = current.map_or(0, |at| (at + by).clamp(0, last.max(0)));
        rows.get(next.unsigned_abs())?.dyn_into::<HtmlElement>().ok()?.focus().ok()
    }

    fn show(dialog: &str) -> Option<()> {
        let dialog = document().get_element_by_id(dialog)?.dyn_into::<HtmlDialogElement>().ok()?;
        dialog.show_modal().ok()
    }

    fn find(selector: &str) -> Option<HtmlElement> {
        document().query_selector(selector).ok()??.dyn_into().ok()
    }

    /// What was clicked or typed into; inside a button that may be a drawing.
    fn target(event: &web_sys::Event) -> Option<Element> {
        event.target()?.dyn_into().ok()
    }

    fn closest(element: &Element, selector: &str) -> bool {
        element.closest(selector).is_ok_and(|found| found.is_some())
    }
}
