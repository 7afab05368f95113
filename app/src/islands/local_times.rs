//! Times in the reader's own zone, and ages kept fresh. Without it the server's text stays, in UTC.

use leptos::prelude::*;

/// Rewrites every `<time datetime data-clock>` of the page, says beside what is typed in UTC when that is, and names the zone.
/// Stands near the end of the body.
#[island]
pub fn LocalTimes(
    /// The server's time when the page was made, in milliseconds since 1970; the browser's clock may be wrong.
    as_of: i64,
) -> impl IntoView {
    let zone = RwSignal::new("UTC".to_owned());
    let as_utc = RwSignal::new(false);
    let awake = RwSignal::new(false);
    #[cfg(feature = "hydrate")]
    clocks::start(as_of, zone, as_utc, awake);
    #[cfg(not(feature = "hydrate"))]
    let _ = as_of;
    let words = move || if as_utc.get() { "Show local times" } else { "Show UTC" };
    view! {
        <p class="zone-line">
            <span>"Times are in " {move || if as_utc.get() { "UTC".to_owned() } else { zone.get() }} "."</span>
            <button
                class="button button--quiet button--small no-print"
                type="button"
                hidden=move || !awake.get()
                on:click=move |_| as_utc.update(|utc| *utc = !*utc)
            >
                {words}
            </button>
        </p>
    }
}

#[cfg(feature = "hydrate")]
mod clocks {
    use std::time::Duration;

    use leptos::prelude::*;
    use wasm_bindgen::{JsCast as _, JsValue};
    use web_sys::{
        Element, HtmlInputElement, Node, Storage,
        js_sys::{Array, Date, Intl::DateTimeFormat, Object, Reflect},
    };

    use crate::age;

    const KEPT_AS: &str = "recourse.utc";
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

    pub(super) fn start(as_of: i64, zone: RwSignal<String>, as_utc: RwSignal<bool>, awake: RwSignal<bool>) {
        let begun = elapsed();
        let name = zone_name();
        Effect::new(move |again: Option<()>| {
            if again.is_none() {
                zone.set(name.clone());
                awake.set(true);
                as_utc.set(kept().is_some());
            } else {
                keep(as_utc.get_untracked());
            }
            write_moments(as_utc.get(), &name);
            write_typed(as_utc.get());
        });
        let typing = window_event_listener(leptos::ev::input, move |_| write_typed(as_utc.get_untracked()));
        on_cleanup(move || typing.remove());
        // Monotonic: a browser whose clock is a day off shows the same ages as the server did.
        let refresh = move || write_ages(as_of as f64 + elapsed() - begun);
        set_interval(refresh, Duration::from_secs(60));
    }

    fn write_moments(as_utc: bool, zone: &str) {
        for (time, ms) in times() {
            let exact = text(ms, true, true);
            let _ = time.set_attribute("title", &exact);
            let _ = time.set_attribute("aria-description", &format!("{zone}. {exact}"));
            let seconds = match time.get_attribute("data-clock").as_deref() {
                Some("second") => true,
                Some("minute") => false,
                _ => continue,
            };
            let shown = text(ms, as_utc, seconds);
            let (clock, zone) = shown.rsplit_once(' ').unwrap_or((&shown, ""));
            let node: &Node = &time;
            if let (Some(first), Some(last)) = (node.first_child(), node.last_child()) {
                first.set_node_value(Some(&format!("{clock} ")));
                last.set_text_content(Some(zone));
            }
        }
    }

    fn write_ages(now: f64) {
        for (time, ms) in times() {
            let seconds = ((now - ms) / 1000.0) as i64;
            let words = match time.get_attribute("data-clock").as_deref() {
                Some("age") => age::in_words(seconds),
                Some("due") => age::due_in_words(&time.get_attribute("data-what").unwrap_or_default(), -seconds),
                _ => continue,
            };
            time.set_text_content(Some(&words));
        }
    }

    /// Beside what is typed in UTC: the same in the reader's zone.
    fn write_typed(as_utc: bool) {
        let Ok(found) = document().query_selector_all("output[data-typed]") else { return };
        let outputs = (0..found.length()).filter_map(|at| found.get(at)?.dyn_into::<Element>().ok());
        for output in outputs {
            let input = output.get_attribute("for").and_then(|id| document().get_element_by_id(&id));
            let typed = input.and_then(|input| input.dyn_into::<HtmlInputElement>().ok()).map(|input| input.value());
            let local = typed.map(|typed| Date::parse(&format!("{typed}Z"))).filter(|ms| ms.is_finite());
            let local = local.map(|ms| text(ms, as_utc, false)).filter(|text| !text.ends_with("UTC"));
            let words = local.map(|text| format!("= {text}")).unwrap_or_default();
            if output.text_content().as_deref() != Some(words.as_str()) {
                output.set_text_content(Some(&words));
            }
        }
    }

    fn times() -> Vec<(Element, f64)> {
        let Ok(found) = document().query_selector_all("time[datetime][data-clock]") else { return Vec::new() };
        let time = |at| {
            let time = found.get(at)?.dyn_into::<Element>().ok()?;
            let ms = Date::parse(&time.get_attribute("datetime")?);
            ms.is_finite().then_some((time, ms))
        };
        (0..found.length()).filter_map(time).collect()
    }

    /// "26 Nov 2026, 11:00 UTC+1", as the server writes it for UTC.
    fn text(ms: f64, as_utc: bool, seconds: bool) -> String {
        let offset = if as_utc { 0.0 } else { -Date::new(&JsValue::from_f64(ms)).get_timezone_offset() };
        // The local clock read as if it were UTC: offsets that change during the year come out right.
        let clock = Date::new(&JsValue::from_f64(ms + offset * 60_000.0));
        let month = MONTHS.get(clock.get_utc_month() as usize).copied().unwrap_or_default();
        let (day, year) = (clock.get_utc_date(), clock.get_utc_full_year());
        let mut text = format!("{day} {month} {year:04}, {:02}:{:02}", clock.get_utc_hours(), clock.get_utc_minutes());
        if seconds {
            text.push_str(&format!(":{:02}", clock.get_utc_seconds()));
        }
        text + " UTC" + &offset_words(offset as i32)
    }

    fn offset_words(minutes: i32) -> String {
        let (sign, ahead) = (if minutes < 0 { '−' } else { '+' }, minutes.abs());
        match (ahead / 60, ahead % 60) {
            (0, 0) => String::new(),
            (hours, 0) => format!("{sign}{hours}"),
            (hours, rest) => format!("{sign}{hours}:{rest:02}"),
        }
    }

    fn zone_name() -> String {
        let options = DateTimeFormat::new(&Array::new(), &Object::new()).resolved_options();
        let zone = Reflect::get(&options, &JsValue::from_str("timeZone")).ok().and_then(|zone| zone.as_string());
        zone.unwrap_or_else(|| "your own zone".to_owned())
    }

    fn elapsed() -> f64 {
        window().performance().map_or(0.0, |clock| clock.now())
    }

    fn storage() -> Option<Storage> {
        window().local_storage().ok()?
    }

    fn kept() -> Option<String> {
        storage()?.get_item(KEPT_AS).ok()?
    }

    fn keep(as_utc: bool) {
        if let Some(storage) = storage() {
            let _ = if as_utc { storage.set_item(KEPT_AS, "1") } else { storage.remove_item(KEPT_AS) };
        }
    }
}
