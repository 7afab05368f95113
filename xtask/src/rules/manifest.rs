//! What manifests and the lock file may name.

use super::Violation;
use anyhow::{Context, Result};
use std::collections::HashMap;
use toml::{Table, Value};

const NOT_FOR_REHEARSAL: &[&str] =
    &["domain", "store", "service", "recourse-domain", "recourse-store", "recourse-service"];

/// The rehearsal systems use the public API, as an automation would.
pub(super) fn rehearsal(manifest: &str) -> Result<Vec<Violation>> {
    let manifest: Table = manifest.parse().context("crates/rehearsal/Cargo.toml is not TOML")?;
    let named = ["dependencies", "dev-dependencies", "build-dependencies"]
        .iter()
        .filter_map(|kind| manifest.get(*kind)?.as_table())
        .flat_map(Table::keys)
        .filter(|name| NOT_FOR_REHEARSAL.contains(&name.as_str()));
    let violation = |name: &String| {
        Violation::new("crates/rehearsal/Cargo.toml", format!("rehearsal uses the public API only, not {name}"))
    };
    Ok(named.map(violation).collect())
}

/// Nothing that `deny.toml` bans is in the lock file, whoever asked for it.
pub(super) fn banned(lock: &str, deny: &str) -> Result<Vec<Violation>> {
    let lock: Table = lock.parse().context("Cargo.lock is not TOML")?;
    let deny: Table = deny.parse().context("deny.toml is not TOML")?;
    let reasons: HashMap<&str, &str> = array(&deny, &["bans", "deny"])
        .iter()
        .filter_map(|ban| {
            Some((ban.get("crate")?.as_str()?, ban.get("reason").and_then(Value::as_str).unwrap_or_default()))
        })
        .collect();
    let locked = array(&lock, &["package"]).iter().filter_map(|package| package.get("name")?.as_str());
    let violation = |name: &str| {
        let reason = reasons.get(name)?;
        Some(Violation::new("Cargo.lock", format!("{name} is banned by deny.toml: {reason}")))
    };
    Ok(locked.filter_map(violation).collect())
}

/// The array at this path of tables; nothing is an empty one.
pub(super) fn array<'a>(table: &'a Table, path: &[&str]) -> &'a [Value] {
    let Some((last, tables)) = path.split_last() else {
        return &[];
    };
    let mut table = table;
    for name in tables {
        let Some(next) = table.get(*name).and_then(Value::as_table) else {
            return &[];
        };
        table = next;
    }
    table.get(*last).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::{banned, rehearsal};

    #[test]
    fn rehearsal_may_not_look_behind_the_api() {
        let manifest =
            "[dependencies]\naxum = \"1\"\nstore.workspace = true\n[dev-dependencies]\nservice.workspace = true";
        assert_eq!(rehearsal(manifest).unwrap().len(), 2);
        assert!(rehearsal("[dependencies]\naxum = \"1\"").unwrap().is_empty());
    }

    #[test]
    fn a_banned_crate_is_found_with_its_reason() {
        let deny = "[bans]\ndeny = [{ crate = \"openssl\", reason = \"one TLS stack\" }]";
        let lock = "[[package]]\nname = \"openssl\"\n[[package]]\nname = \"openssl-probe\"";
        let found = banned(lock, deny).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].sentence, "openssl is banned by deny.toml: one TLS stack");
    }
}
