//! Items: one row for one piece of work.

use domain::{
    effect::Effect,
    failure::FailureClass,
    ids::{ItemId, PersonId},
    item::{Impact, Lane, Resolution, State},
    report::{Affected, Ai, Evidence, ProposedAction, Step, StepStatus},
    sensitivity::Sensitivity,
};
use store::{Item, Stored};
use uuid::Uuid;

use crate::{
    databases::{Database, on_both},
    world::{HOSTILE, an_item_of, at, moment},
};

fn some(text: &str) -> Option<String> {
    Some(format!("{text} {HOSTILE}"))
}

/// Every field filled, every text as hostile as text gets, every time to the microsecond.
fn filled(item: Item) -> Item {
    let time = Some(moment("2026-09-21T13:14:15.000001Z"));
    Item {
        lane: Lane::NeedsReview,
        state: State::Closed,
        resolution: Some(Resolution::AcceptedDegraded),
        effect: Effect::Compensated,
        epoch: i64::MAX,
        version: 9_007_199_254_740_993,
        last_change: HOSTILE.to_owned(),
        business_ref: some("reference"),
        correlation_id: some("run"),
        sequence_key: some("sequence"),
        workflow_version: some("version"),
        failure_class: FailureClass::BusinessRule,
        message: HOSTILE.to_owned(),
        detail: some("detail"),
        sensitivity: Sensitivity::Restricted,
        impact: Impact::High,
        customer_impact: some("customer"),
        effect_system: some("ledger"),
        effect_evidence: some("evidence"),
        record_id: some("record"),
        source_version: some("etag"),
        payload_ref: some("s3"),
        payload_changed: true,
        steps: Stored(vec![Step {
            name: HOSTILE.into(),
            status: StepStatus::Partial,
            external_id: some("x"),
            at: time,
        }]),
        affected: Stored(vec![
            Affected { system: HOSTILE.into(), kind: some("k"), id: HOSTILE.into(), url: some("u"), state: some("s") },
            Affected { system: String::new(), kind: None, id: String::new(), url: None, state: None },
        ]),
        evidence: Stored(vec![Evidence { label: HOSTILE.into(), text: some("t"), url: some("u") }]),
        ai: Stored(Some(Ai {
            model: some("model"),
            prompt_version: some("p"),
            confidence: Some(0.875),
            output_contract: some("c"),
        })),
        proposed_action: Stored(Some(ProposedAction {
            action: HOSTILE.into(),
            reason: some("why"),
            confidence: Some(1.0),
            by: some("rule"),
        })),
        valid_until: Some(moment("9999-12-31T23:59:59.999999Z")),
        occurred_at: Some(moment("0001-01-01T00:00:00Z")),
        received_at: moment("2026-09-21T13:14:15.999999Z"),
        last_report_at: moment("2026-09-21T13:14:16Z"),
        closed_at: Some(moment("2026-09-21T13:14:16.100Z")),
        escalations: i64::MAX,
        respond_by: Some(moment("2026-09-22T00:00:00.000001Z")),
        ..item
    }
}

async fn found(db: &Database, id: ItemId) -> Item {
    db.look(async |uow| uow.item(id).await).await.unwrap()
}

/// All fields, but for the head that is made from the message.
fn all_of(item: &Item) -> String {
    let item = Item { message_head: String::new(), ..item.clone() };
    format!("{item:#?}")
}

on_both! {
    async fn one_piece_of_work_is_one_item(db) {
        let item = db.an_item().await;
        let again = Item { id: ItemId(Uuid::new_v4()), message: "another".into(), ..item.clone() };
        assert!(!db.change(async |uow| uow.add_item(&again).await).await);
        assert!(db.look(async |uow| uow.item(again.id).await).await.is_none());
        assert_eq!(found(db, item.id).await.message, item.message);

        let other_step = Item { step: "Create_invoice".into(), ..again.clone() };
        let other_key = Item { id: ItemId(Uuid::new_v4()), dedupe_key: "inv-1".into(), ..again };
        for other in [other_step, other_key] {
            assert!(db.change(async |uow| uow.add_item(&other).await).await);
            let (step, key) = (&other.step, &other.dedupe_key);
            let locked = db.change(async |uow| uow.lock_item_by_work(item.workflow_id, step, key).await).await;
            assert_eq!(locked.unwrap().id, other.id);
        }
    }

    async fn every_field_comes_back_as_it_was_added(db) {
        let finance = db.team("finance").await;
        let workflow = db.workflow(HOSTILE, &finance).await;
        let owner_person_id = Some(db.person("amara@example.test").await.id);
        let owner_team_id = Some(db.team("sales").await.id);
        let item = filled(an_item_of(&workflow, HOSTILE));
        let follow_up_of = Some(db.keep(an_item_of(&workflow, "accepted")).await.id);
        let item = Item { step: HOSTILE.into(), owner_person_id, owner_team_id, follow_up_of, ..item };
        let item = db.keep(item).await;
        let kept = found(db, item.id).await;
        assert_eq!(all_of(&kept), all_of(&item));
        let locked = db.change(async |uow| uow.lock_item(item.id).await).await.unwrap();
        assert_eq!(all_of(&locked), all_of(&item));
        let by_work = db.change(async |uow| uow.lock_item_by_work(workflow.id, HOSTILE, HOSTILE).await).await;
        assert_eq!(all_of(&by_work.unwrap()), all_of(&item));
    }

    async fn every_field_that_may_change_is_saved_and_the_work_it_stands_for_never_changes(db) {
        let plain = db.an_item().await;
        let before = found(db, plain.id).await;
        let mut changed = filled(plain);
        changed.owner_person_id = Some(db.person("amara@example.test").await.id);
        changed.owner_team_id = Some(db.team("sales").await.id);
        db.change(async |uow| uow.save_item(&changed).await).await;
        assert_eq!(all_of(&found(db, changed.id).await), all_of(&changed));

        (changed.step, changed.dedupe_key, changed.workflow_key) = ("other".into(), "other".into(), "other".into());
        db.change(async |uow| uow.save_item(&changed).await).await;
        let after = found(db, changed.id).await;
        assert_eq!((&after.step, &after.dedupe_key), (&before.step, &before.dedupe_key));
        assert_eq!((&after.workflow_key, after.team_id), (&before.workflow_key, before.team_id));

        db.change(async |uow| uow.save_item(&before).await).await;
        assert_eq!(all_of(&found(db, before.id).await), all_of(&before));
    }

    async fn every_word_of_the_domain_can_be_kept(db) {
        let mut item = db.an_item().await;
        for state in State::ALL {
            for resolution in Resolution::ALL {
                let closed = *state == State::Closed;
                (item.state, item.resolution) = (*state, closed.then_some(*resolution));
                item.closed_at = closed.then_some(at(9));
                item.snoozed_until = (*state == State::Snoozed).then_some(moment("2026-09-21T13:14:15.000001Z"));
                db.change(async |uow| uow.save_item(&item).await).await;
                let kept = found(db, item.id).await;
                assert_eq!((kept.state, kept.resolution), (item.state, item.resolution));
                assert_eq!(kept.snoozed_until, item.snoozed_until);
            }
        }
        for n in 0..FailureClass::ALL.len() {
            item.failure_class = FailureClass::ALL[n];
            item.effect = Effect::ALL[n % Effect::ALL.len()];
            item.impact = Impact::ALL[n % Impact::ALL.len()];
            item.sensitivity = Sensitivity::ALL[n % Sensitivity::ALL.len()];
            item.lane = Lane::ALL[n % Lane::ALL.len()];
            db.change(async |uow| uow.save_item(&item).await).await;
            assert_eq!(all_of(&found(db, item.id).await), all_of(&item));
        }
    }

    async fn a_closed_item_says_how_and_when_and_an_open_one_does_not(db) {
        let item = db.an_item().await;
        let (how, when) = (Some(Resolution::Discarded), Some(at(1)));
        for (state, resolution, closed_at) in [
            (State::Closed, None, None),
            (State::Closed, how, None),
            (State::Closed, None, when),
            (State::Open, how, when),
            (State::Snoozed, how, None),
            (State::Replaying, None, when),
        ] {
            let item = Item { state, resolution, closed_at, ..item.clone() };
            let refused = db.try_change(async |uow| uow.save_item(&item).await).await;
            assert!(refused.is_err(), "{state:?} {resolution:?} {closed_at:?}");
        }
        assert_eq!(all_of(&found(db, item.id).await), all_of(&item));
    }

    async fn a_snoozed_item_says_until_when_and_no_other_does(db) {
        let item = db.an_item().await;
        for state in State::ALL {
            let closed = *state == State::Closed;
            let (resolution, closed_at) = (closed.then_some(Resolution::Discarded), closed.then_some(at(1)));
            let snoozed_until = (*state != State::Snoozed).then_some(at(9));
            let item = Item { state: *state, resolution, closed_at, snoozed_until, ..item.clone() };
            let refused = db.try_change(async |uow| uow.save_item(&item).await).await;
            assert!(refused.is_err(), "{state:?} {snoozed_until:?}");
        }
        assert_eq!(all_of(&found(db, item.id).await), all_of(&item));
    }

    async fn times_are_the_same_to_the_microsecond_from_year_1_to_year_9999(db) {
        let mut item = db.an_item().await;
        for text in [
            "0001-01-01T00:00:00Z",
            "0001-01-01T00:00:00.000001Z",
            "0999-12-31T23:59:59.999999Z",
            "1969-12-31T23:59:59.999999Z",
            "1970-01-01T00:00:00Z",
            "1999-12-31T23:59:59.999999Z",
            "2000-01-01T00:00:00Z",
            "2026-02-28T23:59:59.100Z",
            "2028-02-29T12:00:00.123456Z",
            "2026-10-25T02:30:00.000999Z",
            "9999-12-31T23:59:59.999999Z",
        ] {
            let time = moment(text);
            (item.received_at, item.last_report_at, item.occurred_at) = (time, time, Some(time));
            db.change(async |uow| uow.save_item(&item).await).await;
            let kept = found(db, item.id).await;
            assert_eq!((kept.received_at, kept.last_report_at, kept.occurred_at), (time, time, Some(time)), "{text}");
        }
    }

    async fn a_megabyte_of_message_is_kept_whole_and_lists_show_its_beginning(db) {
        let mut item = db.an_item().await;
        item.message = HOSTILE.chars().cycle().take(1_000_000).collect();
        item.detail = Some(item.message.clone());
        db.change(async |uow| uow.save_item(&item).await).await;
        let kept = found(db, item.id).await;
        assert!(kept.message == item.message && kept.detail == item.detail);
        let beginning: String = item.message.chars().take(240).collect();
        assert_eq!(kept.message_head, beginning + "…");
    }

    async fn the_person_who_answers_for_an_item_is_named(db) {
        let (item, amara) = (db.an_item().await, db.person("amara@example.test").await);
        let sales = db.team("sales").await;
        for (owner_person_id, owner_team_id) in
            [(Some(amara.id), None), (None, Some(sales.id)), (Some(amara.id), Some(sales.id)), (None, None)]
        {
            let given = Item { owner_person_id, owner_team_id, ..item.clone() };
            db.change(async |uow| uow.save_item(&given).await).await;
            let kept = found(db, item.id).await;
            assert_eq!((kept.owner_person_id, kept.owner_team_id), (owner_person_id, owner_team_id));
        }
        let nobody = Item { owner_person_id: Some(PersonId(Uuid::nil())), ..item.clone() };
        assert!(db.try_change(async |uow| uow.save_item(&nobody).await).await.is_err());
        assert_eq!(db.look(async |uow| uow.person_name(amara.id).await).await, Some(amara.name));
        assert_eq!(db.look(async |uow| uow.team_name(item.team_id).await).await.as_deref(), Some("Team finance"));
        assert_eq!(db.look(async |uow| uow.person_name(PersonId(Uuid::nil())).await).await, None);
    }

    async fn related_items_share_a_reference_or_a_run_and_nothing_is_related_by_having_none(db) {
        let finance = db.team("finance").await;
        let workflow = db.workflow("invoice-sync", &finance).await;
        let related = async |key: &str, reference: Option<&str>, run: Option<&str>, seconds: i64| {
            let mut item = an_item_of(&workflow, key);
            (item.business_ref, item.correlation_id) = (reference.map(str::to_owned), run.map(str::to_owned));
            item.received_at = at(seconds);
            db.keep(item).await
        };
        let subject = related("subject", Some("PO 7"), Some("run 1"), 5).await;
        related("same reference", Some("PO 7"), None, 1).await;
        related("same run", None, Some("run 1"), 9).await;
        related("both", Some("PO 7"), Some("run 1"), 3).await;
        let lonely = related("neither", None, None, 4).await;
        related("other case", Some("po 7"), Some("RUN 1"), 4).await;
        related("crosswise", Some("run 1"), Some("PO 7"), 4).await;

        let keys = async |item: &Item| {
            let listed = db.look(async |uow| uow.related_items(item).await).await;
            listed.into_iter().map(|item| item.dedupe_key).collect::<Vec<_>>()
        };
        assert_eq!(keys(&subject).await, ["same run", "both", "same reference"]);
        assert!(keys(&lonely).await.is_empty());
        for n in 0..25 {
            related(&format!("more {n}"), Some("PO 7"), None, 100 + n).await;
        }
        assert_eq!(keys(&subject).await.len(), 21);
    }

    async fn a_follow_up_names_an_item_that_is_there_and_never_another(db) {
        let item = db.an_item().await;
        let follow_up = |key: &str, of: ItemId, seconds: i64| Item {
            id: ItemId(Uuid::new_v4()),
            dedupe_key: key.to_owned(),
            follow_up_of: Some(of),
            received_at: at(seconds),
            ..item.clone()
        };
        let second = db.keep(follow_up("INV-1:follow-up-2", item.id, 9)).await;
        let first = db.keep(follow_up("INV-1:follow-up-1", item.id, 5)).await;
        let further = db.keep(follow_up("INV-1:follow-up-1:follow-up-1", first.id, 7)).await;
        let of = async |id: ItemId| {
            let rows = db.look(async |uow| uow.follow_ups(id).await).await;
            rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
        };
        assert_eq!(of(item.id).await, [first.id, second.id]);
        assert_eq!(of(first.id).await, [further.id]);
        assert!(of(further.id).await.is_empty());
        let named = db.look(async |uow| uow.followed_up(first.id).await).await.unwrap();
        assert_eq!((named.id, named.dedupe_key.as_str()), (first.id, "INV-1:follow-up-1"));

        let moved = Item { follow_up_of: Some(second.id), message: "changed".into(), ..further.clone() };
        db.change(async |uow| uow.save_item(&moved).await).await;
        let kept = found(db, further.id).await;
        assert_eq!((kept.follow_up_of, kept.message.as_str()), (Some(first.id), "changed"));
        let nobodys = follow_up("lost", ItemId(Uuid::nil()), 1);
        assert!(db.try_change(async |uow| uow.add_item(&nobodys).await).await.is_err());
    }

    async fn nonsense_in_the_database_is_named_and_nobody_panics(db) {
        let item = db.an_item().await;
        assert_eq!(db.as_owner("UPDATE item SET failure_class = 'bad luck', ai = '[oops'").await, Ok(1));
        let mut uow = db.store.read().await.unwrap();
        match uow.item(item.id).await {
            Err(store::Error::Corrupt { table, column, .. }) => {
                assert!(
                    table.ends_with("Item") && ["failure_class", "ai"].contains(&column.as_str()),
                    "{table} {column}"
                );
            }
            other => panic!("{other:?}"),
        }
    }
}
