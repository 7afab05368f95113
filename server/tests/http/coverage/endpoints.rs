//! What the router itself says is there. It has no way to be asked, but it shows itself.

use std::collections::{BTreeMap, BTreeSet};

use axum::Router;
use service::items::actions::CATALOGUE;

const METHODS: &[&str] = &["get", "delete", "patch", "post", "put"];

/// Every method and address, such as `POST /sign-in`; the actions on an item each by their name.
pub(super) fn of(router: &Router) -> BTreeSet<String> {
    let shown = format!("{router:#?}");
    let (shown, _) = shown.split_once("default_fallback").expect("a router shows its routes before its fallback");
    let (routes, paths) = shown.split_once("node:").expect("a router shows its routes and then their addresses");
    let mut methods: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for route in routes.split("RouteId(").skip(1) {
        let id = route.split(',').next().unwrap().trim();
        let there = METHODS.iter().filter(|method| route.contains(&format!("{method}: Route")));
        let there: Vec<String> = there.map(|method| method.to_uppercase()).collect();
        methods.insert(id, if there.is_empty() { vec!["ANY".to_owned()] } else { there });
    }
    let mut endpoints = BTreeSet::new();
    let paths = paths
        .split("paths:")
        .nth(1)
        .and_then(|rest| rest.split('}').next().map(|_| rest))
        .expect("the addresses are listed");
    for entry in paths.split("RouteId(").skip(1) {
        let id = entry.split(',').next().unwrap().trim();
        let Some(path) = entry.split_once("): \"").and_then(|(_, rest)| rest.split('"').next()) else { continue };
        for method in &methods[id] {
            for path in by_name(method, path) {
                endpoints.insert(format!("{method} {path}"));
            }
        }
    }
    assert!(endpoints.len() > 40, "the router shows itself otherwise now: {endpoints:?}");
    endpoints
}

/// An address for each action where one address serves them all; the bundle's folder without its digest.
fn by_name(method: &str, path: &str) -> Vec<String> {
    if let (Some(before), "POST") = (path.strip_suffix("/{action}"), method) {
        // The forms of these have pages of their own, and so addresses.
        let own = |name: &str| before == "/items/{id}" && matches!(name, "correct" | "replay");
        let names = CATALOGUE.iter().map(|action| action.step.as_str()).filter(|name| !own(name));
        return names.map(|name| format!("{before}/{name}")).collect();
    }
    if path.starts_with("/pkg") { vec!["/pkg/{*file}".to_owned()] } else { vec![path.to_owned()] }
}
