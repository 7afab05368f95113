//! Edits at places of a document, each a splice: whatever is not edited keeps its bytes (R2).

use std::ops::Range;

use super::{
    difference::tree_diff,
    json::{self, Json, Node, Shape},
};

/// Operations one patch may have.
pub const MOST_OPERATIONS: usize = 1_000;
/// Bytes that may be read anew while a patch is applied: every operation reads the document once.
const MOST_WORK: usize = 1 << 30;
/// Bytes that a document may grow to on the way: `copy` could double it each time.
const MOST_TEXT: usize = 64 << 20;

/// One operation of RFC 6902, its value as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation<'t> {
    /// Puts a value there; what stands in an array moves on.
    Add { path: String, value: &'t str },
    /// Takes away what stands there.
    Remove { path: String },
    /// Puts another value there.
    Replace { path: String, value: &'t str },
    /// Puts there what stands elsewhere, and takes it away from there.
    Move { from: String, path: String },
    /// Puts there what stands elsewhere, too.
    Copy { from: String, path: String },
    /// Goes on only if this value stands there.
    Test { path: String, value: &'t str },
}

impl Operation<'_> {
    /// Where it writes, or looks.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::Add { path, .. } | Self::Remove { path } | Self::Replace { path, .. } => path,
            Self::Move { path, .. } | Self::Copy { path, .. } | Self::Test { path, .. } => path,
        }
    }

    /// Whether what it does depends on a value that stands in the document: it would tell whoever may not see it.
    #[must_use]
    pub const fn reads(&self) -> bool {
        matches!(self, Self::Move { .. } | Self::Copy { .. } | Self::Test { .. })
    }
}

/// What is wrong with a patch, and where in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchProblem {
    /// JSON pointer into the patch.
    pub pointer: String,
    /// A sentence for people.
    pub message: String,
}

fn problem(pointer: impl Into<String>, message: impl Into<String>) -> PatchProblem {
    PatchProblem { pointer: pointer.into(), message: message.into() }
}

/// Reads a patch (RFC 6902) losslessly.
pub fn read<'t>(patch: &Json<'t>) -> Result<Vec<Operation<'t>>, PatchProblem> {
    let root = patch.root();
    if patch.shape(root) != Shape::Array {
        return Err(problem("", "A patch is an array of operations (RFC 6902)."));
    }
    let all: Vec<Node> = patch.children(root).collect();
    match all.len() {
        0 => Err(problem("", "The patch has no operation.")),
        1..=MOST_OPERATIONS => all.iter().enumerate().map(|(at, node)| operation(patch, *node, at)).collect(),
        _ => Err(problem("", format!("A patch may have at most {MOST_OPERATIONS} operations."))),
    }
}

fn operation<'t>(patch: &Json<'t>, node: Node, at: usize) -> Result<Operation<'t>, PatchProblem> {
    let place = |name: &str| format!("/{at}/{name}");
    let text = |name: &str| {
        let member = patch.member(node, name).filter(|member| patch.shape(*member) == Shape::String);
        let text = member.and_then(|member| json::plain(patch.raw(member))).map(std::borrow::Cow::into_owned);
        text.ok_or_else(|| problem(place(name), format!("Every such operation has a text `{name}`.")))
    };
    let pointer = |name: &str| {
        let text = text(name)?;
        let right = text.is_empty() || text.starts_with('/');
        if right { Ok(text) } else { Err(problem(place(name), "A JSON pointer is empty or begins with /.")) }
    };
    let value = || {
        let member = patch.member(node, "value");
        member.map(|member| patch.raw(member)).ok_or_else(|| problem(place("value"), "This operation needs a `value`."))
    };
    Ok(match text("op")?.as_str() {
        "add" => Operation::Add { path: pointer("path")?, value: value()? },
        "remove" => Operation::Remove { path: pointer("path")? },
        "replace" => Operation::Replace { path: pointer("path")?, value: value()? },
        "move" => Operation::Move { from: pointer("from")?, path: pointer("path")? },
        "copy" => Operation::Copy { from: pointer("from")?, path: pointer("path")? },
        "test" => Operation::Test { path: pointer("path")?, value: value()? },
        other => {
            let message = format!("`{other}` is not one of add, remove, replace, move, copy and test.");
            return Err(problem(place("op"), message));
        }
    })
}

/// The text after all operations, or what stands in the way of the first that is not possible. Nothing is done by halves.
pub fn apply(text: &str, operations: &[Operation<'_>]) -> Result<String, PatchProblem> {
    let mut text = text.to_owned();
    let mut work = 0_usize;
    for (at, operation) in operations.iter().enumerate() {
        work = work.saturating_add(text.len());
        if work > MOST_WORK || text.len() > MOST_TEXT {
            let why = "That is too much for a patch on a document of this size. Send the corrected text.";
            return Err(problem(format!("/{at}"), why));
        }
        let wrong = |name: &str, message: String| problem(format!("/{at}/{name}"), message);
        let json = Json::read(&text).map_err(|_| problem("", "What is to be patched is not JSON."))?;
        let there =
            |name: &str, path: &str| json.find(path).ok_or_else(|| wrong(name, format!("Nothing stands at `{path}`.")));
        let put = |json: &Json<'_>, path: &str, value: &str| add(json, path, value).map_err(|why| wrong("path", why));
        text = match operation {
            Operation::Add { path, value } => put(&json, path, value)?,
            Operation::Replace { path, value } => spliced(&text, json.span(there("path", path)?), value),
            Operation::Remove { path } => remove(&json, there("path", path)?).map_err(|why| wrong("path", why))?,
            Operation::Copy { from, path } => put(&json, path, json.raw(there("from", from)?))?,
            Operation::Move { from, path } if from == path => {
                there("from", from)?;
                continue;
            }
            Operation::Move { from, path } => {
                if path.strip_prefix(from.as_str()).is_some_and(|rest| rest.starts_with('/')) {
                    return Err(wrong("path", "Nothing can be moved into itself.".to_owned()));
                }
                let node = there("from", from)?;
                let value = json.raw(node).to_owned();
                let without = remove(&json, node).map_err(|why| wrong("from", why))?;
                let rest = Json::read(&without).map_err(|_| wrong("from", "It can't be taken out.".to_owned()))?;
                put(&rest, path, &value)?
            }
            Operation::Test { path, value } => {
                let node = there("path", path)?;
                if !same_value(json.raw(node), value) {
                    return Err(wrong("value", format!("Something else stands at `{path}`.")));
                }
                continue;
            }
        };
    }
    Ok(text)
}

/// The text with something else in the place of one stretch.
#[must_use]
pub fn spliced(text: &str, span: Range<usize>, with: &str) -> String {
    splices(text, [(span, with)])
}

/// The text with some of its stretches replaced, given in order.
#[must_use]
pub fn splices<'r>(text: &str, edits: impl IntoIterator<Item = (Range<usize>, &'r str)>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut copied = 0;
    for (span, with) in edits {
        result.push_str(&text[copied..span.start]);
        result.push_str(with);
        copied = span.end;
    }
    result.push_str(&text[copied..]);
    result
}

/// Whether two values say the same, however they are written.
fn same_value(one: &str, other: &str) -> bool {
    match (Json::read(one), Json::read(other)) {
        (Ok(one), Ok(other)) => tree_diff(&one, &other).changes.iter().all(|change| change.kind.is_spelling()),
        _ => false,
    }
}

/// Where a member or element begins: at its name, where it has one.
fn start(json: &Json<'_>, node: Node) -> usize {
    json.key_span(node).unwrap_or_else(|| json.span(node)).start
}

/// Takes out a member or an element with the comma that goes with it.
fn remove(json: &Json<'_>, node: Node) -> Result<String, String> {
    let Some(parent) = json.parent(node) else {
        return Err("The whole document can be replaced, not removed.".to_owned());
    };
    let before = json.children(parent).take_while(|child| *child != node).last();
    let after = json.children(parent).skip_while(|child| *child != node).nth(1);
    let span = match (before, after) {
        (Some(before), _) => json.span(before).end..json.span(node).end,
        (None, Some(after)) => start(json, node)..start(json, after),
        (None, None) => start(json, node)..json.span(node).end,
    };
    Ok(spliced(json.text(), span, ""))
}

fn add(json: &Json<'_>, path: &str, value: &str) -> Result<String, String> {
    let Some((container, name)) = path.rsplit_once('/') else {
        return Ok(spliced(json.text(), json.span(json.root()), value));
    };
    let parent = json.find(container).ok_or_else(|| format!("Nothing stands at `{container}`."))?;
    let children: Vec<Node> = json.children(parent).collect();
    match json.shape(parent) {
        Shape::Object => {
            let name = json::unescaped(name);
            if let Some(member) = json.member(parent, &name) {
                return Ok(spliced(json.text(), json.span(member), value));
            }
            let colon = children.last().and_then(|last| Some(json.key_span(*last)?.end..json.span(*last).start));
            let colon = colon.map_or(":", |span| &json.text()[span]);
            let key = serde_json::Value::String(name);
            Ok(insert(json, parent, &children, children.len(), &format!("{key}{colon}{value}")))
        }
        Shape::Array => {
            let place = if name == "-" { Some(children.len()) } else { json::index(name) };
            match place.filter(|place| *place <= children.len()) {
                Some(place) => Ok(insert(json, parent, &children, place, value)),
                None => Err(format!("`{name}` is not a place in an array of {}.", children.len())),
            }
        }
        _ => Err(format!("What stands at `{container}` is neither an object nor an array.")),
    }
}

/// Puts a member or an element in its place, set apart as its neighbours are.
fn insert(json: &Json<'_>, parent: Node, children: &[Node], place: usize, what: &str) -> String {
    let text = json.text();
    let inside = json.span(parent).start + 1;
    let Some(first) = children.first() else { return spliced(text, inside..inside, what) };
    let lead = &text[inside..start(json, *first)];
    if place == children.len() {
        let end = json.span(children[place - 1]).end;
        let apart = match place {
            1 => format!(",{lead}"),
            _ => text[json.span(children[place - 2]).end..start(json, children[place - 1])].to_owned(),
        };
        return spliced(text, end..end, &format!("{apart}{what}"));
    }
    let at = start(json, children[place]);
    let apart = match place {
        0 => match children.get(1) {
            Some(second) => text[json.span(*first).end..start(json, *second)].to_owned(),
            None => format!(",{lead}"),
        },
        _ => text[json.span(children[place - 1]).end..at].to_owned(),
    };
    spliced(text, at..at, &format!("{what}{apart}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patched(text: &str, patch: &str) -> Result<String, String> {
        let patch = Json::read(patch).unwrap();
        let told = |problem: PatchProblem| format!("{} {}", problem.pointer, problem.message);
        apply(text, &read(&patch).map_err(told)?).map_err(told)
    }

    #[test]
    fn r2_only_the_place_differs() {
        let text = "\u{feff}{\r\n  \"amount\" : 40.00,\r\n  \"a\":1,\"a\" : 2,\r\n  \"lines\": [ 1.0,2 ]\r\n}\n";
        for (patch, from, to) in [
            (r#"[{"op":"replace","path":"/amount","value":42.10}]"#, "40.00", "42.10"),
            (r#"[{"op":"replace","path":"/a","value":3e0}]"#, "\"a\" : 2", "\"a\" : 3e0"),
            (r#"[{"op":"remove","path":"/amount"}]"#, "\"amount\" : 40.00,\r\n  ", ""),
            (r#"[{"op":"remove","path":"/lines"}]"#, ",\r\n  \"lines\": [ 1.0,2 ]", ""),
            (r#"[{"op":"remove","path":"/lines/0"}]"#, "1.0,2", "2"),
            (r#"[{"op":"add","path":"/lines/-","value":{"x": 1}}]"#, "1.0,2", "1.0,2,{\"x\": 1}"),
            (r#"[{"op":"add","path":"/lines/0","value":9}]"#, "1.0,2", "9,1.0,2"),
            (r#"[{"op":"add","path":"/lines/1","value":9}]"#, "1.0,2", "1.0,9,2"),
            (r#"[{"op":"add","path":"/né\"w","value":null}]"#, "[ 1.0,2 ]", "[ 1.0,2 ],\r\n  \"né\\\"w\": null"),
            (r#"[{"op":"add","path":"/amount","value":1}]"#, "40.00", "1"),
            (r#"[{"op":"move","from":"/amount","path":"/lines/2"}]"#, "", "moved"),
        ] {
            let expected = match to {
                "moved" => text.replacen("\"amount\" : 40.00,\r\n  ", "", 1).replacen("1.0,2", "1.0,2,40.00", 1),
                _ => text.replacen(from, to, 1),
            };
            assert_eq!(patched(text, patch).as_deref(), Ok(expected.as_str()), "{patch}");
        }
    }

    #[test]
    fn empty_and_single_ones_are_filled_and_emptied() {
        for (text, patch, expected) in [
            ("{ }", r#"[{"op":"add","path":"/a","value":1}]"#, r#"{"a":1 }"#),
            ("[]", r#"[{"op":"add","path":"/0","value":1}]"#, "[1]"),
            ("[\n 1\n]", r#"[{"op":"add","path":"/-","value":2}]"#, "[\n 1,\n 2\n]"),
            ("[\n 1\n]", r#"[{"op":"add","path":"/0","value":2}]"#, "[\n 2,\n 1\n]"),
            ("[ 1 ]", r#"[{"op":"remove","path":"/0"}]"#, "[  ]"),
            (" 1 ", r#"[{"op":"replace","path":"","value":[2.0]}]"#, " [2.0] "),
            (" 1 ", r#"[{"op":"add","path":"","value":2}]"#, " 2 "),
            (
                "{\"a\":1}",
                r#"[{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/b","value":1.0}]"#,
                "{\"a\":1,\"b\":1}",
            ),
        ] {
            assert_eq!(patched(text, patch).as_deref(), Ok(expected), "{text} {patch}");
        }
    }

    #[test]
    fn what_is_not_possible_is_told_with_its_place_and_nothing_is_done() {
        let text = r#"{"a":[1],"b":"x"}"#;
        for (patch, expected) in [
            (r#"{}"#, " A patch is an array"),
            ("[]", " The patch has no operation"),
            (r#"[{"op":"swap","path":"/a"}]"#, "/0/op `swap` is not one of"),
            (r#"[{"op":"add","path":"a","value":1}]"#, "/0/path A JSON pointer"),
            (r#"[{"op":"add","path":"/a"}]"#, "/0/value This operation needs"),
            (r#"[{"op":"remove","path":"/a/0"},{"op":"remove","path":"/c"}]"#, "/1/path Nothing stands at `/c`"),
            (r#"[{"op":"add","path":"/a/2","value":1}]"#, "/0/path `2` is not a place in an array of 1"),
            (r#"[{"op":"add","path":"/a/01","value":1}]"#, "/0/path `01` is not a place"),
            (r#"[{"op":"add","path":"/b/c","value":1}]"#, "/0/path What stands at `/b` is neither"),
            (r#"[{"op":"remove","path":""}]"#, "/0/path The whole document"),
            (r#"[{"op":"move","from":"/a","path":"/a/0"}]"#, "/0/path Nothing can be moved into itself"),
            (r#"[{"op":"test","path":"/b","value":"y"}]"#, "/0/value Something else stands at `/b`"),
        ] {
            let told = patched(text, patch).unwrap_err();
            assert!(told.starts_with(expected), "{patch}: {told}");
        }
        let copies = (0..40).map(|at| format!(r#"{{"op":"copy","from":"","path":"/x{at}"}}"#));
        let grows = format!("[{}]", copies.collect::<Vec<_>>().join(","));
        let big = format!("{{\"a\":\"{}\"}}", "x".repeat(1 << 20));
        assert!(patched(&big, &grows).unwrap_err().contains("too much for a patch"));
        let many = format!("[{}]", [r#"{"op":"remove","path":"/a"}"#; MOST_OPERATIONS + 1].join(","));
        assert!(patched(text, &many).unwrap_err().contains("at most 1000"));
    }
}
