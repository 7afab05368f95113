//! What an admin may change about an account: each a form of its own, the final ones folded away.

use leptos::prelude::*;
use service::people::read::{PersonSeen, Standing};

use super::{clearance_choice, role_choices, team_choices};
use crate::{
    components::{Field, Icon, Panel, StepUp},
    paths,
    visit::FormState,
};

/// Roles, teams, clearance; name and address.
pub(super) fn rights(seen: &PersonSeen, form: &FormState) -> AnyView {
    let (listed, row) = (&seen.listed, &seen.listed.row);
    let to = |verb: &str| format!("{}/{verb}", paths::person(row.id));
    let version = row.version;
    let hidden = move || view! { <input type="hidden" name="version" value=version/> };
    let naming = form.of("name");
    let typed = |name: &str, now: &str| naming.typed.get(name).cloned().unwrap_or_else(|| now.to_owned());
    let (name, email) = (typed("name", &row.name), typed("email", &row.email));
    let (name_problem, email_problem) = (naming.problem("name"), naming.problem("email"));
    view! {
        <Panel id="roles-title" title="Roles" note="From the next click on">
            <div class="panel-body">
                <form class="form" method="post" action=to("roles")>
                    {hidden()}
                    {role_choices(&seen.all_roles, &listed.roles, &form.of("roles"))}
                    <StepUp id="roles" form="roles"/>
                    <div class="form-end"><button class="button">"Save the roles"</button></div>
                </form>
            </div>
        </Panel>
        <Panel id="teams-title" title="Teams" note="They bound what is seen and done">
            <div class="panel-body">
                <form class="form" method="post" action=to("teams")>
                    {hidden()}
                    {team_choices(&seen.all_teams, &listed.teams, &form.of("teams"))}
                    <StepUp id="teams" form="teams"/>
                    <div class="form-end"><button class="button">"Save the teams"</button></div>
                </form>
            </div>
        </Panel>
        <Panel id="clearance-title" title="Clearance" note="Up to which sensitivity everything is shown">
            <div class="panel-body">
                <form class="form" method="post" action=to("clearance")>
                    {hidden()}
                    {clearance_choice(row.clearance, &form.of("clearance"))}
                    <StepUp id="clearance" form="clearance"/>
                    <div class="form-end"><button class="button">"Save the clearance"</button></div>
                </form>
            </div>
        </Panel>
        <Panel id="name-title" title="Name and address" note="History keeps the name as it was">
            <div class="panel-body">
                <form class="form" method="post" action=to("name")>
                    {hidden()}
                    <div class="form-pair">
                        <Field id="name" name="name" label="Name" value=name problem=name_problem/>
                        <Field id="email" name="email" label="E-mail" kind="email" value=email problem=email_problem/>
                    </div>
                    <StepUp id="rename" form="name"/>
                    <div class="form-end"><button class="button">"Save the name"</button></div>
                </form>
            </div>
        </Panel>
    }
    .into_any()
}

/// One of the things that end or give access.
struct Act {
    verb: &'static str,
    icon: &'static str,
    title: &'static str,
    words: &'static str,
    button: &'static str,
    danger: bool,
}

/// Links, sessions, second step, disabling, deleting.
pub(super) fn access(seen: &PersonSeen, _: &FormState) -> AnyView {
    let (listed, row) = (&seen.listed, &seen.listed.row);
    let disabled = listed.standing == Standing::Disabled;
    let invited = matches!(listed.standing, Standing::Invited(_));
    let link = match invited {
        true => (
            "A new invitation…",
            "The link from before ends. The new one works once, within three days.",
            "Make the link",
        ),
        false => (
            "Let them set a new password…",
            "You get a link to pass on. Their sessions end, their second step stays, and they are told.",
            "Make the link",
        ),
    };
    let acts = [
        (!disabled).then_some(Act { verb: "link", icon: "key-round", title: link.0, words: link.1, button: link.2, danger: false }),
        (!seen.sessions.is_empty()).then_some(Act {
            verb: "sessions", icon: "log-out", title: "End their sessions…",
            words: "They have to sign in again everywhere.", button: "End the sessions", danger: false,
        }),
        listed.two_step.then_some(Act {
            verb: "two-step", icon: "shield-check", title: "Take their second step away…",
            words: "For somebody who lost authenticator and recovery codes. Be sure who asks; they are told.", button: "Take it away", danger: true,
        }),
        (!disabled).then_some(Act {
            verb: "disable", icon: "ban", title: "Disable the account…",
            words: "They can't sign in, their sessions end and their tokens are refused at once. It can be enabled again.", button: "Disable the account", danger: true,
        }),
        disabled.then_some(Act {
            verb: "enable", icon: "undo-2", title: "Enable the account again…",
            words: "With the roles and teams that it had.", button: "Enable the account", danger: false,
        }),
        Some(Act {
            verb: "delete", icon: "circle-x", title: "Delete the account…",
            words: "Nothing is left of it but its id. What they did stays under their name of then, marked as a deleted account. This can't be undone.", button: "Delete the account", danger: true,
        }),
    ];
    let item = |act: Act| {
        let class = if act.danger { "button button--danger" } else { "button" };
        view! {
            <li>
                <details class="action">
                    <summary><Icon name=act.icon/><span><b>{act.title}</b><small>{act.words}</small></span></summary>
                    <form class="form" method="post" action=format!("{}/{}", paths::person(row.id), act.verb)>
                        <StepUp id=act.verb/>
                        <div class="form-end"><button class=class>{act.button}</button></div>
                    </form>
                </details>
            </li>
        }
    };
    view! {
        <Panel id="access-title" title="Access">
            <ul class="actions">{acts.into_iter().flatten().map(item).collect_view()}</ul>
        </Panel>
    }
    .into_any()
}
