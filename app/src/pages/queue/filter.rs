//! What the queue's query asks for. Arrivals read it here too, so both always mean the same rows.

use domain::{ageing::Level, item::Lane, text};
use service::{Cursor, ItemFilter, Mine, Sort, View};
use url::form_urlencoded;

use crate::paths::{self, DEFAULT_VIEW};

/// Characters that a search may have.
const TEXT_LIMIT: usize = 200;

/// A query as far as it could be read.
#[derive(Debug)]
pub struct Asked {
    /// What to show.
    pub filter: ItemFilter,
    /// Where the page begins.
    pub after: Option<Cursor>,
    /// Parts of the query that mean nothing and were left out, in words.
    pub ignored: Vec<String>,
}

/// Reads a query. What means nothing is left out and named, so that an old or mistyped address still shows a queue.
#[must_use]
pub fn from_query(query: &str) -> Asked {
    let filter = ItemFilter { view: DEFAULT_VIEW, ..ItemFilter::open() };
    let mut asked = Asked { filter, after: None, ignored: Vec::new() };
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        // An empty field of a form asks for nothing.
        if !value.is_empty() && read(&mut asked, &name, &value).is_none() {
            asked.ignored.push(format!("{name} “{}”", text::head(&value, 60)));
        }
    }
    asked
}

/// Whether anything but the view narrows the rows.
#[must_use]
pub fn is_narrowed(filter: &ItemFilter) -> bool {
    filter.workflow.is_some()
        || filter.step.is_some()
        || filter.class.is_some()
        || filter.text.is_some()
        || filter.due.is_some()
}

/// Takes one part of the query; `None` if it means nothing. Parts that are not the queue's are somebody else's.
fn read(asked: &mut Asked, name: &str, value: &str) -> Option<()> {
    let filter = &mut asked.filter;
    match name {
        "view" => filter.view = view(value)?,
        "workflow" => filter.workflow = Some(key(value)?),
        "step" => filter.step = Some(key(value)?),
        "class" => filter.class = Some(value.parse().ok()?),
        "q" => filter.text = searched(value)?,
        "due" => filter.due = Some(due(value)?),
        // Whose is said by who asks.
        "mine" => filter.mine = (value == "yes").then(Mine::nobody).map(Some)?,
        "sort" => filter.sort = sort(value)?,
        "after" => {
            let (at, id) = paths::read_place(value)?;
            asked.after = Some(Cursor { at, id });
        }
        _ => {}
    }
    Some(())
}

fn view(word: &str) -> Option<View> {
    match word {
        "uncertain" => Some(View::Uncertain),
        "open" => Some(View::Open),
        "closed" => Some(View::Closed),
        lane => lane.parse::<Lane>().ok().map(View::Lane),
    }
}

fn sort(word: &str) -> Option<Sort> {
    match word {
        "oldest" => Some(Sort::Oldest),
        "newest" => Some(Sort::Newest),
        "due" => Some(Sort::Due),
        _ => None,
    }
}

fn due(word: &str) -> Option<Level> {
    match word.parse().ok()? {
        Level::Escalated => None,
        level => Some(level),
    }
}

fn key(value: &str) -> Option<String> {
    text::key(value, domain::report::KEY_LIMIT).ok().map(str::to_owned)
}

/// What to search for: blanks alone ask for nothing, and a database can't hold U+0000.
fn searched(value: &str) -> Option<Option<String>> {
    let fits = value.chars().count() <= TEXT_LIMIT && !value.contains('\0');
    fits.then(|| Some(value.trim().to_owned()).filter(|text| !text.is_empty()))
}

#[cfg(test)]
mod tests;
