use service::items::packet::Packet;
use url::form_urlencoded;

/// What the page's query asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// Which revision's payload; the newest where none is named.
    pub(super) revision: Option<i64>,
    /// As it is, line by line, instead of laid out.
    pub(super) raw: bool,
    /// The revision it is to be compared with.
    pub(super) compare: Option<i64>,
    /// A revision that was asked for and does not exist.
    pub(super) missing: Option<String>,
}

impl Asked {
    /// Reads a query; a revision that the packet does not have is named, and the newest is shown.
    pub(super) fn from_query(query: &str, packet: &Packet) -> Self {
        let numbers: Vec<i64> = packet.revisions.iter().map(|revision| revision.number).collect();
        read(query, &numbers)
    }
}

fn read(query: &str, revisions: &[i64]) -> Asked {
    let mut asked = Asked { revision: None, raw: false, compare: None, missing: None };
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match (name.as_ref(), value.parse::<i64>()) {
            ("revision", Ok(number)) if revisions.contains(&number) => asked.revision = Some(number),
            ("compare", Ok(number)) if revisions.contains(&number) => asked.compare = Some(number),
            ("revision" | "compare", _) => asked.missing = Some(domain::text::head(&value, 20)),
            ("view", _) => asked.raw = value == "raw",
            _ => {}
        }
    }
    asked
}

#[cfg(test)]
mod tests {
    use super::{Asked, read};

    #[test]
    fn a_revision_that_does_not_exist_is_named() {
        let asked = |revision, raw, missing: Option<&str>| {
            let missing = missing.map(str::to_owned);
            Asked { revision, raw, compare: None, missing }
        };
        assert_eq!(read("", &[1, 2]), asked(None, false, None));
        assert_eq!(read("revision=2&view=raw", &[1, 2]), asked(Some(2), true, None));
        assert_eq!(read("revision=3&view=pretty", &[1, 2]), asked(None, false, Some("3")));
        assert_eq!(read("revision=2&compare=1", &[1, 2]), Asked { compare: Some(1), ..asked(Some(2), false, None) });
        assert_eq!(read("compare=7", &[1, 2]), asked(None, false, Some("7")));
        assert_eq!(read("revision=-1e9&view=x", &[1]), asked(None, false, Some("-1e9")));
    }
}
