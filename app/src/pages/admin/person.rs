use chrono::{DateTime, Utc};
use leptos::prelude::*;
use service::{
    Service, SessionRow,
    people::read::{PersonSeen, Standing},
};

use super::{AdminFrame, person_forms, standing_tag};
use crate::{
    components::{AdminPlace, Age, Cell, Empty, Fact, Head, Icon, Moment, Panel, Table, Tag, words::sensitivity_icon},
    pages::{
        answer::{answered, id_in, param},
        me::where_from,
    },
    paths,
    visit::{FormState, Visit},
};

/// One account: how it stands, and everything an admin may change. Its forms post to addresses below it.
#[component]
pub(in crate::pages) fn PersonPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let form = use_context::<FormState>().unwrap_or_default();
    let id = param("id");
    let now = service.now();
    let ask = async move { service.person(&visit.request, id_in(id.as_deref())?).await };
    answered(ask, move |seen| {
        let row = &seen.listed.row;
        let history =
            view! { <a class="button" href=paths::audit_of(row.id.0)><Icon name="search"/>"What they did"</a> };
        view! {
            <AdminFrame title=row.name.clone() at=AdminPlace::People about=row.email.clone() end=Some(history.into_any())>
                {facts(&seen, now)}
                {person_forms::rights(&seen, &form)}
                {sessions(&seen.sessions, now)}
                {person_forms::access(&seen, &form)}
            </AdminFrame>
        }
    })
}

fn facts(seen: &PersonSeen, now: DateTime<Utc>) -> AnyView {
    let (listed, row) = (&seen.listed, &seen.listed.row);
    let until = match listed.standing {
        Standing::Invited(Some(at)) => Some(view! { <span class="sub">"until "<Moment at/></span> }),
        _ => None,
    };
    let last = match row.signed_in_at {
        Some(at) => view! { <Age at now/>" ago" }.into_any(),
        None => view! { "never" }.into_any(),
    };
    let two_step = if listed.two_step { ("shield-check", "asked for") } else { ("minus", "none") };
    let providers = (!seen.issuers.is_empty()).then(|| {
        view! { <Fact name="Identity provider"><bdi>{seen.issuers.join(", ")}</bdi></Fact> }
    });
    let tokens =
        seen.tokens.iter().filter(|token| token.revoked_at.is_none() && token.expires_at.is_none_or(|at| at > now));
    view! {
        <section class="panel" aria-label="Account">
            <div class="panel-body">
                <dl class="facts facts--across">
                    <Fact name="State">{standing_tag(listed.standing)}{until}</Fact>
                    <Fact name="Clearance"><Tag icon=sensitivity_icon(row.clearance) words=row.clearance.label()/></Fact>
                    <Fact name="Second step"><Tag icon=two_step.0 words=two_step.1/></Fact>
                    <Fact name="Signed in">{last}</Fact>
                    <Fact name="Tokens of theirs">{tokens.count()}</Fact>
                    {providers}
                </dl>
            </div>
        </section>
    }
    .into_any()
}

fn sessions(open: &[SessionRow], now: DateTime<Utc>) -> AnyView {
    if open.is_empty() {
        return view! {
            <Panel id="sessions-title" title="Sessions"><Empty icon="lock" small=true><p>"They are signed in nowhere."</p></Empty></Panel>
        }
        .into_any();
    }
    let row = |session: &SessionRow| {
        view! {
            {where_from(session, false)}
            <Cell label="Signed in"><Moment at=session.started_at/></Cell>
            <Cell label="Last page"><Age at=session.seen_at now/>" ago"</Cell>
        }
        .into_any()
    };
    let heads = ["Browser", "Signed in", "Last page"].map(|words| view! { <Head>{words}</Head> }.into_any());
    view! {
        <Panel id="sessions-title" title="Sessions">
            <Table caption="Sessions" heads=heads.into() rows=open.iter().map(row).collect()/>
        </Panel>
    }
    .into_any()
}
