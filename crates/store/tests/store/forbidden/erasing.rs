//! Erasing is the only change: a payload's bytes while an erasure names it (R1), a text of the audit (R14).

use domain::ids::PayloadId;
use uuid::Uuid;

use super::{HANDS, Hand, something_of_everything, try_as};
use crate::{
    databases::{Database, on_both},
    world::at,
};

fn erasure(db: &Database, of: Option<PayloadId>) -> String {
    let (id, of) = (db.id(Uuid::new_v4()), of.map_or("NULL".to_owned(), |payload| db.id(payload.0)));
    format!(
        "INSERT INTO erasure (id, payload_id, reason, by_name, at) VALUES ({id}, {of}, 'asked', 'Amara', '{}')",
        at(1).to_rfc3339()
    )
}

fn erase(db: &Database, payload: PayloadId, also: &str) -> String {
    format!("UPDATE payload SET bytes = NULL{also} WHERE id = {}", db.id(payload.0))
}

fn insert(db: &Database, sha256: &[u8], size: &str, bytes: &str) -> String {
    format!(
        "INSERT INTO payload (id, sha256, size, bytes) VALUES ({}, {}, {size}, {bytes})",
        db.id(Uuid::new_v4()),
        db.blob(sha256)
    )
}

on_both! {
    async fn r1_bytes_are_erased_only_while_an_erasure_names_their_payload(db) {
        let kept = something_of_everything(db).await;
        db.change(async |uow| store::registry::execute(uow, &erasure(db, None)).await).await;
        db.change(async |uow| store::registry::execute(uow, &erasure(db, Some(kept.free[1]))).await).await;
        let before = db.content_of("payload").await;
        for hand in HANDS {
            let refused = try_as(db, hand, &erase(db, kept.free[0], "")).await.unwrap_err();
            assert!(refused.contains("R1: a payload is never changed"), "{hand:?}: {refused}");
            let all = try_as(db, hand, "UPDATE payload SET bytes = NULL").await.unwrap_err();
            assert!(all.contains("R1: a payload is never changed"), "{hand:?}: {all}");
        }
        assert!(db.content_of("payload").await == before);
    }

    async fn r1_with_an_erasure_the_bytes_go_once_and_size_and_digest_stay(db) {
        let kept = something_of_everything(db).await;
        for (payload, hand) in kept.free.into_iter().zip(HANDS) {
            let was = db.look(async |uow| uow.payload(payload).await).await.unwrap();
            assert_eq!(db.as_server(&erasure(db, Some(payload))).await, Ok(1));
            let before = db.content_of("payload").await;
            for also in [
                format!(", id = {}", db.id(Uuid::new_v4())),
                format!(", sha256 = {}", db.blob(&[9; 32])),
                ", size = 0".to_owned(),
            ] {
                for hand in HANDS {
                    let refused = try_as(db, hand, &erase(db, payload, &also)).await;
                    assert!(refused.is_err(), "{hand:?} changed more than the bytes{also}");
                }
            }
            let other_bytes =
                format!("UPDATE payload SET bytes = {} WHERE id = {}", db.blob(b"FREE 1"), db.id(payload.0));
            assert!(try_as(db, hand, &other_bytes).await.is_err(), "{hand:?} changed bytes under cover of an erasure");
            assert!(try_as(db, hand, &format!("DELETE FROM payload WHERE id = {}", db.id(payload.0))).await.is_err());
            assert!(db.content_of("payload").await == before);

            assert_eq!(try_as(db, hand, &erase(db, payload, "")).await, Ok(1), "{hand:?} may erase");
            let is = db.look(async |uow| uow.payload(payload).await).await.unwrap();
            assert_eq!((is.sha256, is.size, is.bytes), (was.sha256, was.size, None));
            let after = db.content_of("payload").await;
            for again in [erase(db, payload, ""), other_bytes] {
                let refused = try_as(db, hand, &again).await.unwrap_err();
                assert!(refused.contains("R1: a payload is never changed"), "{hand:?}: {again}: {refused}");
            }
            assert!(db.content_of("payload").await == after);
        }
    }

    async fn r1_a_revision_says_that_its_bytes_were_erased(db) {
        let kept = something_of_everything(db).await;
        let revisions = db.look(async |uow| uow.revisions(kept.item.id).await).await;
        assert!(revisions.iter().all(|revision| !revision.erased));
        db.as_server(&erasure(db, Some(revisions[0].payload_id))).await.unwrap();
        db.as_server(&erase(db, revisions[0].payload_id, "")).await.unwrap();
        let revisions = db.look(async |uow| uow.revisions(kept.item.id).await).await;
        assert_eq!(revisions.iter().map(|revision| revision.erased).collect::<Vec<_>>(), [true, false]);
    }

    async fn r1_a_temporary_table_does_not_stand_in_for_an_erasure(db) {
        let kept = something_of_everything(db).await;
        let before = db.content_of("payload").await;
        let blob = db.either("BLOB", "UUID");
        let payload = db.id(kept.free[0].0);
        let disguise = format!(
            "CREATE TEMPORARY TABLE erasure (payload_id {blob}); INSERT INTO temp.erasure VALUES ({payload});
             UPDATE main.payload SET bytes = NULL WHERE id = {payload}"
        );
        let disguise =
            if db.is_sqlite() { disguise } else { disguise.replace("temp.", "pg_temp.").replace("main.", "public.") };
        for hand in HANDS {
            let refused = try_as(db, hand, &disguise).await.unwrap_err();
            assert!(refused.contains("R1: a payload is never changed"), "{hand:?}: {refused}");
            if hand == Hand::Owner {
                let _ = db.as_owner(db.either("DROP TABLE temp.erasure", "DISCARD TEMP")).await;
            }
        }
        assert!(db.content_of("payload").await == before);
    }

    async fn r1_a_payload_comes_with_all_its_bytes_and_a_whole_digest(db) {
        let (digest, abc) = ([7; 32], db.blob(b"abc"));
        for (wrong, why) in [
            (insert(db, &digest, "3", "NULL"), "no bytes"),
            (insert(db, &digest, "0", "NULL"), "no bytes of size 0"),
            (insert(db, &digest, "2", &abc), "too many bytes"),
            (insert(db, &digest, "4", &abc), "too few bytes"),
            (insert(db, &digest, "-1", &db.blob(b"")), "a negative size"),
            (insert(db, &digest, "NULL", &abc), "no size"),
            (insert(db, &digest[1..], "3", &abc), "a digest of 31 bytes"),
            (insert(db, &[7; 33], "3", &abc), "a digest of 33 bytes"),
            (insert(db, &[], "3", &abc), "an empty digest"),
            (insert(db, &digest, "3", &abc).replace(&db.blob(&digest), "NULL"), "no digest"),
        ] {
            for hand in HANDS {
                assert!(try_as(db, hand, &wrong).await.is_err(), "{hand:?} added a payload with {why}");
            }
        }
        assert_eq!(db.as_server(&insert(db, &digest, "3", &abc)).await, Ok(1));
        assert_eq!(db.as_server(&insert(db, &digest, "0", &db.blob(b""))).await, Ok(1));
    }

    async fn r14_a_text_may_be_erased_and_nothing_else_and_it_never_comes_back(db) {
        let kept = something_of_everything(db).await;
        let place = format!("WHERE entry_id = {}", db.id(kept.told.0));
        let salted = format!("UPDATE audit_text SET text = NULL, salt = {} {place}", db.blob(&[8; 16]));
        let moved = format!("UPDATE audit_text SET text = NULL, entry_id = {} {place}", db.id(kept.untold[0].0));
        let entries = db.content_of("audit_entry").await;
        for hand in HANDS {
            for more in [&salted, &moved] {
                assert!(try_as(db, hand, more).await.is_err(), "{hand:?}: {more}");
            }
        }
        assert_eq!(db.as_server(&format!("UPDATE audit_text SET text = NULL {place}")).await, Ok(1));
        for hand in HANDS {
            let back = try_as(db, hand, &format!("UPDATE audit_text SET text = 'a text' {place}")).await.unwrap_err();
            assert!(back.contains("R14: audit text is only ever erased"), "{hand:?}: {back}");
        }
        let history = db.look(async |uow| uow.item_history(kept.item.id).await).await;
        assert_eq!(history.iter().find(|row| row.id == kept.told).unwrap().text, None);
        assert!(db.content_of("audit_entry").await == entries, "the entry and its digest stay");
    }
}
