//! The body of a compensation's request: its template with every placeholder filled in, numbers as they were written.

use serde_json::Value;

use super::{Param, ParamType, fill::Values};
use crate::document::{json, pointer};

/// The body's text. A text of the template that is exactly one placeholder becomes the token itself: `40.00` stays `40.00`.
pub fn fill(template: &Value, values: Values<'_>, params: &[Param]) -> Result<String, String> {
    let mut text = String::new();
    write(&mut text, template, values, params)?;
    Ok(text)
}

fn write(out: &mut String, template: &Value, values: Values<'_>, params: &[Param]) -> Result<(), String> {
    match template {
        Value::Object(members) => {
            out.push('{');
            for (at, (name, value)) in members.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                out.push_str(&quoted(name));
                out.push(':');
                write(out, value, values, params)?;
            }
            out.push('}');
        }
        Value::Array(elements) => {
            out.push('[');
            for (at, element) in elements.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                write(out, element, values, params)?;
            }
            out.push(']');
        }
        Value::String(text) => out.push_str(&filled(text, values, params)?),
        other => out.push_str(&other.to_string()),
    }
    Ok(())
}

/// A text of the template as a JSON value.
fn filled(text: &str, values: Values<'_>, params: &[Param]) -> Result<String, String> {
    let parts = parts(text);
    if let [Part::Placeholder(name)] = parts.as_slice() {
        return token(name, values, params);
    }
    let mut whole = String::new();
    for part in parts {
        match part {
            Part::Text(text) => whole.push_str(text),
            Part::Placeholder(name) => {
                let token = token(name, values, params)?;
                let plain = pointer::plain(&token).ok_or_else(|| {
                    format!(
                        "`{{{name}}}` stands inside a text, and its value is no single text, number or truth value."
                    )
                })?;
                whole.push_str(&plain);
            }
        }
    }
    Ok(quoted(&whole))
}

/// What a placeholder stands for, as it is written in JSON.
fn token(name: &str, values: Values<'_>, params: &[Param]) -> Result<String, String> {
    let missing = || format!("It needs {{{name}}}, and there is no such value.");
    match name {
        "key" => values.key.map(quoted).ok_or_else(missing),
        "record_id" => values.record_id.map(quoted).ok_or_else(missing),
        _ => match name.strip_prefix("param:") {
            Some(param) => {
                let value = values.params.and_then(|values| values.get(param)).ok_or_else(missing)?;
                let numeric = |param: &Param| matches!(param.kind, ParamType::Integer | ParamType::Decimal);
                let raw = params.iter().any(|known| known.key.as_str() == param && numeric(known));
                Ok(if raw { value.clone() } else { quoted(value) })
            }
            None => {
                let payload = values.payload.and_then(|payload| std::str::from_utf8(payload).ok());
                let at = name.strip_prefix("payload:").unwrap_or_default();
                payload.and_then(|payload| pointer::at(payload, at)).map(str::to_owned).ok_or_else(missing)
            }
        },
    }
}

enum Part<'t> {
    Text(&'t str),
    Placeholder(&'t str),
}

/// Braces around anything else are text.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut rest, mut from) = (text, 0);
    while let Some(open) = rest[from..].find('{').map(|at| at + from) {
        let Some(close) = rest[open..].find('}').map(|at| at + open) else { break };
        let name = &rest[open + 1..close];
        if matches!(name, "key" | "record_id") || name.starts_with("payload:") || name.starts_with("param:") {
            if open > 0 {
                parts.push(Part::Text(&rest[..open]));
            }
            parts.push(Part::Placeholder(name));
            (rest, from) = (&rest[close + 1..], 0);
        } else {
            from = open + 1;
        }
    }
    if !rest.is_empty() || parts.is_empty() {
        parts.push(Part::Text(rest));
    }
    parts
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Whether a body needs something of the payload, so that who may not see the payload may not see it either.
#[must_use]
pub fn needs_payload(template: &Value) -> bool {
    match template {
        Value::Object(members) => members.values().any(needs_payload),
        Value::Array(elements) => elements.iter().any(needs_payload),
        Value::String(text) => {
            parts(text).iter().any(|part| matches!(part, Part::Placeholder(name) if name.starts_with("payload:")))
        }
        _ => false,
    }
}

/// Whether a text is a JSON number, as it would be sent.
pub(super) fn is_number(text: &str) -> bool {
    json::Json::read(text)
        .is_ok_and(|read| read.shape(read.root()) == json::Shape::Number && read.raw(read.root()) == text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const PAYLOAD: &[u8] = br#"{"amount": 40.00, "big": 12345678901234567890, "name": "Bj\u00f8rn \"B\"", "lines": [1.0, 2], "none": null}"#;

    fn told(template: &str) -> Result<String, String> {
        let values =
            BTreeMap::from([("reason".to_owned(), "wrong \"sum\"".to_owned()), ("fee".to_owned(), "1.50".to_owned())]);
        let param = |key: &str, kind| Param { key: key.parse().unwrap(), kind, min: None, max: None, choices: vec![] };
        let params = [param("reason", ParamType::Text), param("fee", ParamType::Decimal)];
        let values = Values { key: Some("k"), record_id: Some("INV/7"), payload: Some(PAYLOAD), params: Some(&values) };
        fill(&serde_json::from_str(template).unwrap(), values, &params)
    }

    #[test]
    fn a_placeholder_alone_is_the_token_as_it_was_written() {
        for (template, body) in [
            (r#"{"amount": "{payload:/amount}", "n": 2}"#, r#"{"amount":40.00,"n":2}"#),
            (r#"["{payload:/big}", "{payload:/lines}", "{payload:/none}"]"#, "[12345678901234567890,[1.0, 2],null]"),
            (r#""{payload:/name}""#, r#""Bj\u00f8rn \"B\"""#),
            (r#"{"invoice": "{record_id}", "fee": "{param:fee}"}"#, r#"{"invoice":"INV/7","fee":1.50}"#),
            (r#""{param:reason}""#, r#""wrong \"sum\"""#),
            (
                r#""Reversal of {record_id}: {payload:/amount} for {payload:/name}""#,
                r#""Reversal of INV/7: 40.00 for Bjørn \"B\"""#,
            ),
            (r#""{other} {} {""#, r#""{other} {} {""#),
            (r#""""#, r#""""#),
        ] {
            assert_eq!(told(template).as_deref(), Ok(body), "{template}");
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        for (template, named) in [
            (r#""{payload:/vat}""#, "{payload:/vat}"),
            (r#"{"a": ["x {param:code}"]}"#, "{param:code}"),
            (r#""no. {payload:/lines}""#, "{payload:/lines}"),
        ] {
            let why = told(template).unwrap_err();
            assert!(why.contains(named), "{why}");
        }
    }
}
