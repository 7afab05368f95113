use domain::{item::Resolution, moves::Move, workflow::Key};
use leptos::prelude::*;
use service::items::{
    actions::{Field, FieldKind, ItemAction},
    packet::{Packet, Taker},
};

use crate::{
    components::{Problem, TypedLocally, described_by},
    paths,
    visit::FormState,
};

/// The form of an action, from what the action says it asks for; posts to the action's own address.
pub(super) fn form(action: &'static ItemAction, packet: &Packet, state: &FormState) -> impl IntoView + use<> {
    let id = packet.item.id;
    let name = action.step.as_str();
    let fields = action.fields.iter().map(|field| row(name, field, packet, state)).collect_view();
    let button = action.label.trim_end_matches('…');
    view! {
        <form class="form" method="post" action=paths::item_action(id, name)>
            // What was seen: somebody who acts meanwhile makes this a conflict instead of a surprise.
            <input type="hidden" name="version" value=packet.item.version.to_string()/>
            {fields}
            <div class="form-end"><button class="button button--primary">{button}</button></div>
        </form>
    }
    .into_any()
}

/// The ids of what there is to choose from.
const TEAMS: &str = "teams-to-choose";
const PEOPLE: &str = "people-to-choose";

/// Whom an item can be given to, for the fields of every form on the page; something else may be typed.
pub(super) fn takers(packet: &Packet) -> impl IntoView + use<> {
    let list = |id: &'static str, takers: &[Taker]| {
        let option = |taker: &Taker| view! { <option value=taker.key.clone()>{taker.name.clone()}</option> };
        let options = takers.iter().map(option).collect_view();
        (!takers.is_empty()).then(|| view! { <datalist id=id>{options}</datalist> })
    };
    (list(TEAMS, &packet.takers.teams), list(PEOPLE, &packet.takers.people))
}

/// One field with its label, hint and problem.
fn row(action: &str, field: &'static Field, packet: &Packet, state: &FormState) -> impl IntoView + use<> {
    let id = format!("{action}-{}", field.name);
    let problem = state.problem(field.name);
    let described = described_by(&id, !field.hint.is_empty(), problem.is_some());
    let invalid = problem.is_some().then_some("true");
    let typed = state.typed(field.name);
    let control = match field.kind {
        FieldKind::Text => view! {
            <textarea id=id.clone() name=field.name required=field.required aria-invalid=invalid aria-describedby=described>
                {format!("\n{typed}")}
            </textarea>
        }
        .into_any(),
        FieldKind::Choice(choices) => {
            let choices = choices.iter().map(|(value, words)| ((*value).to_owned(), (*words).to_owned()));
            select(id.clone(), field, typed, choices.collect(), described, invalid).into_any()
        }
        FieldKind::Attempt => {
            let words = |a: &service::Attempt| format!("Attempt {}: {}", a.number, a.effect.words());
            let askable = |a: &service::Attempt| {
                packet.sendable.iter().flat_map(|sendable| &sendable.askable).any(|askable| askable.attempt == a.id)
            };
            let asked = packet.attempts.iter().filter(|a| action != Move::AskAgain.as_str() || askable(a));
            let attempts = asked.map(|a| (a.id.to_string(), words(a)));
            select(id.clone(), field, typed, attempts.collect(), described, invalid).into_any()
        }
        FieldKind::Code if packet.codes.values().all(Vec::is_empty) => return ().into_any(),
        FieldKind::Code => {
            let (chosen, codes) = (typed.as_str(), packet.codes.iter().filter(|(_, codes)| !codes.is_empty()));
            let group = |(resolution, codes): (&Resolution, &Vec<Key>)| {
                let option = |code: &Key| {
                    let (value, words) = (code.as_str().to_owned(), code.as_str().to_owned());
                    view! { <option value=value selected=code.as_str() == chosen>{words}</option> }
                };
                view! { <optgroup label=resolution.label()>{codes.iter().map(option).collect_view()}</optgroup> }
            };
            let none = view! { <option value="" selected=typed.is_empty()>"None"</option> };
            view! {
                <select id=id.clone() name=field.name aria-invalid=invalid aria-describedby=described>
                    {none}
                    {codes.map(group).collect_view()}
                </select>
            }
            .into_any()
        }
        // The replay's own page asks for each by its sentence.
        FieldKind::Accepts | FieldKind::Flag | FieldKind::Json | FieldKind::Object => return ().into_any(),
        FieldKind::Line | FieldKind::Time | FieldKind::Person | FieldKind::Team | FieldKind::Item | FieldKind::Number => {
            let (kind, list) = match field.kind {
                FieldKind::Time => ("datetime-local", None),
                FieldKind::Person => ("email", Some(PEOPLE)),
                FieldKind::Team => ("text", Some(TEAMS)),
                _ => ("text", None),
            };
            view! {
                <input
                    id=id.clone() name=field.name type=kind value=typed required=field.required list=list
                    aria-invalid=invalid aria-describedby=described
                />
                {matches!(field.kind, FieldKind::Time).then(|| view! { <TypedLocally of=id.clone()/> })}
            }
            .into_any()
        }
    };
    let optional = (!field.required && !field.depends).then_some(" (optional)");
    let hint = (!field.hint.is_empty()).then(|| view! { <p class="hint" id=format!("{id}-hint")>{field.hint}</p> });
    view! {
        <div class="field">
            <label for=id.clone()>{field.label}<span class="muted">{optional}</span></label>
            {hint}
            {control}
            <Problem id problem/>
        </div>
    }
    .into_any()
}

fn select(
    id: String,
    field: &'static Field,
    chosen: String,
    choices: Vec<(String, String)>,
    described: Option<String>,
    invalid: Option<&'static str>,
) -> impl IntoView + use<> {
    // Nothing is chosen beforehand: a decision is made, not left standing.
    let none = view! { <option value="" selected=chosen.is_empty()>"Choose…"</option> };
    let option = |(value, words): (String, String)| {
        let selected = value == chosen;
        view! { <option value=value selected=selected>{words}</option> }
    };
    view! {
        <select id=id name=field.name required=field.required aria-invalid=invalid aria-describedby=described>
            {none}
            {choices.into_iter().map(option).collect_view()}
        </select>
    }
}
