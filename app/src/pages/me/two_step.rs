use leptos::prelude::*;
use service::sign_in::two_step::{Picture, TwoStep};

use crate::{
    components::{Field, Panel, StepUp, Tag},
    paths,
    visit::FormState,
};

/// The second step: off, being set up, or on.
pub(super) fn two_step(state: TwoStep, form: &FormState) -> AnyView {
    match state {
        TwoStep::Off => off(),
        TwoStep::Begun { secret, picture } => begun(&secret, &picture, form),
        TwoStep::On { codes_left } => on(codes_left),
    }
}

fn to(verb: &str) -> String {
    format!("{}/{verb}", paths::SECURITY)
}

fn off() -> AnyView {
    view! {
        <Panel id="two-step" title="Second step" end=Some(view! { <Tag icon="minus" words="off"/> }.into_any())>
            <div class="panel-body">
                <form class="form" method="post" action=to("begin-two-step")>
                    <p>"A code of an authenticator app, asked for beside the password: who learns your password alone can't sign in as you."</p>
                    <StepUp id="begin"/>
                    <div class="form-end"><button class="button">"Set it up…"</button></div>
                </form>
            </div>
        </Panel>
    }
    .into_any()
}

fn begun(secret: &str, picture: &Picture, form: &FormState) -> AnyView {
    let fours = secret.as_bytes().chunks(4).map(String::from_utf8_lossy).collect::<Vec<_>>().join(" ");
    view! {
        <Panel id="two-step" title="Second step" end=Some(view! { <Tag icon="circle-dashed" words="being set up"/> }.into_any())>
            <div class="panel-body two-step">
                <div class="qr">{drawn(picture)}</div>
                <form class="form" method="post" action=to("confirm-two-step")>
                    <ol class="stack stack--tight">
                        <li>"Scan the picture with your authenticator app, or type this in: "<code class="secret-line">{fours}</code></li>
                        <li>"Type in the code that it shows now."</li>
                    </ol>
                    <Field id="code" name="code" label="Code" autocomplete="one-time-code" problem=form.problem("code")/>
                    <StepUp id="confirm"/>
                    <div class="form-end"><button class="button button--primary">"Turn the second step on"</button></div>
                </form>
            </div>
        </Panel>
    }
    .into_any()
}

/// One path of dark modules with a quiet margin of four around them.
fn drawn(picture: &Picture) -> AnyView {
    let side = picture.side + 8;
    let module = |(row, column): &(i32, i32)| format!("M{} {}h1v1h-1z", column + 4, row + 4);
    let path: String = picture.dark.iter().map(module).collect();
    view! {
        <svg viewBox=format!("0 0 {side} {side}") role="img" aria-label="Picture for authenticator apps" shape-rendering="crispEdges">
            <rect class="qr-light" width=side height=side></rect>
            <path class="qr-dark" d=path></path>
        </svg>
    }
    .into_any()
}

fn on(codes_left: i64) -> AnyView {
    let left = match codes_left {
        0 => "No recovery code is left: make new ones.".to_owned(),
        1 => "One recovery code is left.".to_owned(),
        left => format!("{left} recovery codes are left."),
    };
    view! {
        <Panel id="two-step" title="Second step" end=Some(view! { <Tag icon="check" tone="good" words="on"/> }.into_any())>
            <div class="panel-body stack">
                <p>"Signing in, and confirming what is consequential, takes a code of your authenticator. "{left}</p>
                <form class="form" method="post" action=to("recovery-codes")>
                    <StepUp id="codes"/>
                    <div class="form-end"><button class="button">"Make new recovery codes"</button></div>
                </form>
                <form class="form" method="post" action=to("remove-two-step")>
                    <StepUp id="remove"/>
                    <div class="form-end"><button class="button button--danger">"Take the second step away"</button></div>
                </form>
            </div>
        </Panel>
    }
    .into_any()
}
