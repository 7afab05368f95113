//! Channels: ways out of Recourse by which others are told, what is said through them, and when that is tried again.

mod render;
mod scrub;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use url::{Host, Url};

pub use render::{html, slack, subject, teams, text, webhook};
pub use scrub::scrubbed;

use crate::{network::is_public, word::words};

words! {
    /// In which form a channel's receiver is told.
    ChannelKind {
        /// JSON in the form of Standard Webhooks, signed where a secret is named.
        Webhook = "webhook",
        /// What an incoming webhook of Slack takes.
        Slack = "slack",
        /// What a workflow of Microsoft Teams takes.
        Teams = "teams",
    }
}

impl ChannelKind {
    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Webhook => "Webhook (Standard Webhooks)",
            Self::Slack => "Slack",
            Self::Teams => "Microsoft Teams",
        }
    }
}

/// Something that is told through a channel. It never holds a value of a payload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Telling {
    /// What kind of thing it tells, such as `alert.raised`: a receiver sorts by it.
    pub kind: String,
    /// What is told, in one sentence.
    pub title: String,
    /// Further facts: a name and a value each.
    pub lines: Vec<(String, String)>,
    /// Where a person goes on from there.
    pub link: String,
}

/// The kind of a telling that only tries a channel. It is tried once.
pub const TEST: &str = "channel.test";

/// Why a text can't be a channel's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 60 small letters, digits and hyphens, such as ops-chat")]
pub struct NotAName;

/// Checks a channel's name. Workflow files refer to it as `webhook:NAME`.
pub fn name(text: &str) -> Result<&str, NotAName> {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if (1..=60).contains(&text.len()) && text.bytes().all(plain) { Ok(text) } else { Err(NotAName) }
}

/// The channel's name in a word of a workflow file's `notify`, where it names one.
#[must_use]
pub fn named(notify: &str) -> Option<&str> {
    notify.strip_prefix("webhook:")
}

/// Why a text can't be a channel's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAnAddress {
    /// No URL that could be called.
    #[error("must be an https address, without a name and password in it")]
    Unusable,
    /// It would be read on the way.
    #[error("must be an https address; http is for private addresses")]
    InTheClear,
}

/// Checks a channel's address. Plain http is for private addresses only; where a name leads is looked at when it is called.
pub fn address(text: &str, private: bool) -> Result<Url, NotAnAddress> {
    let url = Url::parse(text).map_err(|_| NotAnAddress::Unusable)?;
    let clean = url.has_host() && url.username().is_empty() && url.password().is_none();
    match url.scheme() {
        "https" if clean => Ok(url),
        "http" if clean && private && may_be_private(&url) => Ok(url),
        "http" if clean => Err(NotAnAddress::InTheClear),
        _ => Err(NotAnAddress::Unusable),
    }
}

/// Whether an address is private, or a name that may lead to one.
fn may_be_private(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => !is_public(ip.into()),
        Some(Host::Ipv6(ip)) => !is_public(ip.into()),
        Some(Host::Domain(_)) => true,
        None => false,
    }
}

/// What is shown of an address: its path may be all that protects it.
#[must_use]
pub fn host(address: &str) -> String {
    match Url::parse(address) {
        Ok(url) => url.origin().ascii_serialization(),
        Err(_) => String::new(),
    }
}

/// Seconds until the next try, by how many there were. The last counts for all that follow.
const WAITS: [i64; 5] = [30, 120, 600, 3_600, 14_400];

/// After the first try, nothing is tried any more when this has passed.
pub const GIVEN_UP_AFTER: TimeDelta = TimeDelta::hours(24);

/// A posting that was begun this often and never ended is given up: a process that dies of it dies no more. Those that end
/// are over sooner.
pub const BEGUN_AT_MOST: i64 = 20;

/// Why a posting of this kind that was begun now is not sent: this often it was begun before, and never ended. `None` is to
/// be sent.
#[must_use]
pub fn worn_out(kind: &str, begun: i64) -> Option<String> {
    match (kind, begun) {
        (TEST, 2..) => Some("The process ended before the test did. Send another.".to_owned()),
        (_, begun) if begun > BEGUN_AT_MOST => {
            Some(format!("It was begun {BEGUN_AT_MOST} times, and each time the process ended before it did."))
        }
        _ => None,
    }
}

/// When it is tried next after this many tries, of which the first began then; `None` gives up. A receiver may ask for a
/// longer wait.
#[must_use]
pub fn next_try(
    tries: i64,
    began: DateTime<Utc>,
    now: DateTime<Utc>,
    asked: Option<TimeDelta>,
) -> Option<DateTime<Utc>> {
    let (first, last) = (WAITS[0], WAITS[WAITS.len() - 1]);
    let before = usize::try_from(tries).unwrap_or(0).saturating_sub(1);
    let wait = if tries < 1 { first } else { WAITS.get(before).copied().unwrap_or(last) };
    let asked = asked.map_or(0, |asked| asked.num_seconds().clamp(0, last));
    let next = now + TimeDelta::seconds(wait.max(asked));
    (next - began <= GIVEN_UP_AFTER).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_come_further_apart_and_end_within_a_day() {
        let began: DateTime<Utc> = "2026-11-29T10:00:00Z".parse().unwrap();
        let (mut now, mut waits) = (began, Vec::new());
        for tries in 1.. {
            let Some(next) = next_try(tries, began, now, None) else { break };
            waits.push((next - now).num_seconds());
            now = next;
        }
        assert_eq!(waits[..6], [30, 120, 600, 3_600, 14_400, 14_400]);
        assert!(waits.len() < usize::try_from(BEGUN_AT_MOST).unwrap(), "what ends is not given up for its tries");
        assert!(now - began <= GIVEN_UP_AFTER && now - began > TimeDelta::hours(19), "{now}");
    }

    #[test]
    fn a_receiver_may_ask_for_more_time_but_not_for_ever() {
        let now: DateTime<Utc> = "2026-11-29T10:00:00Z".parse().unwrap();
        let wait =
            |asked| next_try(1, now, now, Some(TimeDelta::seconds(asked))).map(|next| (next - now).num_seconds());
        assert_eq!([wait(90), wait(1), wait(-5), wait(999_999)], [Some(90), Some(30), Some(30), Some(14_400)]);
    }

    #[test]
    fn names_and_addresses_are_plain() {
        assert_eq!(name("ops-chat"), Ok("ops-chat"));
        for wrong in ["", "Ops", "a b", "a/b", "é", &"a".repeat(61)] {
            assert_eq!(name(wrong), Err(NotAName), "{wrong}");
        }
        assert!(address("https://hooks.example/T1?sig=x", false).is_ok());
        assert!(address("http://10.0.0.1/", true).is_ok());
        assert_eq!(address("http://hooks.example/", false), Err(NotAnAddress::InTheClear));
        for inside in
            ["127.0.0.1:9", "192.168.1.1", "100.64.0.1", "[::1]", "[fd00::1]", "[::ffff:10.0.0.1]", "alerts:9000"]
        {
            assert!(address(&format!("http://{inside}/"), true).is_ok(), "{inside}");
        }
        for outside in ["1.1.1.1", "100.128.0.1", "[2606:4700::1111]", "[::ffff:1.1.1.1]"] {
            assert_eq!(address(&format!("http://{outside}/"), true), Err(NotAnAddress::InTheClear), "{outside}");
        }
        for wrong in ["hooks.example", "ftp://a/", "https://u:p@a/", "https://u@a/", "file:///x", "javascript:1"] {
            assert_eq!(address(wrong, true), Err(NotAnAddress::Unusable), "{wrong}");
        }
        assert_eq!(host("https://hooks.example:8443/services/T1"), "https://hooks.example:8443");
        assert_eq!((named("webhook:ops"), named("email")), (Some("ops"), None));
    }
}
