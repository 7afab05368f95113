//! Correcting a payload: edit, look at what it would change and need, save.

mod edit;
mod fields;
mod found;
mod meanwhile;
mod said;

use std::collections::{BTreeMap, HashMap};

use domain::{document::fields::TypedValue, ids::ItemId, refusal::Refusal};
use leptos::prelude::*;
use service::{
    Draft, Error, Service,
    items::{packet::Packet, verbs::correct::ACTION},
    payloads::{
        draft::{Desk, ThreeWay},
        preview::{Editable, Preview},
        typed::Typed,
    },
};

use super::{action, head};
use crate::{
    components::{Frame, Icon, RefusalNotice},
    pages::{
        Place,
        answer::{answered, id_in, param},
    },
    paths,
    visit::{FormState, Visit},
};

pub use found::{fragment, two_drafts};

/// How the name of a field begins that holds a single value as JSON writes it; its pointer follows, encoded: not every browser
/// sends every character of a name as it is.
pub const VALUE: &str = "value:";

/// How the name of a field begins that holds what a text says.
pub const TEXT_VALUE: &str = "text:";

/// The name of the field that says that the draft is meant as it is.
pub const AS_IT_IS: &str = "as_it_is";

/// What the page shows.
struct Seen {
    packet: Packet,
    editable: Editable,
    desk: Desk,
    /// What the correction would make, where one was typed.
    preview: Option<Result<Preview, Error>>,
    /// What somebody else made of the same revision meanwhile.
    meanwhile: Option<ThreeWay>,
    by_field: bool,
}

impl Seen {
    fn id(&self) -> ItemId {
        self.packet.item.id
    }
}

/// Correcting a payload.
#[component]
pub(in crate::pages) fn CorrectPage() -> impl IntoView {
    let (service, visit) = (expect_context::<Service>(), expect_context::<Visit>());
    let state = use_context::<FormState>().unwrap_or_default();
    let (id, form) = (param("id"), state.clone());
    let ask = async move { read(&service, &visit, id_in(id.as_deref())?, &form).await };
    answered(ask, move |seen| {
        let state = with_what_is_wrong(state, &seen);
        let name = head::name(&seen.packet.item).to_owned();
        let refused = state.refusal.clone().map(|refusal| view! { <RefusalNotice refusal/> });
        let title = format!("Correct revision {}", seen.editable.parent.number);
        let shut = is_shut(&seen, &state);
        view! {
            <Frame title=title.clone() at=Some(Place::Queue)>
                <header class="item-head">
                    <a class="crumb" href=paths::item(seen.id())><Icon name="chevron-left"/><bdi>{name}</bdi></a>
                    <h1>{title}</h1>
                    <p class="muted">{ACTION.explanation}</p>
                </header>
                <div class="stack">
                    {refused}
                    {action::impossible(&ACTION, &seen.packet, &state)}
                    {(!shut).then(|| said::said(&seen, &state))}
                    {meanwhile::panel(&seen, &state)}
                    {found::panel(&seen, &state)}
                    {(!shut).then(|| edit::panel(&seen, &state))}
                </div>
            </Frame>
        }
    })
}

/// What is wrong with single values stands at them, whether they are looked at or saved.
fn with_what_is_wrong(state: FormState, seen: &Seen) -> FormState {
    let wrong = seen.preview.as_ref().and_then(|preview| preview.as_ref().err()).and_then(Error::refusal);
    match wrong {
        Some(refusal @ Refusal::Invalid(_)) if state.refusal.is_none() => {
            FormState { refusal: Some(refusal.clone()), ..state }
        }
        _ => state,
    }
}

/// Whoever may not correct gets no form to fill in for nothing (R15); what was typed already stays in one.
fn is_shut(seen: &Seen, state: &FormState) -> bool {
    matches!(seen.packet.refusal_of(ACTION.step), Some(Refusal::MissingPermission(_)))
        && seen.desk.draft.is_none()
        && typed_in(&state.typed).is_none()
}

async fn read(service: &Service, visit: &Visit, id: ItemId, form: &FormState) -> Result<Seen, Error> {
    let packet = service.packet(&visit.request, id).await?;
    let asked = form.typed("parent").parse().ok().or_else(|| revision_in(visit.query()));
    let editable = service.editable(&visit.request, id, asked).await?;
    let parent = editable.parent.number;
    let by_field = form.typed.keys().any(|name| is_value(name)) || asks_for(visit.query(), "view", "fields");
    let desk = service.desk(&visit.request.caller, id, parent, by_field).await?;
    let file = desk.draft.as_ref().filter(|draft| draft.exact);
    let preview = match typed_in(&form.typed).or_else(|| file.map(|draft| whole(draft.version))) {
        Some(typed) => Some(service.preview_correction(&visit.request, id, parent, typed).await),
        None => None,
    };
    // A file is the whole anew: there is nothing in it to carry over.
    let kept = || desk.draft.as_ref().filter(|draft| !draft.exact).map(text_of);
    let meanwhile = match form.typed.get("text").cloned().or_else(kept) {
        Some(text) => service.three_way(&visit.request, id, parent, &text).await?,
        None => None,
    };
    Ok(Seen { packet, editable, desk, preview, meanwhile, by_field })
}

pub(super) fn revision_in(query: &str) -> Option<i64> {
    let pairs = url::form_urlencoded::parse(query.as_bytes());
    pairs.filter(|(name, _)| name == "revision").find_map(|(_, number)| number.parse().ok())
}

fn asks_for(query: &str, name: &str, value: &str) -> bool {
    url::form_urlencoded::parse(query.as_bytes()).any(|(asked, word)| asked == name && word == value)
}

/// A draft as it is, and nothing typed over it.
fn whole(version: i64) -> Typed {
    Typed { draft: Some(version), ..Typed::default() }
}

/// The text of a draft, as a browser returned it.
fn text_of(draft: &Draft) -> String {
    String::from_utf8_lossy(&draft.content).into_owned()
}

/// A pointer as it stands in a field's name.
fn encoded(pointer: &str) -> String {
    url::form_urlencoded::byte_serialize(pointer.as_bytes()).collect()
}

/// The pointer in the name of a field that holds a single value.
fn pointer_in(name: &str) -> Option<String> {
    let encoded = name.strip_prefix(VALUE).or_else(|| name.strip_prefix(TEXT_VALUE))?;
    let decoded = url::form_urlencoded::parse(encoded.as_bytes()).next();
    Some(decoded.map(|(pointer, _)| pointer.into_owned()).unwrap_or_default())
}

fn is_value(name: &str) -> bool {
    name.starts_with(VALUE) || name.starts_with(TEXT_VALUE)
}

/// The correction that a form's fields hold: a file that was chosen, single values of the draft or the revision, the text, or
/// the draft as it is.
#[must_use]
pub fn typed_in(fields: &HashMap<String, String>) -> Option<Typed> {
    if let Some(file) = fields.get("file") {
        return Some(Typed { base64: Some(file.clone()), ..Typed::default() });
    }
    let draft = || fields.get("draft_version").and_then(|version| version.parse().ok()).filter(|version| *version > 0);
    let value = |(name, text): (&String, &String)| {
        let typed: fn(String) -> TypedValue =
            if name.starts_with(TEXT_VALUE) { TypedValue::Text } else { TypedValue::Written };
        Some((pointer_in(name)?, typed(text.clone())))
    };
    let values: BTreeMap<String, TypedValue> = fields.iter().filter_map(value).collect();
    if !values.is_empty() {
        return Some(Typed { fields: Some(values), draft: draft(), ..Typed::default() });
    }
    if let Some(text) = fields.get("text") {
        return Some(Typed { browser_text: Some(text.clone()), draft: draft(), ..Typed::default() });
    }
    fields.get(AS_IT_IS).and_then(|_| draft()).map(whole)
}
