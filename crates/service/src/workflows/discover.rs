//! Workflows and steps that an automation names before anybody registered them (R17): accepted under the fallback team.

use domain::{
    audit::AuditKind,
    workflow::{Repeat, SideEffect},
};
use store::{StepRow, WorkflowRow};

use crate::{
    Error, Result,
    action::{Act, Entry},
    new_id,
    people::add::find_or_add_team,
};

/// The workflow with this key; an unknown one is kept as not registered, with the fallback team.
pub(crate) async fn find_or_discover(act: &mut Act<'_>, key: &str) -> Result<WorkflowRow> {
    if let Some(found) = act.uow.workflow_by_key(key).await? {
        return Ok(found);
    }
    let fallback = act.settings.fallback_team.clone();
    let team = find_or_add_team(act, &fallback).await?;
    let row = WorkflowRow {
        id: new_id(act.now),
        key: key.to_owned(),
        name: key.to_owned(),
        team_id: team.id,
        version: None,
        registered: false,
        ageing: store::Stored::default(),
    };
    if act.uow.add_workflow(&row, act.now).await? {
        let mut entry = Entry::new(AuditKind::WorkflowDiscovered);
        entry.within(row.team_id, key);
        act.also(entry);
        return Ok(row);
    }
    act.uow.workflow_by_key(key).await?.ok_or(Error::Fault("a workflow vanished while it was being added"))
}

/// The step with this key; of an unknown one the worst is assumed: an irreversible effect that nothing recognises.
pub(crate) async fn find_or_discover_step(act: &mut Act<'_>, workflow: &WorkflowRow, key: &str) -> Result<StepRow> {
    if let Some(found) = act.uow.step(workflow.id, key).await? {
        return Ok(found);
    }
    let row = StepRow {
        workflow_id: workflow.id,
        key: key.to_owned(),
        name: key.to_owned(),
        registered: false,
        side_effect: SideEffect::Irreversible,
        repeat: Repeat::Nothing,
        impact: None,
        sensitivity: None,
    };
    if act.uow.add_step(&row).await? {
        let mut entry = Entry::new(AuditKind::WorkflowDiscovered);
        entry.within(workflow.team_id, &workflow.key).detail("step", key);
        act.also(entry);
        return Ok(row);
    }
    act.uow.step(workflow.id, key).await?.ok_or(Error::Fault("a step vanished while it was being added"))
}
