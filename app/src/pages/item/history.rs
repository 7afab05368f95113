use domain::permission::Permission;
use leptos::prelude::*;
use service::{AuditFilter, AuditRow, items::packet::Packet};

use crate::{
    components::{Icon, LongText, Moment, Panel, words::audit_icon},
    pages::trail::{actor, gone, phrase},
    paths,
    visit::Visit,
};

/// The item's own trail, newest first.
pub(super) fn history(packet: &Packet) -> impl IntoView + use<> {
    let trail = paths::audit(&AuditFilter { item: Some(packet.item.id), ..AuditFilter::default() }, None, None, None);
    let may = use_context::<Visit>().is_some_and(|visit| visit.may(Permission::AuditRead));
    let end = may.then(|| view! { <a class="row-end small" href=trail>"Audit trail of this item"</a> }.into_any());
    view! {
        <Panel id="h-history" title="History" note="newest first" end>
            <ol class="history">{packet.history.iter().map(entry).collect_view()}</ol>
        </Panel>
    }
}

fn entry(row: &AuditRow) -> impl IntoView + use<> {
    let phrase = phrase(row);
    let text = row.text.clone().map(|text| view! { <LongText text/> });
    view! {
        <li>
            <Icon name=audit_icon(row.action)/>
            <div><p><b><bdi>{actor(row)}</bdi></b>{gone(row.actor_deleted_at.is_some())}" "{phrase}</p>{text}</div>
            <Moment at=row.at exact=true/>
        </li>
    }
}
