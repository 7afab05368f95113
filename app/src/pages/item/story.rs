//! The effect in words made from facts: what may stand in the other system, and what that means for trying again.

use domain::{effect::Effect, item::State};
use service::{Item, items::packet::Packet};

use crate::components::words::isolated;

/// What is said first on an item.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Story {
    pub(super) heading: String,
    pub(super) meaning: String,
}

/// Tells the story of a packet.
pub(super) fn story(packet: &Packet) -> Story {
    let records = records(packet);
    let story = if packet.item.follow_up_of.is_some() && packet.item.effect == Effect::None {
        Story {
            heading: "Nothing is sent for this.".to_owned(),
            meaning: "It follows up work that was accepted. What is left is done by people.".to_owned(),
        }
    } else {
        tell(packet.item.effect, packet.item.effect_system.as_deref(), &records)
    };
    if !packet.double_effects.is_empty() {
        let meaning =
            "It may have happened twice: two attempts contradict each other. Read which before anything else.";
        Story { meaning: meaning.to_owned(), ..story }
    } else if packet.item.state == State::Closed {
        closed(story, &packet.item)
    } else {
        story
    }
}

/// Ids of what stands in the other system, the newest first.
fn records(packet: &Packet) -> Vec<String> {
    let standing = |effect| matches!(effect, Effect::Confirmed | Effect::Partial);
    let of_attempts = packet.attempts.iter().filter(|a| standing(a.effect)).filter_map(|a| a.record_id.clone());
    let mut found: Vec<String> = packet.item.record_id.clone().into_iter().chain(of_attempts).collect();
    let mut seen = std::collections::HashSet::new();
    found.retain(|id| seen.insert(id.clone()));
    found
}

fn tell(effect: Effect, system: Option<&str>, records: &[String]) -> Story {
    let system = named(system);
    let known = records.iter().map(|id| isolated(id)).collect::<Vec<_>>().join(", ");
    let ids = |words: &str| if known.is_empty() { format!("{words}.") } else { format!("{words}: {known}.") };
    let (heading, meaning) = match effect {
        Effect::Uncertain => {
            (format!("{system} may already hold this."), "Check before you retry: sending it again could do it twice.")
        }
        Effect::Confirmed => (ids(&format!("{system} holds this")), "It happened. Sending it again would do it twice."),
        Effect::Partial => (
            ids(&format!("{system} holds a part of this")),
            "Only a part of it happened. Sending everything again would do that part twice.",
        ),
        Effect::None => (
            format!("{system} does not hold this."),
            "Every attempt is known to have ended without an effect, so trying again can't do it twice.",
        ),
        Effect::Compensated => (
            format!("What happened in {} was made good.", system.replacen("The ", "the ", 1)),
            "The original entry and what undid it both stand. The right version may be sent anew.",
        ),
    };
    Story { heading, meaning: meaning.to_owned() }
}

/// "The ledger" for a common name, a proper name as it is, "The other system" where none was given.
fn named(system: Option<&str>) -> String {
    match system {
        None => "The other system".to_owned(),
        Some(name) if name.chars().all(|letter| letter.is_ascii_lowercase() || letter == ' ') => format!("The {name}"),
        Some(name) => isolated(name),
    }
}

/// A closed item asks for nothing; it says how it ended.
fn closed(story: Story, item: &Item) -> Story {
    let how = item.resolution.map_or("Closed", |resolution| resolution.label());
    Story { meaning: format!("This item is closed: {}.", how.to_lowercase()), ..story }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading(effect: Effect, system: Option<&str>, records: &[&str]) -> String {
        tell(effect, system, &records.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>()).heading
    }

    #[test]
    fn the_heading_names_what_is_known() {
        assert_eq!(heading(Effect::Uncertain, Some("ledger"), &[]), "The ledger may already hold this.");
        assert_eq!(heading(Effect::Uncertain, None, &[]), "The other system may already hold this.");
        assert_eq!(heading(Effect::Confirmed, Some("Stripe"), &["ch_1"]), "Stripe holds this: ch_1.");
        assert_eq!(heading(Effect::Confirmed, Some("crm-eu"), &[]), "crm-eu holds this.");
        assert_eq!(
            heading(Effect::Partial, Some("carrier"), &["P-1", "P-2"]),
            "The carrier holds a part of this: P-1, P-2."
        );
        assert_eq!(heading(Effect::None, Some("mail service"), &[]), "The mail service does not hold this.");
        assert_eq!(heading(Effect::Compensated, Some("ledger"), &[]), "What happened in the ledger was made good.");
    }

    #[test]
    fn doubt_always_says_to_check_first() {
        assert!(tell(Effect::Uncertain, None, &[]).meaning.starts_with("Check before you retry"));
    }
}
