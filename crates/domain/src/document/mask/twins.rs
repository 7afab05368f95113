//! Members of one name in one object. Readers take one of them, most the last: the others are as good as gone.

use std::{borrow::Cow, collections::HashMap};

use crate::document::json::{Json, Node, Shape, decoded};

/// For each value: how many other members have the name that it has, or that something it stands in has.
pub(super) fn twins(json: &Json<'_>, values: &[Node]) -> Vec<u32> {
    let mut leads_to_one = vec![false; json.len()];
    for value in values {
        let mut here = Some(*value);
        while let Some(node) = here.filter(|node| !leads_to_one[node.index()]) {
            leads_to_one[node.index()] = true;
            here = json.parent(node);
        }
    }
    let mut twins = vec![0_u32; json.len()];
    for outer in json.nodes().filter(|node| leads_to_one[node.index()]) {
        let mut names: HashMap<Cow<'_, [u8]>, u32> = HashMap::new();
        if json.shape(outer) == Shape::Object {
            for key in json.children(outer).filter_map(|child| json.key(child)) {
                *names.entry(decoded(key)).or_default() += 1;
            }
        }
        for inner in json.children(outer).filter(|child| leads_to_one[child.index()]) {
            let others = json.key(inner).and_then(|key| names.get(&decoded(key))).map_or(0, |count| count - 1);
            twins[inner.index()] = twins[outer.index()].saturating_add(others);
        }
    }
    values.iter().map(|value| twins[value.index()]).collect()
}
