use domain::refusal::Refusal;
use leptos::{nonce::use_nonce, prelude::*};
use service::items::verbs::correct::ACTION;

use super::{Seen, fields, typed_in};
use crate::{
    components::{Assets, Field, Problem, described_by, escaped, words::size},
    paths,
    visit::FormState,
};

/// Bytes from which on browsers take long to lay a text area out.
const LONG: usize = 100_000;
/// Bytes from which on browsers take many seconds to do so: then the draft stands alone, and plain.
const TOO_LONG: usize = 2_000_000;

/// Whether there is a text that the editor is quick with.
fn fits(seen: &Seen) -> bool {
    seen.editable.text.as_ref().is_some_and(|text| text.len() < TOO_LONG)
}

/// The form: the parent beside the draft, or value by value.
pub(super) fn panel(seen: &Seen, state: &FormState) -> AnyView {
    let id = seen.id();
    let parent = &seen.editable.parent;
    let described = match seen.packet.content_hidden {
        true => parent.media_type.clone(),
        false => format!("{} · {}", parent.media_type, size(parent.size)),
    };
    let by_field = seen.by_field && seen.editable.fields.is_some();
    let kept = seen.desk.draft.as_ref();
    // Text that was typed while another window kept a file is what is gone on with.
    let file = kept.filter(|draft| draft.exact && !by_field && !state.typed.contains_key("text"));
    let body = match file {
        // The notice above says what can be done with it.
        Some(_) => ().into_any(),
        None if by_field => fields::fields(seen, state),
        None => text(seen, state),
    };
    let (name, hint) = match &seen.editable.text {
        _ if file.is_some() => ("Another file", "It takes the place of the one that is your draft."),
        Some(_) => ("Corrected file", "Instead of editing it here."),
        None => ("Corrected file", "This payload is not text, so it is corrected as a file."),
    };
    let reason =
        state.typed.get("reason").cloned().or_else(|| kept.map(|draft| draft.reason.clone())).unwrap_or_default();
    let in_editor = !by_field && file.is_none() && fits(seen);
    let keeps = in_editor || by_field;
    let language = if seen.editable.is_json { "json" } else { "text" };
    view! {
        <section class="panel" aria-labelledby="h-edit">
            <header><h2 id="h-edit">"Edit"</h2><span class="note">{described}</span>{views(seen, by_field)}</header>
            <div class="panel-body">
                <form
                    class="form" method="post" action=paths::item_action(id, ACTION.step.as_str()) enctype="multipart/form-data"
                    data-editor=in_editor.then_some("") data-values=by_field.then_some("") data-draft-url=keeps.then(|| paths::draft(id)) data-language=language
                >
                    <input type="hidden" name="version" value=version(seen, state)/>
                    <input type="hidden" name="parent" value=parent.number.to_string()/>
                    <input type="hidden" name="draft_version" value=draft_version(seen, state).to_string()/>
                    <input type="hidden" name="stage" value="preview"/>
                    {body}
                    <div class="field">
                        <label for="correct-file">{name}<span class="muted">" (optional)"</span></label>
                        <p class="hint" id="correct-file-hint">{hint}</p>
                        <input id="correct-file" name="file" type="file" aria-describedby="correct-file-hint"/>
                    </div>
                    <Field id="correct-reason" name="reason" label="Reason" hint="What was wrong." value=reason problem=state.problem("reason")/>
                    <div class="form-end">
                        <button class="button button--primary">"Show the difference"</button>
                        {keeps.then(|| view! { <p class="draft-state" id="draft-state" role="status"></p> })}
                    </div>
                </form>
            </div>
        </section>
        {in_editor.then(|| script("editor.js"))}
        {by_field.then(|| script("values.js"))}
    }
    .into_any()
}

/// What keeps the draft while somebody types, on this page only.
fn script(file: &str) -> AnyView {
    let source = use_context::<Assets>().map(|assets| assets.file(file)).unwrap_or_default();
    view! { <script type="module" src=source nonce=use_nonce() data-editor-module=""></script> }.into_any()
}

fn views(seen: &Seen, by_field: bool) -> Option<AnyView> {
    seen.editable.fields.as_ref()?;
    let (id, number) = (seen.id(), seen.editable.parent.number);
    let current = |of: bool| (of == by_field).then_some("true");
    Some(
        view! {
            <div class="row row-end">
                <nav class="switch" aria-label="How to edit">
                    <a href=paths::correct(id, number, false) aria-current=current(false)>"As text"</a>
                    <a href=paths::correct(id, number, true) aria-current=current(true)>"Field by field"</a>
                </nav>
            </div>
        }
        .into_any(),
    )
}

/// The version of the draft that stands here, or is kept back; 0 where there is none. What was typed goes on from the one it was
/// typed over, whatever another window made of it since, unless the person was told of that.
pub(super) fn draft_version(seen: &Seen, state: &FormState) -> i64 {
    let told = matches!(state.refusal, Some(Refusal::ChangedMeanwhile { .. }));
    let typed = typed_in(&state.typed).filter(|_| !told).and_then(|_| state.typed("draft_version").parse().ok());
    if let Some(version) = typed {
        return version;
    }
    seen.desk.draft.as_ref().map(|draft| draft.version).or(seen.desk.kept_back).unwrap_or(0)
}

fn text(seen: &Seen, state: &FormState) -> AnyView {
    let Some(parent) = seen.editable.text.clone() else { return ().into_any() };
    let kept = || seen.desk.draft.as_ref().map(super::text_of);
    let draft = state.typed.get("text").cloned().or_else(kept).unwrap_or_else(|| parent.clone());
    let problem = state.problem("text");
    let described = described_by("correct-text", true, problem.is_some());
    let number = seen.editable.parent.number;
    let long = (parent.len().max(draft.len()) >= LONG).then_some("");
    let beside = fits(seen).then(|| {
        view! {
            <div class="field">
                <label for="correct-parent">{format!("Revision {number}, as it is")}</label>
                <textarea id="correct-parent" class="mono payload-text" readonly spellcheck="false">{format!("\n{}", escaped(&parent))}</textarea>
            </div>
        }
    });
    view! {
        <div class="editor">
            <div class="editor-sides" data-long=long>
                {beside}
                <div class="field">
                    <label for="correct-text">"Payload"</label>
                    // A browser drops the first line end, so one more is written: a value that begins with one keeps it.
                    <textarea
                        id="correct-text" name="text" class="mono payload-text" spellcheck="false"
                        aria-invalid=problem.is_some().then_some("true") aria-describedby=described
                    >
                        {format!("\n{}", escaped(&draft))}
                    </textarea>
                </div>
            </div>
        </div>
        <p class="hint" id="correct-text-hint">"Only what you change differs afterwards; everything else keeps its bytes."</p>
        <Problem id="correct-text".to_owned() problem/>
        {fits(seen).then(|| view! { <div id="draft-findings"></div> })}
    }
    .into_any()
}

/// The version that was looked at first: it stays the same while the person goes through the stages. Once they were told who
/// was quicker, and no other revision came of it, they go on with the item as it is now.
pub(super) fn version(seen: &Seen, state: &FormState) -> String {
    let told = matches!(state.refusal, Some(Refusal::Conflict { .. })) && seen.meanwhile.is_none();
    // A file is not compared with what others made meanwhile: who looked at the item before that is told of it.
    let file =
        || seen.desk.draft.as_ref().filter(|draft| draft.exact && !told).map(|draft| draft.item_version.to_string());
    let first = state.typed.get("version").filter(|_| !told).cloned().or_else(file);
    first.unwrap_or_else(|| seen.packet.item.version.to_string())
}
