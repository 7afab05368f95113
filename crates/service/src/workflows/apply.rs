//! Registering a workflow from its file.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    ageing::Rules,
    audit::AuditKind,
    channel,
    permission::Permission,
    refusal::{FieldProblem, Refusal},
    workflow::{Definition, change, file},
};
use store::{DefinitionRow, StepRow, Stored, WorkflowRow};

use crate::{
    Result,
    action::{Act, Action, Gate},
    new_id,
    people::add::find_or_add_team,
};

/// Applies a workflow file. What it would change can be looked at first with `dry_run`.
#[derive(Debug)]
pub struct ApplyWorkflow {
    source: String,
    definition: Definition,
    schemas: BTreeMap<String, String>,
    dry_run: bool,
}

/// What applying a file did, or would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The workflow's key.
    pub workflow: String,
    /// Whether it was not registered before.
    pub new: bool,
    /// Whether the owner team had to be made.
    pub new_team: Option<String>,
    /// What differs from before, field by field; empty means nothing to do.
    pub changes: Vec<change::Change>,
    /// What the file refers to and is not there: nothing that stops it.
    pub warnings: Vec<String>,
}

impl ApplyWorkflow {
    /// Reads the file's text. `schemas` holds the text of each schema file it names, by the path it uses.
    pub fn new(source: String, schemas: BTreeMap<String, String>, dry_run: bool) -> Result<Self> {
        let definition = file::read(&source).map_err(|mistakes| {
            Refusal::Invalid(
                mistakes.iter().map(|m| FieldProblem::new(format!("line {}", m.line), m.message.clone())).collect(),
            )
        })?;
        let mut problems = Vec::new();
        for step in &definition.steps {
            let Some(path) = &step.schema else { continue };
            match schemas.get(path) {
                None => problems.push(FieldProblem::new(
                    path,
                    format!("step `{}` names this schema file, which is not there", step.key),
                )),
                Some(text) => {
                    if let Err(error) = serde_json::from_str::<serde_json::Value>(text) {
                        problems.push(FieldProblem::new(path, format!("is not JSON: {error}")));
                    }
                }
            }
        }
        if problems.is_empty() {
            Ok(Self { source, definition, schemas, dry_run })
        } else {
            Err(Refusal::Invalid(problems).into())
        }
    }

    /// The paths of the schema files that `source` names, so that the caller can read them.
    #[must_use]
    pub fn schema_paths(source: &str) -> Vec<String> {
        let steps = file::read(source).map(|definition| definition.steps).unwrap_or_default();
        steps.into_iter().filter_map(|step| step.schema).collect()
    }
}

impl Action for ApplyWorkflow {
    const NAME: &'static str = "apply_workflow";
    const GATE: Gate = Gate::Permission(Permission::WorkflowsManage);
    const AUDIT: AuditKind = AuditKind::WorkflowApplied;
    type Output = Applied;

    async fn perform(self, act: &mut Act<'_>) -> Result<Applied> {
        let key = self.definition.workflow.key.as_str().to_owned();
        let known = act.uow.lock_workflow(&key).await?;
        let before = match &known {
            Some(row) => act.uow.latest_definition(row.id).await?,
            None => None,
        };
        let mut changes = change::between(before.as_ref().map(|row| &row.definition.0), &self.definition);
        let old_schemas = before.as_ref().map(|row| row.schemas.0.clone()).unwrap_or_default();
        for (path, text) in &self.schemas {
            if old_schemas.get(path) != Some(text) {
                let old = old_schemas.get(path).map(|text| format!("{} bytes", text.len()));
                changes.push(change::Change {
                    place: format!("file {path}"),
                    old,
                    new: Some(format!("{} bytes", text.len())),
                });
            }
        }
        let owner = self.definition.workflow.owner_team.as_str();
        let new_team = act.uow.team_by_key(owner).await?.is_none().then(|| owner.to_owned());
        let new = known.as_ref().is_none_or(|row| !row.registered);
        let mut warnings = unknown_channels(act, &self.definition).await?;
        warnings.extend(unknown_teams(act, &self.definition).await?);
        let applied = Applied { workflow: key.clone(), new, new_team, changes, warnings };
        if self.dry_run || applied.changes.is_empty() {
            act.nothing_changed();
            return Ok(applied);
        }

        let team = find_or_add_team(act, owner).await?;
        let row = WorkflowRow {
            id: known.as_ref().map_or_else(|| new_id(act.now), |row| row.id),
            key: key.clone(),
            name: self.definition.workflow.name.clone(),
            team_id: team.id,
            version: Some(self.definition.workflow.version.as_str().to_owned()),
            registered: true,
            ageing: Stored(Rules::of(&self.definition.workflow)),
        };
        if known.is_none() {
            act.uow.add_workflow(&row, act.now).await?;
        }
        act.uow.tell_moved_anew(row.id, row.team_id, act.now).await?;
        act.uow.update_workflow(&row).await?;
        // A target may have moved while items wait.
        act.uow.look_at_items(row.id, act.now).await?;
        act.uow.look_at_reports(&key, act.now).await?;
        act.uow.replace_steps(row.id, &steps(&row, &self.definition)).await?;
        touch_items(act, &row, before.as_ref().map(|row| &row.definition.0), &self.definition).await?;
        let number = before.map_or(1, |row| row.number + 1);
        let definition = DefinitionRow {
            number,
            version: self.definition.workflow.version.as_str().to_owned(),
            source: self.source,
            definition: Stored(self.definition),
            schemas: Stored(self.schemas),
        };
        act.uow.add_definition(row.id, &definition, act.caller.name(), act.now).await?;
        act.entry().within(team.id, &key).detail("number", number).detail("changes", applied.changes.len());
        Ok(applied)
    }
}

/// What a replay is decided on has changed for every open item of a step whose settings differ now, or of all where the
/// workflow's version moved.
async fn touch_items(act: &mut Act<'_>, row: &WorkflowRow, old: Option<&Definition>, new: &Definition) -> Result<()> {
    let moved = old.is_some_and(|old| old.workflow.version != new.workflow.version);
    let steps =
        new.steps.iter().map(|step| &step.key).chain(old.iter().flat_map(|old| old.steps.iter().map(|s| &s.key)));
    for key in steps.collect::<BTreeSet<_>>() {
        let key = key.as_str();
        if moved || old.and_then(|old| old.step(key)) != new.step(key) {
            let what = format!("{} changed the workflow: its destination or its rules may differ", act.caller.name());
            act.uow.touch_items(row.id, key, &what).await?;
        }
    }
    Ok(())
}

/// Channels that the file names and that are not there: what would go through them is told in the app.
async fn unknown_channels(act: &mut Act<'_>, definition: &Definition) -> Result<Vec<String>> {
    let named = definition.workflow.escalate.iter().flat_map(|escalation| &escalation.notify);
    let names: BTreeSet<&str> = named.filter_map(|notify| channel::named(notify)).collect();
    let mut warnings = Vec::new();
    for name in names {
        let known = channel::name(name).is_ok() && act.uow.channel_by_name(name).await?.is_some();
        if !known {
            warnings.push(format!("There is no channel `{name}`: what would go through it is told in the app."));
        }
    }
    Ok(warnings)
}

/// Teams that a missed target would go to, and that are not there.
async fn unknown_teams(act: &mut Act<'_>, definition: &Definition) -> Result<Vec<String>> {
    let named = definition.workflow.escalate.iter().map(|step| &step.team);
    let names: BTreeSet<&str> =
        named.filter(|team| **team != definition.workflow.owner_team).map(domain::workflow::Key::as_str).collect();
    let mut warnings = Vec::new();
    for name in names {
        if act.uow.team_by_key(name).await?.is_none() {
            warnings.push(format!(
                "There is no team `{name}`: what would be escalated to it stays where it is, and is told there."
            ));
        }
    }
    Ok(warnings)
}

fn steps(workflow: &WorkflowRow, definition: &Definition) -> Vec<StepRow> {
    let step = |step: &domain::workflow::Step| StepRow {
        workflow_id: workflow.id,
        key: step.key.as_str().to_owned(),
        name: step.name.clone().unwrap_or_else(|| step.key.as_str().to_owned()),
        registered: true,
        side_effect: step.side_effect,
        repeat: step.repeat,
        impact: step.impact,
        sensitivity: step.sensitivity,
    };
    definition.steps.iter().map(step).collect()
}
