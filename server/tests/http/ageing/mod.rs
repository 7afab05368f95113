//! Nothing waits unseen: what is due when, what is told of it once, and to whom it goes when nobody comes.

mod alerts;
mod escalating;
mod kinds;
mod mine;
mod targets;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;

use crate::app::{App, Token};

/// A workflow that is worked from Monday to Friday, and goes to the leads when a target is missed.
pub(super) fn file(targets: &str, after: &str) -> String {
    format!(
        "[workflow]\nkey = \"invoice-sync\"\nname = \"Supplier invoices\"\nowner_team = \"finance-ops\"\nversion = \"1\"\n\
         [workflow.targets]\nhigh = {targets}\n{after}\n\
         [[step]]\nkey = \"create_invoice\"\nside_effect = \"irreversible\"\nimpact = \"high\"\nsensitivity = \"internal\"\n"
    )
}

pub(super) const TARGETS: &str = "{ claim = \"1h\", close = \"4h\" }";
pub(super) const HOURS: &str = "[workflow.hours]\nzone = \"Europe/Oslo\"\ndays = [\"mon\", \"tue\", \"wed\", \"thu\", \"fri\"]\nfrom = \"08:00\"\nto = \"17:00\"\nholidays = [\"2026-12-01\"]\n";
pub(super) const LEADS: &str = "[[workflow.escalate]]\nafter = \"0m\"\nteam = \"finance-leads\"\nnotify = [\"app\"]\n";

impl App {
    /// Does what the background loop does every five seconds.
    pub(super) async fn watch(&self) -> usize {
        self.service.watch_ageing().await.unwrap()
    }

    /// Lets time pass until then.
    pub(super) fn until(&self, at: &str) {
        let at: DateTime<Utc> = at.parse().unwrap();
        let left = at - self.service.now();
        assert!(left >= TimeDelta::zero(), "{at} is over");
        self.later(left);
    }
}

/// What is due next on an item, and by when.
pub(super) async fn due(asker: &Token<'_>, item: &str) -> (String, String) {
    let item = asker.item(item).await;
    let text = |name: &str| item[name].as_str().unwrap_or_default().to_owned();
    (text("due_cause"), text("due_at"))
}

/// Each alert that waits: its cause, its level, and how many are in it.
pub(super) async fn alerts(app: &App) -> Vec<(String, String, i64)> {
    let found = app.service.alerts(&crate::app::command_line(), true, None).await.unwrap();
    let mut rows: Vec<_> = found.rows.iter().map(|a| (a.cause.to_string(), a.level.to_string(), a.subjects)).collect();
    rows.sort();
    rows
}

pub(super) fn told(cause: &str, level: &str, subjects: i64) -> (String, String, i64) {
    (cause.to_owned(), level.to_owned(), subjects)
}

/// How often somebody's notices say this.
pub(super) async fn notices(browser: &crate::browser::Browser<'_>, words: &str) -> usize {
    browser.get("/notices").await.is(200).words().matches(words).count()
}

/// The alert of this cause and level.
pub(super) async fn alert(app: &App, cause: &str, level: &str) -> String {
    let found = app.service.alerts(&crate::app::command_line(), true, None).await.unwrap();
    let one = found.rows.iter().find(|a| a.cause.as_str() == cause && a.level.as_str() == level);
    one.unwrap_or_else(|| panic!("there is no alert of {cause} {level}")).id.to_string()
}

/// The steps of an item's chain.
pub(super) fn chain(item: &Value) -> Vec<(String, Option<String>)> {
    let steps = item["escalations"].as_array().unwrap();
    steps
        .iter()
        .map(|step| (step["team"].as_str().unwrap().to_owned(), step["answered_by"].as_str().map(str::to_owned)))
        .collect()
}
