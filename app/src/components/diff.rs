use domain::document::line_diff::{DiffLine, Hunk, Mark};
use leptos::prelude::*;

use super::code_line;

/// Characters of one line that are shown; a document without line ends would be a line of its own.
const OF_A_LINE: usize = 8_000;

/// What differs, line by line under one another.
pub(crate) fn unified(hunks: &[Hunk], label: &'static str) -> AnyView {
    let rows = hunks.iter().enumerate().flat_map(|(at, hunk)| {
        let gap = (at > 0).then(|| view! { <span data-line="gap">"…"</span> }.into_any());
        gap.into_iter().chain(hunk.iter().map(|row| line(row, None)))
    });
    let rows: Vec<AnyView> = rows.collect();
    view! { <pre class="code code--plain" tabindex="0" role="group" aria-label=label>{rows}</pre> }.into_any()
}

/// Both beside one another, equal lines at one height; where there is no room, one under the other.
#[component]
pub(crate) fn Compare(
    hunks: Vec<Hunk>,
    /// What the older one is.
    before: String,
    /// What the newer one is.
    after: String,
) -> impl IntoView {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for (at, hunk) in hunks.iter().enumerate() {
        if at > 0 {
            for side in [&mut left, &mut right] {
                side.push(view! { <span data-line="gap">"…"</span> }.into_any());
            }
        }
        for row in hunk {
            match row.mark {
                Mark::Same => {
                    level(&mut left, &mut right);
                    left.push(line(row, row.old));
                    right.push(line(row, row.new));
                }
                Mark::Removed => left.push(line(row, row.old)),
                Mark::Added => right.push(line(row, row.new)),
            }
        }
        level(&mut left, &mut right);
    }
    let label = format!("{before} and {after}");
    let side = |name: String, lines: Vec<AnyView>| {
        view! { <div class="compare-side"><h3>{name}</h3><pre class="code">{lines}</pre></div> }
    };
    view! {
        <div class="compare-box">
            <div class="compare" tabindex="0" role="group" aria-label=label>{side(before, left)}{side(after, right)}</div>
        </div>
    }
    .into_any()
}

/// Fills the shorter side, so that what follows stands at one height.
fn level(left: &mut Vec<AnyView>, right: &mut Vec<AnyView>) {
    let longer = left.len().max(right.len());
    for side in [left, right] {
        while side.len() < longer {
            side.push(view! { <span data-line="none"></span> }.into_any());
        }
    }
}

/// One line. Its sign is drawn by the stylesheet; for those who hear the page it is said.
fn line(line: &DiffLine, number: Option<usize>) -> AnyView {
    let (mark, said) = match line.mark {
        Mark::Same => (None, None),
        Mark::Removed => (Some("removed"), Some("removed: ")),
        Mark::Added => (Some("added"), Some("added: ")),
    };
    let said = said.map(|said| view! { <i class="visually-hidden">{said}</i> });
    let cut = line.text.char_indices().nth(OF_A_LINE).map(|(at, _)| at);
    let rest = cut.map(|_| view! { <i class="masked">"the line goes on"</i> });
    let shown = code_line(&line.text[..cut.unwrap_or(line.text.len())]);
    view! { <span data-line=mark data-number=number.map(|n| n.to_string())>{said}{shown}{rest}</span> }.into_any()
}
