//! What people were told.

use domain::{
    ids::{NoticeId, PersonId},
    notice::NoticeKind,
};
use store::{NewNotice, NoticeRow};
use uuid::Uuid;

use crate::{
    databases::{Database, on_both},
    world::{HOSTILE, at},
};

async fn tell(db: &Database, person: PersonId, about: &str, second: i64) -> NoticeId {
    let id = NoticeId(Uuid::new_v4());
    let new = NewNotice { id, person, kind: NoticeKind::Given, by_name: HOSTILE, about, item: None, alert: None };
    db.change(async |uow| uow.add_notice(&new, at(second)).await).await;
    id
}

async fn unread(db: &Database, person: PersonId) -> i64 {
    db.look(async |uow| uow.unread_notices(person).await).await
}

/// Every page of a person's notices.
async fn told(db: &Database, person: PersonId, limit: i64) -> Vec<NoticeRow> {
    let (mut before, mut seen) = (None, Vec::new());
    loop {
        let page = db.look(async |uow| uow.notices(person, before, limit).await).await;
        let Some(last) = page.last() else { return seen };
        before = Some((last.at, last.id.0));
        seen.extend(page);
    }
}

on_both! {
    async fn a_notice_of_any_kind_comes_back_as_it_was_told(db) {
        let (amara, item) = (db.person("amara@example.test").await.id, db.an_item().await.id);
        for (n, kind) in (0..).zip(NoticeKind::ALL) {
            let id = NoticeId(Uuid::new_v4());
            let item = (n % 2 == 0).then_some(item);
            let new = NewNotice { id, person: amara, kind: *kind, by_name: HOSTILE, about: HOSTILE, item, alert: None };
            db.change(async |uow| uow.add_notice(&new, at(n)).await).await;
            let [row] = &db.look(async |uow| uow.notices(amara, None, 1).await).await[..] else { panic!("{kind}") };
            assert_eq!((row.id, row.kind, row.at, row.read_at), (id, *kind, at(n), None));
            assert_eq!((row.by_name.as_str(), row.about.as_str()), (HOSTILE, HOSTILE));
            assert_eq!(row.item_id, item.map(|id| id.0));
        }
    }

    async fn pages_show_every_notice_of_a_person_once_newest_first(db) {
        let (amara, bo) = (db.person("amara@example.test").await.id, db.person("bo@example.test").await.id);
        for n in 0..30 {
            tell(db, amara, "hers", n / 10).await;
            tell(db, bo, "his", n / 10).await;
        }
        for limit in [1, 7, 30, 31] {
            let rows = told(db, amara, limit).await;
            assert_eq!(rows.len(), 30, "pages of {limit}");
            assert!(rows.iter().all(|row| row.about == "hers"));
            assert!(rows.is_sorted_by(|a, b| (a.at, a.id) > (b.at, b.id)), "pages of {limit}");
        }
    }

    async fn unread_ones_are_counted_up_to_a_hundred(db) {
        let (amara, bo) = (db.person("amara@example.test").await.id, db.person("bo@example.test").await.id);
        tell(db, bo, "his", 0).await;
        for n in 1..=103 {
            tell(db, amara, "hers", n).await;
            assert_eq!(unread(db, amara).await, n.min(100));
        }
        assert_eq!(unread(db, bo).await, 1);
    }

    async fn c86_one_is_marked_or_all_until_a_moment_once_and_only_ones_own(db) {
        let (amara, bo) = (db.person("amara@example.test").await.id, db.person("bo@example.test").await.id);
        let first = tell(db, amara, "first", 1).await;
        for (about, second) in [("second", 2), ("third", 3), ("later", 4)] {
            tell(db, amara, about, second).await;
        }
        let bos = tell(db, bo, "his", 1).await;
        db.change(async |uow| uow.read_notice(amara, bos, at(9)).await).await;
        assert_eq!((unread(db, amara).await, unread(db, bo).await), (4, 1), "another's is not hers to mark");

        db.change(async |uow| uow.read_notice(amara, first, at(10)).await).await;
        db.change(async |uow| uow.read_notices(amara, at(3), at(11)).await).await;
        db.change(async |uow| uow.read_notice(amara, first, at(12)).await).await;
        let read: Vec<_> = told(db, amara, 10).await.into_iter().map(|row| (row.about, row.read_at)).collect();
        let expected = [("later", None), ("third", Some(at(11))), ("second", Some(at(11))), ("first", Some(at(10)))];
        assert_eq!(read, expected.map(|(about, at)| (about.to_owned(), at)));
        assert_eq!((unread(db, amara).await, unread(db, bo).await), (1, 1));
    }
}
