use domain::{document::schema::Finding, refusal::Refusal};
use leptos::prelude::*;
use service::{
    items::verbs::correct::ACTION,
    payloads::{bench::Judged, preview::Preview},
};

use super::{Seen, VALUE, edit};
use crate::{
    components::{Fact, Field, Lines, Notice, changes, marked, words::size},
    paths,
    visit::FormState,
};

/// What a correction would change and need, and the button that saves it.
pub(super) fn panel(seen: &Seen, state: &FormState) -> Option<AnyView> {
    let preview = match seen.preview.as_ref()? {
        Ok(preview) => preview,
        Err(error) => {
            let refusal = error.refusal().filter(|refusal| state.refusal.as_ref() != Some(refusal))?;
            return Some(
                view! { <Notice tone="info" title=refusal.title()><p>{refusal.sentence()}</p></Notice> }.into_any(),
            );
        }
    };
    let difference = changes(&preview.difference, Lines::Unified);
    Some(
        view! {
            <section class="panel" aria-labelledby="h-difference">
                <header><h2 id="h-difference">"The difference"</h2><span class="note">{format!("from revision {}", preview.parent)}</span></header>
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
                view! { {judged(&preview.judged)}{difference} }.into_any()
            }
            Err(refusal) => view! { <p class="muted small">{refusal.sentence()}</p> }.into_any(),
        };
        view.to_html()
    })
}

/// What the editor shows where the draft was kept from another window meanwhile: that one, and a choice between the two.
#[must_use]
pub fn two_drafts(version: i64, other: &str) -> String {
    let owner = Owner::new();
    owner.with(|| {
        let fields = format!("draft_version={version}");
        view! {
            <div class="notice" data-tone="warn">
                <div>
                    <strong>"Your draft was changed in another window"</strong>
                    <p>"Nothing is kept from here until you choose."</p>
                    <textarea id="other-draft" hidden readonly>{format!("\n{}", crate::components::escaped(other))}</textarea>
                    <div class="row">
                        <button type="button" class="button" data-resume="" data-fields=fields.clone()>"Keep what is here"</button>
                        <button type="button" class="button" data-resume="" data-fields=fields data-text="other-draft">"Take the other one"</button>
                    </div>
                </div>
            </div>
        }
        .to_html()
    })
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
    let stays = |name: &str| ["parent", "text", "file"].contains(&name) || name.starts_with(VALUE);
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
        let words = format!(
            "You can't save it like this: that needs {}. Correct it below, or ask a colleague who may; your draft is kept.",
            missing.join(" and ")
        );
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
    view! {
        <form class="form" method="post" action=paths::item_action(seen.id(), ACTION.step.as_str()) enctype="multipart/form-data">
            <input type="hidden" name="stage" value="save"/>
            <input type="hidden" name="version" value=edit::version(seen, state)/>
            {kept.collect_view()}
            {glass}
            {schema}
            <Field id="save-reason" name="reason" label="Reason" value=state.typed("reason") problem=state.problem("reason")/>
            <div class="form-end"><button class="button button--primary">"Save as a new revision"</button></div>
        </form>
    }
    .into_any()
}
