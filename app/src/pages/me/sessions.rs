use chrono::{DateTime, Utc};
use domain::ids::SessionId;
use leptos::prelude::*;
use service::SessionRow;

use crate::{
    components::{Age, Cell, Head, Moment, Panel, Table},
    paths,
};

/// Where the person is signed in, with the way to end each.
pub(super) fn sessions(open: &[SessionRow], own: Option<SessionId>, now: DateTime<Utc>) -> AnyView {
    let row = |session: &SessionRow| {
        let is_own = own == Some(session.id);
        let end = (!is_own).then(|| {
            view! {
                <form method="post" action=format!("{}/end-session", paths::SECURITY)>
                    <input type="hidden" name="id" value=session.id.to_string()/>
                    <button class="button button--small">"End"<span class="visually-hidden">" the session with "{browser(session)}</span></button>
                </form>
            }
        });
        view! {
            {where_from(session, is_own)}
            <Cell label="Signed in"><Moment at=session.started_at/></Cell>
            <Cell label="Last page"><Age at=session.seen_at now/>" ago"</Cell>
            <Cell label="Ends"><Moment at=session.expires_at/></Cell>
            <Cell class="cell-fit cell-end">{end}</Cell>
        }
        .into_any()
    };
    let heads =
        ["Browser", "Signed in", "Last page", "Ends", ""].map(|words| view! { <Head>{words}</Head> }.into_any());
    let others = (open.len() > 1).then(|| {
        view! {
            <form class="row-end" method="post" action=format!("{}/end-others", paths::SECURITY)>
                <button class="button button--small">"End all others"</button>
            </form>
        }
        .into_any()
    });
    view! {
        <Panel id="sessions" title="Sessions" end=others>
            <Table caption="Sessions" heads=heads.into() rows=open.iter().map(row).collect()/>
        </Panel>
    }
    .into_any()
}

/// The browser and the address of a session.
pub(in crate::pages) fn where_from(session: &SessionRow, is_own: bool) -> AnyView {
    let address = session.address.clone().unwrap_or_else(|| "address unknown".to_owned());
    let this = is_own.then_some(" · this one");
    let full = session.agent.clone();
    view! {
        <Cell class="cell-main">
            <span title=full>{browser(session)}</span>
            <span class="sub mono">{address}{this}</span>
        </Cell>
    }
    .into_any()
}

/// The browser and system as far as they can be told from what it says of itself.
fn browser(session: &SessionRow) -> String {
    let agent = session.agent.as_deref().unwrap_or_default();
    let named =
        |names: &[(&str, &'static str)]| names.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name);
    let browser = named(&[
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ]);
    let system = named(&[
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS", "macOS"),
        ("Linux", "Linux"),
    ]);
    match (browser, system) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => "Unknown browser".to_owned(),
    }
}
