//! Every address and method there is × who may. The list comes from the router itself: an endpoint that is not told here
//! fails. Whoever may not is refused with nothing changed; whoever may succeeds on the same real thing.

mod cast;
mod endpoints;
mod told;

use std::collections::BTreeSet;

use domain::permission::Permission;

use crate::{app::on_both, databases::Content, wire::Answer};
use cast::{Cast, Kind};

/// Who may use an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum May {
    /// Everybody, signed in or not.
    Everybody,
    /// Whoever is signed in.
    SignedIn,
    /// The automation whose workflow it is.
    Automation,
    /// Any automation, for what is its own.
    AnyAutomation,
    /// The automation whose workflow it is, and people of the team with the permission.
    AutomationAnd(Permission),
    /// Any automation and any person with the permission, each for what they may see.
    AnyAutomationAnd(Permission),
    /// People of the team with the permission.
    People(Permission),
    /// People with the permission, whatever their team.
    Anywhere(Permission),
    /// Nobody, once there are people: `first_admin` tells for whom it opens before.
    NobodyAnyMore,
}

impl May {
    fn holds(self, kind: Kind) -> bool {
        let people = |permission| kind.role().is_some_and(|role| role.permissions().contains(&permission));
        let within = |permission| people(permission) && (kind != Kind::Outsider);
        match self {
            Self::Everybody => true,
            Self::NobodyAnyMore => false,
            Self::SignedIn => kind.role().is_some(),
            Self::Automation => kind == Kind::Automation,
            Self::AnyAutomation => matches!(kind, Kind::Automation | Kind::Stranger),
            Self::AutomationAnd(permission) => kind == Kind::Automation || within(permission),
            Self::AnyAutomationAnd(permission) => {
                matches!(kind, Kind::Automation | Kind::Stranger) || people(permission)
            }
            Self::People(permission) => within(permission),
            Self::Anywhere(permission) => people(permission),
        }
    }
}

/// Whether somebody was let in.
fn succeeded(answer: &Answer) -> bool {
    answer.status < 300 || answer.status == 303 && !answer.header("location").starts_with("/sign-in?")
}

/// Refused as what they are, or sent to sign in first.
fn refused(answer: &Answer) -> bool {
    matches!(answer.status, 401 | 403 | 404 | 410)
        || answer.status == 303 && answer.header("location").starts_with("/sign-in")
}

/// What a refusal may not touch: everything but its own trace.
async fn work(cast: &Cast<'_>) -> Content {
    let traces = ["audit_entry", "audit_text", "quarantine", "payload", "session", "token"];
    cast.app.database.content_without(&traces).await
}

on_both! {
    async fn every_endpoint_is_open_to_those_who_may_and_closed_to_all_others(app) {
        let cast = Cast::gather(app).await;
        let there = endpoints::of(&server::router(app.service.clone(), &app.settings).unwrap());
        let told = told::endpoints();
        let names: BTreeSet<_> = told.iter().map(|told| told.name()).collect();
        assert_eq!(names.len(), told.len(), "each is told once");
        let missing: Vec<_> = there.difference(&names).collect();
        assert!(missing.is_empty(), "no authorisation is told for {missing:?}");
        let gone: Vec<_> = names.difference(&there).collect();
        assert!(gone.is_empty(), "told, but not there: {gone:?}");

        for told in &told {
            let mut opened = 0;
            for kind in Kind::ALL {
                let thing = told.prepare(&cast, kind).await;
                let before = work(&cast).await;
                let answer = told.ask(&cast, kind, &thing).await;
                let place = format!("{} for {kind:?}: {} {}", told.name(), answer.status, answer.shown());
                if told.may.holds(kind) {
                    assert!(succeeded(&answer), "{place}");
                    opened += 1;
                } else {
                    assert!(refused(&answer), "{place}");
                    assert_eq!(work(&cast).await, before, "{place}");
                }
            }
            assert!(opened > 0 || told.may == May::NobodyAnyMore, "{} opens for nobody", told.name());
        }
    }

    async fn what_is_described_or_drawn_is_there(app) {
        let there = endpoints::of(&server::router(app.service.clone(), &app.settings).unwrap());
        for (path, item) in &server::openapi().paths.paths {
            let methods = [("GET", &item.get), ("POST", &item.post), ("PATCH", &item.patch), ("PUT", &item.put), ("DELETE", &item.delete)];
            for (method, _) in methods.into_iter().filter(|(_, operation)| operation.is_some()) {
                assert!(there.contains(&format!("{method} {path}")), "{method} {path} is described and not there");
            }
        }
        for route in leptos_axum::generate_route_list(app::pages::App) {
            assert!(there.contains(&format!("GET {}", route.path())), "the page {} is not there", route.path());
        }
        for (path, _) in leptos::server_fn::axum::server_fn_paths() {
            assert!(there.contains(&format!("ANY {path}")), "the call {path} is not there");
        }
    }
}
