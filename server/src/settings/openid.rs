//! The settings of signing in at an identity provider.

use std::fmt;

use anyhow::{Result, bail};
use domain::role::RoleKey;
use serde::Deserialize;

use crate::openid::{Config, is_issuer};

/// What file and variables say, as it is written there.
#[derive(Clone, Default, Deserialize)]
pub struct Written {
    /// The provider's name for itself: an address below which its discovery document is found.
    pub openid_issuer: Option<String>,
    /// What the provider calls Recourse.
    pub openid_client_id: Option<String>,
    /// Proves to the provider that it is Recourse; public clients have none.
    pub openid_client_secret: Option<String>,
    /// The provider's name for people.
    pub openid_label: Option<String>,
    /// Asked for besides `openid`, separated by spaces.
    pub openid_scopes: Option<String>,
    /// The claim that lists a person's groups; a JSON pointer if it begins with `/`.
    pub openid_groups_claim: Option<String>,
    /// Which groups are which roles: `ops = operator, finance leads = supervisor`.
    pub openid_roles: Option<String>,
    /// Which groups are which teams, written likewise.
    pub openid_teams: Option<String>,
}

/// Never tells the secret.
impl fmt::Debug for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Written").field("openid_issuer", &self.openid_issuer).finish_non_exhaustive()
    }
}

/// An identity provider, and what its groups mean here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenId {
    /// The provider.
    pub config: Config,
    /// Groups and their roles, as they are written. A group may stand there more than once.
    pub roles: Vec<(String, RoleKey)>,
    /// Groups and the keys of their teams.
    pub teams: Vec<(String, String)>,
}

impl Written {
    pub(super) fn read(&self) -> Result<Option<OpenId>> {
        let roles = pairs("RECOURSE_OPENID_ROLES", self.openid_roles.as_deref(), role)?;
        let teams = pairs("RECOURSE_OPENID_TEAMS", self.openid_teams.as_deref(), team)?;
        let Some(issuer) = &self.openid_issuer else {
            return match self.needs_issuer() {
                Some(name) => bail!("RECOURSE_OPENID_ISSUER is missing: {name} is of no use without it."),
                None => Ok(None),
            };
        };
        if !cfg!(feature = "openid") {
            bail!("RECOURSE_OPENID_ISSUER: this build was made without OpenID Connect.");
        }
        if !is_issuer(issuer) {
            bail!(
                "RECOURSE_OPENID_ISSUER must be an https address, or http with a loopback host: what proves who people are would travel in the clear."
            );
        }
        let Some(client_id) = &self.openid_client_id else {
            bail!("RECOURSE_OPENID_CLIENT_ID is missing: RECOURSE_OPENID_ISSUER is of no use without it.");
        };
        let label = self.openid_label.as_deref().unwrap_or("OpenID Connect");
        let groups_claim = self.openid_groups_claim.as_deref().unwrap_or("groups");
        let config = Config {
            issuer: issuer.clone(),
            client_id: key("RECOURSE_OPENID_CLIENT_ID", client_id)?,
            client_secret: self.openid_client_secret.clone(),
            scopes: scopes(self.openid_scopes.as_deref().unwrap_or("email profile"))?,
            groups_claim: key("RECOURSE_OPENID_GROUPS_CLAIM", groups_claim)?,
            label: key("RECOURSE_OPENID_LABEL", label)?,
        };
        Ok(Some(OpenId { config, roles, teams }))
    }

    /// The first setting that is there for nothing without an issuer.
    fn needs_issuer(&self) -> Option<&'static str> {
        let named = [
            ("RECOURSE_OPENID_CLIENT_ID", &self.openid_client_id),
            ("RECOURSE_OPENID_CLIENT_SECRET", &self.openid_client_secret),
            ("RECOURSE_OPENID_ROLES", &self.openid_roles),
            ("RECOURSE_OPENID_TEAMS", &self.openid_teams),
        ];
        named.into_iter().find(|(_, value)| value.is_some()).map(|(name, _)| name)
    }
}

fn key(name: &str, text: &str) -> Result<String> {
    match domain::text::key(text, 200) {
        Ok(text) => Ok(text.to_owned()),
        Err(wrong) => bail!("{name} {wrong}."),
    }
}

/// The characters are those of RFC 6749, section 3.3.
fn scopes(text: &str) -> Result<Vec<String>> {
    let plain = |scope: &&str| scope.bytes().all(|b| b.is_ascii_graphic() && !matches!(b, b'"' | b'\\' | b','));
    match text.split_whitespace().find(|scope| !plain(scope)) {
        Some(wrong) => bail!("RECOURSE_OPENID_SCOPES: `{wrong}` is not a scope. Separate them by spaces."),
        None => Ok(text.split_whitespace().map(str::to_owned).collect()),
    }
}

/// `group = meaning, group = meaning`. The last `=` counts: groups are named by others, roles and teams here.
fn pairs<T>(name: &str, text: Option<&str>, meaning: fn(&str) -> Result<T, String>) -> Result<Vec<(String, T)>> {
    let entries = text.unwrap_or_default().split(',').map(str::trim).filter(|entry| !entry.is_empty());
    let pair = |entry: &str| {
        let (group, means) = entry.rsplit_once('=').unwrap_or_default();
        if group.trim().is_empty() {
            bail!("{name}: `{entry}` is not written as `group = meaning`, separated by commas.");
        }
        match meaning(means.trim()) {
            Ok(means) => Ok((group.trim().to_owned(), means)),
            Err(wrong) => bail!("{name}: {wrong}."),
        }
    };
    entries.map(pair).collect()
}

fn role(text: &str) -> Result<RoleKey, String> {
    text.parse().map_err(|wrong: domain::role::NotARole| format!("`{text}` is no role: {wrong}"))
}

fn team(text: &str) -> Result<String, String> {
    domain::text::key(text, 100).map(str::to_owned).map_err(|wrong| format!("a team's key {wrong}"))
}

#[cfg(test)]
mod tests {
    use domain::permission::Role;

    use super::*;

    fn provider() -> Written {
        Written {
            openid_issuer: Some("https://id.example/realms/ops".into()),
            openid_client_id: Some("recourse".into()),
            ..Written::default()
        }
    }

    fn read(change: impl FnOnce(&mut Written)) -> Result<Option<OpenId>, String> {
        let mut written = provider();
        change(&mut written);
        written.read().map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn without_an_issuer_there_is_none_and_nothing_that_needs_one() {
        assert_eq!(Written::default().read().unwrap(), None);
        assert_eq!(read(|w| (w.openid_issuer, w.openid_client_id) = (None, None)), Ok(None));
        let wrong = read(|w| w.openid_issuer = None).unwrap_err();
        assert!(wrong.contains("RECOURSE_OPENID_ISSUER is missing: RECOURSE_OPENID_CLIENT_ID"), "{wrong}");
        let wrong = read(|w| {
            (w.openid_issuer, w.openid_client_id) = (None, None);
            w.openid_roles = Some("ops=operator".into());
        });
        assert!(wrong.unwrap_err().contains("RECOURSE_OPENID_ROLES"));
    }

    #[cfg(feature = "openid")]
    #[test]
    fn issuer_and_client_id_are_enough() {
        let config = read(|_| {}).unwrap().unwrap().config;
        assert_eq!(config.label, "OpenID Connect");
        assert_eq!(config.scopes, ["email", "profile"]);
        assert_eq!(config.groups_claim, "groups");
        assert_eq!(config.client_secret, None);
    }

    #[cfg(feature = "openid")]
    #[test]
    fn groups_may_be_called_anything() {
        let mapped = read(|w| {
            w.openid_roles = Some("ops=operator, finance leads = supervisor,a:b=c=auditor, ops=auditor,".into());
            w.openid_teams = Some("urn:x:finance=finance ops".into());
        });
        let mapped = mapped.unwrap().unwrap();
        let roles: Vec<_> = mapped.roles.iter().map(|(group, role)| (group.as_str(), role.clone())).collect();
        let as_written = [
            ("ops", Role::Operator.into()),
            ("finance leads", Role::Supervisor.into()),
            ("a:b=c", Role::Auditor.into()),
            ("ops", Role::Auditor.into()),
        ];
        assert_eq!(roles, as_written);
        assert_eq!(mapped.teams, [("urn:x:finance".to_owned(), "finance ops".to_owned())]);
    }

    #[cfg(feature = "openid")]
    #[test]
    fn a_wrong_setting_is_named() {
        let named = |name: &str, change: fn(&mut Written)| {
            let wrong = read(change).unwrap_err();
            assert!(wrong.starts_with(name) && wrong.ends_with('.'), "{wrong}");
        };
        named("RECOURSE_OPENID_ISSUER", |w| w.openid_issuer = Some("http://id.example".into()));
        named("RECOURSE_OPENID_CLIENT_ID", |w| w.openid_client_id = None);
        named("RECOURSE_OPENID_LABEL", |w| w.openid_label = Some("a\nb".into()));
        named("RECOURSE_OPENID_SCOPES", |w| w.openid_scopes = Some("email,profile".into()));
        named("RECOURSE_OPENID_GROUPS_CLAIM", |w| w.openid_groups_claim = Some(String::new()));
        named("RECOURSE_OPENID_ROLES: `ops`", |w| w.openid_roles = Some("ops".into()));
        named("RECOURSE_OPENID_ROLES: `=operator`", |w| w.openid_roles = Some("=operator".into()));
        named("RECOURSE_OPENID_ROLES: `Chief!`", |w| w.openid_roles = Some("ops=operator,leads=Chief!".into()));
        named("RECOURSE_OPENID_TEAMS: a team's key", |w| w.openid_teams = Some("ops=".into()));
    }

    #[test]
    fn the_secret_is_never_shown() {
        let written = Written { openid_client_secret: Some("hush".into()), ..provider() };
        assert!(!format!("{written:?}").contains("hush"));
        if let Ok(Some(read)) = written.read() {
            assert!(!format!("{read:?}").contains("hush"));
        }
    }
}
