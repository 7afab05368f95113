//! What still has to be done where less was accepted (R9): an item of its own, for people. Its automation does not know it.

use chrono::{DateTime, Utc};
use domain::{
    audit::AuditKind,
    effect::Effect,
    failure::FailureClass,
    ids::{ItemId, PersonId},
    item::{Lane, State},
    notice::NoticeKind,
    refusal::Refusal,
    report::KEY_LIMIT,
    text,
};
use store::{Item, Stored};

use super::verbs::Work;
use crate::{Error, Result, action::Entry, approvals::ask::name_of, new_id};

/// Adds the follow-up of an item that was accepted as degraded; `left` says what still has to be done.
pub(crate) async fn make(work: &mut Work<'_, '_>, left: &str) -> Result<()> {
    let owner = owner(work).await?;
    let name = name_of(work.item).to_owned();
    let message = format!("Follow-up of {name}: {left}");
    let item = fresh(work.item, message, owner, work.act.now);
    if !work.act.uow.add_item(&item).await? {
        return Err(Error::Fault("other work has the key of a follow-up"));
    }
    if owner != work.person.id {
        work.act.tell(owner, NoticeKind::Given, &format!("the follow-up of {name}"), Some(item.id)).await?;
    }
    let mut entry = Entry::new(AuditKind::FollowedUp);
    entry.item(&item).detail("follow_up_of", work.item.id.to_string()).text(left);
    work.act.also(entry);
    work.act.entry().detail("follow_up", item.id.to_string());
    Ok(())
}

/// What an automation says is about its own work: a follow-up is none of it.
pub(crate) fn is_not_reported(item: &Item) -> Result<(), Refusal> {
    if item.follow_up_of.is_some() { Err(Refusal::FollowUp) } else { Ok(()) }
}

/// Who answers for the follow-up: who answers for the item, or whoever accepted it.
async fn owner(work: &mut Work<'_, '_>) -> Result<PersonId> {
    let Some(owner) = work.item.owner_person_id else { return Ok(work.person.id) };
    let row = work.act.uow.person_by_id(owner).await?.filter(|row| row.disabled_at.is_none());
    Ok(row.map_or(work.person.id, |row| row.id))
}

/// The key of the follow-up with this id, within the length of a key. No automation reports another's id by chance.
fn key(of: &str, id: ItemId) -> String {
    let end = format!(":follow-up:{id}");
    of.chars().take(KEY_LIMIT.saturating_sub(end.len())).chain(end.chars()).collect()
}

/// The follow-up. It has no payload and no attempt: the work itself was accepted.
fn fresh(of: &Item, message: String, owner: PersonId, now: DateTime<Utc>) -> Item {
    let id: ItemId = new_id(now);
    Item {
        id,
        workflow_id: of.workflow_id,
        workflow_key: of.workflow_key.clone(),
        step: of.step.clone(),
        dedupe_key: key(&of.dedupe_key, id),
        team_id: of.team_id,
        owner_person_id: Some(owner),
        owner_team_id: of.owner_team_id,
        lane: Lane::NeedsReview,
        state: State::Open,
        resolution: None,
        effect: Effect::None,
        epoch: 0,
        version: 1,
        last_change: "it was made to follow up another item".into(),
        business_ref: of.business_ref.clone(),
        correlation_id: of.correlation_id.clone(),
        sequence_key: of.sequence_key.clone(),
        workflow_version: of.workflow_version.clone(),
        failure_class: FailureClass::FollowUp,
        message_head: text::head(&message, 240),
        message,
        detail: None,
        sensitivity: of.sensitivity,
        impact: of.impact,
        customer_impact: None,
        effect_system: None,
        effect_evidence: None,
        record_id: None,
        source_version: None,
        payload_ref: None,
        payload_changed: false,
        steps: Stored::default(),
        affected: Stored::default(),
        evidence: Stored::default(),
        ai: Stored::default(),
        proposed_action: Stored::default(),
        valid_until: None,
        occurred_at: None,
        received_at: now,
        last_report_at: now,
        closed_at: None,
        snoozed_until: None,
        escalations: 0,
        respond_by: None,
        escalated_at: None,
        claimed_at: None,
        worked_until: None,
        due: store::Due::default(),
        // Its clocks begin at once.
        look_at: Some(now),
        follow_up_of: Some(of.id),
    }
}

#[cfg(test)]
mod tests {
    use domain::{ids::ItemId, report::KEY_LIMIT, text};
    use uuid::Uuid;

    use super::key;

    #[test]
    fn the_key_of_a_follow_up_is_readable_its_own_and_always_a_key() {
        let (id, end) = (ItemId(Uuid::max()), ":follow-up:ffffffff-ffff-ffff-ffff-ffffffffffff");
        assert_eq!(key("supplier-invoice:ACME:INV-1042", id), format!("supplier-invoice:ACME:INV-1042{end}"));
        for long in ["x".repeat(KEY_LIMIT), "å".repeat(KEY_LIMIT), "x".repeat(KEY_LIMIT - 5)] {
            let key = key(&long, id);
            assert!(key.ends_with(end), "{key}");
            assert_eq!(text::key(&key, KEY_LIMIT), Ok(key.as_str()));
            assert_eq!(key.chars().count(), KEY_LIMIT);
        }
    }
}
