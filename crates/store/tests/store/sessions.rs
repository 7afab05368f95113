//! Browser sessions.

use chrono::TimeDelta;
use domain::ids::{PersonId, SessionId};
use store::SessionRow;

use crate::{
    databases::{Database, on_both},
    world::{HOSTILE, a_session, at},
};

async fn begin(db: &Database, hash: &[u8], row: &SessionRow) -> bool {
    db.change(async |uow| uow.create_session(hash, row).await).await
}

/// A person's session of this name.
async fn begun(db: &Database, name: &str, person: PersonId) -> SessionId {
    let row = a_session(Some(person), name, 60);
    assert!(begin(db, name.as_bytes(), &row).await, "{name}");
    row.id
}

/// The names of a person's sessions, as listed.
async fn listed(db: &Database, person: PersonId) -> Vec<String> {
    let rows = db.look(async |uow| uow.sessions_of(person, at(1)).await).await;
    rows.into_iter().map(|row| row.data).collect()
}

on_both! {
    async fn a_session_is_found_again_as_it_began(db) {
        let amara = db.person("amara@example.test").await;
        let row = a_session(Some(amara.id), HOSTILE, 60);
        assert!(begin(db, b"hash", &row).await);
        let found = db.look(async |uow| uow.load_session(b"hash", at(0)).await).await.unwrap();
        assert_eq!(format!("{found:?}"), format!("{row:?}"));
        let nobodys = SessionRow { address: None, agent: None, ..a_session(None, "", 60) };
        assert!(begin(db, b"nobody's", &nobodys).await);
        let found = db.look(async |uow| uow.load_session(b"nobody's", at(0)).await).await.unwrap();
        assert_eq!(format!("{found:?}"), format!("{nobodys:?}"));
    }

    async fn a_session_lives_until_the_microsecond_it_expires(db) {
        begin(db, b"hash", &a_session(None, HOSTILE, 60)).await;
        let microsecond = TimeDelta::microseconds(1);
        let before = db.look(async |uow| uow.load_session(b"hash", at(60) - microsecond).await).await.unwrap();
        assert_eq!((before.data.as_str(), before.expires_at), (HOSTILE, at(60)));
        for late in [at(60), at(60) + microsecond] {
            assert!(db.look(async |uow| uow.load_session(b"hash", late).await).await.is_none(), "{late}");
        }
    }

    async fn an_id_that_is_taken_makes_no_second_session(db) {
        assert!(begin(db, b"hash", &a_session(None, "first", 60)).await);
        assert!(!begin(db, b"hash", &a_session(None, "second", 90)).await);
        let kept = db.look(async |uow| uow.load_session(b"hash", at(0)).await).await.unwrap();
        assert_eq!((kept.data.as_str(), kept.expires_at), ("first", at(60)));
    }

    async fn saving_and_prolonging_a_session_never_bring_one_back(db) {
        let row = a_session(None, "first", 60);
        begin(db, b"hash", &row).await;
        db.change(async |uow| uow.save_session(b"hash", "second").await).await;
        db.change(async |uow| uow.prolong_session(row.id, at(30), at(90)).await).await;
        let kept = db.look(async |uow| uow.load_session(b"hash", at(70)).await).await.unwrap();
        assert_eq!(kept.data, "second");

        db.change(async |uow| uow.delete_session(b"hash").await).await;
        db.change(async |uow| uow.save_session(b"hash", "third").await).await;
        db.change(async |uow| uow.prolong_session(row.id, at(40), at(90)).await).await;
        assert!(db.look(async |uow| uow.load_session(b"hash", at(0)).await).await.is_none());
        assert!(db.ask("SELECT data FROM session").await.is_empty());
    }

    async fn a_session_is_prolonged_only_forward(db) {
        let row = a_session(None, "", 60);
        begin(db, b"hash", &row).await;
        for (now, until) in [(20, 80), (10, 70), (20, 75)] {
            // Of two requests at once, the one that was looked at earlier may come last.
            db.change(async |uow| uow.prolong_session(row.id, at(now), at(until)).await).await;
            let kept = db.look(async |uow| uow.load_session(b"hash", at(1)).await).await.unwrap();
            assert_eq!((kept.seen_at, kept.expires_at), (at(20), at(80)), "{now}");
        }
    }

    async fn proving_who_one_is_counts_for_the_session_it_was_done_in(db) {
        let amara = db.person("amara@example.test").await.id;
        let laptop = begun(db, "laptop", amara).await;
        begun(db, "phone", amara).await;
        db.change(async |uow| uow.step_up_session(laptop, at(30)).await).await;
        for (name, proved) in [("laptop", at(30)), ("phone", at(0))] {
            let found = db.look(async |uow| uow.load_session(name.as_bytes(), at(31)).await).await.unwrap();
            assert_eq!((found.stepped_up_at, found.seen_at, found.expires_at), (proved, at(0), at(60)), "{name}");
        }
    }

    async fn a_persons_sessions_are_listed_by_when_they_were_used_and_end_one_by_one_or_but_one(db) {
        let (amara, bo) = (db.person("amara@example.test").await.id, db.person("bo@example.test").await.id);
        let (laptop, phone) = (begun(db, "laptop", amara).await, begun(db, "phone", amara).await);
        let (tablet, bos) = (begun(db, "tablet", amara).await, begun(db, "bo's", bo).await);
        assert!(begin(db, b"over", &a_session(Some(amara), "over", 1)).await);
        for (id, second) in [(phone, 1), (tablet, 2), (laptop, 3)] {
            db.change(async |uow| uow.prolong_session(id, at(second), at(60)).await).await;
        }
        assert_eq!(listed(db, amara).await, ["laptop", "tablet", "phone"]);

        assert!(!db.change(async |uow| uow.delete_session_of(amara, bos).await).await, "nobody ends another's");
        assert!(db.change(async |uow| uow.delete_session_of(amara, tablet).await).await);
        assert!(!db.change(async |uow| uow.delete_session_of(amara, tablet).await).await);
        assert_eq!(listed(db, amara).await, ["laptop", "phone"]);
        // The phone's, and the one that had expired.
        assert_eq!(db.change(async |uow| uow.delete_sessions_but(amara, laptop).await).await, 2);
        assert_eq!((listed(db, amara).await, listed(db, bo).await), (vec!["laptop".into()], vec!["bo's".into()]));
    }

    async fn r16_all_sessions_of_a_person_end_together_and_nobody_elses(db) {
        let (amara, bo) = (db.person("amara@example.test").await.id, db.person("bo@example.test").await.id);
        begun(db, "laptop", amara).await;
        begun(db, "phone", amara).await;
        assert!(begin(db, b"nobody's yet", &a_session(None, "", 60)).await);
        begun(db, "bo's", bo).await;
        assert_eq!(db.change(async |uow| uow.delete_sessions_of(amara).await).await, 2);
        for (id, lives) in [("laptop", false), ("phone", false), ("bo's", true), ("nobody's yet", true)] {
            let found = db.look(async |uow| uow.load_session(id.as_bytes(), at(0)).await).await;
            assert_eq!(found.is_some(), lives, "{id}");
        }
        assert_eq!(db.change(async |uow| uow.delete_sessions_of(amara).await).await, 0);
    }

    async fn only_what_has_expired_is_cleared_away(db) {
        for (id, seconds) in [("a", 59), ("b", 60), ("c", 61)] {
            begin(db, id.as_bytes(), &a_session(None, id, seconds)).await;
        }
        assert_eq!(db.change(async |uow| uow.delete_expired_sessions(at(60)).await).await, 2);
        assert!(db.look(async |uow| uow.load_session(b"c", at(60)).await).await.is_some());
    }
}
