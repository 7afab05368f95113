use leptos::prelude::*;
use service::{
    Service,
    approvals::read::{Listed, Tab},
};
use url::form_urlencoded;

use super::what;
use crate::{
    components::{Cell, Empty, Frame, Head, Icon, LongText, Moment, Pager, Person, Table},
    pages::{Place, answer::answered},
    paths,
    visit::Visit,
};

/// Approvals as an auditor reads them: asked, decided, executed, with reasons, people and hash.
#[component]
pub(in crate::pages) fn AuditedApprovalsPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let mut query = form_urlencoded::parse(visit.query().as_bytes());
    let from = query.find(|(name, _)| name == "from").and_then(|(_, value)| paths::read_place(&value));
    let ask = async move {
        let from = from.map(|(at, id)| (at, domain::ids::ApprovalId(id)));
        service.approvals(&visit.request, Tab::Audit, from).await
    };
    answered(ask, move |found| {
        let row = |row: &Listed| {
            let approval = &row.approval;
            let decision = |decision: &service::ApprovalDecision| {
                view! {
                    <span class="sub">
                        <b>{decision.verdict.label()}</b>" by "<Person name=decision.person_name.clone()/>" "<Moment at=decision.at exact=true/>
                        <LongText text=decision.reason.clone() class="foreign" shown=200/>
                    </span>
                }
            };
            let ended = approval.ended_why.clone().filter(|_| row.decisions.is_empty());
            let ended = ended.map(|why| view! { <LongText text=why class="foreign" shown=200/> });
            let hash = domain::digest::Sha256::from_slice(&approval.hash).map(|hash| hash.hex()).unwrap_or_default();
            view! {
                <Cell label="Asked" class="cell-fit"><Moment at=approval.requested_at exact=true/></Cell>
                <Cell label="By"><Person name=approval.requested_by_name.clone()/></Cell>
                <Cell label="What" class="cell-main">
                    <a href=paths::approval(approval.id)>{what(row)}</a>
                    <LongText text=approval.reason.clone() class="foreign" shown=200/>
                    <span class="sub mono foreign">{hash.clone()}</span>
                </Cell>
                <Cell label="Item" class="cell-item"><a class="clip" href=paths::item(approval.item_id)><bdi>{row.name.clone()}</bdi></a></Cell>
                <Cell label="Decided"><b>{approval.state.label()}</b>{row.decisions.iter().map(decision).collect_view()}{ended}</Cell>
                <Cell label="Became">{row.became.unwrap_or("–")}</Cell>
            }
            .into_any()
        };
        let heads = ["Asked", "By", "What, why and its hash", "Item", "Decided", "What became of it"]
            .map(|words| view! { <Head>{words}</Head> }.into_any());
        let first = from.map(|_| ("Newest", paths::audited_approvals(None)));
        let next = found.next.map(|(at, id)| ("Older", paths::audited_approvals(Some((at, id.0)))));
        let list = if found.rows.is_empty() {
            view! {
                <section class="panel">
                    <Empty icon="stamp" title="No approvals"><p>"When somebody asks for an approval, it appears here with what became of it."</p></Empty>
                </section>
            }
            .into_any()
        } else {
            view! {
                <section class="panel" aria-label="Approvals">
                    <Table class="audit-table" caption="Approvals, newest first" heads=heads.into() rows=found.rows.iter().map(row).collect()/>
                    <Pager shown="Newest first" first next/>
                </section>
            }
            .into_any()
        };
        view! {
            <Frame title="Approvals in the audit" at=Some(Place::Audit)>
                <div class="page-head">
                    <div>
                        <h1>"Approvals"</h1>
                        <p>"Who asked for what and why, who decided it, over which content, and what became of it."</p>
                    </div>
                    <a class="button" href=paths::AUDIT><Icon name="shield-check"/>"Audit"</a>
                </div>
                {list}
            </Frame>
        }
    })
}
