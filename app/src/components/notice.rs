use domain::refusal::Refusal;
use leptos::prelude::*;
use service::items::actions::Field;

use super::{Body, Icon, Prose};

/// What must be known, or what went wrong.
#[component]
pub(crate) fn Notice(
    /// `danger`, `doubt`, `good` or `info`.
    tone: &'static str,
    /// Read out at once; for refusals.
    #[prop(optional)]
    urgent: bool,
    #[prop(optional, into)] title: Option<String>,
    children: Body,
) -> impl IntoView {
    let icon = match tone {
        "danger" => "circle-alert",
        "doubt" => "triangle-alert",
        "good" => "circle-check",
        _ => "info",
    };
    view! {
        <div class="notice" data-tone=tone role=urgent.then_some("alert")>
            <Icon name=icon/>
            <div>{title.map(|title| view! { <strong>{title}</strong> })}{children.0}</div>
        </div>
    }
    .into_any()
}

/// Why something can't be done now, and the rule behind that.
#[component]
pub(crate) fn Impossible(refusal: Refusal) -> impl IntoView {
    let rule = refusal.rule().map(|rule| format!(" ({rule})"));
    view! { <Notice tone="info" title=refusal.title()><p><Prose text=refusal.sentence()/>{rule}</p></Notice> }
        .into_any()
}

/// Why a form was refused. Problems of fields that are on the page stand there as well.
#[component]
pub(crate) fn RefusalNotice(
    refusal: Refusal,
    /// The fields of the form, so that each is named as it is on the page.
    #[prop(optional)]
    fields: &'static [Field],
) -> impl IntoView {
    let named = |pointer: &str| named(pointer, fields);
    let body = match &refusal {
        Refusal::Invalid(problems) if problems.len() > 1 => {
            let problem = |problem: &domain::refusal::FieldProblem| {
                view! { <li>{named(&problem.pointer)}<Prose text=problem.message.clone()/></li> }
            };
            view! { <ul>{problems.iter().map(problem).collect_view()}</ul> }.into_any()
        }
        Refusal::Invalid(problems) => {
            let only = problems.first().map(|only| view! { {named(&only.pointer)}<Prose text=only.message.clone()/> });
            view! { <p>{only}</p> }.into_any()
        }
        other => view! { <p><Prose text=other.sentence()/></p> }.into_any(),
    };
    view! { <Notice tone="danger" urgent=true title=refusal.title()>{body}</Notice> }.into_any()
}

/// The field by its label, or else by its path; nothing where the whole is meant.
fn named(pointer: &str, fields: &[Field]) -> Option<AnyView> {
    let path = pointer.trim_start_matches('/');
    // A single value of a payload is called by its place there.
    let value = pointer.strip_prefix("/fields").filter(|place| place.starts_with('/'));
    if let Some(field) = fields.iter().find(|field| field.name == path) {
        return Some(view! { <b>{field.label}":"</b>" " }.into_any());
    }
    (!pointer.is_empty()).then(|| view! { <code>{value.unwrap_or(path).to_owned()}</code>" " }.into_any())
}
