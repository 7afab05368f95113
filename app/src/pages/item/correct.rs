use domain::document::Kind;
use leptos::prelude::*;
use service::{
    Error, Revision, Service,
    items::{
        packet::Packet,
        payload::Payload,
        verbs::correct::{ACTION, Correct, Preview},
    },
};

use super::{difference, head};
use crate::{
    components::{Field, Frame, Icon, Notice, RefusalNotice, TextArea, words::size},
    pages::{
        Place,
        answer::{answered, id_in, param},
    },
    paths,
    visit::{FormState, Visit},
};

/// What the page shows: the parent, and what the correction would make of it.
struct Seen {
    packet: Packet,
    parent: Payload,
    preview: Option<Result<Preview, Error>>,
}

/// Correcting a payload: edit or upload, look at the difference, save.
#[component]
pub(in crate::pages) fn CorrectPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let state = use_context::<FormState>().unwrap_or_default();
    let (id, form) = (param("id"), state.clone());
    let ask = async move {
        let id = id_in(id.as_deref())?;
        let packet = service.packet(&visit.request, id).await?;
        let asked = form.typed("parent").parse().ok().or_else(|| revision_in(visit.query()));
        let parent = service.payload(&visit.request, id, asked).await?;
        let preview = match typed(&form, parent.revision) {
            Some(correction) => Some(service.preview_correction(&visit.request, id, &correction).await),
            None => None,
        };
        Ok(Seen { packet, parent, preview })
    };
    answered(ask, move |seen| {
        let (id, name) = (seen.packet.item.id, head::name(&seen.packet.item).to_owned());
        let refused = state.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> });
        let title = format!("Correct revision {}", seen.parent.revision);
        view! {
            <Frame title=title.clone() at=Some(Place::Queue)>
                <header class="item-head">
                    <a class="crumb" href=paths::item(id)><Icon name="chevron-left"/><bdi>{name}</bdi></a>
                    <h1>{title}</h1>
                    <p class="muted">{ACTION.explanation}</p>
                </header>
                <div class="stack">
                    {refused}
                    {previewed(&seen, &state)}
                    {edit(&seen, &state)}
                </div>
            </Frame>
        }
    })
}

pub(super) fn revision_in(query: &str) -> Option<i64> {
    let pairs = url::form_urlencoded::parse(query.as_bytes());
    pairs.filter(|(name, _)| name == "revision").find_map(|(_, number)| number.parse().ok())
}

/// The correction as it was typed, if it was.
fn typed(state: &FormState, parent: i64) -> Option<Correct> {
    let file = state.typed.get("file").cloned();
    let browser_text = state.typed.get("text").filter(|_| file.is_none()).cloned();
    let posted = file.is_some() || browser_text.is_some();
    let correction = Correct {
        parent,
        text: None,
        browser_text,
        base64: file,
        patch: None,
        completing: None,
        reason: String::new(),
    };
    posted.then_some(correction)
}

/// The difference, and the button that saves it.
fn previewed(seen: &Seen, state: &FormState) -> Option<AnyView> {
    match seen.preview.as_ref()? {
        Ok(preview) => Some(difference::panel(&seen.packet, preview, state).into_any()),
        Err(error) => {
            let refusal = error.refusal().filter(|refusal| state.refusal.as_ref() != Some(refusal))?;
            Some(view! { <Notice tone="info" title=refusal.title()><p>{refusal.sentence()}</p></Notice> }.into_any())
        }
    }
}

fn edit(seen: &Seen, state: &FormState) -> AnyView {
    let id = seen.packet.item.id;
    let text = match seen.parent.kind {
        Kind::Binary => None,
        _ => Some(
            state
                .typed
                .get("text")
                .cloned()
                .unwrap_or_else(|| String::from_utf8_lossy(&seen.parent.bytes).into_owned()),
        ),
    };
    let area = text.map(|text| {
        view! {
            <TextArea
                id="correct-text" name="text" label="Payload" class="mono payload-text" value=text
                hint="Only the lines you change differ afterwards; everything else keeps its bytes." problem=state.problem("text")
            />
        }
    });
    let hint = if area.is_some() {
        "Instead of editing it here."
    } else {
        "This payload is not text, so it is corrected as a file."
    };
    view! {
        <section class="panel" aria-labelledby="h-edit">
            <header><h2 id="h-edit">"Edit"</h2><span class="note">{described(&seen.packet, seen.parent.revision)}</span></header>
            <div class="panel-body">
                <form class="form" method="post" action=paths::item_action(id, ACTION.step.as_str()) enctype="multipart/form-data">
                    <input type="hidden" name="version" value=version(seen, state)/>
                    <input type="hidden" name="parent" value=seen.parent.revision.to_string()/>
                    <input type="hidden" name="stage" value="preview"/>
                    {area}
                    <div class="field">
                        <label for="correct-file">"Corrected file"<span class="muted">" (optional)"</span></label>
                        <p class="hint" id="correct-file-hint">{hint}</p>
                        <input id="correct-file" name="file" type="file" aria-describedby="correct-file-hint"/>
                    </div>
                    <Field id="correct-reason" name="reason" label="Reason" hint="What was wrong." value=state.typed("reason") problem=state.problem("reason")/>
                    <div class="form-end"><button class="button button--primary">"Show the difference"</button></div>
                </form>
            </div>
        </section>
    }
    .into_any()
}

/// The version that was looked at first: it stays the same while the person goes through the stages.
fn version(seen: &Seen, state: &FormState) -> String {
    state.typed.get("version").cloned().unwrap_or_else(|| seen.packet.item.version.to_string())
}

fn described(packet: &Packet, number: i64) -> String {
    let of = |revision: &Revision| format!("{} · {}", revision.media_type, size(revision.size));
    packet.revisions.iter().find(|revision| revision.number == number).map(of).unwrap_or_default()
}
