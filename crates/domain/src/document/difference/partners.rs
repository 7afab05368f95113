//! Which member or element of the older value each one of the newer value is.

use std::{cmp::Ordering, collections::HashMap};

use super::{
    fingerprint::{Fingerprint, Keys, Side},
    likeness,
    sequence::{Aligned, align},
};
use crate::document::json::{Node, Shape, plain};

/// What a value was before; the number counts the older value's members or elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Partner {
    /// Nothing: it is new.
    None,
    /// Nothing, and there is a member of its name before it.
    Again,
    /// This one, in its place.
    Stays(usize),
    /// This one, with the same value in another place.
    Moved(usize),
}

/// Members belong together by name; of several with one name the first with the first, the second with the second.
pub(super) fn members(
    old: &Side<'_, '_>,
    new: &Side<'_, '_>,
    keys: &Keys,
    olds: &[Node],
    news: &[Node],
) -> Vec<Partner> {
    let by_name = |side: &Side<'_, '_>, members: &[Node]| {
        let mut named: Vec<_> =
            members.iter().enumerate().map(|(place, member)| (keys.name(side.json, *member), place)).collect();
        named.sort_unstable();
        named
    };
    let (old_names, new_names) = (by_name(old, olds), by_name(new, news));
    let mut partners = vec![Partner::None; news.len()];
    let (mut one, mut other) = (0, 0);
    while let Some((name, place)) = new_names.get(other) {
        match old_names.get(one).map_or(Ordering::Greater, |(old_name, _)| old_name.cmp(name)) {
            Ordering::Less => one += 1,
            Ordering::Equal => {
                partners[*place] = Partner::Stays(old_names[one].1);
                one += 1;
                other += 1;
            }
            Ordering::Greater => {
                if other > 0 && new_names[other - 1].0 == *name {
                    partners[*place] = Partner::Again;
                }
                other += 1;
            }
        }
    }
    partners
}

/// Elements belong together by what they say, then by what names them, then by likeness or place.
pub(super) fn elements(
    old: &Side<'_, '_>,
    new: &Side<'_, '_>,
    keys: &Keys,
    olds: &[Node],
    news: &[Node],
) -> Vec<Partner> {
    let said = |side: &Side<'_, '_>, nodes: &[Node]| nodes.iter().map(|node| side.meaning(*node)).collect::<Vec<_>>();
    let (old_said, new_said) = (said(old, olds), said(new, news));
    let mut partners = vec![Partner::None; news.len()];
    let Aligned { pairs, gaps } = align(&old_said, &new_said);
    for (one, other) in pairs {
        partners[other] = Partner::Stays(one);
    }
    let moved = moved(&old_said, &new_said, &gaps);
    let gone: Vec<bool> = flags(olds.len(), moved.iter().map(|pair| pair.0));
    for (one, other) in moved {
        partners[other] = Partner::Moved(one);
    }

    for (olds_here, news_here) in gaps {
        let olds_here: Vec<usize> = olds_here.filter(|place| !gone[*place]).collect();
        let news_here: Vec<usize> = news_here.filter(|place| partners[*place] == Partner::None).collect();
        let named = |side: &Side<'_, '_>, nodes: &[Node], here: &[usize]| {
            here.iter().map(|place| identity(side, keys, nodes[*place])).collect::<Vec<_>>()
        };
        let Aligned { pairs, gaps } = align(&named(old, olds, &olds_here), &named(new, news, &news_here));
        for (one, other) in pairs {
            partners[news_here[other]] = Partner::Stays(olds_here[one]);
        }
        for (ones, others) in gaps {
            let (ones, others) = (&olds_here[ones], &news_here[others]);
            let nodes = |nodes: &[Node], places: &[usize]| places.iter().map(|place| nodes[*place]).collect::<Vec<_>>();
            for (one, other) in likeness::pairs(old, new, keys, &nodes(olds, ones), &nodes(news, others)) {
                partners[others[other]] = Partner::Stays(ones[one]);
            }
        }
    }
    partners
}

fn flags(length: usize, set: impl Iterator<Item = usize>) -> Vec<bool> {
    let mut flags = vec![false; length];
    set.for_each(|place| flags[place] = true);
    flags
}

/// Entries of the gaps that say the same and are the only ones on either side to say it.
fn moved(old: &[Fingerprint], new: &[Fingerprint], gaps: &[super::sequence::Gap]) -> Vec<(usize, usize)> {
    if gaps.iter().all(|(ones, _)| ones.is_empty()) || gaps.iter().all(|(_, others)| others.is_empty()) {
        return Vec::new();
    }
    let mut by_meaning: HashMap<Fingerprint, (Vec<usize>, Vec<usize>)> = HashMap::new();
    for (ones, others) in gaps {
        ones.clone().for_each(|place| by_meaning.entry(old[place]).or_default().0.push(place));
        others.clone().for_each(|place| by_meaning.entry(new[place]).or_default().1.push(place));
    }
    by_meaning
        .into_values()
        .filter_map(|places| match (&places.0[..], &places.1[..]) {
            ([one], [other]) => Some((*one, *other)),
            _ => None,
        })
        .collect()
}

/// Members whose value names an object among others, the most telling first.
const NAMING: [&str; 6] = ["id", "uuid", "key", "sku", "code", "name"];

/// What an element goes by: its first naming member, otherwise everything it says.
fn identity(side: &Side<'_, '_>, keys: &Keys, element: Node) -> Fingerprint {
    let json = side.json;
    let rank = |member: &Node| {
        let scalar = !matches!(json.shape(*member), Shape::Null | Shape::Array | Shape::Object);
        let name = json.key(*member).filter(|_| scalar).and_then(plain)?;
        NAMING.iter().position(|naming| *naming == name)
    };
    let members = (json.shape(element) == Shape::Object).then(|| json.children(element)).into_iter().flatten();
    match members.filter_map(|member| Some((rank(&member)?, member))).min() {
        Some((rank, member)) => keys.of(&(rank, side.meaning(member))),
        None => side.meaning(element),
    }
}
