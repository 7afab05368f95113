use proptest::prelude::*;

use super::*;
use crate::document::json::Shape;

/// Each change as "kind old → new", by pointers.
fn told(old: &str, new: &str) -> Vec<String> {
    let diff = tree_diff(&Json::read(old).unwrap(), &Json::read(new).unwrap());
    assert!(!diff.cut);
    diff.changes.iter().map(shown).collect()
}

fn shown(change: &Change) -> String {
    let [old, new] = [&change.old_pointer, &change.new_pointer].map(|pointer| pointer.as_deref().unwrap_or("-"));
    assert_eq!((change.old.is_some(), change.new.is_some()), (old != "-", new != "-"));
    format!("{:?} {old} → {new}", change.kind)
}

fn layout(old: &str, new: &str) -> bool {
    tree_diff(&Json::read(old).unwrap(), &Json::read(new).unwrap()).layout
}

fn array(elements: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", elements.into_iter().collect::<Vec<_>>().join(","))
}

#[test]
fn values_are_compared_by_what_they_say() {
    for (old, new, expected) in [
        ("[1]", r#"["1"]"#, &["TypeChanged /0 → /0"][..]),
        (r#"{"qty":2,"ok":"true"}"#, r#"{"qty":"2","ok":true}"#, &["TypeChanged /qty → /qty", "TypeChanged /ok → /ok"]),
        (r#"{"a":{"b":1}}"#, r#"{"a":[1]}"#, &["TypeChanged /a → /a"]),
        (r#"{"a":null}"#, r#"{"a":"x"}"#, &["TypeChanged /a → /a"]),
        (r#"{"a":null,"b":1}"#, r#"{"b":1}"#, &["Removed /a → -"]),
        (r#"{"b":1}"#, r#"{"b":1,"a":null}"#, &["Added - → /a"]),
        (r#"{"a":true}"#, r#"{"a":false}"#, &["Changed /a → /a"]),
        ("1", "2", &["Changed  → "]),
        ("{}", "[]", &["TypeChanged  → "]),
        (r#"{"a~/b":1}"#, r#"{"a~/b":2}"#, &["Changed /a~0~1b → /a~0~1b"]),
        ("[12345678901234567890]", "[12345678901234567891]", &["Changed /0 → /0"]),
        (r#"["\ud800"]"#, r#"["\ud801"]"#, &["Changed /0 → /0"]),
    ] {
        assert_eq!(told(old, new), expected, "{old} {new}");
    }
}

#[test]
fn other_spellings_are_told_apart_from_changes() {
    for (old, new, expected) in [
        ("[1.0]", "[1.00]", &["Respelled /0 → /0"][..]),
        (r#"{"a":120,"b":19.00}"#, r#"{"a":1.2E+2,"b":19}"#, &["Respelled /a → /a", "Respelled /b → /b"]),
        ("[-0]", "[0]", &["Respelled /0 → /0"]),
        ("[1e999999999999]", "[10e999999999998]", &["Respelled /0 → /0"]),
        (r#"["é"]"#, r#"["\u00e9"]"#, &["Respelled /0 → /0"]),
        (r#"{"é":{"x":1}}"#, r#"{"\u00e9":{"x":1}}"#, &["Respelled /é → /é"]),
        (r#"{"é":1.0}"#, r#"{"\u00e9":1}"#, &["Respelled /é → /é"]),
        (r#"{"é":1}"#, r#"{"\u00e9":2}"#, &["Respelled /é → /é", "Changed /é → /é"]),
        (r#"{"o":{"a":1,"b":[2]}}"#, r#"{"o":{"b":[2],"a":1}}"#, &["Reordered /o → /o"]),
        (
            r#"{"a":1,"b":{"c":1,"d":2}}"#,
            r#"{"b":{"d":2.0,"c":3},"a":1}"#,
            &["Reordered  → ", "Reordered /b → /b", "Respelled /b/d → /b/d", "Changed /b/c → /b/c"],
        ),
        (
            r#"[{"a":1.0,"b":1},[2]]"#,
            r#"[{"b":1,"a":1},[2.0]]"#,
            &["Reordered /0 → /0", "Respelled /0/a → /0/a", "Respelled /1/0 → /1/0"],
        ),
    ] {
        assert_eq!(told(old, new), expected, "{old} {new}");
    }
    let kinds =
        [ChangeKind::Added, ChangeKind::Changed, ChangeKind::Moved, ChangeKind::Respelled, ChangeKind::Reordered];
    assert_eq!(kinds.map(ChangeKind::is_spelling), [false, false, false, true, true]);
}

#[test]
fn a_fingerprint_stands_for_what_a_value_says() {
    let keys = Keys::new();
    for (one, other, same) in [
        (r#"{"a":1,"b":{"c":[1.0],"d":"é"}}"#, r#"{ "b": {"d":"\u00e9","c":[10e-1]}, "\u0061": 1.00 }"#, true),
        (r#"{"a":1,"b":0,"a":2}"#, r#"{"a":1,"a":2,"b":0}"#, true),
        (r#"{"a":1,"a":2}"#, r#"{"a":2,"a":1}"#, false),
        (r#"{"a":"b"}"#, r#"{"b":"a"}"#, false),
        ("[1,2]", "[2,1]", false),
        ("[[1],2]", "[[1,2]]", false),
        ("{}", "[]", false),
        ("1", r#""1""#, false),
        ("null", r#""null""#, false),
    ] {
        let (one, other) = (Json::read(one).unwrap(), Json::read(other).unwrap());
        let (left, right) = (Side::of(&one, &keys), Side::of(&other, &keys));
        assert_eq!(left.meaning(one.root()) == right.meaning(other.root()), same, "{} {}", one.text(), other.text());
        assert_ne!(left.spelling(one.root()), right.spelling(other.root()), "{} {}", one.text(), other.text());
    }
    let reordered = told(r#"[{"a":1,"b":2},{"a":1,"b":3}]"#, r#"[0,{"b":2,"a":1},{"a":1,"b":3}]"#);
    assert_eq!(reordered, ["Added - → /0", "Reordered /0 → /1"]);
}

#[test]
fn layout_is_told_apart() {
    for (old, new, differs) in [
        ("[1,2]", "[1, 2]", true),
        ("{\"a\":1}", "{\"a\": 1}", true),
        ("{\"a\":1}", "{ \"a\":1}", true),
        ("[[1]]", "[[1\n]]", true),
        ("[]", "[ ]", true),
        ("[1]\r\n", "[1]\n", true),
        ("\u{feff}[1]", "[1]", true),
        ("[1, 2]", "[0, 1, 2]", false),
        ("[1, 2]", "[1, 2, 3]", false),
        ("[\n  1,\n  2\n]", "[\n  2\n]", false),
        ("[\n  1,\n  2\n]", "[\n  1,\n  7\n]", false),
        ("[\n  1,\n  2\n]", "[1,\n  7]", true),
        ("{\"a\": [], \"b\": 2}", "{\"a\": [\n1\n], \"b\": 2}", false),
    ] {
        assert_eq!(layout(old, new), differs, "{old:?} {new:?}");
    }
    assert!(told("[ 1 ]", "[1]").is_empty());
}

#[test]
fn duplicate_names_are_matched_in_their_order() {
    for (old, new, expected) in [
        (r#"{"a":1}"#, r#"{"a":1,"a":2}"#, &["Duplicated - → /a"][..]),
        (r#"{"a":1,"a":2}"#, r#"{"a":1,"a":3}"#, &["Changed /a → /a"]),
        (r#"{"a":1,"a":2}"#, r#"{"a":1}"#, &["Removed /a → -"]),
        (r#"{"a":1,"a":2}"#, r#"{"a":2,"a":1}"#, &["Changed /a → /a", "Changed /a → /a"]),
        (r#"{}"#, r#"{"a":1,"a":1}"#, &["Added - → /a", "Duplicated - → /a"]),
        (r#"{"a":1}"#, r#"{"a":1,"\u0061":1}"#, &["Duplicated - → /a"]),
    ] {
        assert_eq!(told(old, new), expected, "{old} {new}");
    }
}

#[test]
fn elements_are_matched_by_what_they_are() {
    for (old, new, expected) in [
        ("[1,2,3]", "[0,1,2,3]", &["Added - → /0"][..]),
        ("[1,2,3]", "[1,3]", &["Removed /1 → -"]),
        ("[7,7,7]", "[7,7,7,7]", &["Added - → /3"]),
        (
            r#"[{"id":1,"q":1},{"id":2,"q":1}]"#,
            r#"[{"id":3,"q":1},{"id":1,"q":9},{"id":2,"q":9}]"#,
            &["Added - → /0", "Changed /0/q → /1/q", "Changed /1/q → /2/q"],
        ),
        (
            r#"[{"n":"a","x":1,"y":1},{"n":"b","x":2,"y":2}]"#,
            r#"[{"n":"new","x":7,"y":8},{"n":"a","x":1,"y":3},{"n":"b","x":2,"y":2.5}]"#,
            &["Added - → /0", "Changed /0/y → /1/y", "Changed /1/y → /2/y"],
        ),
        (r#"[{"id":1,"q":1}]"#, r#"[{"id":2,"q":1}]"#, &["Changed /0/id → /0/id"]),
        ("[1,2]", "[3,4,5]", &["Changed /0 → /0", "Changed /1 → /1", "Added - → /2"]),
        ("[[1,2,3],[4]]", "[[4,5]]", &["Removed /0 → -", "Added - → /0/1"]),
    ] {
        assert_eq!(told(old, new), expected, "{old} {new}");
    }
}

#[test]
fn what_only_stands_elsewhere_is_moved() {
    for (old, new, expected) in [
        ("[1,2]", "[2,1]", &["Moved /1 → /0"][..]),
        ("[1,2,3]", "[3,2,1]", &["Moved /2 → /0", "Moved /1 → /1"]),
        (r#"{"a":{"x":1},"b":{}}"#, r#"{"a":{},"b":{"x":1}}"#, &["Removed /a/x → -", "Added - → /b/x"]),
        (
            r#"{"a":{"x":{"k":1}},"b":{}}"#,
            r#"{"a":{},"b":{"x":{"k":1.0}}}"#,
            &["Moved /a/x → /b/x", "Respelled /a/x/k → /b/x/k"],
        ),
        (r#"{"first":"Kaffe 500 g"}"#, r#"{"second":"Kaffe 500 g"}"#, &["Moved /first → /second"]),
        (r#"{"first":1}"#, r#"{"second":1}"#, &["Removed /first → -", "Added - → /second"]),
        (
            r#"{"a":"same text","b":"same text"}"#,
            r#"{"c":"same text"}"#,
            &["Removed /a → -", "Removed /b → -", "Added - → /c"],
        ),
    ] {
        assert_eq!(told(old, new), expected, "{old} {new}");
    }
}

#[test]
fn what_is_gone_stands_where_it_stood() {
    assert_eq!(
        told(r#"{"x":0,"a":1,"y":0,"b":1,"z":0}"#, r#"{"a":2,"n":0,"b":2}"#),
        ["Removed /x → -", "Changed /a → /a", "Removed /y → -", "Added - → /n", "Changed /b → /b", "Removed /z → -"]
    );
}

#[test]
fn long_arrays_are_compared_element_by_element() {
    let item = |n: usize| format!(r#"{{"name":"item {}","price":{n}.50}}"#, n % 100);
    let old = array((0..10_000).map(item));
    let new = format!("[{},{}", item(12_345), &old[1..]);
    assert_eq!(told(&old, &new), ["Added - → /0"]);
    let edited = new.replace(r#""price":5000.50"#, r#""price":5000.75"#);
    assert_eq!(told(&old, &edited), ["Added - → /0", "Changed /5000/price → /5001/price"]);

    // Every element changed, one inserted: what names them keeps them together.
    let named = |n: usize| format!(r#"{{"sku":"S-{n}"}}"#);
    let dated = |n: usize| format!(r#"{{"sku":"S-{n}","date":null}}"#);
    let (old, new) = (array((1..5_000).map(named)), array((0..5_000).map(dated)));
    let changes = told(&old, &new);
    assert_eq!(changes[..2], ["Added - → /0", "Added - → /1/date"]);
    assert_eq!(changes.len(), 5_000);

    let turned = array((0..3_000).rev().map(item));
    assert!(told(&array((0..3_000).map(item)), &turned).iter().all(|change| change.starts_with("Moved")));
}

#[test]
fn too_many_changes_are_cut_and_spellings_hide_none() {
    let numbers = |suffix: &str| array((0..40_000).map(|n| format!("{n}{suffix}")));
    let diff = |old: &str, new: &str| tree_diff(&Json::read(old).unwrap(), &Json::read(new).unwrap());
    let other = diff(&numbers(""), &numbers(".5"));
    assert_eq!((other.changes.len(), other.cut), (MOST_CHANGES, true));

    let (old, new) = (format!("[{},1]", numbers("")), format!("[{},2]", numbers(".0")));
    let respelled = diff(&old, &new);
    assert_eq!((respelled.changes.len(), respelled.cut), (MOST_CHANGES + 1, true));
    assert_eq!(respelled.changes.last().map(shown).as_deref(), Some("Changed /1 → /1"));

    let most = array((0..MOST_CHANGES).map(|n| n.to_string()));
    assert!(!diff("[]", &most).cut);
}

#[test]
fn depth_costs_no_stack_and_no_square() {
    let deep = |core: &str| format!("{}{core}{}", "[".repeat(200_000), "]".repeat(200_000));
    let changes = told(&deep("1.0"), &deep("2.0"));
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].len(), "Changed  → ".len() + 2 * 400_000);
    assert_eq!(told(&deep("1e1"), &deep("1E1")).len(), 1);
    let members = |core: &str| format!("{}{core}{}", r#"{"a":"#.repeat(200_000), "}".repeat(200_000));
    assert_eq!(told(&members("null"), &members("0")).len(), 1);
    // Each pointer is as long as the document: they are not all written.
    let many = |n: usize| deep(&(0..1_000).map(|place| (place * n).to_string()).collect::<Vec<_>>().join(","));
    let (old, new) = (many(1), many(2));
    let diff = tree_diff(&Json::read(&old).unwrap(), &Json::read(&new).unwrap());
    assert!(diff.cut && !diff.changes.is_empty());
}

/// A document as nested vectors, printed with chance spellings.
fn document() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        "-?[1-9][0-9]{0,3}(\\.[0-9]{1,3})?(e[1-9])?",
        "\"[a-c\u{e9} ]{0,6}\"",
    ];
    scalar.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(|elements| format!("[{}]", elements.join(", "))),
            prop::collection::vec(("[a-d]|id", inner), 0..6).prop_map(|members| {
                let members: Vec<_> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
                format!("{{ {} }}", members.join(","))
            }),
        ]
    })
}

proptest! {
    #[test]
    fn a_document_does_not_differ_from_itself(text in document()) {
        let (one, other) = (Json::read(&text).unwrap(), Json::read(&text).unwrap());
        prop_assert_eq!(tree_diff(&one, &other), TreeDiff::default());
        let spaced = format!("{text}\n");
        let diff = tree_diff(&one, &Json::read(&spaced).unwrap());
        prop_assert!(diff.changes.is_empty() && diff.layout && !diff.cut);
    }

    #[test]
    fn an_edit_of_one_scalar_is_told_and_nothing_else(text in document(), chosen in any::<prop::sample::Index>()) {
        let old = Json::read(&text).unwrap();
        let scalars: Vec<Node> =
            old.nodes().filter(|node| !matches!(old.shape(*node), Shape::Array | Shape::Object)).collect();
        prop_assume!(!scalars.is_empty());
        let node = scalars[chosen.index(scalars.len())];
        let mut edited = text.clone();
        edited.replace_range(old.span(node), "\"edited\"");
        let new = Json::read(&edited).unwrap();
        let diff = tree_diff(&old, &new);
        let places: Vec<_> = diff.changes.iter().map(|change| (change.old, change.new)).collect();
        prop_assert_eq!(places, [(Some(node), Some(node))]);
        let pointer = Some(old.pointer(node));
        prop_assert!(diff.changes[0].old_pointer == pointer && diff.changes[0].new_pointer == pointer);
        prop_assert!(!diff.layout && !diff.changes[0].kind.is_spelling());
    }

    #[test]
    fn nothing_that_differs_is_left_untold(old in document(), new in document()) {
        let (before, after) = (Json::read(&old).unwrap(), Json::read(&new).unwrap());
        let diff = tree_diff(&before, &after);
        prop_assert_eq!(diff.changes.is_empty() && !diff.layout, old == new);
        let keys = Keys::new();
        let (before_side, after_side) = (Side::of(&before, &keys), Side::of(&after, &keys));
        let same = before_side.meaning(before.root()) == after_side.meaning(after.root());
        let beside = Side::beside(&after, &keys, &before_side);
        for node in after.nodes() {
            prop_assert_eq!(beside.meaning(node), after_side.meaning(node));
            prop_assert_eq!(beside.spelling(node), after_side.spelling(node));
        }
        prop_assert_eq!(diff.changes.iter().all(|change| change.kind.is_spelling()), same);
        for change in &diff.changes {
            prop_assert_eq!(&change.old_pointer, &change.old.map(|node| before.pointer(node)));
            prop_assert_eq!(&change.new_pointer, &change.new.map(|node| after.pointer(node)));
        }
    }

    #[test]
    fn fingerprints_are_equal_exactly_where_values_are(one in document(), other in document()) {
        let keys = Keys::new();
        let (one, other) = (Json::read(&one).unwrap(), Json::read(&other).unwrap());
        let (left, right) = (Side::of(&one, &keys), Side::of(&other, &keys));
        for here in one.nodes() {
            for there in other.nodes() {
                let same = canonical(&one, here) == canonical(&other, there);
                prop_assert_eq!(left.meaning(here) == right.meaning(there), same, "{} {}", one.raw(here), other.raw(there));
            }
        }
    }
}

/// A value printed in one way only: the slow definition of what says the same.
fn canonical(json: &Json<'_>, node: Node) -> String {
    let inside = || json.children(node).map(|child| (json.key(child), canonical(json, child)));
    match json.shape(node) {
        Shape::Array => format!("[{}]", inside().map(|(_, value)| value).collect::<Vec<_>>().join(",")),
        Shape::Object => {
            let mut members: Vec<_> = inside().collect();
            members.sort_by_key(|(name, _)| *name);
            format!("{{{members:?}}}")
        }
        Shape::Number => format!("n{}", json.raw(node).parse::<f64>().unwrap()),
        _ => json.raw(node).to_owned(),
    }
}
