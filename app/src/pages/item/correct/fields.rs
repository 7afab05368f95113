use domain::document::{fields::Field, json::Shape};
use leptos::prelude::*;

use super::{Seen, TEXT_VALUE, VALUE, encoded, pointer_in};
use crate::{
    components::{Problem, described_by, escaped, visible},
    visit::FormState,
};

/// The single values of the document, each to be edited by itself.
pub(super) fn fields(seen: &Seen, state: &FormState) -> AnyView {
    let here = if seen.desk.draft.is_some() { &seen.desk.fields } else { &seen.editable.fields };
    let Some((fields, left_out)) = here else {
        let gone = gone(&[], state);
        return view! {
            <p class="muted">"Your draft is not JSON as it stands. Go on with it as text."</p>
            <div class="values">{gone}</div>
            <div id="draft-findings"></div>
        }
        .into_any();
    };
    let left_out = (*left_out > 0).then(|| {
        view! { <p class="muted">{format!("{left_out} more values are not listed here; edit those as text.")}</p> }
    });
    let none = fields
        .is_empty()
        .then(|| view! { <p class="muted">"There is no single value to edit here; edit it as text."</p> });
    let rows = fields.iter().enumerate().map(|(at, field)| row(at, field, state)).collect_view();
    let gone = gone(fields, state);
    view! { {none}<div class="values">{rows}{gone}</div>{left_out}<div id="draft-findings"></div> }.into_any()
}

/// What was typed for a value that is not there any more: another window's draft has taken it out.
fn gone(fields: &[Field], state: &FormState) -> impl IntoView + use<> {
    let typed = state.typed.iter().filter_map(|(name, text)| Some((pointer_in(name)?, text)));
    let mut typed: Vec<_> = typed.filter(|(pointer, _)| fields.iter().all(|field| field.pointer != *pointer)).collect();
    typed.sort();
    let one = |(pointer, text): (String, &String)| {
        view! {
            <div class="field">
                <p><code>{visible::shown(&pointer)}</code>" is not a single value of your draft any more. You typed:"</p>
                <pre class="code code--plain" tabindex="0">{visible::shown(text)}</pre>
            </div>
        }
    };
    typed.into_iter().map(one).collect_view()
}

fn row(at: usize, field: &Field, state: &FormState) -> AnyView {
    let (id, is_text) = (format!("value-{at}"), field.shape == Shape::String);
    let named = |kind: &str| format!("{kind}{}", encoded(&field.pointer));
    // What was typed for it is read as what it was then, and stays so.
    let (name, other) = if is_text { (TEXT_VALUE, VALUE) } else { (VALUE, TEXT_VALUE) };
    let was_other = state.typed.contains_key(&named(other));
    let name = named(if was_other { other } else { name });
    let problem = state.problem(&format!("fields{}", field.pointer));
    let described = described_by(&id, true, problem.is_some());
    let invalid = problem.is_some().then_some("true");
    let value = state.typed.get(&name).cloned().unwrap_or_else(|| field.shown.clone());
    let path = if field.pointer.is_empty() { "the whole".to_owned() } else { field.pointer.clone() };
    // A line to type in would lose line ends, whatever they are.
    let lines = is_text && !was_other && (field.shown.contains(['\n', '\r']) || field.shown.len() > 120);
    let control = if lines {
        view! {
            <textarea id=id.clone() name=name class="mono" spellcheck="false" aria-invalid=invalid aria-describedby=described>
                {format!("\n{}", escaped(&value))}
            </textarea>
        }
        .into_any()
    } else {
        view! { <input id=id.clone() name=name class="mono" value=value spellcheck="false" aria-invalid=invalid aria-describedby=described/> }
            .into_any()
    };
    view! {
        <div class="field">
            <label for=id.clone()><code>{visible::shown(&path)}</code></label>
            {control}
            <span class="hint" id=format!("{id}-hint")>{field.shape.as_str()}{(is_text && was_other).then_some(", in double quotes")}</span>
            <Problem id problem/>
        </div>
    }
    .into_any()
}
