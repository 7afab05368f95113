//! Settings: flags, `RECOURSE_*` variables, or a TOML file, in this order of precedence.

mod mail;
mod openid;

use std::{
    collections::BTreeMap,
    net::{IpAddr, SocketAddr},
    path::PathBuf,
};

use anyhow::{Context as _, Result, bail};
use app::visit::{Set, Setup};
use chrono::TimeDelta;
use config::{Config, Environment, File};
use domain::{governance::Governance, span::Span};
use ipnet::IpNet;
use serde::Deserialize;

pub use self::{
    mail::Written as MailWritten,
    openid::{OpenId, Written},
};
use crate::{
    outbound::{Allowed, Secrets, Smtp},
    web::Proxies,
};

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
    /// `standard` or `strict`: whether a consequential right takes a second admin and a day.
    pub governance: String,
    /// A session ends after this long without a page being looked at, such as `12h`.
    pub session_idle: String,
    /// A session ends after this long, whatever was looked at, such as `7d`.
    pub session_lifetime: String,
    /// Networks (CIDR, separated by commas) of proxies whose word about where a request comes from is believed.
    pub trusted_proxies: String,
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
    /// Whether and how e-mails are sent: `smtp_url`, and all that begins with `mail_`.
    #[serde(flatten)]
    pub mail: MailWritten,
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
    "governance",
    "session_idle",
    "session_lifetime",
    "trusted_proxies",
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
    "smtp_url",
    "mail_from",
    "mail_timeout",
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
            .set_default("governance", "standard")?
            .set_default("session_idle", "12h")?
            .set_default("session_lifetime", "7d")?
            .set_default("trusted_proxies", "")?
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
        self.smtp()?;
        self.proxies()?;
        self.governance()?;
        let [idle, lifetime] = self.session_limits()?;
        if lifetime < idle {
            bail!("RECOURSE_SESSION_LIFETIME must not be shorter than RECOURSE_SESSION_IDLE.");
        }
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

    /// Scheme, host and port at which people reach Recourse: changes that its own pages ask for come from there.
    pub fn origin(&self) -> Result<String> {
        let url = url::Url::parse(&self.public_url()).context("RECOURSE_PUBLIC_URL is not a URL.")?;
        Ok(url.origin().ascii_serialization())
    }

    /// What the settings' page shows: never a secret, and of the database not where it is.
    #[must_use]
    pub fn shown(&self) -> Setup {
        let database = if self.database_url.starts_with("sqlite") { "SQLite" } else { "PostgreSQL" };
        let or_none = |text: &str| if text.is_empty() { "none".to_owned() } else { text.to_owned() };
        let provider = self.openid().ok().flatten();
        let issuer = provider.as_ref().map_or_else(|| "none".to_owned(), |found| found.config.issuer.clone());
        let smtp = self.smtp().ok().flatten();
        let mail_server = smtp.map_or_else(|| "none".to_owned(), |smtp| smtp.place().to_owned());
        let settings = vec![
            Set::new("public_url", "Where people reach it", self.public_url()),
            Set::new("database_url", "Database", database.to_owned()),
            Set::new("fallback_team", "Team for what nobody registered", self.fallback_team.clone()),
            Set::new("payload_limit", "Bytes of a payload at most", self.payload_limit.to_string()),
            Set::new("governance", "How consequential rights are given", self.governance.clone()),
            Set::new("session_idle", "A session ends unused after", self.session_idle.clone()),
            Set::new("session_lifetime", "A session ends at the latest after", self.session_lifetime.clone()),
            Set::new("trusted_proxies", "Proxies that are believed", or_none(&self.trusted_proxies)),
            Set::new("allow_private", "Private networks that steps may call", or_none(&self.allow_private)),
            Set::new("openid_issuer", "Identity provider", issuer),
            Set::new("smtp_url", "Mail server", mail_server),
        ];
        Setup { settings, identity_provider: provider.map(|found| found.config.label) }
    }

    /// The networks that are not public and may be called.
    pub fn allowed(&self) -> Result<Allowed> {
        Ok(Allowed(networks("RECOURSE_ALLOW_PRIVATE", &self.allow_private)?))
    }

    /// The proxies whose word is believed.
    pub fn proxies(&self) -> Result<Proxies> {
        Ok(Proxies(networks("RECOURSE_TRUSTED_PROXIES", &self.trusted_proxies)?))
    }

    /// How consequential rights are given.
    pub fn governance(&self) -> Result<Governance> {
        let read = self.governance.parse();
        read.map_err(|_| anyhow::anyhow!("RECOURSE_GOVERNANCE must be `standard` or `strict`."))
    }

    /// How long a session lasts: without a page being looked at, and at all.
    pub fn session_limits(&self) -> Result<[TimeDelta; 2]> {
        let read = |name: &str, text: &str| {
            let span: Span = text.parse().map_err(|wrong| anyhow::anyhow!("{name}: {wrong}."))?;
            if span.seconds() < 60 {
                bail!("{name} must be at least a minute.");
            }
            Ok(span.delta())
        };
        Ok([
            read("RECOURSE_SESSION_IDLE", &self.session_idle)?,
            read("RECOURSE_SESSION_LIFETIME", &self.session_lifetime)?,
        ])
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

    /// The mail server, and who writes.
    pub fn smtp(&self) -> Result<Option<Smtp>> {
        self.mail.read()
    }

    /// Whether cookies are sent over https only.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.public_url().starts_with("https://")
    }
}

/// Networks, separated by commas.
fn networks(name: &str, written: &str) -> Result<Vec<IpNet>> {
    let nets = written.split(',').map(str::trim).filter(|net| !net.is_empty());
    let read = |net: &str| {
        let one = net.parse::<IpAddr>().map(IpNet::from).or_else(|_| net.parse::<IpNet>());
        one.with_context(|| format!("{name}: `{net}` is not a network such as 10.0.0.0/8, separated by commas."))
    };
    nets.map(read).collect()
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
            governance: "standard".into(),
            session_idle: "12h".into(),
            session_lifetime: "7d".into(),
            trusted_proxies: String::new(),
            allow_private: String::new(),
            secrets_dir: None,
            secrets: BTreeMap::new(),
            openid: Written::default(),
            mail: MailWritten::default(),
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
        assert!(
            with(|s| s.trusted_proxies = "10.0.0.1, proxy".into()).unwrap_err().contains("RECOURSE_TRUSTED_PROXIES")
        );
        assert_eq!(with(|s| s.trusted_proxies = "10.0.0.1, fd00::/8".into()), Ok(()));
        assert!(with(|s| s.governance = "loose".into()).unwrap_err().contains("RECOURSE_GOVERNANCE"));
        for (idle, lifetime, named) in
            [("12", "7d", "_IDLE"), ("12h", "", "_LIFETIME"), ("7d", "1d", "_LIFETIME"), ("5s", "1d", "_IDLE")]
        {
            let set = |s: &mut Settings| (s.session_idle, s.session_lifetime) = (idle.into(), lifetime.into());
            assert!(with(set).unwrap_err().contains(named), "{idle} {lifetime}");
        }
        assert!(with(|s| s.secrets_dir = Some("/no/such".into())).unwrap_err().contains("RECOURSE_SECRETS_DIR"));
        assert!(with(|s| s.fallback_team = String::new()).unwrap_err().contains("RECOURSE_FALLBACK_TEAM"));
    }
}
