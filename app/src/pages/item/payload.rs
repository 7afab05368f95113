use domain::{document::Kind, moves::Move, permission::Permission};
use leptos::prelude::*;
use service::{
    Revision,
    items::{actions::Offer, payload::Payload},
};

use super::{Seen, marks::marks};
use crate::{
    components::{
        Content, Empty, Fact, Icon, Lines, Moment, changes,
        words::{size, thousands},
    },
    islands::Copy,
    pages::trail::gone,
    paths,
};

/// The payload's panel.
pub(super) fn payload(seen: &Seen) -> impl IntoView + use<> {
    let packet = &seen.packet;
    let shown = seen.payload.as_ref().map(|payload| payload.revision);
    let number = shown.or(seen.asked.revision).or_else(|| packet.revisions.last().map(|last| last.number));
    let revision = packet.revisions.iter().find(|revision| Some(revision.number) == number);
    // Beside what is shown, a size would tell how long it is what is not.
    let note = revision.map(|revision| match packet.content_hidden {
        true => revision.media_type.clone(),
        false => format!("{} · {}", revision.media_type, size(revision.size)),
    });
    let tools = seen.payload.as_ref().map(|payload| tools(seen, payload));
    let body = match (&seen.payload, revision) {
        (Some(payload), _) if seen.asked.compare.is_some() => compared(seen, payload),
        (Some(payload), _) => content(seen, payload),
        (None, Some(revision)) if packet.content_hidden => {
            let hidden = none("lock-keyhole", "The payload is above your clearance.".to_owned());
            view! { {hidden}<div class="panel-body row">{reveal(seen, revision.number)}</div> }.into_any()
        }
        (None, None) if packet.item.follow_up_of.is_some() => none(
            "file",
            "A follow-up has no payload. What was sent is kept with the item that it follows up.".to_owned(),
        ),
        (None, None) if packet.content_hidden => {
            none("lock-keyhole", "The payload is above your clearance.".to_owned())
        }
        (None, Some(_)) => none("file", "The bytes of this revision were erased. Its digest stays.".to_owned()),
        (None, None) => kept_elsewhere(packet.item.payload_ref.as_deref()),
    };
    view! {
        <section class="panel" id="payload" aria-labelledby="h-payload">
            <header>
                <h2 id="h-payload">"Payload"</h2>
                {note.map(|note| view! { <span class="note">{note}</span> })}
                {tools}
            </header>
            {revisions(seen, number)}
            {comparisons(seen, number)}
            {seen.payload.as_ref().filter(|payload| payload.hidden > 0).map(|payload| masked(seen, payload))}
            {revision.filter(|_| !packet.content_hidden).map(facts)}
            {body}
        </section>
    }
}

/// What is hidden from the viewer, and how it can be seen.
fn masked(seen: &Seen, payload: &Payload) -> AnyView {
    let words = match payload.hidden {
        1 => "One value is above your clearance.".to_owned(),
        many => format!("{many} values are above your clearance."),
    };
    view! { <div class="panel-body row"><p><i class="masked">"•••• hidden"</i>" "{words}</p>{reveal(seen, payload.revision)}</div> }
        .into_any()
}

fn reveal(seen: &Seen, revision: i64) -> Option<AnyView> {
    let may = seen.viewer.as_ref().is_some_and(|viewer| viewer.holds(Permission::PayloadsReveal));
    may.then(|| {
        view! { <a class="button button--small" href=paths::reveal(seen.packet.item.id, revision)>"Reveal…"</a> }
            .into_any()
    })
}

fn none(icon: &'static str, sentence: String) -> AnyView {
    view! { <Empty icon small=true><p>{sentence}</p></Empty> }.into_any()
}

fn kept_elsewhere(reference: Option<&str>) -> AnyView {
    let reference = reference.map(|reference| view! { <p class="mono">{reference.to_owned()}</p> });
    view! { <Empty icon="file" small=true><p>"The automation keeps the payload itself, under this reference:"</p>{reference}</Empty> }
        .into_any()
}

/// Pretty or raw, and the whole as a file.
fn tools(seen: &Seen, payload: &Payload) -> impl IntoView + use<> {
    let (id, number) = (seen.packet.item.id, payload.revision);
    let raw = is_raw(seen, payload);
    let current = |raw_link: bool| (raw_link == raw).then_some("true");
    let switch = (payload.kind == Kind::Json).then(|| {
        view! {
            <nav class="switch" aria-label="View of the payload">
                <a href=paths::revision(id, number, false) aria-current=current(false)>"Pretty"</a>
                <a href=paths::revision(id, number, true) aria-current=current(true)>"Raw"</a>
            </nav>
        }
    });
    let open = |offer: &Offer| offer.action.step == Move::Replay && offer.refusal.is_none();
    let replay = seen.packet.actions.iter().any(open).then(|| {
        view! {
            <a class="button button--quiet button--small" href=paths::replay(id, Some(number))>
                <Icon name="send"/>
                "Replay this revision…"
            </a>
        }
    });
    view! {
        <div class="row row-end">
            {switch}
            {replay}
            <a class="button button--quiet button--small" href=paths::payload(id, number) download>
                <Icon name="download"/>
                "Download"
            </a>
        </div>
    }
}

/// Text that is no JSON has only one view.
fn is_raw(seen: &Seen, payload: &Payload) -> bool {
    seen.asked.raw || payload.kind != Kind::Json
}

fn revisions(seen: &Seen, current: Option<i64>) -> Option<impl IntoView + use<>> {
    let (id, raw) = (seen.packet.item.id, seen.asked.raw);
    let tab = |revision: &Revision| {
        let what = if revision.number == 1 { "original".to_owned() } else { format!("by {}", revision.author_name) };
        view! {
            <li>
                <a href=paths::revision(id, revision.number, raw) aria-current=(Some(revision.number) == current).then_some("page")>
                    {format!("Revision {} ", revision.number)}<span class="faint"><bdi>{what}</bdi></span>
                </a>
            </li>
        }
    };
    let all = &seen.packet.revisions;
    (all.len() > 1)
        .then(|| view! { <nav class="tabs" aria-label="Revisions"><ul>{all.iter().map(tab).collect_view()}</ul></nav> })
}

/// Ways to see how it differs from the others.
fn comparisons(seen: &Seen, current: Option<i64>) -> Option<AnyView> {
    let (id, current) = (seen.packet.item.id, current?);
    let others = seen.packet.revisions.iter().filter(|revision| revision.number != current);
    let one = |revision: &Revision| {
        let chosen = (seen.asked.compare == Some(revision.number)).then_some("true");
        view! { <a href=paths::comparison(id, current, revision.number) aria-current=chosen>{format!("revision {}", revision.number)}</a> }
    };
    let links = others.map(one).collect::<Vec<_>>();
    let back =
        seen.asked.compare.map(|_| view! { <a href=paths::revision(id, current, false)>"the payload itself"</a> });
    (!links.is_empty() && seen.payload.is_some()).then(|| {
        view! { <nav class="panel-body row small" aria-label="Compare with">"Compare with "{links}{back}</nav> }
            .into_any()
    })
}

fn compared(seen: &Seen, payload: &Payload) -> AnyView {
    let with = seen.asked.compare.unwrap_or_default();
    match &seen.difference {
        Some(difference) => {
            let sides = (format!("Revision {with}"), format!("Revision {}", payload.revision));
            changes(difference, Lines::Beside(sides.0, sides.1))
        }
        None if with == payload.revision => none("file", "That is the same revision.".to_owned()),
        None => none("file", "The bytes of one of the two were erased, or are above your clearance.".to_owned()),
    }
}

fn facts(revision: &Revision) -> impl IntoView + use<> {
    let reason = revision.reason.clone().map(|reason| view! { <Fact name="Reason"><bdi>{reason}</bdi></Fact> });
    view! {
        <div class="panel-body">
            <dl class="facts facts--across small">
                <Fact name="Made by"><bdi>{revision.author_name.clone()}</bdi>{gone(revision.author_deleted_at.is_some())}</Fact>
                <Fact name="When"><Moment at=revision.at/></Fact>
                {reason}
                {marks(revision).map(|marks| view! { <Fact name="Marked">{marks}</Fact> })}
                <Fact name="Bytes">{thousands(revision.size)}</Fact>
                <Fact name="SHA-256" wide=true>
                    <span class="mono" id="payload-digest">{revision.sha256.hex()}</span>
                    " "
                    <Copy text=revision.sha256.hex() what="the digest".to_owned()/>
                </Fact>
            </dl>
        </div>
    }
}

fn content(seen: &Seen, payload: &Payload) -> AnyView {
    let whole = Some(paths::payload(seen.packet.item.id, payload.revision));
    let (bytes, kind) = (payload.bytes.clone(), payload.kind);
    view! { <Content bytes kind raw=is_raw(seen, payload) label="Payload" whole/> }.into_any()
}
