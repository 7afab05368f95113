//! A table of tokens, for those who made them and for admins.

use chrono::{DateTime, Utc};
use domain::ids::TokenId;
use leptos::prelude::*;
use service::{TokenKind, tokens::read::TokenSeen};

use crate::components::{Age, Cell, Head, Moment, StepUp, Table, Tag};

/// Tokens, with a form that revokes each.
pub(super) fn token_table(
    tokens: &[TokenSeen],
    now: DateTime<Utc>,
    revoke: impl Fn(TokenId) -> String,
    confirmed: bool,
) -> AnyView {
    let row = |seen: &TokenSeen| {
        let (row, standing) = (&seen.row, standing(seen, now));
        let revoke = (standing == Standing::Stands).then(|| revoking(seen, revoke(row.id), confirmed));
        let used = match row.last_used_at {
            Some(at) => view! { <Age at now/>" ago" }.into_any(),
            None => view! { <span class="muted">"never"</span> }.into_any(),
        };
        let made = row.made_by.clone().map(|by| view! { <span class="sub">"by "<bdi>{by}</bdi></span> });
        let expires = match row.expires_at {
            Some(at) => view! { <Moment at/> }.into_any(),
            None => view! { <span class="muted">"lasts"</span> }.into_any(),
        };
        view! {
            <Cell class="cell-main"><bdi>{row.name.clone()}</bdi><span class="sub">{bound(seen)}</span></Cell>
            <Cell label="Made"><Moment at=row.created_at/>{made}</Cell>
            <Cell label="Ends">{expires}</Cell>
            <Cell label="Last used">{used}</Cell>
            <Cell label="State" class="cell-fit">{tag(standing)}</Cell>
            <Cell class="cell-fit cell-end">{revoke}</Cell>
        }
        .into_any()
    };
    let heads =
        ["Token", "Made", "Ends", "Last used", "State", ""].map(|words| view! { <Head>{words}</Head> }.into_any());
    view! { <Table caption="Tokens, newest first" heads=heads.into() rows=tokens.iter().map(row).collect()/> }
        .into_any()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Stands,
    Expired,
    Revoked,
}

fn standing(seen: &TokenSeen, now: DateTime<Utc>) -> Standing {
    match (seen.row.revoked_at, seen.row.expires_at) {
        (Some(_), _) => Standing::Revoked,
        (None, Some(at)) if at <= now => Standing::Expired,
        _ => Standing::Stands,
    }
}

fn tag(standing: Standing) -> AnyView {
    match standing {
        Standing::Stands => view! { <Tag icon="check" tone="good" words="stands"/> }.into_any(),
        Standing::Expired => view! { <Tag icon="clock" words="has ended"/> }.into_any(),
        Standing::Revoked => view! { <Tag icon="ban" words="revoked"/> }.into_any(),
    }
}

/// What it is bound to or limited to.
fn bound(seen: &TokenSeen) -> String {
    let list = |words: Vec<String>| words.join(", ");
    match (seen.row.kind, &seen.workflows) {
        (TokenKind::Automation, None) => "automation · any workflow".to_owned(),
        (TokenKind::Automation, Some(bound)) => format!("automation · {}", list(bound.iter().cloned().collect())),
        (TokenKind::Personal, _) if seen.scopes.is_empty() => "acts as its person, without what is reserved".to_owned(),
        (TokenKind::Personal, _) => {
            format!("acts as its person: {}", list(seen.scopes.iter().map(ToString::to_string).collect()))
        }
    }
}

/// Revoking is final, so it takes two clicks: it is folded away.
fn revoking(seen: &TokenSeen, to: String, confirmed: bool) -> AnyView {
    let id = format!("revoke-{}", seen.row.id.0.simple());
    let confirm = confirmed.then(|| view! { <StepUp id/> });
    view! {
        <details class="fold fold--end">
            <summary>"Revoke…"</summary>
            <form class="form" method="post" action=to>
                {confirm}
                <button class="button button--danger button--small">
                    "Revoke it"<span class="visually-hidden">": "{seen.row.name.clone()}</span>
                </button>
            </form>
        </details>
    }
    .into_any()
}
