use leptos::prelude::*;

use super::Icon;

/// The id of the dialog that lists the keys.
pub(crate) const KEYS: &str = "keys";

const MOVES: &[(&str, &str)] = &[
    ("j", "next row"),
    ("k", "row before"),
    ("Enter, o", "open the row"),
    ("/", "search"),
    ("Esc", "leave a field, close what is open"),
    ("?", "this list"),
];

/// Lists the keys that work everywhere. None of them changes anything.
#[component]
pub(crate) fn KeysDialog(
    /// The places there are for this person, with their letters.
    places: Vec<(&'static str, &'static str)>,
) -> impl IntoView {
    let row = |(key, does): (String, String)| {
        let key =
            key.split(' ').map(|key| view! { <kbd>{key.trim_end_matches(',').to_owned()}</kbd>" " }).collect_view();
        view! { <div><dt>{key}</dt><dd>{does}</dd></div> }
    };
    let moves = MOVES.iter().map(|(key, does)| ((*key).to_owned(), (*does).to_owned()));
    let places = places.into_iter().map(|(key, place)| (format!("g {key}"), format!("go to {place}")));
    view! {
        <dialog class="dialog" id=KEYS aria-labelledby="keys-title">
            <header><h2 id="keys-title">"Keys"</h2></header>
            <div class="dialog-body"><dl class="facts">{moves.chain(places).map(row).collect_view()}</dl></div>
            <footer><form method="dialog"><button class="button">"Close"</button></form></footer>
        </dialog>
    }
    .into_any()
}

/// Opens the list; shown once the keys work.
#[component]
pub(crate) fn KeysButton() -> impl IntoView {
    view! {
        <button class="button button--quiet button--icon" type="button" data-opens=KEYS aria-label="Keys" hidden>
            <Icon name="command"/>
        </button>
    }
    .into_any()
}
