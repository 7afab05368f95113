use domain::report::{Step, StepStatus};
use leptos::prelude::*;

use crate::components::{Icon, Moment, Panel};

/// The run's steps: what completed, what failed, what is unknown.
pub(super) fn steps(steps: &[Step]) -> Option<impl IntoView + use<>> {
    let count = |status: &StepStatus| steps.iter().filter(|step| step.status == *status).count();
    let counts = StepStatus::ALL.iter().map(|status| (count(status), status.label().to_lowercase()));
    let note =
        counts.filter(|(count, _)| *count > 0).map(|(count, label)| format!("{count} {label}")).collect::<Vec<_>>();
    // The first that is neither done nor ahead is what this is about.
    let about = steps
        .iter()
        .position(|step| matches!(step.status, StepStatus::Failed | StepStatus::Uncertain | StepStatus::Partial));
    let step = |(at, step): (usize, &Step)| one(step, about == Some(at));
    (!steps.is_empty()).then(|| {
        view! {
            <Panel id="h-steps" title="Steps" note=note.join(" · ")>
                <div class="panel-body steps-box">
                    <ol class="steps">{steps.iter().enumerate().map(step).collect_view()}</ol>
                </div>
            </Panel>
        }
    })
}

fn one(step: &Step, about: bool) -> impl IntoView + use<> {
    let (icon, effect, tone, ahead) = match step.status {
        StepStatus::Confirmed => ("check", Some("confirmed"), None, false),
        StepStatus::Failed => ("x", None, Some("danger"), false),
        StepStatus::Uncertain => ("circle-help", Some("uncertain"), None, false),
        StepStatus::Partial => ("circle-dot-dashed", Some("partial"), None, false),
        StepStatus::Pending => ("circle-dashed", None, Some("neutral"), true),
        StepStatus::Skipped => ("minus", None, Some("neutral"), true),
    };
    view! {
        <li
            data-effect=effect data-tone=tone class=ahead.then_some("step--ahead") aria-current=about.then_some("step")
        >
            <span class="step-mark"><Icon name=icon/></span>
            <div>
                <b><bdi>{step.name.clone()}</bdi></b>
                <span class="step-word">{step.status.label()}</span>
                {step.at.map(|at| view! { <span class="step-note"><Moment at exact=true/></span> })}
                {step.external_id.clone().map(|id| view! { <span class="step-note mono">{id}</span> })}
            </div>
        </li>
    }
}
