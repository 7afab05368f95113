//! What the person was told.

use domain::{ids::ItemId, notice::NoticeKind};
use leptos::prelude::*;
use service::{NoticeRow, Service, notices::Told};
use url::form_urlencoded;

use super::{Place, answer::answered};
use crate::{
    components::{Empty, Frame, Icon, Moment, Pager, words::counted},
    paths,
    visit::Visit,
};

/// What the person was told, newest first. Looking at it marks nothing as read.
#[component]
pub(super) fn NoticesPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let mut query = form_urlencoded::parse(visit.query().as_bytes());
    let before = query.find(|(name, _)| name == "before").and_then(|(_, word)| paths::read_place(&word));
    let ask = async move { service.notices(&visit.request, before).await };
    answered(ask, move |told| {
        let all = (told.unread > 0).then(|| {
            view! {
                <form method="post" action=format!("{}/read", paths::NOTICES)>
                    <input type="hidden" name="upto" value=told.as_of.timestamp_micros()/>
                    <button class="button">"Mark all as read"</button>
                </form>
            }
        });
        let unread = match told.unread {
            0 => "All read.".to_owned(),
            100.. => "100 or more are not read.".to_owned(),
            unread => format!("{}.", counted(unread, "is not read", "are not read")),
        };
        view! {
            <Frame title="Notices" at=Some(Place::Notices) class="page--reading">
                <div class="page-head"><div><h1>"Notices"</h1><p>{unread}" "<a href=paths::NOTICE_CHOICES>"Choose how you are told"</a></p></div>{all}</div>
                {list(&told, before.is_some())}
            </Frame>
        }
    })
}

fn list(told: &Told, further: bool) -> AnyView {
    if told.rows.is_empty() {
        return view! {
            <section class="panel">
                <Empty icon="bell" title="Nothing was told to you yet">
                    <p>"Whoever takes an item over from you, gives you one, names you in a comment, or changes what you may do is told of here."</p>
                </Empty>
            </section>
        }
        .into_any();
    }
    let first = further.then(|| ("Newest", paths::notices(None)));
    let next = told.next.map(|next| ("Older", paths::notices(Some(next))));
    view! {
        <section class="panel" aria-label="Notices">
            <ul class="notices">{told.rows.iter().map(one).collect_view()}</ul>
            <Pager shown="Newest first" first next/>
        </section>
    }
    .into_any()
}

fn one(row: &NoticeRow) -> AnyView {
    let new = row.read_at.is_none();
    let mark = new.then(|| {
        view! {
            <form method="post" action=format!("{}/read", paths::NOTICES)>
                <input type="hidden" name="id" value=row.id.to_string()/>
                <button class="button button--quiet button--small">"Mark as read"</button>
            </form>
        }
    });
    let sentence = row.kind.sentence(&row.by_name, &row.about);
    let to = leads_to(row).map(|(path, words)| view! { <a href=path>{words}</a> });
    view! {
        <li data-new=new.then_some("true")>
            <Icon name=icon(row.kind)/>
            <div>
                <p class="foreign">{new.then(|| view! { <b>"New · "</b> })}<bdi>{sentence}</bdi>"."</p>
                <p class="small muted"><Moment at=row.at/>" "{to}</p>
            </div>
            {mark}
        </li>
    }
    .into_any()
}

/// Where to look at what it tells of.
fn leads_to(row: &NoticeRow) -> Option<(String, &'static str)> {
    match row.kind {
        NoticeKind::TakenOver
        | NoticeKind::Given
        | NoticeKind::Escalated
        | NoticeKind::EscalatedAway
        | NoticeKind::Mentioned => row.item_id.map(|id| (paths::item(ItemId(id)), "Look at the item")),
        NoticeKind::AlertRaised => row.alert_id.map(|id| (paths::alert(id, None), "Look at the alert")),
        NoticeKind::ChannelDisabled | NoticeKind::ChannelGivesUp => {
            Some((paths::channel(&row.about), "Look at the channel"))
        }
        NoticeKind::ApprovalWaits => Some((paths::APPROVALS.to_owned(), "What waits for me")),
        NoticeKind::ApprovalDecided | NoticeKind::ApprovalVoided | NoticeKind::CompensationEnded => {
            row.item_id.map(|id| (paths::item(ItemId(id)), "Look at the item"))
        }
        NoticeKind::SubstituteNamed => Some((paths::SUBSTITUTES.to_owned(), "While I am away")),
        NoticeKind::RightWaits | NoticeKind::RightDecided => Some((paths::RIGHTS.to_owned(), "Waiting rights")),
        NoticeKind::RightsChanged => Some((paths::ME.to_owned(), "What I may do")),
        NoticeKind::ResetAsked => Some((paths::PEOPLE.to_owned(), "People")),
        NoticeKind::TokenMade => Some((paths::OWN_TOKENS.to_owned(), "My tokens")),
        NoticeKind::ResetLink
        | NoticeKind::PasswordChanged
        | NoticeKind::TwoStepOn
        | NoticeKind::TwoStepOff
        | NoticeKind::RecoveryCodeUsed => Some((paths::SECURITY.to_owned(), "Password and sessions")),
        NoticeKind::RightGiven => None,
    }
}

fn icon(kind: NoticeKind) -> &'static str {
    match kind {
        NoticeKind::TakenOver | NoticeKind::Given => "hand",
        NoticeKind::Escalated | NoticeKind::EscalatedAway => "arrow-up",
        NoticeKind::AlertRaised => "siren",
        NoticeKind::ChannelDisabled | NoticeKind::ChannelGivesUp => "send",
        NoticeKind::Mentioned => "message-square",
        NoticeKind::RightGiven | NoticeKind::RightWaits | NoticeKind::RightDecided | NoticeKind::RightsChanged => {
            "user-check"
        }
        NoticeKind::ApprovalWaits | NoticeKind::ApprovalDecided | NoticeKind::ApprovalVoided => "stamp",
        NoticeKind::CompensationEnded => "rotate-ccw",
        NoticeKind::SubstituteNamed => "user-plus",
        _ => "key-round",
    }
}
