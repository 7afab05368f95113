//! Whose turn it is among those who are told: only so much goes to one receiver at a time, and one who takes long, or has
//! much waiting, is no reason to let others wait.

use std::collections::BTreeMap;

use domain::ids::PostingId;
use service::{DuePosting, channels::post::AT_ONCE};
use uuid::Uuid;

/// A channel; `None` is the mail server.
type Receiver = Option<Uuid>;

/// What this process has in hand, and who had a turn when.
#[derive(Default)]
pub(super) struct Turns {
    in_hand: BTreeMap<PostingId, Receiver>,
    /// The number of each receiver's last turn.
    had: BTreeMap<Receiver, u64>,
    turns: u64,
}

impl Turns {
    /// How much is in hand.
    pub(super) fn in_hand(&self) -> usize {
        self.in_hand.len()
    }

    /// Takes in hand what is begun now of what is due, as many as there is room for: first who has the least under way, and
    /// of those who had their last turn longest ago.
    pub(super) fn take(&mut self, mut due: Vec<DuePosting>, room: usize) -> Vec<PostingId> {
        due.retain(|due| !self.in_hand.contains_key(&due.id));
        let mut begun = Vec::new();
        while begun.len() < room {
            let free = due.iter().enumerate().filter(|(_, due)| self.under_way(due.channel_id) < AT_ONCE);
            let next = free.min_by_key(|(_, due)| (self.under_way(due.channel_id), self.had.get(&due.channel_id)));
            let Some((at, _)) = next else { break };
            let next = due.remove(at);
            self.turns += 1;
            self.had.insert(next.channel_id, self.turns);
            self.in_hand.insert(next.id, next.channel_id);
            begun.push(next.id);
        }
        begun
    }

    /// It is not in hand any more.
    pub(super) fn ended(&mut self, id: PostingId) {
        self.in_hand.remove(&id);
    }

    fn under_way(&self, receiver: Receiver) -> usize {
        self.in_hand.values().filter(|busy| **busy == receiver).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEAD: Receiver = Some(Uuid::from_u128(1));
    const ALIVE: Receiver = Some(Uuid::from_u128(2));
    const MAIL: Receiver = None;

    fn due(first: u128, count: u128, to: Receiver) -> Vec<DuePosting> {
        (first..first + count).map(|id| DuePosting { id: id_of(id), channel_id: to }).collect()
    }

    fn id_of(number: u128) -> PostingId {
        PostingId(Uuid::from_u128(number))
    }

    #[test]
    fn four_at_a_time_go_to_one_receiver() {
        let mut turns = Turns::default();
        let begun = turns.take(due(0, 9, DEAD), 32);
        assert_eq!(begun, [0, 1, 2, 3].map(id_of));
        assert!(turns.take(due(0, 9, DEAD), 32).is_empty(), "all its places are taken");
        assert_eq!(turns.take(due(20, 9, MAIL), 32).len(), 4, "the mail server has places of its own");
        turns.ended(id_of(2));
        assert_eq!((turns.take(due(0, 9, DEAD), 32), turns.in_hand()), (vec![id_of(2)], 8));
    }

    #[test]
    fn who_has_much_waiting_lets_others_have_their_turn() {
        let mut turns = Turns::default();
        let all = || [due(0, 4, DEAD), due(10, 4, ALIVE), due(20, 1, MAIL)].concat();
        assert_eq!(turns.take(all(), 3), [0, 10, 20].map(id_of), "one each");
        for ended in [0, 10, 20] {
            turns.ended(id_of(ended));
        }
        turns.take(due(0, 4, DEAD), 1);
        turns.ended(id_of(0));
        assert_eq!(turns.take(all(), 2), [10, 20].map(id_of), "whose last turn was longer ago");
    }
}
