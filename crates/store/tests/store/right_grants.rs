//! Rights that wait for a second admin (R11).

use domain::{
    ids::{GrantId, PersonId},
    permission::{Permission, Role},
};
use store::GrantRow;
use uuid::Uuid;

use crate::{
    databases::{Database, on_both},
    world::{HOSTILE, at},
};

/// A role for a person, asked for by somebody.
fn a_grant(person: PersonId, asked_by: PersonId, second: i64) -> GrantRow {
    GrantRow {
        id: GrantId(Uuid::new_v4()),
        person_id: Some(person.0),
        role_key: Role::Supervisor.into(),
        permission: None,
        asked_by: Some(asked_by.0),
        asked_by_name: HOSTILE.to_owned(),
        asked_at: at(second),
        due_at: at(second + 60),
        confirmed_by: None,
        confirmed_by_name: None,
        confirmed_at: None,
        ended_how: None,
        ended_by_name: None,
        ended_at: None,
    }
}

async fn added(db: &Database, row: GrantRow) -> GrantRow {
    db.change(async |uow| uow.add_grant(&row).await).await;
    row
}

async fn ids(db: &Database, ended: bool) -> Vec<GrantId> {
    let rows = db.look(async |uow| if ended { uow.ended_grants().await } else { uow.open_grants().await }).await;
    rows.into_iter().map(|row| row.id).collect()
}

on_both! {
    async fn a_right_that_waits_comes_back_as_it_was_asked_for(db) {
        let (amara, bo) = (db.person("amara@example.test").await.id, db.person("bo@example.test").await.id);
        let for_a_person = added(db, a_grant(amara, bo, 0)).await;
        let permission = Some(Permission::ApprovalsDecide.to_string());
        let for_a_role = GrantRow { person_id: None, permission, asked_by: None, ..a_grant(amara, bo, 1) };
        let for_a_role = added(db, for_a_role).await;
        for row in [for_a_person, for_a_role] {
            let found = db.change(async |uow| uow.lock_grant(row.id).await).await.unwrap();
            assert_eq!(format!("{found:?}"), format!("{row:?}"));
        }
        assert!(db.change(async |uow| uow.lock_grant(GrantId(Uuid::nil())).await).await.is_none());
    }

    async fn a_right_is_confirmed_once_and_ends_once(db) {
        let (amara, bo) = (db.person("amara@example.test").await.id, db.person("bo@example.test").await.id);
        let (cleo, dan) = (db.person("cleo@example.test").await.id, db.person("dan@example.test").await.id);
        let row = added(db, a_grant(amara, bo, 0)).await;
        assert!(db.change(async |uow| uow.confirm_grant(row.id, cleo, "Cleo", at(5)).await).await);
        assert!(!db.change(async |uow| uow.confirm_grant(row.id, dan, "Dan", at(6)).await).await);
        assert!(db.change(async |uow| uow.end_grant(row.id, "given", "rights", at(70)).await).await);
        for how in ["refused", "lapsed", "given"] {
            assert!(!db.change(async |uow| uow.end_grant(row.id, how, "Dan", at(80)).await).await, "{how}");
        }
        let found = db.change(async |uow| uow.lock_grant(row.id).await).await.unwrap();
        assert_eq!((found.confirmed_by, found.confirmed_by_name.as_deref()), (Some(cleo.0), Some("Cleo")));
        assert_eq!((found.confirmed_at, found.ended_at), (Some(at(5)), Some(at(70))));
        assert_eq!((found.ended_how.as_deref(), found.ended_by_name.as_deref()), (Some("given"), Some("rights")));

        let other = added(db, a_grant(amara, bo, 1)).await;
        assert!(db.change(async |uow| uow.end_grant(other.id, "refused", "Dan", at(9)).await).await);
        assert!(!db.change(async |uow| uow.confirm_grant(other.id, cleo, "Cleo", at(10)).await).await);
    }

    async fn what_waits_is_listed_the_oldest_first_and_what_ended_the_last_first(db) {
        let (amara, bo) = (db.person("amara@example.test").await.id, db.person("bo@example.test").await.id);
        let mut rows = Vec::new();
        for second in [3, 1, 2, 4] {
            rows.push(added(db, a_grant(amara, bo, second)).await.id);
        }
        assert_eq!(ids(db, false).await, [rows[1], rows[2], rows[0], rows[3]]);
        for (row, second) in [(rows[2], 10), (rows[0], 20)] {
            assert!(db.change(async |uow| uow.end_grant(row, "lapsed", "rights", at(second)).await).await);
        }
        assert_eq!((ids(db, false).await, ids(db, true).await), (vec![rows[1], rows[3]], vec![rows[0], rows[2]]));
    }

    async fn r11_no_hand_confirms_a_right_in_the_name_of_who_asked_or_who_would_hold_it(db) {
        let (amara, bo) = (db.person("amara@example.test").await.id, db.person("bo@example.test").await.id);
        let cleo = db.person("cleo@example.test").await.id;
        let row = added(db, a_grant(amara, bo, 0)).await;
        let before = db.content_of("right_grant").await;
        let place = format!("WHERE id = {}", db.id(row.id.0));
        let confirm = |by: PersonId| {
            format!("UPDATE right_grant SET confirmed_by = {}, confirmed_at = asked_at {place}", db.id(by.0))
        };
        for by in [amara, bo] {
            let refused = db.as_server(&confirm(by)).await.unwrap_err();
            assert!(refused.to_lowercase().contains("check constraint"), "{refused}");
            let refused = db.as_owner(&confirm(by)).await.unwrap_err();
            assert!(refused.to_lowercase().contains("check constraint"), "{refused}");
            let refused = db.try_change(async |uow| uow.confirm_grant(row.id, by, "By", at(5)).await).await;
            assert!(refused.is_err(), "{refused:?}");
        }
        for nonsense in [
            format!("UPDATE right_grant SET permission = 'approvals.decide' {place}"),
            format!("UPDATE right_grant SET person_id = NULL {place}"),
            format!("UPDATE right_grant SET ended_how = 'given' {place}"),
            format!("UPDATE right_grant SET ended_at = asked_at {place}"),
            format!("UPDATE right_grant SET ended_how = 'forgotten', ended_at = asked_at {place}"),
        ] {
            let refused = db.as_server(&nonsense).await.unwrap_err();
            assert!(refused.to_lowercase().contains("check constraint"), "{nonsense}: {refused}");
        }
        assert_eq!(db.content_of("right_grant").await, before);
        assert_eq!(db.as_server(&confirm(cleo)).await, Ok(1));
        // Nor does it change hands once it was confirmed.
        let asked = format!("UPDATE right_grant SET asked_by = {} {place}", db.id(cleo.0));
        assert!(db.as_server(&asked).await.is_err());
    }
}
