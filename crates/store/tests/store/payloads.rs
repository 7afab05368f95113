//! Payload bytes, and the revisions that name them.

use domain::{
    digest::Sha256,
    ids::{ItemId, PayloadId},
};
use store::{Error, NewRevision};
use uuid::Uuid;

use crate::{
    databases::{Database, is_duplicate, on_both},
    world::{HOSTILE, at, moment},
};

async fn revise(db: &Database, item: ItemId, number: i64, payload: PayloadId) -> store::Result<()> {
    let by = (Uuid::from_u128(7), HOSTILE);
    let when = moment("2026-09-21T13:14:15.000001Z");
    let new = NewRevision { number, payload, media_type: HOSTILE, source_version: Some(HOSTILE) };
    db.try_change(async |uow| uow.add_automation_revision(item, &new, by, when).await).await
}

on_both! {
    async fn r1_bytes_are_kept_exactly_whatever_they_are(db) {
        let every_byte: Vec<u8> = (0..=255).collect();
        let long: Vec<u8> = every_byte.iter().copied().cycle().take(3_000_000).collect();
        let payloads: [&[u8]; 9] = [
            b"",
            b"\0",
            b"\n",
            b"\xEF\xBB\xBF{}\r\n",
            b"\r\n\r\r\n\n",
            b"\xFF\xFE\0{",
            &every_byte,
            HOSTILE.as_bytes(),
            &long,
        ];
        for bytes in payloads {
            let id = PayloadId(Uuid::new_v4());
            let digest = db.change(async |uow| uow.add_payload(id, bytes).await).await;
            assert_eq!(digest, Sha256::of(bytes));
            let kept = db.look(async |uow| uow.payload(id).await).await.unwrap();
            assert!(kept.bytes.as_deref() == Some(bytes), "{} bytes came back different", bytes.len());
            assert_eq!((kept.sha256, kept.size), (digest, i64::try_from(bytes.len()).unwrap()));
        }
        for byte in every_byte {
            let id = db.payload(&[byte]).await;
            assert_eq!(db.look(async |uow| uow.payload(id).await).await.unwrap().bytes, Some(vec![byte]));
        }
    }

    async fn a_payload_that_was_never_kept_is_not_found_and_its_id_is_used_once(db) {
        let id = PayloadId(Uuid::new_v4());
        assert!(db.look(async |uow| uow.payload(id).await).await.is_none());
        db.change(async |uow| uow.add_payload(id, b"first").await).await;
        let second = db.try_change(async |uow| uow.add_payload(id, b"second").await).await;
        assert!(is_duplicate(&second), "{second:?}");
        assert_eq!(db.look(async |uow| uow.payload(id).await).await.unwrap().bytes.unwrap(), b"first");
    }

    async fn r2_revisions_count_from_the_original_and_each_names_its_parent(db) {
        let item = db.an_item().await;
        for number in 1..=11 {
            let payload = db.payload(format!("revision {number}").as_bytes()).await;
            revise(db, item.id, number, payload).await.unwrap();
        }
        let revisions = db.look(async |uow| uow.revisions(item.id).await).await;
        let numbers: Vec<_> = revisions.iter().map(|revision| (revision.number, revision.parent)).collect();
        let expected: Vec<_> = (1..=11).map(|n| (n, (n > 1).then_some(n - 1))).collect();
        assert_eq!(numbers, expected);
        let last = &revisions[10];
        assert_eq!((last.media_type.as_str(), last.author_name.as_str()), (HOSTILE, HOSTILE));
        assert_eq!((last.author_kind.as_str(), &last.reason, last.erased), ("automation", &None, false));
        assert_eq!((last.sha256, last.size), (Sha256::of(b"revision 11"), 11));
        assert_eq!(last.at, moment("2026-09-21T13:14:15.000001Z"));
    }

    async fn r2_a_revision_without_its_parent_or_with_a_number_or_payload_that_is_taken_is_refused(db) {
        let item = db.an_item().await;
        let [first, second, third] = [db.payload(b"1").await, db.payload(b"2").await, db.payload(b"3").await];
        assert!(matches!(revise(db, item.id, 2, first).await, Err(Error::Database(_))), "no original");
        assert!(revise(db, item.id, 0, first).await.is_err(), "number 0");
        assert!(revise(db, ItemId(Uuid::new_v4()), 1, first).await.is_err(), "no such item");
        assert!(revise(db, item.id, 1, PayloadId(Uuid::new_v4())).await.is_err(), "no such payload");
        revise(db, item.id, 1, first).await.unwrap();
        assert!(is_duplicate(&revise(db, item.id, 1, second).await));
        assert!(is_duplicate(&revise(db, item.id, 2, first).await));
        assert!(revise(db, item.id, 3, second).await.is_err(), "a gap");
        revise(db, item.id, 2, second).await.unwrap();
        revise(db, item.id, 3, third).await.unwrap();
        assert_eq!(db.look(async |uow| uow.revisions(item.id).await).await.len(), 3);
    }

    async fn r2_only_the_original_has_no_parent_and_a_parent_belongs_to_the_same_item(db) {
        let item = db.an_item().await;
        let [first, second] = [db.payload(b"1").await, db.payload(b"2").await];
        revise(db, item.id, 1, first).await.unwrap();
        let insert = |item: ItemId, number: i64, parent: &str| {
            format!(
                "INSERT INTO revision (item_id, number, payload_id, media_type, parent, author_kind, author_id,
                 author_name, at)
                 VALUES ({}, {number}, {}, 'x', {parent}, 'person', {}, 'Amara', '{}')",
                db.id(item.0), db.id(second.0), db.id(Uuid::nil()), at(1).to_rfc3339()
            )
        };
        let other = crate::world::an_item_of(
            &db.look(async |uow| uow.workflow_by_key("invoice-sync").await).await.unwrap(),
            "INV-2",
        );
        let other = db.keep(other).await;
        for (refused, why) in [
            (insert(item.id, 2, "NULL"), "a later revision without parent"),
            (insert(other.id, 1, "1"), "an original with a parent"),
            (insert(other.id, 2, "1"), "a parent that another item has"),
            (insert(item.id, 2, "7"), "a parent that nobody has"),
        ] {
            assert!(db.as_server(&refused).await.is_err(), "{why}");
        }
        assert_eq!(db.as_server(&insert(item.id, 2, "1")).await, Ok(1));
    }
}
