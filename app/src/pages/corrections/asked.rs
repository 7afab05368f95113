//! What the query asks for.

use domain::text;
use service::{CorrectionFilter, CorrectionPlace};
use url::form_urlencoded;

use crate::paths;

/// A query as far as it could be read.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Which corrections.
    pub(super) filter: CorrectionFilter,
    /// What means nothing and was left out.
    pub(super) ignored: Vec<String>,
}

impl Asked {
    /// Reads a query. What means nothing is left out and named.
    pub(super) fn from_query(query: &str) -> Self {
        let mut asked = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()).filter(|(_, value)| !value.is_empty()) {
            if asked.read(&name, &value).is_none() {
                asked.ignored.push(format!("{name} “{}”", text::head(&value, 60)));
            }
        }
        asked
    }

    fn read(&mut self, name: &str, value: &str) -> Option<()> {
        let filter = &mut self.filter;
        let plain = || (!value.contains('\0')).then(|| value.to_owned());
        match name {
            "person" => filter.person = Some(plain()?),
            "workflow" => filter.workflow = Some(plain()?),
            "item" => filter.item = Some(value.trim().parse().ok()?),
            "before" => filter.before = Some(paths::read_correction_place(value)?),
            _ => {}
        }
        Some(())
    }

    /// The address of these corrections, before a place among them.
    pub(super) fn url(&self, before: Option<CorrectionPlace>) -> String {
        paths::corrections(&self.filter, before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_comes_back_and_nonsense_is_named() {
        let item = "00000000-0000-7000-8000-000000000001";
        let query = format!("person=Amara+Okafor&workflow=a%26b&item={item}&before=-5-{}-2", item.replace('-', ""));
        let asked = Asked::from_query(&query);
        assert!(asked.ignored.is_empty(), "{:?}", asked.ignored);
        assert_eq!(asked.url(asked.filter.before), format!("/audit/corrections?{query}"));
        let asked = Asked::from_query("item=INV-1&before=x&before=1-2&person=%00&workflow=");
        assert_eq!(asked.ignored.len(), 4);
    }
}
