//! Whom a provider knows.

use serde_json::{Value, json};

/// Somebody whom the provider knows.
#[derive(Debug, Clone)]
pub(crate) struct User {
    pub(crate) subject: String,
    pub(crate) email: Option<String>,
    pub(crate) email_verified: bool,
    pub(crate) name: Option<String>,
    /// What stands under these names besides, in the token or at the userinfo endpoint.
    pub(crate) more: Value,
    /// Only the userinfo endpoint tells address and groups.
    pub(crate) reserved: bool,
}

impl User {
    /// Somebody with a verified address, in these groups.
    pub(crate) fn new(name: &str, groups: &[&str]) -> Self {
        let short = name.to_lowercase().replace(' ', ".");
        Self {
            subject: format!("subject of {short}"),
            email: Some(format!("{short}@example.test")),
            email_verified: true,
            name: Some(name.to_owned()),
            more: json!({ "groups": groups }),
            reserved: false,
        }
    }

    /// What is said of them besides who they are.
    pub(super) fn told(&self) -> Value {
        let mut told = self.more.clone();
        if let Some(email) = &self.email {
            told["email"] = json!(email);
            told["email_verified"] = json!(self.email_verified);
        }
        told
    }
}
