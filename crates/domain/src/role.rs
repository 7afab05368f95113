//! Roles as people hold them: one of the four that are always there, or one that an admin put together.

use std::{collections::BTreeSet, fmt, str::FromStr};

use crate::permission::{Permission, Role};

/// The key of a role: at most 40 small letters, digits, `-` and `_`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoleKey(String);

/// A text that can't be a role's key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a role's key has at most 40 small letters, digits, - and _")]
pub struct NotARole;

impl RoleKey {
    /// The key's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The role of this key, if it is one of the four.
    #[must_use]
    pub fn built_in(&self) -> Option<Role> {
        self.0.parse().ok()
    }
}

impl FromStr for RoleKey {
    type Err = NotARole;
    fn from_str(text: &str) -> Result<Self, NotARole> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
        let right = (1..=40).contains(&text.len()) && text.chars().all(fits);
        if right { Ok(Self(text.to_owned())) } else { Err(NotARole) }
    }
}

impl TryFrom<String> for RoleKey {
    type Error = NotARole;
    fn try_from(text: String) -> Result<Self, NotARole> {
        text.parse()
    }
}

impl From<Role> for RoleKey {
    fn from(role: Role) -> Self {
        Self(role.as_str().to_owned())
    }
}

impl fmt::Display for RoleKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A role with what it adds up to now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldRole {
    /// Its key.
    pub key: RoleKey,
    /// What people call it.
    pub name: String,
    /// What it allows.
    pub permissions: BTreeSet<Permission>,
}

impl From<Role> for HeldRole {
    fn from(role: Role) -> Self {
        let permissions = role.permissions().iter().copied().collect();
        Self { key: role.into(), name: role.label().to_owned(), permissions }
    }
}

/// What several roles add up to.
#[must_use]
pub fn sum(roles: &[HeldRole]) -> BTreeSet<Permission> {
    roles.iter().flat_map(|role| role.permissions.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_plain_words() {
        for key in ["operator", "night-shift", "a", "team_2", &"x".repeat(40)] {
            assert!(key.parse::<RoleKey>().is_ok(), "{key}");
        }
        for key in ["", "Operator", "a b", "å", "a\0", "a/b", &"x".repeat(41)] {
            assert_eq!(key.parse::<RoleKey>(), Err(NotARole), "{key}");
        }
        assert_eq!(RoleKey::from(Role::Auditor).built_in(), Some(Role::Auditor));
    }
}
