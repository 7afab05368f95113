//! What is told through channels and by e-mail: each is taken by one, and only who has it writes what came of it.

use domain::{
    channel::{ChannelKind, Telling},
    ids::{ChannelId, PersonId, PostingId},
};
use store::{DuePosting, PostingRow};
use uuid::Uuid;

use crate::{
    channels::a_channel,
    databases::{Database, on_both},
    world::{HOSTILE, at},
};

fn telling() -> Telling {
    let line = (HOSTILE.to_owned(), HOSTILE.to_owned());
    Telling { kind: "alert.raised".into(), title: HOSTILE.into(), lines: vec![line], link: HOSTILE.into() }
}

async fn a_posting(db: &Database, channel: ChannelId, second: i64) -> PostingId {
    let row = PostingRow::through(channel, PostingId(Uuid::new_v4()), telling(), at(second));
    db.change(async |uow| uow.add_posting(&row).await).await;
    row.id
}

async fn channel(db: &Database) -> ChannelId {
    let row = a_channel("ops-chat", ChannelKind::Webhook);
    db.change(async |uow| uow.add_channel(&row).await).await;
    row.id
}

async fn due(db: &Database, second: i64) -> Vec<PostingId> {
    due_of_each(db, second, 9).await.into_iter().map(|due| due.id).collect()
}

async fn due_of_each(db: &Database, second: i64, each: i64) -> Vec<DuePosting> {
    db.look(async |uow| uow.postings_due(at(second), each).await).await
}

async fn take(db: &Database, id: PostingId, second: i64) -> Option<PostingRow> {
    db.change(async |uow| uow.take_posting(id, at(second), at(second + 60)).await).await
}

async fn seen(db: &Database, id: PostingId) -> PostingRow {
    db.look(async |uow| uow.posting(id).await).await.unwrap()
}

on_both! {
    async fn a_posting_comes_back_as_it_was_written(db) {
        let channel = channel(db).await;
        let amara = db.person("amara@example.test").await.id;
        let through = PostingRow::through(channel, PostingId(Uuid::new_v4()), telling(), at(0)).taken(at(60));
        let to = (amara, "amara@example.test".to_owned());
        let item = db.an_item().await.id;
        let mail = PostingRow::mail(to, PostingId(Uuid::new_v4()), telling(), at(0), at(7)).about(Some(item));
        for row in [through, mail] {
            db.change(async |uow| uow.add_posting(&row).await).await;
            assert_eq!(seen(db, row.id).await, row);
        }
    }

    async fn it_is_taken_once_until_its_lease_has_run_out(db) {
        let channel = channel(db).await;
        let (first, second) = (a_posting(db, channel, 0).await, a_posting(db, channel, 5).await);
        assert_eq!(due(db, 4).await, [first]);
        assert_eq!(due(db, 5).await, [first, second]);
        let taken = take(db, first, 5).await.unwrap();
        assert_eq!((taken.tries, taken.fence, taken.first_try_at, taken.leased_until), (1, 1, Some(at(5)), Some(at(65))));
        assert_eq!(take(db, first, 6).await, None);
        assert_eq!(due(db, 64).await, [second]);
        let again = take(db, first, 65).await.unwrap();
        assert_eq!((again.tries, again.fence, again.first_try_at, again.tried_at), (2, 2, Some(at(5)), Some(at(65))));
        assert_eq!(take(db, second, 4).await, None, "it is not due");
    }

    async fn each_receiver_has_its_turn_and_e_mail_is_one(db) {
        let channel = channel(db).await;
        let person = db.person("amara@example.test").await.id;
        let mut through = Vec::new();
        for second in 0..3 {
            through.push(a_posting(db, channel, second).await);
        }
        let mut mails = Vec::new();
        for second in 4..6 {
            let to = (person, "a@b.test".to_owned());
            let row = PostingRow::mail(to, PostingId(Uuid::new_v4()), telling(), at(second), at(second));
            db.change(async |uow| uow.add_posting(&row).await).await;
            mails.push(row.id);
        }
        let found: Vec<_> = due_of_each(db, 9, 2).await.into_iter().map(|due| (due.id, due.channel_id)).collect();
        let to = Some(channel.0);
        assert_eq!(found, [(through[0], to), (mails[0], None), (through[1], to), (mails[1], None)]);
        take(db, through[0], 9).await.unwrap();
        assert_eq!(due(db, 9).await, [through[1], mails[0], through[2], mails[1]], "what is somebody's has no turn");
    }

    async fn who_was_too_slow_writes_nothing(db) {
        let channel = channel(db).await;
        let id = a_posting(db, channel, 0).await;
        take(db, id, 0).await.unwrap();
        take(db, id, 60).await.unwrap();
        assert!(!db.change(async |uow| uow.posting_sent(id, 1, at(61)).await).await);
        assert!(!db.change(async |uow| uow.posting_failed((id, 1), HOSTILE, at(90), None).await).await);
        assert!(db.change(async |uow| uow.posting_failed((id, 2), HOSTILE, at(90), None).await).await);
        let row = seen(db, id).await;
        assert_eq!((row.last_error.as_deref(), row.due_at, row.leased_until), (Some(HOSTILE), at(90), None));
        assert!(due(db, 89).await.is_empty());
        take(db, id, 90).await.unwrap();
        assert!(db.change(async |uow| uow.posting_sent(id, 3, at(91)).await).await);
        let row = seen(db, id).await;
        assert_eq!((row.last_error, row.sent_at), (None, Some(at(91))));
        assert_eq!(take(db, id, 999).await, None);
        assert!(!db.change(async |uow| uow.posting_failed((id, 3), HOSTILE, at(99), Some(at(99))).await).await);
    }

    async fn what_is_put_off_was_no_try(db) {
        let channel = channel(db).await;
        let id = a_posting(db, channel, 0).await;
        take(db, id, 1).await.unwrap();
        db.change(async |uow| uow.put_posting_off(id, 9, at(50)).await).await;
        assert_eq!(seen(db, id).await.due_at, at(0), "it is another's");
        db.change(async |uow| uow.put_posting_off(id, 1, at(50)).await).await;
        let row = seen(db, id).await;
        assert_eq!((row.tries, row.first_try_at, row.leased_until, row.due_at), (0, None, None, at(50)));
        take(db, id, 50).await.unwrap();
        db.change(async |uow| uow.posting_failed((id, 2), HOSTILE, at(60), None).await).await;
        take(db, id, 60).await.unwrap();
        db.change(async |uow| uow.put_posting_off(id, 3, at(70)).await).await;
        let row = seen(db, id).await;
        assert_eq!((row.tries, row.first_try_at, row.due_at), (1, Some(at(50)), at(70)));
    }

    async fn what_was_given_up_is_not_taken_again_and_is_swept_when_it_is_old(db) {
        let channel = channel(db).await;
        let (ended, open) = (a_posting(db, channel, 0).await, a_posting(db, channel, 0).await);
        take(db, ended, 0).await.unwrap();
        db.change(async |uow| uow.posting_failed((ended, 1), HOSTILE, at(0), Some(at(1))).await).await;
        assert_eq!(due(db, 500).await, [open]);
        assert_eq!(db.change(async |uow| uow.sweep_postings(at(0)).await).await, 0);
        assert_eq!(db.change(async |uow| uow.sweep_postings(at(1)).await).await, 1);
        assert_eq!(db.look(async |uow| uow.postings_of(channel).await).await.len(), 1);
    }

    async fn what_waits_for_a_channel_is_given_up_at_once_and_what_is_being_sent_is_not(db) {
        let channel = channel(db).await;
        let [sending, lapsed, waits] = [a_posting(db, channel, 0).await, a_posting(db, channel, 0).await, a_posting(db, channel, 500).await];
        take(db, lapsed, 0).await.unwrap();
        take(db, sending, 30).await.unwrap();
        assert_eq!(db.change(async |uow| uow.give_up_postings_of(channel, HOSTILE, at(60)).await).await, 2);
        for id in [lapsed, waits] {
            let row = seen(db, id).await;
            assert_eq!((row.given_up_at, row.last_error.as_deref(), row.leased_until), (Some(at(60)), Some(HOSTILE), None));
        }
        assert!(!db.change(async |uow| uow.posting_sent(lapsed, 1, at(61)).await).await);
        assert!(db.change(async |uow| uow.posting_sent(sending, 1, at(61)).await).await);
        assert_eq!(db.change(async |uow| uow.give_up_postings_of(channel, HOSTILE, at(62)).await).await, 0);
    }

    async fn what_is_withheld_has_ended_was_no_try_and_does_not_count_as_failing(db) {
        let person = db.person("amara@example.test").await.id;
        let to = (person, "a@b.test".to_owned());
        let row = PostingRow::mail(to, PostingId(Uuid::new_v4()), telling(), at(0), at(0));
        db.change(async |uow| uow.add_posting(&row).await).await;
        take(db, row.id, 0).await.unwrap();
        db.change(async |uow| uow.withhold_posting(row.id, 9, HOSTILE, at(1)).await).await;
        assert!(!seen(db, row.id).await.withheld, "it is another's");
        db.change(async |uow| uow.withhold_posting(row.id, 1, HOSTILE, at(1)).await).await;
        let ended = seen(db, row.id).await;
        assert_eq!((ended.withheld, ended.given_up_at, ended.last_error.as_deref(), ended.tries), (true, Some(at(1)), Some(HOSTILE), 0));
        assert_eq!(take(db, row.id, 999).await, None);
        assert_eq!(db.look(async |uow| uow.mails_withheld().await).await, [ended]);
        assert!(db.look(async |uow| uow.mails_that_fail().await).await.is_empty());
        assert_eq!(db.look(async |uow| uow.mails_waiting().await).await, 0);
        assert_eq!(db.change(async |uow| uow.sweep_postings(at(1)).await).await, 1);
    }

    async fn e_mails_are_listed_where_they_fail_and_forgotten_with_their_person(db) {
        let person = db.person("amara@example.test").await.id;
        let mail = |person: PersonId| {
            PostingRow::mail((person, "a@b.test".into()), PostingId(Uuid::new_v4()), telling(), at(0), at(0))
        };
        let (fails, waits) = (mail(person), mail(person));
        for row in [&fails, &waits] {
            db.change(async |uow| uow.add_posting(row).await).await;
        }
        take(db, fails.id, 0).await.unwrap();
        db.change(async |uow| uow.posting_failed((fails.id, 1), HOSTILE, at(9), None).await).await;
        let listed: Vec<_> = db.look(async |uow| uow.mails_that_fail().await).await.into_iter().map(|row| row.id).collect();
        assert_eq!((listed, db.look(async |uow| uow.mails_waiting().await).await), (vec![fails.id], 2));
        assert!(db.look(async |uow| uow.mails_withheld().await).await.is_empty());
        db.change(async |uow| uow.forget_postings_of(person).await).await;
        assert_eq!(db.look(async |uow| uow.mails_waiting().await).await, 0);
    }
}
