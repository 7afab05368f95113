//! What an action will do with this item: which version goes to which destination.

use domain::moves::Move;
use service::items::{actions::ItemAction, packet::Packet, sending::Sendable};

use crate::components::words::isolated;

/// An action in words.
pub(super) struct Told {
    pub(super) label: String,
    pub(super) will: String,
}

/// What its button and the line under it say; text between backticks is shown as it is.
pub(super) fn told(action: &ItemAction, packet: &Packet) -> Told {
    let sendable = packet.sendable.as_ref();
    let specific = match action.step {
        Move::Replay => replay(packet, sendable),
        Move::AskAgain => ask_again(sendable),
        Move::Lookup => sendable.and_then(|to| Some((action.label.to_owned(), lookup(to.lookup.as_ref()?)))),
        _ => None,
    };
    let (label, will) = specific.unwrap_or_else(|| (action.label.to_owned(), action.explanation.to_owned()));
    Told { label, will }
}

fn replay(packet: &Packet, sendable: Option<&Sendable>) -> Option<(String, String)> {
    let (last, request) = (packet.revisions.last()?, sendable?.request.as_ref()?);
    let by = if last.number == 1 { "the original".to_owned() } else { format!("by {}", isolated(&last.author_name)) };
    let label = format!("Replay revision {} ({by})…", last.number);
    Some((label, format!("To `{request}`, once. You see what goes where before it is sent.")))
}

fn ask_again(sendable: Option<&Sendable>) -> Option<(String, String)> {
    let (sendable, request) = (sendable?, sendable?.request.as_ref()?);
    let about = match sendable.askable.as_slice() {
        [] => return None,
        [only] => format!("attempt {} again, with its key `{}`", only.number, only.key),
        several => {
            let numbers: Vec<String> = several.iter().map(|askable| askable.number.to_string()).collect();
            format!("attempt {} again, with its own key", numbers.join(" or "))
        }
    };
    let will = format!(
        "Sends what was in {about}, to `{request}`. The destination recognises the repeat and does nothing twice."
    );
    Some(("Ask again with the same key…".to_owned(), will))
}

fn lookup(address: &str) -> String {
    format!("Asks `{address}` whether the effect is there. Nothing is changed there.")
}
