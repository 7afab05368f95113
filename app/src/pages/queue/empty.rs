use domain::item::Lane;
use leptos::prelude::*;
use service::{ItemFilter, Sort, View, items::list::Queue};

use super::{
    controls::unfiltered,
    filter::{Asked, is_narrowed},
};
use crate::{
    components::{CodeLines, Empty},
    islands::Copy,
    paths,
};

/// No rows: because nothing matches, because this view is clear, or because nothing was reported yet.
pub(super) fn empty(asked: &Asked, queue: &Queue, public_url: &str, first: Option<String>) -> AnyView {
    let filter = &asked.filter;
    if let Some(first) = first {
        return view! {
            <Empty icon="circle-check-big" title="No further items">
                <div class="row"><a class="button" href=first>"Back to the beginning"</a></div>
            </Empty>
        }
        .into_any();
    }
    if filter.mine.is_some() && !is_narrowed(filter) {
        return view! {
            <Empty icon="user-check" title="Nothing is yours">
                <p>"What you answer for, and what you have claimed, appears here."</p>
                <div class="row"><a class="button" href=paths::queue(&ItemFilter { mine: None, sort: Sort::Due, ..filter.clone() }, None)>"What is due next"</a></div>
            </Empty>
        }
        .into_any();
    }
    if is_narrowed(filter) {
        let all = unfiltered(filter);
        return view! {
            <Empty icon="search" title="Nothing matches">
                <p>{what(filter.view)}" With these filters there is none."</p>
                <div class="row"><a class="button" href=paths::queue(&all, None)>"Clear the filters"</a></div>
            </Empty>
        }
        .into_any();
    }
    if filter.view == View::Closed || queue.tabs.open.number > 0 {
        return view! { <Empty icon="circle-check-big" title=clear(filter.view)><p>{what(filter.view)}</p></Empty> }
            .into_any();
    }
    let lines = example(public_url).into_iter().map(|line| line.into_any()).collect();
    view! {
        <Empty icon="inbox" title="Nothing waits">
            <p>"Work that a workflow could not finish appears here. Make a token for it on the command line, then send an item:"</p>
            <CodeLines lines label="How to send an item" id="first-item" plain=true/>
            <div class="row">
                <Copy from="first-item".to_owned() what="the example".to_owned()/>
                <a class="button" href=paths::API_DOCS>"The contract for automations"</a>
            </div>
        </Empty>
    }
    .into_any()
}

/// What would appear in a view.
fn what(view: View) -> &'static str {
    match view {
        View::Lane(Lane::DeadLetter) => "Work that an automation could not complete would appear here.",
        View::Lane(Lane::NeedsReview) => {
            "Work that was drafted or finished, but that a person must decide on, would appear here."
        }
        View::Uncertain => {
            "Work whose side effect may have happened would appear here: a request was sent and no clear answer came back."
        }
        View::Open => "Everything that is not closed would appear here.",
        View::Closed => "Work that came to an end would appear here.",
    }
}

fn clear(view: View) -> &'static str {
    match view {
        View::Uncertain => "Nothing here is in doubt",
        View::Closed => "Nothing was closed yet",
        View::Lane(_) | View::Open => "Nothing waits in this lane",
    }
}

/// Line ends stand in the text, so that a copy of it runs.
fn example(public_url: &str) -> Vec<String> {
    vec![
        "export RECOURSE_TOKEN=\"$(recourse token create --workflow invoice-sync)\"\n".to_owned(),
        format!("curl {public_url}/api/v1/items \\\n"),
        "  -H \"Authorization: Bearer $RECOURSE_TOKEN\" -H \"Content-Type: application/json\" \\\n".to_owned(),
        "  -d '{\"workflow\":\"invoice-sync\",\"step\":\"create_invoice\",\"dedupe_key\":\"INV-1042\",\n".to_owned(),
        "    \"failure\":{\"message\":\"The ledger did not answer\"},\"payload\":{\"json\":{\"amount\":40.00}}}'"
            .to_owned(),
    ]
}
