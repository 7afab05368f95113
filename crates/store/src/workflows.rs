//! Workflows, their steps, and every definition that was applied.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::{
    ageing::Rules,
    ids::{TeamId, WorkflowId},
    item::Impact,
    sensitivity::Sensitivity,
    workflow::{Definition, Repeat, SideEffect},
};
use uuid::Uuid;

use crate::{
    Result, Stored, Uow,
    column::{MaybeWord, json},
    sql::{execute, fetch_all, fetch_optional, statements},
};

statements! {
    WORKFLOW_BY_KEY = "SELECT id, key, name, team_id, version, registered, ageing FROM workflow WHERE key = $1";
    LOCK_WORKFLOW = "SELECT id, key, name, team_id, version, registered, ageing FROM workflow WHERE key = $1" locked;
    AGEING = "SELECT ageing FROM workflow WHERE id = $1";
    WORKFLOW_KEYS = "SELECT key FROM workflow WHERE $1 OR team_id IN (SELECT team_id FROM person_team WHERE person_id = $2) ORDER BY key";
    INSERT_WORKFLOW = "INSERT INTO workflow (id, key, name, team_id, version, registered, created_at, ageing) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (key) DO NOTHING";
    UPDATE_WORKFLOW = "UPDATE workflow SET name = $2, team_id = $3, version = $4, registered = $5, ageing = $6 WHERE id = $1";
    MOVE_ITEMS = "UPDATE item SET team_id = $2 WHERE workflow_id = $1 AND team_id <> $2";
    TOUCH_ITEMS = "UPDATE item SET version = version + 1, last_change = $3 WHERE workflow_id = $1 AND step = $2 AND state <> 'closed'";
    MOVE_QUARANTINE = "UPDATE quarantine SET team_id = $2 WHERE workflow_key = $1 AND state = 'open' AND team_id <> $2";
    STEP = "SELECT workflow_id, key, name, registered, side_effect, repeat, impact, sensitivity FROM step WHERE workflow_id = $1 AND key = $2";
    STEP_KEYS = "SELECT DISTINCT step.key FROM step JOIN workflow ON workflow.id = step.workflow_id
        WHERE $1 OR workflow.team_id IN (SELECT team_id FROM person_team WHERE person_id = $2) ORDER BY step.key";
    STEP_SENSITIVITIES = "SELECT DISTINCT sensitivity FROM step WHERE workflow_id = $1 AND registered";
    INSERT_STEP = "INSERT INTO step (workflow_id, key, name, registered, side_effect, repeat, impact, sensitivity) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (workflow_id, key) DO NOTHING";
    UPDATE_STEP = "UPDATE step SET name = $3, registered = $4, side_effect = $5, repeat = $6, impact = $7, sensitivity = $8 WHERE workflow_id = $1 AND key = $2";
    UNREGISTER_STEPS = "UPDATE step SET registered = $2, side_effect = 'irreversible', repeat = 'nothing' WHERE workflow_id = $1";
    INSERT_DEFINITION = "INSERT INTO workflow_definition (workflow_id, number, version, source, definition, schemas, applied_by, applied_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    CURRENT_DEFINITIONS = "SELECT number, version, source, definition, schemas FROM workflow_definition AS d
        WHERE number = (SELECT MAX(number) FROM workflow_definition WHERE workflow_id = d.workflow_id) ORDER BY applied_at, workflow_id";
    LATEST_DEFINITION = "SELECT number, version, source, definition, schemas FROM workflow_definition WHERE workflow_id = $1 ORDER BY number DESC LIMIT 1";
}

/// A workflow.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct WorkflowRow {
    /// Its id.
    #[sqlx(try_from = "Uuid")]
    pub id: WorkflowId,
    /// Its key.
    pub key: String,
    /// Its name.
    pub name: String,
    /// The team that answers for it.
    #[sqlx(try_from = "Uuid")]
    pub team_id: TeamId,
    /// The current version; missing until it is registered.
    pub version: Option<String>,
    /// Whether a file was applied for it.
    pub registered: bool,
    /// What its file says of ageing.
    #[sqlx(try_from = "String")]
    pub ageing: Stored<Rules>,
}

/// A step.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct StepRow {
    /// Its workflow.
    #[sqlx(try_from = "Uuid")]
    pub workflow_id: WorkflowId,
    /// Its key.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Whether the applied file describes it.
    pub registered: bool,
    /// Whether it changes the world; of an unregistered step the worst is assumed.
    #[sqlx(try_from = "String")]
    pub side_effect: SideEffect,
    /// How its destination recognises a repeat.
    #[sqlx(try_from = "String")]
    pub repeat: Repeat,
    /// Impact where the report does not say.
    #[sqlx(try_from = "MaybeWord")]
    pub impact: Option<Impact>,
    /// Sensitivity where the report does not say.
    #[sqlx(try_from = "MaybeWord")]
    pub sensitivity: Option<Sensitivity>,
}

/// An applied definition.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct DefinitionRow {
    /// Counts from 1.
    pub number: i64,
    /// The version it names.
    pub version: String,
    /// The file's text.
    pub source: String,
    /// What it was read as.
    #[sqlx(try_from = "String")]
    pub definition: Stored<Definition>,
    /// The schema files it names, by path.
    #[sqlx(try_from = "String")]
    pub schemas: Stored<BTreeMap<String, String>>,
}

impl Uow {
    /// The workflow with this key.
    pub async fn workflow_by_key(&mut self, key: &str) -> Result<Option<WorkflowRow>> {
        fetch_optional!(self, WorkflowRow, WORKFLOW_BY_KEY, key)
    }

    /// The same, locked until the unit of work ends.
    pub async fn lock_workflow(&mut self, key: &str) -> Result<Option<WorkflowRow>> {
        fetch_optional!(self, WorkflowRow, LOCK_WORKFLOW, key)
    }

    /// What a workflow's file says of ageing.
    pub async fn ageing_rules(&mut self, workflow: WorkflowId) -> Result<Rules> {
        let found = fetch_optional!(self, (String,), AGEING, workflow.0)?;
        let read = |(text,): (String,)| {
            serde_json::from_str(&text).map_err(|error| crate::Error::Database(sqlx::Error::Decode(error.into())))
        };
        found.map_or_else(|| Ok(Rules::default()), read)
    }

    /// The keys of every workflow, registered or not.
    pub async fn workflow_keys(&mut self, bound_to: Option<Uuid>) -> Result<Vec<String>> {
        Ok(fetch_all!(self, (String,), WORKFLOW_KEYS, bound_to.is_none(), bound_to.unwrap_or_default())?
            .into_iter()
            .map(|(key,)| key)
            .collect())
    }

    /// Adds a workflow; `false` if one with this key exists.
    pub async fn add_workflow(&mut self, row: &WorkflowRow, now: DateTime<Utc>) -> Result<bool> {
        Ok(execute!(
            self,
            INSERT_WORKFLOW,
            row.id.0,
            &row.key,
            &row.name,
            row.team_id.0,
            &row.version,
            row.registered,
            now,
            json(&row.ageing.0)?
        )? == 1)
    }

    /// Replaces what is known of a workflow. Its items, and what waits in quarantine for it, follow it to its team.
    pub async fn update_workflow(&mut self, row: &WorkflowRow) -> Result<()> {
        let ageing = json(&row.ageing.0)?;
        execute!(self, UPDATE_WORKFLOW, row.id.0, &row.name, row.team_id.0, &row.version, row.registered, ageing)?;
        execute!(self, MOVE_ITEMS, row.id.0, row.team_id.0)?;
        execute!(self, MOVE_QUARANTINE, &row.key, row.team_id.0).map(drop)
    }

    /// Notes on every open item of a step that what decisions rest on has changed.
    pub async fn touch_items(&mut self, workflow: WorkflowId, step: &str, what: &str) -> Result<u64> {
        execute!(self, TOUCH_ITEMS, workflow.0, step, what)
    }

    /// A step of a workflow.
    pub async fn step(&mut self, workflow: WorkflowId, key: &str) -> Result<Option<StepRow>> {
        fetch_optional!(self, StepRow, STEP, workflow.0, key)
    }

    /// How sensitive the registered steps of a workflow are, each once.
    pub async fn step_sensitivities(&mut self, workflow: WorkflowId) -> Result<Vec<Option<Sensitivity>>> {
        #[derive(sqlx::FromRow)]
        struct Row {
            #[sqlx(try_from = "MaybeWord")]
            sensitivity: Option<Sensitivity>,
        }
        Ok(fetch_all!(self, Row, STEP_SENSITIVITIES, workflow.0)?.into_iter().map(|row| row.sensitivity).collect())
    }

    /// The keys of every step of every workflow.
    pub async fn step_keys(&mut self, bound_to: Option<Uuid>) -> Result<Vec<String>> {
        Ok(fetch_all!(self, (String,), STEP_KEYS, bound_to.is_none(), bound_to.unwrap_or_default())?
            .into_iter()
            .map(|(key,)| key)
            .collect())
    }

    /// Adds a step; `false` if the workflow has one with this key.
    pub async fn add_step(&mut self, step: &StepRow) -> Result<bool> {
        let (impact, sensitivity) = (step.impact.map(Impact::as_str), step.sensitivity.map(Sensitivity::as_str));
        Ok(execute!(
            self,
            INSERT_STEP,
            step.workflow_id.0,
            &step.key,
            &step.name,
            step.registered,
            step.side_effect.as_str(),
            step.repeat.as_str(),
            impact,
            sensitivity
        )? == 1)
    }

    /// Puts the steps of an applied file in place; a step that is gone from it counts as unregistered.
    pub async fn replace_steps(&mut self, workflow: WorkflowId, steps: &[StepRow]) -> Result<()> {
        execute!(self, UNREGISTER_STEPS, workflow.0, false)?;
        for step in steps {
            if !self.add_step(step).await? {
                let (impact, sensitivity) =
                    (step.impact.map(Impact::as_str), step.sensitivity.map(Sensitivity::as_str));
                execute!(
                    self,
                    UPDATE_STEP,
                    workflow.0,
                    &step.key,
                    &step.name,
                    step.registered,
                    step.side_effect.as_str(),
                    step.repeat.as_str(),
                    impact,
                    sensitivity
                )?;
            }
        }
        Ok(())
    }

    /// Keeps an applied definition.
    pub async fn add_definition(
        &mut self,
        workflow: WorkflowId,
        row: &DefinitionRow,
        by: &str,
        now: DateTime<Utc>,
    ) -> Result<()> {
        let (definition, schemas) = (json(&row.definition.0)?, json(&row.schemas.0)?);
        execute!(
            self,
            INSERT_DEFINITION,
            workflow.0,
            row.number,
            &row.version,
            &row.source,
            &definition,
            &schemas,
            by,
            now
        )
        .map(drop)
    }

    /// The definition of every registered workflow as it was applied last.
    pub async fn current_definitions(&mut self) -> Result<Vec<DefinitionRow>> {
        fetch_all!(self, DefinitionRow, CURRENT_DEFINITIONS)
    }

    /// The definition that was applied last.
    pub async fn latest_definition(&mut self, workflow: WorkflowId) -> Result<Option<DefinitionRow>> {
        fetch_optional!(self, DefinitionRow, LATEST_DEFINITION, workflow.0)
    }
}
