//! Values of a workflow file that check themselves when they are read, so that a mistake is told with its line.

use std::{fmt::Display, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize};

use crate::text;

/// Declares a text type that is checked when it is read.
macro_rules! checked {
    ($(#[$meta:meta])* $name:ident, $check:expr) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// As written.
            #[must_use]
            pub fn as_str(&self) -> &str { &self.0 }
        }
        impl FromStr for $name {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                let check: fn(&str) -> Result<(), String> = $check;
                check(text).map(|()| Self(text.to_owned()))
            }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
            }
        }
        impl Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(&self.0) }
        }
    };
}

checked! {
    /// A name in reports and URLs: 1 to 200 characters, no control characters.
    Key, |text| text::key(text, 200).map(drop).map_err(|wrong| format!("a key {wrong}"))
}
checked! {
    /// A JSON pointer (RFC 6901).
    Pointer, |text| if text.is_empty() || text.starts_with('/') { Ok(()) } else {
        Err(format!("`{text}` is not a JSON pointer: it must be empty or begin with /"))
    }
}
checked! {
    /// A pattern of JSON pointers: `*` one segment, `**` any depth, `#` reaches into a JSON string.
    Pattern, |text| if text.starts_with('/') { Ok(()) } else {
        Err(format!("`{text}` is not a pattern: it must begin with /"))
    }
}
checked! {
    /// The name of a secret: settings give its value.
    SecretName, |text| {
        let rest = text.strip_prefix("RECOURSE_SECRET_").unwrap_or_default();
        if !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_') { Ok(()) } else {
            Err(format!("`{text}` is not the name of a secret: it must begin with RECOURSE_SECRET_ and go on in capital letters, digits and _"))
        }
    }
}
checked! {
    /// An http or https address, with placeholders in path segments and query values only.
    Template, check_template
}
checked! {
    /// A time zone of the IANA database.
    Zone, |text| text.parse::<chrono_tz::Tz>().map(drop).map_err(|_| format!("`{text}` is not a time zone such as Europe/Oslo"))
}
checked! {
    /// A time of day, such as `08:00`.
    ClockTime, |text| if text.len() == 5 && chrono::NaiveTime::parse_from_str(text, "%H:%M").is_ok() { Ok(()) } else {
        Err(format!("`{text}` is not a time of day such as 08:00"))
    }
}
checked! {
    /// A date, such as `2026-12-25`.
    Date, |text| text.parse::<chrono::NaiveDate>().map(drop).map_err(|_| format!("`{text}` is not a date such as 2026-12-25"))
}
checked! {
    /// An HTTP status code from 200 to 599.
    StatusCode, |text| match text.parse::<u16>() {
        Ok(200..=599) => Ok(()),
        _ => Err(format!("`{text}` is not a status code from 200 to 599")),
    }
}

/// A value to compare an answer with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a text, a number, true or false")]
pub enum Scalar {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Decimal(f64),
    /// A text.
    Text(String),
}

fn check_template(text: &str) -> Result<(), String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let Some(length) = rest[open..].find('}') else {
            return Err(format!("`{text}` opens a placeholder with {{ and does not close it"));
        };
        let name = &rest[open + 1..open + length];
        let known = matches!(name, "record_id" | "key")
            || name.strip_prefix("payload:").is_some_and(|p| p.is_empty() || p.starts_with('/'))
            || name.strip_prefix("param:").is_some_and(|p| !p.is_empty());
        if !known {
            return Err(format!(
                "`{{{name}}}` is not a placeholder: use {{record_id}}, {{key}}, {{payload:/pointer}} or {{param:name}}"
            ));
        }
        plain.push_str(&rest[..open]);
        let authority_is_open = plain.matches('/').count() < 3;
        if authority_is_open {
            return Err(format!(
                "`{text}` has a placeholder in its host: only path segments and query values may vary"
            ));
        }
        plain.push('x');
        rest = &rest[open + length + 1..];
    }
    plain.push_str(rest);
    match url::Url::parse(&plain) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() && url.username().is_empty() => Ok(()),
        _ => Err(format!("`{text}` is not an http or https address")),
    }
}
