//! Alerts: what has become late, told once and kept until somebody acknowledges it.

use chrono::{DateTime, Utc};
use domain::{
    ageing::{Cause, Level},
    ids::{ItemId, PersonId, QuarantineId, TeamId, WorkflowId},
};
use uuid::Uuid;

use crate::{
    Result, Uow,
    column::someday,
    sql::{execute, fetch_all, fetch_one, fetch_optional, statements},
};

statements! {
    ITEMS_TO_LOOK_AT = "SELECT id FROM item WHERE state <> 'closed' AND look_at <= $1 ORDER BY look_at DESC, id DESC LIMIT 200";
    LOOK_AT_ITEMS = "UPDATE item SET look_at = $2 WHERE workflow_id = $1 AND state <> 'closed'";
    LOOK_AT_ITEMS_OF = "UPDATE item SET look_at = $2 WHERE owner_person_id = $1 AND state <> 'closed'";
    LOOK_AT_ITEM = "UPDATE item SET look_at = $2 WHERE id = $1";
    LOOK_AT_REPORTS = "UPDATE quarantine SET look_at = $2 WHERE workflow_key = $1 AND state = 'open'";
    LOCK_QUARANTINED = "SELECT id FROM quarantine WHERE id = $1" locked;
    QUARANTINE_TO_LOOK_AT = "SELECT id FROM quarantine WHERE state = 'open' AND look_at <= $1 ORDER BY look_at DESC, id DESC LIMIT 200";
    LOOK_AT_QUARANTINE = "UPDATE quarantine SET look_at = $2 WHERE id = $1";
    SUBJECTS_OF = "SELECT id, alert_id, cause, level, step FROM alert_subject WHERE subject_id = $1 AND settled_at IS NULL ORDER BY alert_id";
    ALERT_TO_JOIN = "SELECT id, last_at, told_at, acknowledged_at FROM alert WHERE gathers = $1 AND (acknowledged_at IS NULL OR acknowledged_at > $2) ORDER BY raised_at DESC, id DESC LIMIT 1" locked;
    HAS_OPEN = "SELECT COUNT(*) FROM (SELECT 1 AS one FROM alert JOIN alert_subject AS s ON s.alert_id = alert.id AND s.level = alert.level
        WHERE alert.id = $1 AND s.settled_at IS NULL LIMIT 1) AS few";
    TELLS_LOWER = "SELECT COUNT(*) FROM (SELECT 1 AS one FROM alert JOIN alert_subject AS s ON s.alert_id = alert.id AND s.level <> alert.level
        WHERE alert.id = $1 LIMIT 1) AS few";
    FORGET_TOLD = "DELETE FROM alert_told WHERE alert_id = $1";
    TOLD_AGAIN = "UPDATE alert SET told_at = $2 WHERE id = $1";
    TELL_MOVED_ANEW = "UPDATE alert_subject SET settled_at = $3 WHERE settled_at IS NULL AND level <> 'escalated'
        AND item_id IN (SELECT id FROM item WHERE workflow_id = $1 AND team_id <> $2 AND state <> 'closed')";
    INSERT_ALERT = "INSERT INTO alert (id, cause, level, gathers, workflow_key, step, team_id, told_team_id, subjects, raised_at, last_at, told_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $9, $9) ON CONFLICT (gathers) WHERE acknowledged_at IS NULL DO NOTHING";
    INSERT_SUBJECT = "INSERT INTO alert_subject (id, alert_id, subject_id, item_id, cause, level, step, reached_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (subject_id, cause, level, step) WHERE settled_at IS NULL DO NOTHING";
    COUNT_SUBJECT = "UPDATE alert SET last_at = $2, subjects = subjects
        + CASE WHEN (SELECT COUNT(*) FROM alert_subject WHERE alert_id = $1 AND subject_id = $3) = 1 THEN 1 ELSE 0 END WHERE id = $1";
    SETTLE_SUBJECT = "UPDATE alert_subject SET settled_at = $2 WHERE id = $1 AND settled_at IS NULL";
    SETTLE_SUBJECTS = "UPDATE alert_subject SET settled_at = $2 WHERE subject_id = $1 AND settled_at IS NULL";
    TELL_ANEW = "UPDATE alert_subject SET settled_at = $2 WHERE item_id = $1 AND settled_at IS NULL AND level <> 'escalated'";
    TELL_ANEW_OF = "UPDATE alert_subject SET settled_at = $2 WHERE settled_at IS NULL AND level <> 'escalated' AND item_id IN (SELECT id FROM item WHERE owner_person_id = $1 AND state <> 'closed')";
    TELL = "INSERT INTO alert_told (alert_id, person_id) VALUES ($1, $2) ON CONFLICT (alert_id, person_id) DO NOTHING";
    ALERT = "SELECT alert.*, team.name AS team_name, told.name AS told_team_name,
        (SELECT COUNT(*) FROM (SELECT 1 AS one FROM alert_subject AS s WHERE s.alert_id = alert.id AND s.level = alert.level AND s.settled_at IS NULL LIMIT 1001) AS few) AS open
        FROM alert JOIN team ON team.id = alert.team_id LEFT JOIN team AS told ON told.id = alert.told_team_id WHERE alert.id = $1";
    LOCK_ALERT = "SELECT id FROM alert WHERE id = $1" locked;
    WAITING = "SELECT alert.*, team.name AS team_name, told.name AS told_team_name,
        (SELECT COUNT(*) FROM (SELECT 1 AS one FROM alert_subject AS s WHERE s.alert_id = alert.id AND s.level = alert.level AND s.settled_at IS NULL LIMIT 1001) AS few) AS open
        FROM alert JOIN team ON team.id = alert.team_id LEFT JOIN team AS told ON told.id = alert.told_team_id
        WHERE acknowledged_at IS NULL AND (CASE alert.level WHEN 'at_risk' THEN 0 WHEN 'overdue' THEN 1 ELSE 2 END, last_at, alert.id)
        < (COALESCE((SELECT CASE seen.level WHEN 'at_risk' THEN 0 WHEN 'overdue' THEN 1 ELSE 2 END FROM alert AS seen WHERE seen.id = $2), 3), $1, $2)
        AND ($3 OR alert.team_id IN (SELECT team_id FROM person_team WHERE person_id = $4) OR alert.told_team_id IN (SELECT team_id FROM person_team WHERE person_id = $4))
        ORDER BY CASE alert.level WHEN 'at_risk' THEN 0 WHEN 'overdue' THEN 1 ELSE 2 END DESC, last_at DESC, alert.id DESC LIMIT $5";
    DONE = "SELECT alert.*, team.name AS team_name, told.name AS told_team_name,
        (SELECT COUNT(*) FROM (SELECT 1 AS one FROM alert_subject AS s WHERE s.alert_id = alert.id AND s.level = alert.level AND s.settled_at IS NULL LIMIT 1001) AS few) AS open
        FROM alert JOIN team ON team.id = alert.team_id LEFT JOIN team AS told ON told.id = alert.told_team_id
        WHERE acknowledged_at IS NOT NULL AND (acknowledged_at, alert.id) < ($1, $2)
        AND ($3 OR alert.team_id IN (SELECT team_id FROM person_team WHERE person_id = $4) OR alert.told_team_id IN (SELECT team_id FROM person_team WHERE person_id = $4))
        ORDER BY acknowledged_at DESC, alert.id DESC LIMIT $5";
    COUNT_WAITING = "SELECT COUNT(*) FROM (SELECT 1 AS one FROM alert WHERE acknowledged_at IS NULL
        AND ($1 OR team_id IN (SELECT team_id FROM person_team WHERE person_id = $2) OR told_team_id IN (SELECT team_id FROM person_team WHERE person_id = $2)) LIMIT 100) AS waiting";
    SUBJECTS = "SELECT id, subject_id, item_id, reached_at, settled_at FROM alert_subject WHERE alert_id = $1 AND (settled_at IS NOT NULL, reached_at, id) > ($2, $3, $4)
        AND level = (SELECT alert.level FROM alert WHERE alert.id = $1)
        ORDER BY settled_at IS NOT NULL, reached_at, id LIMIT $5";
    ACKNOWLEDGE = "UPDATE alert SET acknowledged_at = $2, acknowledged_by = $3, acknowledged_by_name = $4, note = $5 WHERE id = $1 AND acknowledged_at IS NULL";
    ALERTS_OF_ITEM = "SELECT DISTINCT alert.id, alert.cause, alert.level, alert.raised_at, alert.acknowledged_at, alert.acknowledged_by_name FROM alert_subject JOIN alert ON alert.id = alert_subject.alert_id AND alert.level = alert_subject.level
        WHERE alert_subject.subject_id = $1 AND alert_subject.settled_at IS NULL ORDER BY alert.raised_at, alert.id";
}

/// An alert.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Alert {
    /// Its id.
    pub id: Uuid,
    /// What has not happened.
    #[sqlx(try_from = "String")]
    pub cause: Cause,
    /// How late that is.
    #[sqlx(try_from = "String")]
    pub level: Level,
    /// The workflow.
    pub workflow_key: String,
    /// The step; none for reports in quarantine.
    pub step: Option<String>,
    /// The team that answers for them.
    #[sqlx(try_from = "Uuid")]
    pub team_id: TeamId,
    /// Its name.
    pub team_name: String,
    /// The team that is told besides.
    pub told_team_id: Option<Uuid>,
    /// Its name.
    pub told_team_name: Option<String>,
    /// How many are in it.
    pub subjects: i64,
    /// For how many of them it has still not happened; counted up to 1,001.
    pub open: i64,
    /// When it was raised.
    pub raised_at: DateTime<Utc>,
    /// When the last one joined.
    pub last_at: DateTime<Utc>,
    /// When it was acknowledged.
    pub acknowledged_at: Option<DateTime<Utc>>,
    /// By whom, as named then.
    pub acknowledged_by_name: Option<String>,
    /// What they said.
    pub note: Option<String>,
}

/// An alert to raise.
#[derive(Debug, Clone)]
pub struct NewAlert<'a> {
    /// What has not happened.
    pub cause: Cause,
    /// How late that is.
    pub level: Level,
    /// What makes it one with others.
    pub gathers: &'a str,
    /// The workflow.
    pub workflow_key: &'a str,
    /// The step.
    pub step: Option<&'a str>,
    /// The team that answers for it.
    pub team: TeamId,
    /// The team that is told besides.
    pub told_team: Option<TeamId>,
}

/// What is in an alert.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct AlertSubject {
    /// Its place in the alert.
    pub id: Uuid,
    /// An item, or a report in quarantine.
    pub subject_id: Uuid,
    /// The item, where it is one.
    pub item_id: Option<Uuid>,
    /// When it became that late.
    pub reached_at: DateTime<Utc>,
    /// When what was missing happened.
    pub settled_at: Option<DateTime<Utc>>,
}

/// Where something stands in an alert now.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Reached {
    /// Its place in the alert.
    pub id: Uuid,
    /// The alert.
    pub alert_id: Uuid,
    /// What has not happened.
    #[sqlx(try_from = "String")]
    pub cause: Cause,
    /// How late that is.
    #[sqlx(try_from = "String")]
    pub level: Level,
    /// Which step of an escalation.
    pub step: i64,
}

/// An alert as an item's page shows it.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct AlertOfItem {
    /// Its id.
    pub id: Uuid,
    /// What has not happened.
    #[sqlx(try_from = "String")]
    pub cause: Cause,
    /// How late that is.
    #[sqlx(try_from = "String")]
    pub level: Level,
    /// When it was raised.
    pub raised_at: DateTime<Utc>,
    /// When it was acknowledged.
    pub acknowledged_at: Option<DateTime<Utc>>,
    /// By whom, as named then.
    pub acknowledged_by_name: Option<String>,
}

/// An alert that others may join.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Joinable {
    /// Its id.
    pub id: Uuid,
    /// When the last one joined.
    pub last_at: DateTime<Utc>,
    /// When people were told of it, the last time.
    pub told_at: DateTime<Utc>,
    /// When somebody acknowledged it.
    pub acknowledged_at: Option<DateTime<Utc>>,
}

/// Where a page of alerts begins: after this row.
pub type AlertPlace = (DateTime<Utc>, Uuid);

impl Uow {
    /// Open items whose clocks have to be looked at, at most 200.
    pub async fn items_to_look_at(&mut self, now: DateTime<Utc>) -> Result<Vec<ItemId>> {
        Ok(fetch_all!(self, (Uuid,), ITEMS_TO_LOOK_AT, now)?.into_iter().map(|(id,)| ItemId(id)).collect())
    }

    /// The clocks of a workflow's open items have to be looked at.
    pub async fn look_at_items(&mut self, workflow: WorkflowId, now: DateTime<Utc>) -> Result<u64> {
        execute!(self, LOOK_AT_ITEMS, workflow.0, now)
    }

    /// Reports in quarantine whose clock has to be looked at, at most 200.
    pub async fn quarantine_to_look_at(&mut self, now: DateTime<Utc>) -> Result<Vec<QuarantineId>> {
        Ok(fetch_all!(self, (Uuid,), QUARANTINE_TO_LOOK_AT, now)?.into_iter().map(|(id,)| QuarantineId(id)).collect())
    }

    /// When a report's clock has to be looked at next.
    pub async fn look_at_quarantine(&mut self, id: QuarantineId, at: Option<DateTime<Utc>>) -> Result<()> {
        execute!(self, LOOK_AT_QUARANTINE, id.0, someday(at)).map(drop)
    }

    /// Where an item, or a report in quarantine, stands in alerts; in one order for everybody who locks them.
    pub async fn reached(&mut self, subject: Uuid) -> Result<Vec<Reached>> {
        fetch_all!(self, Reached, SUBJECTS_OF, subject)
    }

    /// What somebody may or may not do has changed: what they answer for is looked at, and what is late of it told anew.
    pub async fn look_at_items_of(&mut self, person: PersonId, now: DateTime<Utc>) -> Result<()> {
        execute!(self, TELL_ANEW_OF, person.0, now)?;
        execute!(self, LOOK_AT_ITEMS_OF, person.0, now).map(drop)
    }

    /// What is late of an item is told anew. Steps of an escalation are not: they would be taken again.
    pub async fn tell_anew(&mut self, item: ItemId, now: DateTime<Utc>) -> Result<()> {
        execute!(self, TELL_ANEW, item.0, now).map(drop)
    }

    /// The same of a workflow's items that are not yet its team's.
    pub async fn tell_moved_anew(&mut self, workflow: WorkflowId, team: TeamId, now: DateTime<Utc>) -> Result<()> {
        execute!(self, TELL_MOVED_ANEW, workflow.0, team.0, now).map(drop)
    }

    /// When an item's clocks have to be looked at next.
    pub async fn look_at_item(&mut self, item: ItemId, at: DateTime<Utc>) -> Result<()> {
        execute!(self, LOOK_AT_ITEM, item.0, at).map(drop)
    }

    /// The clocks of a workflow's reports in quarantine have to be looked at.
    pub async fn look_at_reports(&mut self, workflow: &str, now: DateTime<Utc>) -> Result<u64> {
        execute!(self, LOOK_AT_REPORTS, workflow, now)
    }

    /// Locks a report in quarantine until the unit of work ends.
    pub async fn lock_quarantined(&mut self, id: QuarantineId) -> Result<bool> {
        Ok(fetch_optional!(self, (Uuid,), LOCK_QUARANTINED, id.0)?.is_some())
    }

    /// The alert that another one of this kind joins: one that waits, or was acknowledged after `since`. Locked.
    pub async fn alert_to_join(&mut self, gathers: &str, since: DateTime<Utc>) -> Result<Option<Joinable>> {
        fetch_optional!(self, Joinable, ALERT_TO_JOIN, gathers, since)
    }

    /// Whether something in an alert is still late.
    pub async fn has_open_subjects(&mut self, alert: Uuid) -> Result<bool> {
        fetch_one!(self, (i64,), HAS_OPEN, alert).map(|(count,)| count > 0)
    }

    /// Everybody is told of it again.
    pub async fn tell_alert_again(&mut self, alert: Uuid, now: DateTime<Utc>) -> Result<()> {
        execute!(self, TOLD_AGAIN, alert, now)?;
        execute!(self, FORGET_TOLD, alert).map(drop)
    }

    /// Whether a lower level is told with an alert: then whom that concerns know of it.
    pub async fn tells_lower(&mut self, alert: Uuid) -> Result<bool> {
        fetch_one!(self, (i64,), TELLS_LOWER, alert).map(|(count,)| count > 0)
    }

    /// Raises an alert; `false` if one of its kind waits already.
    pub async fn add_alert(&mut self, id: Uuid, new: &NewAlert<'_>, now: DateTime<Utc>) -> Result<bool> {
        let (cause, level, told) = (new.cause.as_str(), new.level.as_str(), new.told_team.map(|team| team.0));
        let added = execute!(
            self,
            INSERT_ALERT,
            id,
            cause,
            level,
            new.gathers,
            new.workflow_key,
            new.step,
            new.team.0,
            told,
            now
        )?;
        Ok(added == 1)
    }

    /// Puts something into an alert; `false` if it is in one of this kind already. What is of another level than the alert
    /// counts as told, and is not shown in it.
    pub async fn join_alert(
        &mut self,
        id: Uuid,
        reached: &Reached,
        subject: Uuid,
        item: Option<ItemId>,
        now: DateTime<Utc>,
    ) -> Result<bool> {
        let (cause, level, item) = (reached.cause.as_str(), reached.level.as_str(), item.map(|item| item.0));
        let alert = reached.alert_id;
        let joined = execute!(self, INSERT_SUBJECT, id, alert, subject, item, cause, level, reached.step, now)? == 1;
        if joined {
            execute!(self, COUNT_SUBJECT, alert, now, subject)?;
        }
        Ok(joined)
    }

    /// What was missing has happened.
    pub async fn settle_subject(&mut self, reached: &Reached, now: DateTime<Utc>) -> Result<()> {
        execute!(self, SETTLE_SUBJECT, reached.id, now).map(drop)
    }

    /// Everything that was missing has happened.
    pub async fn settle_subjects(&mut self, subject: Uuid, now: DateTime<Utc>) -> Result<()> {
        execute!(self, SETTLE_SUBJECTS, subject, now).map(drop)
    }

    /// Notes that somebody is told of an alert; `false` if they were told already.
    pub async fn tell_of_alert(&mut self, alert: Uuid, person: PersonId) -> Result<bool> {
        Ok(execute!(self, TELL, alert, person.0)? == 1)
    }

    /// The alert with this id.
    pub async fn alert(&mut self, id: Uuid) -> Result<Option<Alert>> {
        fetch_optional!(self, Alert, ALERT, id)
    }

    /// The same, locked until the unit of work ends.
    pub async fn lock_alert(&mut self, id: Uuid) -> Result<Option<Alert>> {
        match fetch_optional!(self, (Uuid,), LOCK_ALERT, id)? {
            Some(_) => self.alert(id).await,
            None => Ok(None),
        }
    }

    /// Alerts that wait to be acknowledged, the latest level first, or that were; then the newest first. Only those of the teams of `bound_to`.
    pub async fn alerts(
        &mut self,
        waiting: bool,
        bound_to: Option<PersonId>,
        after: Option<AlertPlace>,
        limit: i64,
    ) -> Result<Vec<Alert>> {
        let (at, id) = after.unwrap_or((someday(None), Uuid::max()));
        let (all, person) = (bound_to.is_none(), bound_to.map_or(Uuid::nil(), |person| person.0));
        if waiting {
            fetch_all!(self, Alert, WAITING, at, id, all, person, limit)
        } else {
            fetch_all!(self, Alert, DONE, at, id, all, person, limit)
        }
    }

    /// How many alerts wait to be acknowledged; counted up to 100.
    pub async fn count_alerts(&mut self, bound_to: Option<PersonId>) -> Result<i64> {
        let (all, person) = (bound_to.is_none(), bound_to.map_or(Uuid::nil(), |person| person.0));
        fetch_one!(self, (i64,), COUNT_WAITING, all, person).map(|(count,)| count)
    }

    /// What is in an alert: what is still late first, in the order in which it became so.
    pub async fn alert_subjects(
        &mut self,
        alert: Uuid,
        after: Option<(bool, DateTime<Utc>, Uuid)>,
        limit: i64,
    ) -> Result<Vec<AlertSubject>> {
        let (settled, at, id) = after.unwrap_or((false, DateTime::UNIX_EPOCH, Uuid::nil()));
        fetch_all!(self, AlertSubject, SUBJECTS, alert, settled, at, id, limit)
    }

    /// Acknowledges an alert; `false` if somebody did.
    pub async fn acknowledge_alert(
        &mut self,
        alert: Uuid,
        (by, name): (PersonId, &str),
        note: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<bool> {
        Ok(execute!(self, ACKNOWLEDGE, alert, now, by.0, name, note)? == 1)
    }

    /// The alerts an item is in now.
    pub async fn alerts_of_item(&mut self, item: ItemId) -> Result<Vec<AlertOfItem>> {
        fetch_all!(self, AlertOfItem, ALERTS_OF_ITEM, item.0)
    }
}
