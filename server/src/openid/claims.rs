//! What a provider tells about a person, in the token or at its userinfo endpoint.

use openidconnect::{AdditionalClaims, IdTokenClaims, UserInfoClaims, core::CoreGenderClaim};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Claims that the standard does not name.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Others(Map<String, Value>);

impl AdditionalClaims for Others {}

/// A token's claims.
pub(super) type Claims = IdTokenClaims<Others, CoreGenderClaim>;
/// The userinfo endpoint's.
pub(super) type Info = UserInfoClaims<Others, CoreGenderClaim>;

/// What a person is told to be.
pub(super) struct Told {
    /// The address, and whether it is known to be theirs.
    pub(super) email: Option<(String, bool)>,
    pub(super) name: Option<String>,
    pub(super) groups: Option<Vec<String>>,
}

/// Both kinds of claims have the same words and no trait in common.
macro_rules! told {
    ($claims:ident, $groups:ident) => {
        Told {
            email: filled($claims.email().map(|email| email.as_str()))
                .map(|email| (email, $claims.email_verified() == Some(true))),
            name: filled($claims.name().and_then(|name| name.get(None)).map(|name| name.as_str())),
            groups: $claims.additional_claims().groups($groups),
        }
    };
}

impl Told {
    pub(super) fn by_token(claims: &Claims, groups: &str) -> Self {
        told!(claims, groups)
    }

    pub(super) fn by_userinfo(info: &Info, groups: &str) -> Self {
        told!(info, groups)
    }

    /// Whether something is missing that the userinfo endpoint may know.
    pub(super) const fn is_partial(&self) -> bool {
        self.email.is_none() || self.groups.is_none()
    }

    /// With what `other` knows more. An address and whether it is theirs are never taken from two places.
    pub(super) fn or(self, other: Self) -> Self {
        Self { email: self.email.or(other.email), name: self.name.or(other.name), groups: self.groups.or(other.groups) }
    }
}

fn filled(text: Option<&str>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

impl Others {
    /// `nbf`: from when on the token holds, in seconds.
    pub(super) fn not_before(&self) -> Option<f64> {
        self.0.get("nbf").and_then(Value::as_f64)
    }

    /// The groups under this name, or at this place if it begins with `/`. One alone may stand without a list; what is no
    /// text is no group.
    fn groups(&self, claim: &str) -> Option<Vec<String>> {
        let value = match claim.starts_with('/') {
            true => Value::Object(self.0.clone()).pointer(claim).cloned(),
            false => self.0.get(claim).cloned(),
        };
        match value? {
            Value::Array(all) => Some(all.iter().filter_map(Value::as_str).map(str::to_owned).collect()),
            Value::String(one) => Some(vec![one]),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn groups_are_found_by_name_or_place() {
        let claims: Others = serde_json::from_value(json!({
            "groups": ["ops", 7, "finance leads"],
            "https://example/groups": "solo",
            "realm_access": { "roles": ["ops:read", "a/b"] },
            "none": [],
            "odd": { "a": 1 },
        }))
        .unwrap();
        let found = |claim: &str| claims.groups(claim);
        assert_eq!(found("groups"), Some(vec!["ops".into(), "finance leads".into()]));
        assert_eq!(found("https://example/groups"), Some(vec!["solo".into()]));
        assert_eq!(found("/realm_access/roles"), Some(vec!["ops:read".into(), "a/b".into()]));
        assert_eq!(found("none"), Some(Vec::new()));
        for missing in ["odd", "roles", "/realm_access/groups", "/"] {
            assert_eq!(found(missing), None, "{missing}");
        }
    }
}
