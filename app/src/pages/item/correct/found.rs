use domain::{document::schema::Finding, ids::ItemId, refusal::Refusal};
use leptos::prelude::*;
use service::{
    items::verbs::correct::ACTION,
    payloads::{bench::Judged, draft::Desk, preview::Preview},
};

use super::{AS_IT_IS, Seen, edit};
use crate::{
    components::{Fact, Field, Impossible, Lines, Notice, Prose, RefusalNotice, changes, marked, words::size},
    paths,
    visit::FormState,
};

/// What a correction would change and need, and the button that saves it.
pub(super) fn panel(seen: &Seen, state: &FormState) -> Option<AnyView> {
    let preview = match seen.preview.as_ref()? {
        Ok(preview) => preview,
        Err(error) => {
            let refusal = error.refusal().filter(|refusal| state.refusal.as_ref() != Some(refusal))?;
            return Some(view! { <Impossible refusal=refusal.clone()/> }.into_any());
        }
    };
    let difference = changes(&preview.difference, Lines::Unified);
    Some(
        view! {
            <section class="panel" aria-labelledby="h-difference">
                <header><h2 id="h-difference">"The difference"</h2><span class="note">{format!("from revision {}", preview.parent)}</span></header>
                {broken(&preview.judged)}
                {difference}
                {judged(&preview.judged)}
                <div class="panel-body stack">{facts(preview)}{save(seen, preview, state)}</div>
            </section>
        }
        .into_any(),
    )
}

/// The same for a draft that is being typed, without anything to press: put into the page by the editor.
#[must_use]
pub fn fragment(preview: Result<&Preview, &Refusal>) -> String {
    let owner = Owner::new();
    owner.with(|| {
        let view = match preview {
            Ok(preview) => {
                let difference = changes(&preview.difference, Lines::Unified);
                view! { {broken(&preview.judged)}{judged(&preview.judged)}{difference} }.into_any()
            }
            Err(refusal @ Refusal::Invalid(_)) => view! { <RefusalNotice refusal=refusal.clone()/> }.into_any(),
            Err(refusal) => view! { <p class="muted small"><Prose text=refusal.sentence()/></p> }.into_any(),
        };
        view.to_html()
    })
}

/// What stands under the draft that is being typed, where another was kept, or this one ended, in another window meanwhile:
/// that one, and a choice between the two.
#[must_use]
pub fn two_drafts(item: ItemId, desk: &Desk, by_field: bool) -> String {
    let version = desk.draft.as_ref().map(|draft| draft.version).or(desk.kept_back).unwrap_or(0);
    let fields = format!("draft_version={version}");
    let other = desk.draft.as_ref().map(|draft| {
        if by_field || draft.exact {
            let to = paths::correct(item, draft.parent, by_field);
            return view! { <a class="button" href=to>"Take the other one"</a> }.into_any();
        }
        let (text, fields) = (crate::components::escaped(&super::text_of(draft)), fields.clone());
        view! {
            <textarea id="other-draft" hidden readonly>{format!("\n{text}")}</textarea>
            <button type="button" class="button" data-resume="" data-fields=fields data-text="other-draft">"Take the other one"</button>
        }
        .into_any()
    });
    let owner = Owner::new();
    owner.with(|| {
        view! {
            <div class="notice" data-tone="warn">
                <div>
                    <strong>"Your draft was changed in another window"</strong>
                    <p>"Nothing is kept from here until you choose."</p>
                    <div class="row">
                        <button type="button" class="button" data-resume="" data-fields=fields>"Keep what is here"</button>
                        {other}
                    </div>
                </div>
            </div>
        }
        .to_html()
    })
}

/// Where JSON was broken: that comes before whatever follows from it.
fn broken(judged: &Judged) -> Option<AnyView> {
    let wrong = judged.broken.as_ref()?;
    let words = format!("Line {}, column {}: {}.", wrong.line, wrong.column, wrong.what);
    Some(
        view! {
            <div class="panel-body">
                <p><strong>"It is not JSON any more"</strong>", which it was:"</p>
                <ul class="findings">
                    <li data-line=wrong.line.to_string() data-column=wrong.column.to_string() data-severity="error">{words}</li>
                </ul>
            </div>
        }
        .into_any(),
    )
}

/// What stands in the way of saving it just so.
fn judged(judged: &Judged) -> AnyView {
    let finding = |finding: &Finding| {
        let place = if finding.pointer.is_empty() { "the whole".to_owned() } else { finding.pointer.clone() };
        // Where something is hidden, the lines are not those that the person sees.
        let known = finding.line > 0;
        let words = match known {
            true => format!(" (line {}) {}", finding.line, finding.message),
            false => format!(" {}", finding.message),
        };
        let (line, column) = (known.then(|| finding.line.to_string()), known.then(|| finding.column.to_string()));
        view! { <li data-line=line data-column=column data-severity="error"><code>{marked(&place)}</code>{words}</li> }
    };
    let findings = (!judged.findings.is_empty()).then(|| {
        let more =
            (judged.more_findings > 0).then(|| view! { <li>{format!("and {} more", judged.more_findings)}</li> });
        view! {
            <div class="panel-body">
                <p><strong>"It does not fit the step's schema"</strong>" (formats count):"</p>
                <ul class="findings">{judged.findings.iter().map(finding).collect_view()}{more}</ul>
            </div>
        }
    });
    let unchecked = judged.unchecked.clone().map(|why| {
        view! { <div class="panel-body"><p class="muted">"The schema was not asked. "{why}</p></div> }
    });
    let outside = (!judged.outside.is_empty()).then(|| {
        let shown = judged.outside.iter().take(50).map(|place| view! { <li><code>{marked(place)}</code></li> });
        let more = judged.outside.len().saturating_sub(50);
        let more = (more > 0).then(|| view! { <li>{format!("and {more} more")}</li> });
        view! {
            <div class="panel-body">
                <p><strong>"Not open for editing"</strong>":"</p>
                <ul class="findings">{shown.collect_view()}{more}</ul>
            </div>
        }
    });
    view! { {findings}{unchecked}{outside} }.into_any()
}

fn facts(preview: &Preview) -> AnyView {
    let (sizes, digests) = (preview.difference.sizes, preview.digests);
    let told = |bytes: usize, digest: Option<domain::digest::Sha256>| {
        let digest = digest.map(|digest| format!(" · {}…", digest.hex().get(..12).unwrap_or_default()));
        format!("{}{}", size(i64::try_from(bytes).unwrap_or(i64::MAX)), digest.unwrap_or_default())
    };
    sizes
        .map(|(before, after)| {
            view! {
                <dl class="facts facts--across">
                    <Fact name="Before">{told(before, digests.map(|(before, _)| before))}</Fact>
                    <Fact name="After">{told(after, digests.map(|(_, after)| after))}</Fact>
                </dl>
            }
        })
        .into_any()
}

fn save(seen: &Seen, preview: &Preview, state: &FormState) -> AnyView {
    let stays = |name: &str| ["parent", "text", "file"].contains(&name) || super::is_value(name);
    let draft = seen.desk.draft.as_ref();
    let as_it_is = super::typed_in(&state.typed).is_none().then(|| {
        view! { <input type="hidden" name=AS_IT_IS value="yes"/><input type="hidden" name="parent" value=preview.parent.to_string()/> }
    });
    let reason = state.typed.get("reason").cloned().or_else(|| draft.map(|draft| draft.reason.clone()));
    let mut kept: Vec<(&String, &String)> = state.typed.iter().filter(|(name, _)| stays(name)).collect();
    kept.sort();
    let kept = kept.into_iter().map(|(name, value)| {
        view! { <textarea name=name.clone() hidden>{format!("\n{}", crate::components::escaped(value))}</textarea> }
    });
    let (outside, misfit) = (!preview.judged.outside.is_empty(), !preview.judged.findings.is_empty());
    let missing = [
        (outside && !preview.may_break_glass).then_some("payloads.break_glass"),
        (misfit && !preview.may_override_schema).then_some("payloads.override_schema"),
    ];
    let missing: Vec<&str> = missing.into_iter().flatten().collect();
    if !missing.is_empty() {
        let mend = match preview.judged.broken {
            Some(_) => "Make it JSON again below: then what it changes can be told place by place.",
            None => {
                "Correct it below. Your draft is kept; a colleague who may save it does not see it, and makes the correction anew."
            }
        };
        let words = format!("You can't save it like this: that needs {}. {mend}", missing.join(" and "));
        return view! { <Notice tone="warn" title="Not saved yet"><p>{words}</p></Notice> }.into_any();
    }
    let box_of = |id: &'static str, label: &'static str| {
        view! { <label class="check" for=id><input id=id type="checkbox" name=id required/>{label}</label> }
    };
    let glass = outside.then(|| {
        box_of(
            "break_glass",
            "Break the glass: change what is not open for editing. It is marked, and its replay needs a second person.",
        )
    });
    let schema = misfit.then(|| {
        box_of(
            "override_schema",
            "Save it although it fails the schema. It is marked, and its replay needs a second person.",
        )
    });
    let rest = preview.may_complete.then(|| {
        let ticked = state.typed.contains_key("completing");
        view! {
            <label class="check" for="completing">
                <input id="completing" type="checkbox" name="completing" checked=ticked aria-describedby="completing-hint"/>
                "It does only the rest of what happened in part"
            </label>
            <p class="hint" id="completing-hint">
                "Nothing of what was done is in it. Its replay needs a second person; any other revision can't be sent while a part stands."
            </p>
        }
    });
    view! {
        <form class="form" method="post" action=paths::item_action(seen.id(), ACTION.step.as_str()) enctype="multipart/form-data">
            <input type="hidden" name="stage" value="save"/>
            <input type="hidden" name="version" value=edit::version(seen, state)/>
            <input type="hidden" name="draft_version" value=edit::draft_version(seen, state).to_string()/>
            {kept.collect_view()}
            {as_it_is}
            {glass}
            {schema}
            {rest}
            <Field id="save-reason" name="reason" label="Reason" value=reason.unwrap_or_default() problem=state.problem("reason")/>
            <div class="form-end"><button class="button button--primary">"Save as a new revision"</button></div>
        </form>
    }
    .into_any()
}
