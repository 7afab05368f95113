use domain::{effect::Effect, item::Lane};
use leptos::prelude::*;
use service::quarantine::read::QuarantineCase;

use crate::{
    components::{Choice, Field, Icon, Impossible, Problem, Select, TextArea},
    paths,
    visit::FormState,
};

/// Which of the forms was posted and refused.
fn posted(state: &FormState) -> Option<&str> {
    state.refusal.as_ref()?;
    Some(state.typed.get("mode").map_or("close", String::as_str))
}

/// What can be made of the report; each form says what it does.
pub(super) fn forms(case: &QuarantineCase, state: &FormState) -> AnyView {
    if let Some(refusal) = &case.refusal {
        return view! { <Impossible refusal=refusal.clone()/> }.into_any();
    }
    let posted = posted(state);
    // What was typed goes back into the form it was typed into, and that one is open.
    let of = |mode: &str| if posted == Some(mode) { state.clone() } else { FormState::default() };
    let text = case.bytes.as_deref().and_then(|bytes| std::str::from_utf8(bytes).ok());
    let text = text.filter(|_| case.report.item_header.is_none());
    let is_report = case.report.door == "report";
    // Whoever is not cleared to read it can't say what it is.
    let is_shown = case.bytes.is_some();
    let first = match (text.is_some(), is_shown) {
        (true, _) => "report",
        (false, true) => "map",
        (false, false) => "unchanged",
    };
    let open = move |mode: &str| posted.unwrap_or(first) == mode;
    let report = text.filter(|_| is_report).map(|text| {
        fold(
            "file-pen",
            "Correct and accept",
            "What you change becomes the report. The original stays beside it.",
            open("report"),
            correct(case, text, &of("report")),
        )
    });
    let map = (is_report && is_shown).then(|| {
        fold(
            "inbox",
            "Take the bytes as a payload",
            "You say what work they belong to. Not a byte is changed.",
            open("map"),
            map(case, &of("map")),
        )
    });
    let unchanged = is_report.then(|| {
        fold(
            "check",
            "Accept unchanged",
            "When what stood against it is gone: a token was bound, a step registered.",
            open("unchanged"),
            unchanged(case, &of("unchanged")),
        )
    });
    let close = fold(
        "x",
        "Close without accepting",
        "No item is made of it. It stays readable here.",
        open("close") || !is_report,
        close(case, &of("close")),
    );
    view! {
        <section class="panel" aria-labelledby="h-ways">
            <header><h2 id="h-ways">"What you can do"</h2></header>
            <ul class="actions">{report}{map}{unchanged}{close}</ul>
        </section>
    }
    .into_any()
}

fn fold(icon: &'static str, title: &'static str, small: &'static str, open: bool, form: AnyView) -> impl IntoView {
    view! {
        <li>
            <details class="action" name="way" open=open>
                <summary><Icon name=icon/><span><b>{title}</b><small>{small}</small></span></summary>
                {form}
            </details>
        </li>
    }
}

fn accepting(
    case: &QuarantineCase,
    mode: &'static str,
    note: &'static str,
    words: &'static str,
    state: &FormState,
    fields: AnyView,
) -> AnyView {
    view! {
        <form class="form" method="post" action=paths::accept(case.report.id)>
            <input type="hidden" name="mode" value=mode/>
            {fields}
            <Field id=note name="note" label="Reason" value=state.typed("note") problem=state.problem("note")/>
            <div class="form-end"><button class="button button--primary">{words}</button></div>
        </form>
    }
    .into_any()
}

fn correct(case: &QuarantineCase, text: &str, state: &FormState) -> AnyView {
    let value = state.typed.get("text").cloned().unwrap_or_else(|| text.to_owned());
    let fields = view! { <TextArea id="report-text" name="text" label="The report" class="mono" value problem=problems(state)/> };
    accepting(case, "report", "report-note", "Accept it as corrected", state, fields.into_any())
}

/// What is wrong inside the report, which stands in one field here.
fn problems(state: &FormState) -> Option<String> {
    let domain::refusal::Refusal::Invalid(problems) = state.refusal.as_ref()? else { return None };
    let inside = problems.iter().filter(|problem| problem.pointer != "/note");
    let words: Vec<String> =
        inside.map(|problem| format!("{} {}", problem.pointer, problem.message).trim().to_owned()).collect();
    (!words.is_empty()).then(|| words.join(" · "))
}

fn map(case: &QuarantineCase, state: &FormState) -> AnyView {
    let value = |name: &str, otherwise: &str| state.typed.get(name).cloned().unwrap_or_else(|| otherwise.to_owned());
    let workflow = value("workflow", case.report.workflow_key.as_deref().unwrap_or_default());
    let lanes = Lane::ALL.iter().map(|lane| (lane.as_str(), lane.label())).collect();
    let statable = Effect::ALL.iter().filter(|effect| **effect != Effect::Compensated);
    let effects: Vec<Choice> = statable.map(|effect| (effect.as_str(), effect.words())).collect();
    let fields = view! {
        <div class="form-pair">
            <Field id="map-workflow" name="workflow" label="Workflow" value=workflow problem=state.problem("workflow")/>
            <Field id="map-step" name="step" label="Step" value=state.typed("step") problem=state.problem("step")/>
        </div>
        <Field
            id="map-key" name="dedupe_key" label="Key" value=state.typed("dedupe_key") problem=state.problem("dedupe_key")
            hint="Names the work: a number or reference that the next report of it will carry as well."
        />
        <div class="form-pair">
            <Select id="map-lane" name="lane" label="Lane" options=lanes chosen=value("lane", "dead_letter")/>
            <Select id="map-effect" name="effect" label="The side effect" options=effects chosen=value("effect", "uncertain")/>
        </div>
        <Problem id="map-effect".to_owned() problem=state.problem("effect")/>
        <Field id="map-message" name="message" label="What went wrong" value=state.typed("message") problem=state.problem("message")/>
    };
    accepting(case, "map", "map-note", "Accept it as a payload", state, fields.into_any())
}

fn unchanged(case: &QuarantineCase, state: &FormState) -> AnyView {
    let problem = state.problem("").or_else(|| problems(state));
    let fields = view! { <Problem id="unchanged".to_owned() problem/> };
    accepting(case, "unchanged", "unchanged-note", "Accept it as it is", state, fields.into_any())
}

fn close(case: &QuarantineCase, state: &FormState) -> AnyView {
    view! {
        <form class="form" method="post" action=paths::close(case.report.id)>
            <TextArea id="close-note" name="note" label="Reason" value=state.typed("note") problem=state.problem("note")/>
            <div class="form-end"><button class="button">"Close it"</button></div>
        </form>
    }
    .into_any()
}
