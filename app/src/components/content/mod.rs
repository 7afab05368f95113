//! Bytes from outside, as a person can look at them: laid out for reading, or exactly, line by line. Never more than a
//! page can bear, and never changed.

mod bytes;
mod laid_out;
mod raw;
mod shortened;

use domain::document::Kind;
use leptos::prelude::*;

use super::{CodeLines, Empty, Notice};
use shortened::Shortened;

/// Shows bytes. What is left out is said, and `whole` leads to all of them.
#[component]
pub(crate) fn Content(
    bytes: Vec<u8>,
    kind: Kind,
    /// Exactly, instead of laid out; text that is no JSON is always shown so.
    raw: bool,
    /// What it is, read out when it takes the focus.
    label: &'static str,
    /// Where all of it can be had as a file.
    #[prop(optional_no_strip)]
    whole: Option<String>,
) -> impl IntoView {
    if bytes.is_empty() {
        return view! { <Empty icon="file" small=true><p>"0 bytes. That is kept as it is."</p></Empty> }.into_any();
    }
    let text = std::str::from_utf8(&bytes).ok().filter(|_| kind != Kind::Binary);
    let Shortened { lines, left_out } = match text {
        Some(text) if !raw && kind == Kind::Json => laid_out::lines(text).unwrap_or_else(|| raw::lines(text)),
        Some(text) => raw::lines(text),
        None => bytes::lines(&bytes),
    };
    let is_text = text.is_some();
    let notice = left_out.map(|left_out| {
        let whole = whole.map(|whole| {
            view! { <div class="row"><a class="button button--small" href=whole download>"Download the whole"</a></div> }
        });
        view! {
            <div class="panel-body">
                <Notice tone="info" title="This view is shortened">
                    <p>{left_out}" What is kept is the whole."</p>
                    {whole}
                </Notice>
            </div>
        }
    });
    view! { {notice}<CodeLines lines label plain=!is_text/> }.into_any()
}
