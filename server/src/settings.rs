//! Settings: flags, `RECOURSE_*` variables, or a TOML file, in this order of precedence.

mod openid;

use std::{collections::BTreeMap, net::SocketAddr, path::PathBuf};

use anyhow::{Context as _, Result, bail};
use config::{Config, Environment, File};
use serde::Deserialize;

pub use self::openid::{OpenId, Written};
use crate::outbound::{Allowed, Secrets};

/// What the file and the variables may set; each name with `RECOURSE_` before it is the variable.
#[derive(Debug, Clone, Deserialize)]
pub struct Settings {
    /// `sqlite://PATH` or `postgres://…`.
    pub database_url: String,
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where people reach Recourse; https unless its host is loopback.
    pub public_url: Option<String>,
    /// The team that answers for workflows nobody registered.
    pub fallback_team: String,
    /// Bytes a payload may have once decoded.
    pub payload_limit: usize,
    /// Accept a database that may lose what it confirmed. For tests only.
    pub allow_unsafe_database: bool,
    /// Networks (CIDR, separated by commas) that are not public and may be called by steps that ask for it.
    pub allow_private: String,
    /// A folder with one file for each secret of a destination.
    pub secrets_dir: Option<PathBuf>,
    /// Secrets that came as variables, by name; not a setting of the file.
    #[serde(skip)]
    pub secrets: BTreeMap<String, String>,
    /// Where people may sign in besides here: all that begins with `openid_`.
    #[serde(flatten)]
    pub openid: Written,
    /// `text` or `json`.
    pub log_format: LogFormat,
    /// What to log, such as `info` or `info,store=debug`.
    pub log: String,
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// For machines.
    Json,
}

/// Settings that a flag overrides.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// `--config`.
    pub config: Option<PathBuf>,
    /// `--database-url`.
    pub database_url: Option<String>,
    /// `--listen`.
    pub listen: Option<String>,
    /// `--public-url`.
    pub public_url: Option<String>,
}

const NAMES: &[&str] = &[
    "database_url",
    "listen",
    "public_url",
    "fallback_team",
    "payload_limit",
    "allow_unsafe_database",
    "allow_private",
    "secrets_dir",
    "openid_issuer",
    "openid_client_id",
    "openid_client_secret",
    "openid_label",
    "openid_scopes",
    "openid_groups_claim",
    "openid_roles",
    "openid_teams",
    "log_format",
    "log",
];

impl Settings {
    /// Reads the settings; what is wrong is told in one sentence that names the setting.
    pub fn read(flags: &Flags) -> Result<Self> {
        let mut builder = Config::builder()
            .set_default("database_url", "sqlite://recourse.db")?
            .set_default("listen", "127.0.0.1:8080")?
            .set_default("fallback_team", "triage")?
            .set_default("payload_limit", 16 << 20)?
            .set_default("allow_unsafe_database", false)?
            .set_default("allow_private", "")?
            .set_default("log_format", "text")?
            .set_default("log", "info")?;
        if let Some(path) = &flags.config {
            let file = Config::builder()
                .add_source(File::from(path.as_path()).format(config::FileFormat::Toml))
                .build()
                .with_context(|| format!("The settings file {} can't be read.", path.display()))?;
            let found: std::collections::BTreeMap<String, config::Value> = file.clone().try_deserialize()?;
            if let Some(unknown) = found.keys().find(|name| !NAMES.contains(&name.as_str())) {
                bail!(
                    "The settings file {} has an unknown setting `{unknown}`. Known are {}.",
                    path.display(),
                    NAMES.join(", ")
                );
            }
            builder = builder.add_source(file);
        }
        let variables = Environment::with_prefix("RECOURSE").prefix_separator("_").ignore_empty(true);
        let mut settings: Self = builder
            .add_source(variables)
            .set_override_option("database_url", flags.database_url.clone())?
            .set_override_option("listen", flags.listen.clone())?
            .set_override_option("public_url", flags.public_url.clone())?
            .build()?
            .try_deserialize()
            .map_err(|error| {
                anyhow::anyhow!(
                    "A setting is wrong: {error}. Settings are {} (as variables with RECOURSE_ before them).",
                    NAMES.join(", ")
                )
            })?;
        settings.secrets = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(|(name, _)| name.starts_with("RECOURSE_SECRET_"))
            .collect();
        settings.check()?;
        Ok(settings)
    }

    fn check(&self) -> Result<()> {
        let known = ["sqlite:", "postgres:", "postgresql:"].iter().any(|scheme| self.database_url.starts_with(scheme));
        if !known {
            bail!("RECOURSE_DATABASE_URL must begin with sqlite:// or postgres://.");
        }
        if self.payload_limit == 0 || self.payload_limit > 256 << 20 {
            bail!("RECOURSE_PAYLOAD_LIMIT must be from 1 to {} bytes.", 256 << 20);
        }
        if let Err(wrong) = domain::text::key(&self.fallback_team, 100) {
            bail!("RECOURSE_FALLBACK_TEAM {wrong}.");
        }
        self.allowed()?;
        self.openid()?;
        if let Some(folder) = self.secrets_dir.as_ref().filter(|folder| !folder.is_dir()) {
            bail!("RECOURSE_SECRETS_DIR: {} is not a folder.", folder.display());
        }
        let url = self.public_url();
        let host = host_of(&url).unwrap_or_default();
        match url.split_once("://").map(|(scheme, _)| scheme) {
            Some("https") if !host.is_empty() => Ok(()),
            Some("http") if is_loopback(&host) => Ok(()),
            Some("http") if self.public_url.is_none() => bail!(
                "RECOURSE_LISTEN is not a loopback address, so RECOURSE_PUBLIC_URL must say at which https address people reach Recourse."
            ),
            _ => bail!(
                "RECOURSE_PUBLIC_URL must be an https address, or http with a loopback host: cookies would travel in the clear."
            ),
        }
    }

    /// Where people reach Recourse, without a slash at the end.
    #[must_use]
    pub fn public_url(&self) -> String {
        let url = self.public_url.clone().unwrap_or_else(|| format!("http://{}", self.listen));
        url.trim_end_matches('/').to_owned()
    }

    /// The networks that are not public and may be called.
    pub fn allowed(&self) -> Result<Allowed> {
        let written = self.allow_private.split(',').map(str::trim).filter(|net| !net.is_empty());
        let net = |net: &str| {
            net.parse().with_context(|| {
                format!("RECOURSE_ALLOW_PRIVATE: `{net}` is not a network such as 10.0.0.0/8, separated by commas.")
            })
        };
        Ok(Allowed(written.map(net).collect::<Result<_>>()?))
    }

    /// Where the secrets of destinations are.
    #[must_use]
    pub fn secrets(&self) -> Secrets {
        Secrets { environment: self.secrets.clone(), folder: self.secrets_dir.clone() }
    }

    /// Where people may sign in besides here, and what its groups mean.
    pub fn openid(&self) -> Result<Option<OpenId>> {
        self.openid.read()
    }

    /// Whether cookies are sent over https only.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.public_url().starts_with("https://")
    }
}

fn host_of(url: &str) -> Option<String> {
    let authority = url.split_once("://")?.1.split(['/', '?', '#']).next()?;
    let host = match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next()?,
        None => authority.rsplit_once(':').map_or(authority, |(host, _)| host),
    };
    Some(host.to_ascii_lowercase())
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(change: impl FnOnce(&mut Settings)) -> Result<(), String> {
        let mut settings = Settings {
            database_url: "sqlite://x.db".into(),
            listen: "127.0.0.1:8080".parse().unwrap(),
            public_url: None,
            fallback_team: "triage".into(),
            payload_limit: 1,
            allow_unsafe_database: false,
            allow_private: String::new(),
            secrets_dir: None,
            secrets: BTreeMap::new(),
            openid: Written::default(),
            log_format: LogFormat::Text,
            log: "info".into(),
        };
        change(&mut settings);
        settings.check().map_err(|error| error.to_string())
    }

    #[test]
    fn plain_http_is_for_loopback_only() {
        assert_eq!(with(|_| {}), Ok(()));
        assert_eq!(with(|s| s.public_url = Some("https://recourse.example".into())), Ok(()));
        assert_eq!(with(|s| s.public_url = Some("http://[::1]:8080".into())), Ok(()));
        for url in
            ["http://recourse.example", "http://127.0.0.1.example", "ftp://localhost", "recourse.example", "https://"]
        {
            assert!(with(|s| s.public_url = Some(url.into())).unwrap_err().contains("RECOURSE_PUBLIC_URL"), "{url}");
        }
        assert!(with(|s| s.listen = "0.0.0.0:80".parse().unwrap()).unwrap_err().contains("RECOURSE_LISTEN"));
    }

    #[test]
    fn a_wrong_setting_is_named() {
        assert!(with(|s| s.database_url = "mysql://x".into()).unwrap_err().contains("RECOURSE_DATABASE_URL"));
        assert!(with(|s| s.payload_limit = 0).unwrap_err().contains("RECOURSE_PAYLOAD_LIMIT"));
        assert!(
            with(|s| s.allow_private = "10.0.0.0/8, nets".into())
                .unwrap_err()
                .contains("RECOURSE_ALLOW_PRIVATE: `nets`")
        );
        assert_eq!(with(|s| s.allow_private = " 10.0.0.0/8 , fd00::/8,".into()), Ok(()));
        assert!(with(|s| s.secrets_dir = Some("/no/such".into())).unwrap_err().contains("RECOURSE_SECRETS_DIR"));
        assert!(with(|s| s.fallback_team = String::new()).unwrap_err().contains("RECOURSE_FALLBACK_TEAM"));
    }
}
