//! `recourse workflow …`.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use clap::Subcommand;
use service::{
    Service,
    workflows::apply::{Applied, ApplyWorkflow},
};

use super::{at_the_command_line, say};

#[derive(Debug, Subcommand)]
pub(super) enum Workflow {
    /// Register a workflow, or change it, from its TOML file
    Apply {
        /// The file
        file: PathBuf,
        /// Show the change without making it
        #[arg(long)]
        dry_run: bool,
    },
}

impl Workflow {
    pub(super) async fn run(self, service: &Service) -> Result<()> {
        let Self::Apply { file, dry_run } = self;
        let source = std::fs::read_to_string(&file).with_context(|| format!("{} can't be read.", file.display()))?;
        let schemas = read_schemas(&source, file.parent().unwrap_or(Path::new(".")));
        let applied = service.run(&at_the_command_line(), ApplyWorkflow::new(source, schemas, dry_run)?).await?;
        tell(&applied, dry_run)
    }
}

/// The schema files that stand beside the workflow's file. A missing one is told with the step that names it.
fn read_schemas(source: &str, folder: &Path) -> BTreeMap<String, String> {
    let paths = ApplyWorkflow::schema_paths(source);
    paths
        .into_iter()
        .filter_map(|path| Some((path.clone(), std::fs::read_to_string(folder.join(&path)).ok()?)))
        .collect()
}

fn tell(applied: &Applied, dry_run: bool) -> Result<()> {
    for change in &applied.changes {
        match (&change.old, &change.new) {
            (None, Some(new)) => say(&format!("+ {}: {new}", change.place))?,
            (Some(old), None) => say(&format!("- {}: {old}", change.place))?,
            (Some(old), Some(new)) => say(&format!("~ {}: {old} → {new}", change.place))?,
            (None, None) => {}
        }
    }
    let made = if dry_run { "would be made" } else { "was made" };
    if let Some(team) = applied.new_team.as_ref().filter(|_| !applied.changes.is_empty()) {
        say(&format!("The team `{team}` was not there and {made}. Nobody belongs to it yet."))?;
    }
    for warning in &applied.warnings {
        say(&format!("Warning: {warning}"))?;
    }
    let fields = match applied.changes.len() {
        1 => "1 field".to_owned(),
        n => format!("{n} fields"),
    };
    say(&match (applied.changes.is_empty(), dry_run, applied.new) {
        (true, ..) => format!("`{}` is as the file says already; nothing was changed.", applied.workflow),
        (false, true, _) => format!("`{}` would change in {fields}. Nothing was changed.", applied.workflow),
        (false, false, true) => format!("`{}` is registered.", applied.workflow),
        (false, false, false) => format!("`{}` changed in {fields}.", applied.workflow),
    })
}
