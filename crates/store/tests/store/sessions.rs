//! Browser sessions.

use chrono::TimeDelta;
use store::SessionRow;

use crate::{
    databases::on_both,
    world::{HOSTILE, at},
};

fn until(data: &str, seconds: i64) -> SessionRow {
    SessionRow { data: data.to_owned(), expires_at: at(seconds) }
}

on_both! {
    async fn a_session_lives_until_the_microsecond_it_expires(db) {
        db.change(async |uow| uow.create_session(b"hash", None, &until(HOSTILE, 60)).await).await;
        let microsecond = TimeDelta::microseconds(1);
        let before = db.look(async |uow| uow.load_session(b"hash", at(60) - microsecond).await).await.unwrap();
        assert_eq!((before.data.as_str(), before.expires_at), (HOSTILE, at(60)));
        for late in [at(60), at(60) + microsecond] {
            assert!(db.look(async |uow| uow.load_session(b"hash", late).await).await.is_none(), "{late}");
        }
    }

    async fn an_id_that_is_taken_makes_no_second_session(db) {
        assert!(db.change(async |uow| uow.create_session(b"hash", None, &until("first", 60)).await).await);
        assert!(!db.change(async |uow| uow.create_session(b"hash", None, &until("second", 90)).await).await);
        let kept = db.look(async |uow| uow.load_session(b"hash", at(0)).await).await.unwrap();
        assert_eq!((kept.data.as_str(), kept.expires_at), ("first", at(60)));
    }

    async fn saving_prolongs_a_session_but_never_brings_one_back(db) {
        db.change(async |uow| uow.create_session(b"hash", None, &until("first", 60)).await).await;
        assert!(db.change(async |uow| uow.save_session(b"hash", None, &until("second", 90)).await).await);
        let kept = db.look(async |uow| uow.load_session(b"hash", at(70)).await).await.unwrap();
        assert_eq!(kept.data, "second");

        db.change(async |uow| uow.delete_session(b"hash").await).await;
        assert!(!db.change(async |uow| uow.save_session(b"hash", None, &until("third", 90)).await).await);
        assert!(db.look(async |uow| uow.load_session(b"hash", at(0)).await).await.is_none());
    }

    async fn r16_all_sessions_of_a_person_end_together_and_nobody_elses(db) {
        let (amara, bo) = (db.person("amara@example.test").await, db.person("bo@example.test").await);
        db.change(async |uow| {
            uow.create_session(b"laptop", Some(amara.id), &until("", 60)).await?;
            uow.create_session(b"phone", Some(bo.id), &until("", 60)).await?;
            uow.create_session(b"nobody's yet", None, &until("", 60)).await?;
            // Signing in gives a session its person.
            uow.save_session(b"phone", Some(amara.id), &until("", 60)).await?;
            uow.create_session(b"bo's", Some(bo.id), &until("", 60)).await
        })
        .await;
        assert_eq!(db.change(async |uow| uow.delete_sessions_of(amara.id).await).await, 2);
        for (id, lives) in [("laptop", false), ("phone", false), ("bo's", true), ("nobody's yet", true)] {
            let found = db.look(async |uow| uow.load_session(id.as_bytes(), at(0)).await).await;
            assert_eq!(found.is_some(), lives, "{id}");
        }
        assert_eq!(db.change(async |uow| uow.delete_sessions_of(amara.id).await).await, 0);
    }

    async fn only_what_has_expired_is_cleared_away(db) {
        for (id, seconds) in [("a", 59), ("b", 60), ("c", 61)] {
            db.change(async |uow| uow.create_session(id.as_bytes(), None, &until(id, seconds)).await).await;
        }
        assert_eq!(db.change(async |uow| uow.delete_expired_sessions(at(60)).await).await, 2);
        assert!(db.look(async |uow| uow.load_session(b"c", at(60)).await).await.is_some());
    }
}
