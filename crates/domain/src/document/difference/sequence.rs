//! Two sequences side by side: which entries of one are which of the other.

use std::{hash::Hash, ops::Range};

use similar::{
    DiffOp,
    algorithms::{Capture, myers},
};

/// Two runs that stand in the same place and have nothing in common.
pub(super) type Gap = (Range<usize>, Range<usize>);

/// Entries that are equal and stand in the same order, and what is between them.
#[derive(Default)]
pub(super) struct Aligned {
    pub(super) pairs: Vec<(usize, usize)>,
    pub(super) gaps: Vec<Gap>,
}

/// Few edits are found exactly. Of many, the search is bounded and not the shortest list of them is found but a good one.
pub(super) fn align<T: Hash + Eq>(old: &[T], new: &[T]) -> Aligned {
    let same = |(one, other): &(&T, &T)| one == other;
    let before = old.iter().zip(new).take_while(same).count();
    let behind = old[before..].iter().rev().zip(new[before..].iter().rev()).take_while(same).count();
    let (old_end, new_end) = (old.len() - behind, new.len() - behind);

    let mut aligned = Aligned::default();
    let mut at = (0, 0);
    let mut equal = |start: (usize, usize), length: usize| {
        if at != start {
            aligned.gaps.push((at.0..start.0, at.1..start.1));
        }
        aligned.pairs.extend((0..length).map(|step| (start.0 + step, start.1 + step)));
        at = (start.0 + length, start.1 + length);
    };
    equal((0, 0), before);
    if before < old_end && before < new_end {
        let mut capture = Capture::new();
        let Ok(()) = myers::diff(&mut capture, old, before..old_end, new, before..new_end);
        for op in capture.into_ops() {
            if let DiffOp::Equal { old_index, new_index, len } = op {
                equal((old_index, new_index), len);
            }
        }
    }
    equal((old_end, new_end), behind);
    aligned
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_many_edits_leave_is_bounded() {
        let old: Vec<usize> = (0..10_000).collect();
        let turned: Vec<usize> = old.iter().rev().copied().collect();
        let shuffled: Vec<usize> = (0..10_000).map(|n| n * 4_827 % 10_007).collect();
        let other: Vec<usize> = (10_000..20_000).collect();
        let few: Vec<usize> = shuffled.iter().map(|n| n % 5).collect();
        for new in [&turned, &shuffled, &other, &few] {
            let aligned = align(&old, new);
            assert!(aligned.pairs.iter().all(|(one, other)| old[*one] == new[*other]));
        }
        let few_more: Vec<usize> = turned.iter().map(|n| n * 7 % 11 % 5).collect();
        assert!(!align(&few, &few_more).pairs.is_empty());
    }

    proptest! {
        #[test]
        fn pairs_are_equal_and_in_order_and_gaps_hold_the_rest(
            old in proptest::collection::vec(0..6_u8, 0..40), new in proptest::collection::vec(0..6_u8, 0..40),
        ) {
            let Aligned { pairs, gaps } = align(&old, &new);
            prop_assert!(pairs.iter().all(|(one, other)| old[*one] == new[*other]));
            prop_assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
            let mut all_old: Vec<_> = pairs.iter().map(|pair| pair.0).chain(gaps.iter().flat_map(|gap| gap.0.clone())).collect();
            let mut all_new: Vec<_> = pairs.iter().map(|pair| pair.1).chain(gaps.iter().flat_map(|gap| gap.1.clone())).collect();
            all_old.sort_unstable();
            all_new.sort_unstable();
            prop_assert_eq!(all_old, (0..old.len()).collect::<Vec<_>>());
            prop_assert_eq!(all_new, (0..new.len()).collect::<Vec<_>>());
        }
    }
}
