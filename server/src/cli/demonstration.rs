//! `recourse serve --demo`: a new database, fake business systems, and automations that work against them.

use std::{collections::BTreeMap, sync::Arc};

use anyhow::{Context as _, Result, bail};
use chrono::{DateTime, Utc};
use domain::{permission::Role, sensitivity::Clearance};
use rehearsal::{
    demonstration::{Target, run},
    systems::Systems,
    workflows,
};
use service::{Service, people::add::AddPerson, secret, tokens::create::CreateToken, workflows::apply::ApplyWorkflow};
use tokio::task::JoinHandle;

use super::{at_the_command_line, say};
use crate::settings::Settings;

/// Where the demonstration's random choices begin.
const SEED: u64 = 20_261_129;
const FOLDER: &str = "recourse-demonstration-";

/// Somebody to sign in as.
struct Cast {
    email: &'static str,
    name: &'static str,
    role: Role,
    clearance: Clearance,
}

const CAST: &[Cast] = &[
    Cast {
        email: "amara@recourse.example",
        name: "Amara Okafor",
        role: Role::Operator,
        clearance: Clearance::Confidential,
    },
    Cast {
        email: "jonas@recourse.example",
        name: "Jonas Lindqvist",
        role: Role::Supervisor,
        clearance: Clearance::Restricted,
    },
    Cast { email: "mei@recourse.example", name: "Mei Tanaka", role: Role::Auditor, clearance: Clearance::Confidential },
    Cast { email: "farid@recourse.example", name: "Farid Haddad", role: Role::Admin, clearance: Clearance::Internal },
];
const TEAMS: &[&str] = &["finance-ops", "sales-ops", "support", "fulfilment", "triage"];
/// What is late for long goes to these; the supervisor is in them, too.
const LEADS: &[&str] = &["finance-leads", "fulfilment-leads"];

/// Points the settings at a new database in a folder of its own. Only on a loopback address.
pub(super) fn prepare(settings: &mut Settings) -> Result<()> {
    if !settings.listen.ip().is_loopback() {
        bail!("RECOURSE_LISTEN: the demonstration runs on a loopback address only, not on {}.", settings.listen);
    }
    let name = format!("{FOLDER}{}", secret::random("").0.get(..12).unwrap_or_default());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir(&folder)
        .with_context(|| format!("The demonstration's folder {} can't be made.", folder.display()))?;
    // Its fake systems are on this machine.
    settings.allow_private = "127.0.0.0/8".to_owned();
    settings.database_url = format!("sqlite://{}", folder.join("recourse.db").display());
    Ok(())
}

/// Whether [`prepare`] was here.
pub(super) fn is_prepared(settings: &Settings) -> bool {
    settings.database_url.contains(FOLDER)
}

/// Adds people and workflows, starts the fake systems, and lets the automations loose.
pub(super) async fn start(service: &Service) -> Result<JoinHandle<()>> {
    let password = secret::random("").0.get(..16).unwrap_or_default().to_owned();
    for cast in CAST {
        let leads = if cast.role == Role::Supervisor { LEADS } else { &[] };
        let teams = TEAMS.iter().chain(leads).map(|team| (*team).to_owned()).collect();
        let person =
            AddPerson::new(cast.email, cast.name, password.clone(), vec![cast.role], teams, cast.clearance).await?;
        service.run(&at_the_command_line(), person).await?;
    }
    let clock = service.clone();
    let now: rehearsal::Now = Arc::new(move || -> DateTime<Utc> { clock.now() });
    let systems = Systems::start(Arc::clone(&now)).await.context("The fake business systems can't be started.")?;
    let mut tokens = BTreeMap::new();
    for (key, source) in workflows::workflows(&systems) {
        service.run(&at_the_command_line(), ApplyWorkflow::new(source, BTreeMap::new(), false)?).await?;
        let token = CreateToken::lasting(key, Some(vec![key.to_owned()]));
        tokens.insert(key.to_owned(), service.run(&at_the_command_line(), token).await?);
    }
    let any = CreateToken::lasting(workflows::UNREGISTERED, None);
    let any_token = service.run(&at_the_command_line(), any).await?;

    say("\nThis is a demonstration on a new database. Sign in with one of these, all with the same password:")?;
    for cast in CAST {
        say(&format!("  {:<24} {}", cast.email, cast.role.label()))?;
    }
    say(&format!("  Password: {password}\n\nThe other systems' own records:"))?;
    for (name, url) in [
        ("Ledger", &systems.ledger.url),
        ("CRM", &systems.crm.url),
        ("Mail", &systems.mail.url),
        ("Warehouse", &systems.warehouse.url),
    ] {
        say(&format!("  {name:<24} {url}"))?;
    }
    say("\nThe queues fill within a minute. Stop with Ctrl-C.")?;
    let target = Target { base_url: service.settings().public_url.clone(), tokens, any_token };
    Ok(tokio::spawn(async move {
        let Err(error) = run(target, &systems, now, SEED).await;
        tracing::warn!(%error, "the demonstration stopped");
    }))
}
