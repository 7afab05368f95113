//! What the audit's query asks for.

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use domain::text;
use service::AuditFilter;
use url::form_urlencoded;
use uuid::Uuid;

use crate::paths;

/// A query as far as it could be read.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Which entries.
    pub(super) filter: AuditFilter,
    /// The first day or moment, as given.
    pub(super) from: Option<String>,
    /// The last day, or the moment before which, as given.
    pub(super) to: Option<String>,
    /// Not the first page.
    pub(super) further: bool,
    /// What means nothing and was left out.
    pub(super) ignored: Vec<String>,
}

impl Asked {
    /// Reads a query. What means nothing is left out and named.
    pub(super) fn from_query(query: &str) -> Self {
        let mut asked = Self::default();
        let (mut to, mut before) = (None, None);
        for (name, value) in form_urlencoded::parse(query.as_bytes()).filter(|(_, value)| !value.is_empty()) {
            let understood = match name.as_ref() {
                "to" => moment(&value, 1).map(|at| {
                    to = Some((at, Uuid::nil()));
                    asked.to = Some(value.to_string());
                }),
                "before" => paths::read_place(&value).map(|place| before = Some(place)),
                _ => asked.read(&name, &value),
            };
            if understood.is_none() {
                asked.ignored.push(format!("{name} “{}”", text::head(&value, 60)));
            }
        }
        asked.further = before.is_some();
        // A page's place is always before the last day.
        asked.filter.before = before.or(to);
        asked
    }

    fn read(&mut self, name: &str, value: &str) -> Option<()> {
        let filter = &mut self.filter;
        let plain = || (!value.contains('\0')).then(|| value.to_owned());
        match name {
            "person" => filter.actor = Some(plain()?),
            "workflow" => filter.workflow = Some(plain()?),
            "account" => filter.actor_id = Some(value.trim().parse().ok()?),
            "item" => filter.item = Some(value.trim().parse().ok()?),
            "action" => filter.action = Some(value.parse().ok()?),
            "outcome" => filter.outcome = Some(value.parse().ok()?),
            "from" => {
                filter.from = Some(moment(value, 0)?);
                self.from = Some(value.to_owned());
            }
            _ => {}
        }
        Some(())
    }
}

/// A day (its beginning, or that of a day `later`) or a moment, in UTC.
fn moment(value: &str, later: u64) -> Option<DateTime<Utc>> {
    match value.parse::<NaiveDate>() {
        Ok(day) => Some(day.checked_add_days(Days::new(later))?.and_time(NaiveTime::MIN).and_utc()),
        Err(_) => value.parse::<DateTime<Utc>>().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn days_are_whole_and_moments_are_exact() {
        let asked = Asked::from_query("from=2026-11-01&to=2026-11-30");
        assert_eq!(asked.filter.from, Some(at("2026-11-01T00:00:00Z")));
        assert_eq!(asked.filter.before, Some((at("2026-12-01T00:00:00Z"), Uuid::nil())));
        let asked = Asked::from_query("from=2026-11-01T10:00:00%2B01:00&to=2026-11-01T12:30:00Z");
        assert_eq!(asked.filter.from, Some(at("2026-11-01T09:00:00Z")));
        assert_eq!(asked.filter.before, Some((at("2026-11-01T12:30:00Z"), Uuid::nil())));
    }

    #[test]
    fn what_means_nothing_is_named_and_left_out() {
        let asked =
            Asked::from_query("item=INV-1&action=fly&outcome=maybe&from=yesterday&before=x&person=&to=9999999-01-01");
        assert_eq!(asked.ignored.len(), 6);
        assert!(asked.filter.item.is_none() && asked.filter.action.is_none() && asked.filter.before.is_none());
    }

    #[test]
    fn an_address_comes_back() {
        let query = "person=Jonas+Lindqvist&action=item.retry_cancelled&workflow=a%26b&outcome=refused&from=2026-11-01&to=2026-11-02";
        let asked = Asked::from_query(query);
        assert!(asked.ignored.is_empty());
        assert_eq!(
            paths::audit(&asked.filter, asked.from.as_deref(), asked.to.as_deref(), None),
            format!("/audit?{query}")
        );
    }
}
