//! Corrections under way.

use domain::ids::{ItemId, PayloadId, PersonId};
use store::{Draft, NewRevision};
use uuid::Uuid;

use crate::{
    databases::{Database, on_both},
    world::{HOSTILE, at},
};

fn draft(parent: i64, content: &[u8], second: i64) -> Draft {
    let reason = HOSTILE.to_owned();
    let (version, basis) = (at(second).timestamp_micros(), vec![7; 32]);
    Draft {
        parent,
        version,
        content: content.to_vec(),
        exact: parent == 2,
        basis,
        reason,
        item_version: 3,
        saved_at: at(second),
    }
}

fn version(second: i64) -> i64 {
    at(second).timestamp_micros()
}

async fn an_item_with_two_revisions(db: &Database) -> ItemId {
    let item = db.an_item().await.id;
    for number in 1..=2 {
        let payload = PayloadId(Uuid::new_v4());
        let new = NewRevision { number, payload, media_type: "application/json", source_version: None };
        db.change(async |uow| {
            uow.add_payload(payload, b"{}").await?;
            uow.add_automation_revision(item, &new, (Uuid::new_v4(), "sync"), at(0)).await
        })
        .await;
    }
    item
}

async fn save(db: &Database, person: PersonId, item: ItemId, draft: &Draft, seen: i64) -> Option<i64> {
    db.change(async |uow| uow.save_draft(person, item, draft, seen).await).await
}

on_both! {
    async fn a_draft_comes_back_byte_for_byte_and_only_to_its_author(db) {
        let item = an_item_with_two_revisions(db).await;
        let (amara, bo) = (db.person("amara@example.test").await.id, db.person("bo@example.test").await.id);
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(save(db, amara, item, &draft(1, &bytes, 1), 0).await, Some(version(1)));
        assert_eq!(save(db, amara, item, &draft(2, b"", 2), 0).await, Some(version(2)));
        assert_eq!(db.look(async |uow| uow.draft(amara, item, 1).await).await, Some(draft(1, &bytes, 1)));
        assert_eq!(db.look(async |uow| uow.drafts_of(amara, item).await).await, [draft(1, &bytes, 1), draft(2, b"", 2)]);
        assert_eq!(db.look(async |uow| uow.draft(bo, item, 1).await).await, None);
        assert!(!db.change(async |uow| uow.delete_draft(amara, item, 1, version(9)).await).await, "another version");
        assert!(db.change(async |uow| uow.delete_draft(amara, item, 1, version(1)).await).await);
        assert_eq!(db.look(async |uow| uow.draft(amara, item, 1).await).await, None);
        assert!(db.look(async |uow| uow.draft(amara, item, 2).await).await.is_some());
    }

    async fn of_two_windows_the_second_changes_nothing(db) {
        let (item, amara) = (an_item_with_two_revisions(db).await, db.person("amara@example.test").await.id);
        assert_eq!(save(db, amara, item, &draft(1, b"one", 1), 0).await, Some(version(1)));
        assert_eq!(save(db, amara, item, &draft(1, b"two", 2), 0).await, None, "a window that saw none");
        assert_eq!(save(db, amara, item, &draft(1, b"two", 2), version(1)).await, Some(version(2)));
        assert_eq!(save(db, amara, item, &draft(1, b"three", 3), version(1)).await, None, "a window that saw the first");
        // At the same instant, or by a clock that was put back: it grows all the same.
        assert_eq!(save(db, amara, item, &draft(1, b"two", 1), version(2)).await, Some(version(2) + 1));
        let kept = db.look(async |uow| uow.draft(amara, item, 1).await).await.unwrap();
        assert_eq!((kept.content.as_slice(), kept.version), (&b"two"[..], version(2) + 1));
    }

    async fn a_window_left_open_brings_nothing_back(db) {
        let (item, amara) = (an_item_with_two_revisions(db).await, db.person("amara@example.test").await.id);
        save(db, amara, item, &draft(1, b"one", 1), 0).await.unwrap();
        db.change(async |uow| uow.delete_draft(amara, item, 1, version(1)).await).await;
        assert_eq!(save(db, amara, item, &draft(1, b"two", 2), version(1)).await, None);
        assert_eq!(save(db, amara, item, &draft(1, b"anew", 3), 0).await, Some(version(3)));
        assert_eq!(save(db, amara, item, &draft(1, b"old", 4), version(1)).await, None, "the version of the one before");
    }

    async fn others_see_who_is_at_it_and_not_what(db) {
        let item = an_item_with_two_revisions(db).await;
        let (amara, bo) = (db.person("amara@example.test").await.id, db.person("bo@example.test").await.id);
        save(db, amara, item, &draft(1, b"one", 10), 0).await;
        let seen = |since: i64, person: PersonId| async move { db.look(async |uow| uow.others_drafts(item, person, at(since)).await).await };
        let told = seen(10, bo).await;
        assert_eq!(told.iter().map(|other| (other.parent, other.saved_at)).collect::<Vec<_>>(), [(1, at(10))]);
        assert!(seen(11, bo).await.is_empty(), "long ago");
        assert!(seen(0, amara).await.is_empty(), "oneself");
    }
}
