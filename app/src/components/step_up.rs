use leptos::prelude::*;
use service::sign_in::step_up::ConfirmWith;

use super::{Problem, described_by};
use crate::{
    paths,
    visit::{FormState, Visit},
};

/// Asks, inside a form that does something consequential, for what confirms who they are. Nothing where that was done lately.
#[component]
pub(crate) fn StepUp(
    /// Makes its ids its own, where a page has several forms.
    #[prop(into)]
    id: String,
    /// The form it is in, where several stand open on one page: it is asked for where the form was refused for want of it.
    #[prop(optional, into)]
    form: Option<&'static str>,
) -> impl IntoView {
    let visit = expect_context::<Visit>();
    let state = use_context::<FormState>().unwrap_or_default();
    let with = visit.confirm?;
    if form.is_some_and(|form| !state.is(form)) {
        return None;
    }
    let (label, kind, autocomplete) = match with {
        ConfirmWith::Password => ("Your password, to confirm that it is you", "password", "current-password"),
        ConfirmWith::Code => ("A code of your authenticator, to confirm that it is you", "text", "one-time-code"),
        ConfirmWith::Provider => {
            let again = paths::confirm_openid(&visit.path);
            let words = "Sign in once more, to confirm that it is you";
            return Some(view! { <p><a class="button" href=again>{words}</a></p> }.into_any());
        }
    };
    let id = format!("{id}-confirm");
    let problem = state.problem("confirm");
    let described = described_by(&id, true, problem.is_some());
    Some(
        view! {
            <div class="field">
                <label for=id.clone()>{label}</label>
                <p class="hint" id=format!("{id}-hint")>"Counts for ten minutes."</p>
                <input
                    id=id.clone() name="confirm" type=kind autocomplete=autocomplete required
                    aria-invalid=problem.is_some().then_some("true") aria-describedby=described
                />
                <Problem id problem/>
            </div>
        }
        .into_any(),
    )
}
