//! The database itself refuses what four eyes forbid (R11, R12).

use domain::{
    approval::{ApprovalState, Verdict},
    ids::{ApprovalId, PersonId},
};
use store::ApprovalDecision;
use uuid::Uuid;

use crate::{
    databases::{Database, on_both},
    forbidden::asked,
    world::at,
};

fn decision(approval: ApprovalId, person: u128, acts_for: Option<u128>) -> ApprovalDecision {
    ApprovalDecision {
        approval_id: approval,
        person_id: PersonId(Uuid::from_u128(person)),
        person_name: "Somebody".into(),
        acts_for: acts_for.map(Uuid::from_u128),
        verdict: Verdict::Approve,
        reason: "compared".into(),
        at: at(2),
    }
}

async fn decide(db: &Database, decision: &ApprovalDecision, hash: u8) -> Result<(), String> {
    let mut uow = db.store.begin().await.unwrap();
    let done = uow.add_approval_decision(decision, &[hash; 32]).await;
    match done {
        Ok(()) => uow.commit().await.map_err(|error| format!("{error:?}")),
        Err(error) => Err(format!("{error:?}")),
    }
}

async fn end(db: &Database, approval: ApprovalId, state: ApprovalState) -> Result<bool, String> {
    let mut uow = db.store.begin().await.unwrap();
    match uow.end_approval(approval, state, "Selma", None, at(3)).await {
        Ok(ended) => uow.commit().await.map(|()| ended).map_err(|error| format!("{error:?}")),
        Err(error) => Err(format!("{error:?}")),
    }
}

on_both! {
    async fn r11_whoever_is_excluded_can_not_decide_even_by_hand(db) {
        let approval = asked(db, &db.an_item().await).await;
        for own in [decision(approval, 1, None), decision(approval, 2, Some(1))] {
            let refused = decide(db, &own, 7).await.unwrap_err();
            assert!(refused.contains("R11: another person has to decide it"), "{refused}");
        }
        let refused = decide(db, &decision(approval, 2, None), 8).await.unwrap_err();
        assert!(refused.contains("R12"), "another content: {refused}");
        let refused = end(db, approval, ApprovalState::Approved).await.unwrap_err();
        assert!(refused.contains("R11: not enough people have approved it"), "{refused}");
        decide(db, &decision(approval, 2, None), 7).await.unwrap();
        assert_eq!(end(db, approval, ApprovalState::Approved).await, Ok(true));
        let refused = decide(db, &decision(approval, 3, None), 7).await.unwrap_err();
        assert!(refused.contains("R12"), "it does not wait any more: {refused}");
        assert_eq!(end(db, approval, ApprovalState::Void).await, Ok(true));
        assert_eq!(end(db, approval, ApprovalState::Approved).await, Ok(false), "what has ended stays ended");
    }

    async fn r12_one_thing_at_a_time_waits_about_an_item(db) {
        let item = db.an_item().await;
        let first = asked(db, &item).await;
        assert_eq!(db.look(async |uow| uow.waiting_approval(item.id).await).await.unwrap().id, first);
        end(db, first, ApprovalState::Withdrawn).await.unwrap();
        let second = asked(db, &item).await;
        let all = db.look(async |uow| uow.approvals_of(item.id).await).await;
        assert_eq!(all.iter().map(|approval| approval.state).collect::<Vec<_>>().len(), 2);
        assert_eq!(db.look(async |uow| uow.waiting_approval(item.id).await).await.unwrap().id, second);
    }
}
