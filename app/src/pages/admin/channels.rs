use chrono::{DateTime, Utc};
use domain::channel::{ChannelKind, host};
use leptos::prelude::*;
use service::{
    ChannelRow, Service,
    channels::read::{Channels, PostingSeen},
};

use super::AdminFrame;
use crate::{
    components::{
        AdminPlace, Age, Cell, Empty, Field, Head, Icon, Moment, Panel, Select, StepUp, Table, Tag, words::counted,
    },
    pages::answer::answered,
    paths,
    visit::{FormState, Visit},
};

/// Every channel, making one, and how e-mail goes. Its form posts to its own address.
#[component]
pub(in crate::pages) fn ChannelsPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let form = use_context::<FormState>().unwrap_or_default();
    let now = service.now();
    let ask = async move { service.channels(&visit.request).await };
    answered(ask, move |found| {
        let about = "Ways out by which others are told. A workflow's file names one as webhook:NAME. What is told never holds a value of a payload.";
        let list = match found.channels.is_empty() {
            true => view! { <Empty icon="send" small=true><p>"There is no channel yet: people are told in the app, and by e-mail where that is set up."</p></Empty> }.into_any(),
            false => table(&found.channels, now),
        };
        view! {
            <AdminFrame title="Channels" at=AdminPlace::Channels about>
                <section class="panel" aria-label="Channels">{list}</section>
                {mail(&found)}
                <Panel id="new-channel" title="Make a channel">
                    <div class="panel-body">
                        <form class="form" method="post" action=paths::CHANNELS>
                            <Field
                                id="name" name="name" label="Name" value=form.typed("name") problem=form.problem("name")
                                hint="As workflow files name it, such as ops-chat; it stays."
                            />
                            {fields(&form, None)}
                            <StepUp id="channel"/>
                            <div class="form-end"><button class="button button--primary">"Make the channel"</button></div>
                        </form>
                    </div>
                </Panel>
            </AdminFrame>
        }
    })
}

fn table(channels: &[ChannelRow], now: DateTime<Utc>) -> AnyView {
    let row = |row: &ChannelRow| {
        view! {
            <Cell class="cell-main">
                <a class="open" href=paths::channel(&row.name)>{row.name.clone()}</a>
                <span class="sub">{row.kind.label()}</span>
            </Cell>
            <Cell label="Where to"><span class="clip">{host(&row.url)}</span></Cell>
            <Cell label="State">{state(row, now)}</Cell>
        }
        .into_any()
    };
    let heads = ["Channel", "Where to", "State"].map(|words| view! { <Head>{words}</Head> }.into_any());
    view! { <Table caption="Channels" heads=heads.into() rows=channels.iter().map(row).collect()/> }.into_any()
}

/// How a channel goes, and why not.
pub(super) fn state(row: &ChannelRow, now: DateTime<Utc>) -> AnyView {
    let why = |why: &Option<String>| view! { <span class="remark"><bdi>{why.clone().unwrap_or_default()}</bdi></span> };
    match (row.disabled_at, row.failing_since, row.worked_at) {
        (Some(_), ..) => view! { <Tag icon="ban" tone="danger" words="disabled"/>{why(&row.disabled_why)} }.into_any(),
        (None, Some(since), _) => {
            view! { <Tag icon="triangle-alert" tone="danger" words="failing"/>" for "<Age at=since now/>{why(&row.last_error)} }
                .into_any()
        }
        (None, None, Some(at)) => {
            view! { <Tag icon="check" tone="good" words="works"/><span class="remark">"last used "<Age at now/>" ago"</span> }
                .into_any()
        }
        (None, None, None) => view! { <Tag icon="circle-dashed" words="not used yet"/> }.into_any(),
    }
}

/// What a channel is to be. Of one that is there its address stays hidden: it may be all that protects it.
pub(super) fn fields(form: &FormState, kept: Option<&ChannelRow>) -> AnyView {
    let typed = |name: &str, otherwise: String| form.typed.get(name).cloned().unwrap_or(otherwise);
    let kinds = ChannelKind::ALL.iter().map(|kind| (kind.as_str(), kind.label())).collect();
    let kind = typed("kind", kept.map_or(ChannelKind::Webhook, |row| row.kind).as_str().to_owned());
    let secret = typed("secret", kept.and_then(|row| row.secret.clone()).unwrap_or_default());
    let private = form.ticked("allow_private", kept.is_some_and(|row| row.allow_private));
    let url_hint = match kept {
        Some(_) => "Empty leaves it as it is: it is not shown, for it may be all that protects the receiver.",
        None => "An https address that takes a POST.",
    };
    let optional = kept.is_some();
    view! {
        <Select id="kind" name="kind" label="What the receiver takes" options=kinds chosen=kind/>
        <Field
            id="url" name="url" label="Address" kind="url" hint=url_hint value=form.typed("url")
            problem=form.problem("url") optional=optional autocomplete="off"
        />
        <Field
            id="secret" name="secret" label="Name of the secret it is signed with" value=secret problem=form.problem("secret")
            hint="Such as RECOURSE_SECRET_OPS_CHAT, which is a variable or a file. Webhooks only." optional=true
        />
        <label class="check">
            <input type="checkbox" name="allow_private" value="yes" checked=private/>
            "It may be at a private address (the settings must allow it, too)"
        </label>
    }
    .into_any()
}

/// How e-mail goes.
fn mail(found: &Channels) -> AnyView {
    if !found.mail {
        return view! {
            <Panel id="mail" title="E-mail">
                <div class="panel-body">
                    <p>"Not set up: people are told in the app only. Give RECOURSE_SMTP_URL and RECOURSE_MAIL_FROM where Recourse is started."</p>
                </div>
            </Panel>
        }
        .into_any();
    }
    let waiting = counted(found.waiting, "e-mail waits", "e-mails wait");
    let failing = match found.failing.is_empty() {
        true => view! { <div class="panel-body"><p class="muted">"Nothing that was sent lately failed."</p></div> }
            .into_any(),
        false => postings(&found.failing, "E-mails that did not arrive"),
    };
    let test = view! {
        <form method="post" action=paths::MAIL_TEST>
            <button class="button button--small"><Icon name="send"/>"Send me a test"</button>
        </form>
    };
    let withheld = (!found.withheld.is_empty()).then(|| {
        let note = "Their readers chose so, have left, or may not see it any more.";
        let rows = postings(&found.withheld, "E-mails that were not sent");
        view! { <Panel id="withheld" title="E-mails that were not sent" note>{rows}</Panel> }
    });
    view! {
        <Panel id="mail" title="E-mail" note=waiting end=Some(test.into_any())>{failing}</Panel>
        {withheld}
    }
    .into_any()
}

/// What kind of thing was told, and what came of it.
pub(super) fn postings(postings: &[PostingSeen], caption: &'static str) -> AnyView {
    let row = |row: &PostingSeen| {
        let to = row.address.clone().map(|address| view! { <span class="sub"><bdi>{address}</bdi></span> });
        view! {
            <Cell class="cell-main"><bdi>{row.what.clone()}</bdi>{to}</Cell>
            <Cell label="Written"><Moment at=row.created_at/></Cell>
            <Cell label="Tries" class="cell-fit">{row.tries}</Cell>
            <Cell label="Outcome">{outcome(row)}</Cell>
        }
        .into_any()
    };
    let heads = ["What", "Written", "Tries", "Outcome"].map(|words| view! { <Head>{words}</Head> }.into_any());
    view! { <Table caption heads=heads.into() rows=postings.iter().map(row).collect()/> }.into_any()
}

fn outcome(row: &PostingSeen) -> AnyView {
    let why = row.last_error.clone().map(|why| view! { <span class="sub"><bdi>{why}</bdi></span> });
    match (row.sent_at, row.given_up_at) {
        (None, Some(_)) if row.withheld => view! { <Tag icon="minus" words="not sent"/>{why} }.into_any(),
        (Some(at), _) => view! { <Tag icon="check" tone="good" words="arrived"/><span class="sub"><Moment at exact=true/></span> }.into_any(),
        (None, Some(_)) => view! { <Tag icon="circle-x" tone="danger" words="given up"/>{why} }.into_any(),
        (None, None) if why.is_some() => {
            view! { <Tag icon="repeat" words="tried again"/><span class="sub">"next "<Moment at=row.due_at exact=true/></span>{why} }.into_any()
        }
        (None, None) => view! { <Tag icon="clock" words="waits"/><span class="sub">"until "<Moment at=row.due_at exact=true/></span> }.into_any(),
    }
}
