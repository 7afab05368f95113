//! Which of a few elements that changed are which: the ones that have most in common, in their order.

use std::cmp::Ordering;

use super::fingerprint::{Fingerprint, Keys, Side};
use crate::document::json::{Node, Shape};

/// Up to how many comparisons every element is compared with every other; of more, the first is taken for the first.
const MOST_COMPARISONS: usize = 1024;

/// Of how many values inside an element likeness is judged.
const MOST_PARTS: usize = 64;

/// Pairs of places in the two lists, in order.
pub(super) fn pairs(
    old: &Side<'_, '_>,
    new: &Side<'_, '_>,
    keys: &Keys,
    olds: &[Node],
    news: &[Node],
) -> Vec<(usize, usize)> {
    let by_place = olds.len().max(news.len()) < 2 || olds.len() * news.len() > MOST_COMPARISONS;
    if by_place {
        return (0..olds.len().min(news.len())).map(|place| (place, place)).collect();
    }
    let looks = |side: &Side<'_, '_>, nodes: &[Node]| nodes.iter().map(|node| Look::of(side, keys, *node)).collect();
    let (olds, news): (Vec<Look>, Vec<Look>) = (looks(old, olds), looks(new, news));
    // `best[one][other]` is the likeness of the best pairs of what follows from there on.
    let mut best = vec![vec![0; news.len() + 1]; olds.len() + 1];
    let mut likeness = vec![vec![0; news.len()]; olds.len()];
    for one in (0..olds.len()).rev() {
        for other in (0..news.len()).rev() {
            likeness[one][other] = olds[one].likeness(&news[other]);
            best[one][other] =
                (likeness[one][other] + best[one + 1][other + 1]).max(best[one + 1][other]).max(best[one][other + 1]);
        }
    }
    let (mut one, mut other) = (0, 0);
    let mut pairs = Vec::new();
    while one < olds.len() && other < news.len() {
        if best[one][other] == likeness[one][other] + best[one + 1][other + 1] {
            pairs.push((one, other));
            one += 1;
            other += 1;
        } else if best[one][other] == best[one + 1][other] {
            one += 1;
        } else {
            other += 1;
        }
    }
    pairs
}

/// An element as likeness is judged.
struct Look {
    shape: Shape,
    /// What is directly inside it, sorted.
    parts: Vec<Fingerprint>,
}

impl Look {
    fn of(side: &Side<'_, '_>, keys: &Keys, node: Node) -> Self {
        let (json, shape) = (side.json, side.json.shape(node));
        let part = |child| match shape {
            Shape::Object => keys.of(&(keys.name(json, child), side.meaning(child))),
            _ => side.meaning(child),
        };
        let mut parts: Vec<_> = json.children(node).take(MOST_PARTS).map(part).collect();
        parts.sort_unstable();
        Self { shape, parts }
    }

    /// From 1 for two that have nothing in common: a pair is better than none.
    fn likeness(&self, other: &Self) -> usize {
        if self.shape != other.shape {
            return 1;
        }
        let most = self.parts.len().max(other.parts.len()).max(1);
        2 + 30 * in_common(&self.parts, &other.parts) / most
    }
}

fn in_common(one: &[Fingerprint], other: &[Fingerprint]) -> usize {
    let (mut at, mut other_at, mut common) = (0, 0, 0);
    while let (Some(left), Some(right)) = (one.get(at), other.get(other_at)) {
        let order = left.cmp(right);
        at += usize::from(order != Ordering::Greater);
        other_at += usize::from(order != Ordering::Less);
        common += usize::from(order == Ordering::Equal);
    }
    common
}
