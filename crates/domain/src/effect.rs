//! The effect: what is known about the side effect of a piece of work (R4).

use crate::word::words;

words! {
    /// What is known. Ordered by doubt: where two statements disagree, the greater counts.
    Effect {
        None = "none", Compensated = "compensated", Confirmed = "confirmed", Partial = "partial", Uncertain = "uncertain",
    }
}

impl Effect {
    /// For people, short enough for a table cell.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::None => "known not to have happened",
            Self::Compensated => "made good",
            Self::Confirmed => "happened",
            Self::Partial => "partly happened",
            Self::Uncertain => "may have happened",
        }
    }

    /// The more doubtful of two statements about the same attempt.
    #[must_use]
    pub fn more_doubtful(self, other: Self) -> Self {
        self.max(other)
    }
}

/// What one attempt, or one compensation, contributes to an item's effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The epoch the attempt belongs to; a compensation of the whole effect begins the next one.
    pub epoch: i64,
    /// The attempt's own effect, findings included.
    pub effect: Effect,
}

/// The item's effect: `uncertain` if anything is unsettled; else `confirmed` if an effect stands in this epoch; else
/// `partial`; else `compensated` where an earlier epoch was made good, else `none`. The only place it is decided.
#[must_use]
pub fn derive(epoch: i64, attempts: impl IntoIterator<Item = Standing>) -> Effect {
    let mut derived = if epoch > 0 { Effect::Compensated } else { Effect::None };
    for attempt in attempts {
        let counts = match attempt.effect {
            Effect::Uncertain => Effect::Uncertain,
            // What an earlier epoch did was made good; only doubt survives the change of epoch.
            _ if attempt.epoch < epoch => continue,
            // Confirmed outweighs partial here: once the whole effect stands, nothing is left to complete.
            Effect::Confirmed if derived == Effect::Partial => {
                derived = Effect::Confirmed;
                continue;
            }
            Effect::Partial if derived == Effect::Confirmed => continue,
            Effect::None | Effect::Compensated => continue,
            standing => standing,
        };
        derived = derived.max(counts);
    }
    derived
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(epoch: i64, effect: Effect) -> Standing {
        Standing { epoch, effect }
    }

    #[test]
    fn r4_doubt_outweighs_everything_and_confirmed_outweighs_partial() {
        use Effect::{Compensated, Confirmed, None, Partial, Uncertain};
        assert_eq!(derive(0, []), None);
        assert_eq!(derive(0, [at(0, None), at(0, None)]), None);
        assert_eq!(derive(0, [at(0, Partial), at(0, None)]), Partial);
        assert_eq!(derive(0, [at(0, Partial), at(0, Confirmed)]), Confirmed);
        assert_eq!(derive(0, [at(0, Confirmed), at(0, Partial)]), Confirmed);
        assert_eq!(derive(0, [at(0, Confirmed), at(0, Uncertain)]), Uncertain);
        assert_eq!(derive(1, [at(0, Confirmed)]), Compensated);
        assert_eq!(derive(1, [at(0, Confirmed), at(1, Confirmed)]), Confirmed);
        assert_eq!(derive(1, [at(0, Uncertain)]), Uncertain);
    }

    fn standing() -> impl Strategy<Value = Standing> {
        (0i64..3, proptest::sample::select(Effect::ALL.to_vec())).prop_map(|(epoch, effect)| at(epoch, effect))
    }

    proptest! {
        #[test]
        fn r4_the_order_of_attempts_never_matters(mut attempts in proptest::collection::vec(standing(), 0..8), epoch in 0i64..3) {
            let first = derive(epoch, attempts.clone());
            attempts.reverse();
            prop_assert_eq!(first, derive(epoch, attempts.clone()));
            attempts.sort_by_key(|s| (s.effect, s.epoch));
            prop_assert_eq!(first, derive(epoch, attempts));
        }

        #[test]
        fn r4_any_unsettled_attempt_makes_the_item_uncertain(attempts in proptest::collection::vec(standing(), 1..8), epoch in 0i64..3) {
            let unsettled = attempts.iter().any(|a| a.effect == Effect::Uncertain);
            prop_assert_eq!(derive(epoch, attempts) == Effect::Uncertain, unsettled);
        }
    }
}
