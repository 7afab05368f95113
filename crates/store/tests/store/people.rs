//! People, roles and teams.

use domain::{ids::TeamId, permission::Role, sensitivity::Sensitivity};
use store::TeamRow;
use uuid::Uuid;

use crate::{
    databases::{is_duplicate, on_both},
    world::{HOSTILE, a_person, at},
};

on_both! {
    async fn a_person_is_found_again_as_they_were_added(db) {
        let mut person = a_person("Amara.Okafor@Example.test");
        person.name = HOSTILE.to_owned();
        person.clearance = Sensitivity::Restricted;
        db.change(async |uow| uow.add_person(&person, at(0)).await).await;

        let found = db.look(async |uow| uow.person_by_id(person.id).await).await.unwrap();
        assert_eq!(format!("{found:?}"), format!("{person:?}"));
        assert_eq!(db.look(async |uow| uow.person_count().await).await, 1);
    }

    async fn an_address_is_one_person_whatever_its_case_in_any_script(db) {
        for (added, others) in [
            ("Amara@Example.test", ["amara@example.test", "AMARA@EXAMPLE.TEST"]),
            ("jörg.Ångström@example.test", ["JÖRG.ÅNGSTRÖM@EXAMPLE.TEST", "Jörg.ångström@Example.test"]),
            ("Дмитрий@пример.test", ["дмитрий@ПРИМЕР.test", "ДМИТРИЙ@ПРИМЕР.TEST"]),
        ] {
            let person = db.person(added).await;
            for other in others {
                let found = db.look(async |uow| uow.person_by_email(other).await).await.unwrap();
                assert_eq!((found.id, found.email.as_str()), (person.id, added), "{other}");
                let taken = db.try_change(async |uow| uow.add_person(&a_person(other), at(1)).await).await;
                assert!(is_duplicate(&taken), "{other}: {taken:?}");
            }
        }
        assert_eq!(db.look(async |uow| uow.person_count().await).await, 3);
    }

    async fn addresses_that_differ_in_more_than_case_are_different_people(db) {
        for email in ["amara@example.test", "ämara@example.test", "a_ara@example.test", "%@example.test"] {
            db.person(email).await;
        }
        assert_eq!(db.look(async |uow| uow.person_count().await).await, 4);
        let unknown = db.look(async |uow| uow.person_by_email("a%@example.test").await).await;
        assert!(unknown.is_none());
    }

    async fn r16_a_disabled_person_no_longer_counts_for_their_role_and_is_disabled_once(db) {
        let (amara, bo) = (db.person("amara@example.test").await, db.person("bo@example.test").await);
        db.change(async |uow| {
            uow.add_role(amara.id, Role::Admin).await?;
            uow.add_role(amara.id, Role::Admin).await?;
            uow.add_role(amara.id, Role::Auditor).await?;
            uow.add_role(bo.id, Role::Admin).await
        })
        .await;
        assert_eq!(db.look(async |uow| uow.roles_of(amara.id).await).await, [Role::Admin, Role::Auditor]);
        assert_eq!(db.look(async |uow| uow.enabled_with_role(Role::Admin).await).await, 2);

        assert!(db.change(async |uow| uow.disable_person(amara.id, at(5)).await).await);
        assert!(!db.change(async |uow| uow.disable_person(amara.id, at(9)).await).await);
        let disabled = db.look(async |uow| uow.person_by_id(amara.id).await).await.unwrap();
        assert_eq!(disabled.disabled_at, Some(at(5)));
        assert_eq!(db.look(async |uow| uow.enabled_with_role(Role::Admin).await).await, 1);
        assert_eq!(db.look(async |uow| uow.enabled_with_role(Role::Operator).await).await, 0);
    }

    async fn a_team_is_added_once_under_its_key(db) {
        let finance = db.team("finance").await;
        let again = TeamRow { id: TeamId(Uuid::new_v4()), key: "finance".into(), name: "Another".into() };
        assert!(!db.change(async |uow| uow.add_team(&again, at(1)).await).await);
        assert!(db.change(async |uow| uow.add_team(&TeamRow { key: "Finance".into(), ..again }, at(1)).await).await);

        let found = db.look(async |uow| uow.team_by_key("finance").await).await.unwrap();
        assert_eq!((found.id, found.name), (finance.id, finance.name));
        assert!(db.look(async |uow| uow.team_by_key("FINANCE").await).await.is_none());
    }

    async fn people_belong_to_teams_in_one_order_on_both_databases(db) {
        let amara = db.person("amara@example.test").await;
        let keys = ["zebra", "Äpfel", "apple", "Zoo", "a_b", "a-b", "aB", "ab", "é", "e"];
        for key in keys {
            let team = db.team(key).await;
            db.change(async |uow| uow.join_team(amara.id, team.id).await).await;
            db.change(async |uow| uow.join_team(amara.id, team.id).await).await;
        }
        let mut by_bytes = keys;
        by_bytes.sort_unstable();
        let teams = db.look(async |uow| uow.teams_of(amara.id).await).await;
        assert_eq!(teams.into_iter().map(|team| team.key).collect::<Vec<_>>(), by_bytes);
        let teams = db.look(async |uow| uow.teams().await).await;
        assert_eq!(teams.into_iter().map(|team| team.key).collect::<Vec<_>>(), by_bytes);
        let bo = db.person("bo@example.test").await;
        assert!(db.look(async |uow| uow.teams_of(bo.id).await).await.is_empty());
    }
}
