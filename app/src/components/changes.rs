use domain::document::{difference::ChangeKind, look_alike::look_alikes};
use leptos::prelude::*;
use service::payloads::difference::{ByLine, ByPath, Difference, Place, Written};

use super::{Cell, Compare, Head, Table, unified, visible, words::size};

/// How the lines are shown.
pub(crate) enum Lines {
    /// Under one another.
    Unified,
    /// Beside one another, under these names.
    Beside(String, String),
}

/// What differs: place by place first, the full text one click away.
pub(crate) fn changes(difference: &Difference, lines: Lines) -> AnyView {
    let hidden = difference.hidden.then(hidden);
    let by_line = |open: bool, lines: Lines| {
        difference
            .by_line
            .as_ref()
            .filter(|by_line| !by_line.hunks.is_empty())
            .map(|by_line| folded(by_line, lines, open))
    };
    let body = match (&difference.by_path, &difference.by_line) {
        (Some(by_path), _) if !by_path.changes.is_empty() => {
            view! { {table(by_path)}{left_out(by_path)}{by_line(matches!(lines, Lines::Beside(..)), lines)} }.into_any()
        }
        (Some(by_path), _) if by_path.layout => {
            let words =
                "Every value is the same and written the same: only white space or line ends between them differ.";
            view! { {said(words)}{by_line(false, lines)} }.into_any()
        }
        (_, Some(by_line)) if by_line.hunks.is_empty() => said(if difference.hidden {
            "Nothing that you may see differs."
        } else {
            "The two are the same, byte for byte."
        }),
        (_, Some(_)) => view! { {by_line(true, lines)} }.into_any(),
        (_, None) => not_text(difference.sizes),
    };
    view! { {hidden}{body} }.into_any()
}

fn said(words: &'static str) -> AnyView {
    view! { <div class="panel-body"><p>{words}</p></div> }.into_any()
}

fn hidden() -> AnyView {
    let words = "Values above your clearance are left out: whether they differ is not told.";
    view! { <div class="panel-body"><p><i class="masked">"•••• hidden"</i>" "{words}</p></div> }.into_any()
}

fn not_text(sizes: Option<(usize, usize)>) -> AnyView {
    let told = |bytes: usize| size(i64::try_from(bytes).unwrap_or(i64::MAX));
    let sizes = sizes.map(|(before, after)| format!(" {} before, {} after.", told(before), told(after)));
    view! { <div class="panel-body"><p>"One of the two is not text: they differ in size or digest."{sizes}</p></div> }
        .into_any()
}

fn folded(by_line: &ByLine, lines: Lines, open: bool) -> AnyView {
    let note = if by_line.laid_out { " (laid out for reading; each is one line)" } else { "" };
    let shown = match lines {
        Lines::Unified => unified(&by_line.hunks, "The difference line by line"),
        Lines::Beside(before, after) => view! { <Compare hunks=by_line.hunks.clone() before after/> }.into_any(),
    };
    view! {
        <details class="fold fold--lines" open=open>
            <summary>"Line by line"{note}</summary>
            {shown}
        </details>
    }
    .into_any()
}

fn left_out(by_path: &ByPath) -> Option<AnyView> {
    let more = match by_path.more {
        0 => None,
        more => Some(format!("{more} more are not listed; line by line shows all of them.")),
    };
    let layout = by_path.layout.then_some("White space or line ends between values differ as well.");
    (more.is_some() || layout.is_some())
        .then(|| view! { <div class="panel-body"><p class="muted small">{more}" "{layout}</p></div> }.into_any())
}

fn table(by_path: &ByPath) -> AnyView {
    let head = |words: &'static str| view! { <Head>{words}</Head> }.into_any();
    let heads = ["Where", "Was", "Becomes", "What happened"].map(head).into_iter().collect();
    view! { <Table class="diff" caption="What differs, place by place" heads rows=by_path.changes.iter().map(row).collect()/> }
        .into_any()
}

fn row(place: &Place) -> AnyView {
    let path = if place.path.is_empty() { "the whole".to_owned() } else { place.path.clone() };
    let alike = place.looks_the_same.then(|| view! { <br/><strong>"They look alike and differ."</strong> });
    let same = matches!(place.kind, ChangeKind::Moved);
    let old = place.old.as_ref().map(|written| view! { <del>{marked(&written.text)}</del>{cut(written)} });
    let new =
        place.new.as_ref().filter(|_| !same).map(|written| view! { <ins>{marked(&written.text)}</ins>{cut(written)} });
    view! {
        <Cell label="Where"><code>{marked(&path)}</code></Cell>
        <Cell label="Was">{old}</Cell>
        <Cell label="Becomes">{new}</Cell>
        <Cell label="What happened">{happened(place)}{alike}</Cell>
    }
    .into_any()
}

fn happened(place: &Place) -> String {
    let kind = |written: &Option<Written>| written.as_ref().map_or("", |written| written.type_name);
    match place.kind {
        ChangeKind::Added => "new".to_owned(),
        ChangeKind::Removed => "gone".to_owned(),
        ChangeKind::Changed => "changed".to_owned(),
        ChangeKind::TypeChanged => format!("type changed: {} to {}", kind(&place.old), kind(&place.new)),
        ChangeKind::Moved => format!("moved from {}", place.from.as_deref().unwrap_or("elsewhere")),
        ChangeKind::Duplicated => "a second one of this name; most readers see only the last".to_owned(),
        ChangeKind::Respelled => "same value, other spelling".to_owned(),
        ChangeKind::Reordered => "same members, other order".to_owned(),
    }
}

fn cut(written: &Written) -> Option<AnyView> {
    written.cut.then(|| view! { <i class="masked">"and more"</i> }.into_any())
}

/// A text with what would not show, and what only looks like another character, made visible.
pub(crate) fn marked(text: &str) -> AnyView {
    let mut pieces = Vec::new();
    let mut shown = 0;
    for (at, character, script) in look_alikes(text) {
        pieces.push(visible::shown(&text[shown..at]));
        let named = format!("U+{:04X} {script}", u32::from(character));
        pieces.push(view! { <mark>{character.to_string()}</mark><i class="codepoint">{named}</i> }.into_any());
        shown = at + character.len_utf8();
    }
    pieces.push(visible::shown(&text[shown..]));
    pieces.into_any()
}
