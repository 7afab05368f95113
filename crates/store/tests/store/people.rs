//! People, roles and teams.

use std::collections::BTreeSet;

use domain::{
    ids::{PersonId, TeamId},
    permission::{Permission, Role},
    role::HeldRole,
    sensitivity::Sensitivity,
};
use store::{PersonRow, TeamRow};
use uuid::Uuid;

use crate::{
    databases::{Database, is_duplicate, on_both},
    world::{HOSTILE, a_person, at},
};

async fn found(db: &Database, id: PersonId) -> PersonRow {
    db.look(async |uow| uow.person_by_id(id).await).await.unwrap()
}

/// The addresses of a list, turned to its end page by page.
async fn listed(db: &Database, text: Option<&str>, limit: i64) -> Vec<String> {
    let (mut after, mut seen) = (None, Vec::new());
    loop {
        let page = db.look(async |uow| uow.people(text, after.clone(), limit).await).await;
        assert!(page.len() <= usize::try_from(limit).unwrap());
        let Some(last) = page.last() else { return seen };
        after = Some((domain::text::fold(&last.email), last.id));
        seen.extend(page.into_iter().map(|row| row.email));
    }
}

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
            uow.add_role(amara.id, &Role::Admin.into()).await?;
            uow.add_role(amara.id, &Role::Admin.into()).await?;
            uow.add_role(amara.id, &Role::Auditor.into()).await?;
            uow.add_role(bo.id, &Role::Admin.into()).await
        })
        .await;
        let held = db.look(async |uow| uow.roles_of(amara.id).await).await;
        assert_eq!(held, [Role::Admin, Role::Auditor].map(HeldRole::from));
        let admins = async || db.look(async |uow| uow.who_may(Permission::PeopleManage).await).await;
        assert_eq!(admins().await, BTreeSet::from([amara.id, bo.id]));

        assert!(db.change(async |uow| uow.disable_person(amara.id, at(5)).await).await);
        assert!(!db.change(async |uow| uow.disable_person(amara.id, at(9)).await).await);
        let disabled = db.look(async |uow| uow.person_by_id(amara.id).await).await.unwrap();
        assert_eq!(disabled.disabled_at, Some(at(5)));
        assert_eq!(admins().await, BTreeSet::from([bo.id]));
        assert!(db.look(async |uow| uow.who_may(Permission::ItemsWork).await).await.is_empty());
    }

    async fn a_name_and_an_address_can_be_changed_but_not_to_somebody_elses_address(db) {
        let (amara, bo) = (db.person("amara@example.test").await, db.person("bo@example.test").await);
        db.change(async |uow| uow.rename_person(amara.id, HOSTILE, "Amara.Obi@Example.test").await).await;
        let renamed = found(db, amara.id).await;
        assert_eq!((renamed.name.as_str(), renamed.email.as_str()), (HOSTILE, "Amara.Obi@Example.test"));
        assert_eq!(renamed.version, amara.version + 1);
        let by_address = db.look(async |uow| uow.person_by_email("amara.obi@example.TEST").await).await.unwrap();
        assert_eq!(by_address.id, amara.id);
        assert!(db.look(async |uow| uow.person_by_email("amara@example.test").await).await.is_none());

        let taken = db.try_change(async |uow| uow.rename_person(amara.id, "Amara", "BO@example.test").await).await;
        assert!(is_duplicate(&taken), "{taken:?}");
        assert_eq!(format!("{:?}", found(db, amara.id).await), format!("{renamed:?}"));
        assert_eq!(format!("{:?}", found(db, bo.id).await), format!("{bo:?}"));
    }

    async fn every_change_of_an_account_moves_its_version_on_and_signing_in_does_not(db) {
        let amara = db.person("amara@example.test").await;
        db.change(async |uow| uow.set_clearance(amara.id, Sensitivity::Restricted).await).await;
        db.change(async |uow| uow.touch_person(amara.id).await).await;
        assert!(db.change(async |uow| uow.disable_person(amara.id, at(5)).await).await);
        assert!(db.change(async |uow| uow.enable_person(amara.id).await).await);
        assert!(!db.change(async |uow| uow.enable_person(amara.id).await).await);
        db.change(async |uow| uow.signed_in(amara.id, at(9)).await).await;
        db.change(async |uow| uow.set_password(amara.id, "new").await).await;
        let now = found(db, amara.id).await;
        assert_eq!((now.version, now.clearance, now.disabled_at), (5, Sensitivity::Restricted, None));
        assert_eq!((now.signed_in_at, now.password_hash.as_deref()), (Some(at(9)), Some("new")));
    }

    async fn a_password_is_replaced_only_while_it_is_the_one_that_was_looked_at(db) {
        let amara = db.person("amara@example.test").await;
        let old = amara.password_hash.unwrap();
        assert!(!db.change(async |uow| uow.replace_password(amara.id, "another", "new").await).await);
        assert!(db.change(async |uow| uow.replace_password(amara.id, &old, "new").await).await);
        assert!(!db.change(async |uow| uow.replace_password(amara.id, &old, "newer").await).await);
        assert_eq!(found(db, amara.id).await.password_hash.as_deref(), Some("new"));
    }

    async fn c32_of_a_deleted_account_only_its_id_is_left_and_its_address_is_a_namesakes_to_take(db) {
        let gone = db.person("amara@example.test").await;
        db.change(async |uow| uow.delete_person(gone.id, at(5)).await).await;
        let namesake = db.person("amara@example.test").await;

        let left = found(db, gone.id).await;
        assert_eq!((left.deleted_at, left.disabled_at, &left.password_hash), (Some(at(5)), Some(at(5)), &None));
        assert!(!format!("{} {}", left.name, left.email).to_lowercase().contains("amara"), "{left:?}");
        let by_address = db.look(async |uow| uow.person_by_email("amara@example.test").await).await.unwrap();
        assert_eq!(by_address.id, namesake.id);
        assert_eq!(listed(db, None, 10).await, ["amara@example.test"]);
        assert_eq!(db.look(async |uow| uow.deleted_people().await).await, BTreeSet::from([gone.id.0]));
        assert!(!db.change(async |uow| uow.enable_person(gone.id).await).await, "nobody brings one back");
        // Both in the count: what was deleted was there.
        assert_eq!(db.look(async |uow| uow.person_count().await).await, 2);
    }

    async fn an_account_that_was_disabled_before_it_was_deleted_keeps_when(db) {
        let gone = db.person("amara@example.test").await;
        db.change(async |uow| uow.disable_person(gone.id, at(3)).await).await;
        db.change(async |uow| uow.delete_person(gone.id, at(5)).await).await;
        let left = found(db, gone.id).await;
        assert_eq!((left.disabled_at, left.deleted_at), (Some(at(3)), Some(at(5))));
    }

    async fn pages_of_people_show_each_once_in_the_order_of_their_bytes(db) {
        let mut emails = Vec::new();
        for n in 0..30 {
            for email in [format!("p{n}@example.test"), format!("Ä{n}@example.test"), format!("P-{n}@example.test")] {
                db.person(&email).await;
                emails.push(email);
            }
        }
        emails.sort_by_key(|email| domain::text::fold(email));
        for limit in [1, 7, 89, 90, 91] {
            assert_eq!(listed(db, None, limit).await, emails, "pages of {limit}");
        }
    }

    async fn people_are_found_by_a_part_of_their_address_or_the_key_of_a_team_and_wildcards_are_letters(db) {
        let finance = db.team("finance").await;
        for email in ["a_b@example.test", "axb@example.test", "100%@example.test", "100@example.test", r"c\d@example.test"] {
            db.person(email).await;
        }
        let bo = db.person("Bo@Example.test").await;
        db.change(async |uow| uow.join_team(bo.id, finance.id).await).await;
        for (text, shown) in [
            ("a_b", vec!["a_b@example.test"]),
            ("0%", vec!["100%@example.test"]),
            (r"c\d", vec![r"c\d@example.test"]),
            ("BO@", vec!["Bo@Example.test"]),
            ("finance", vec!["Bo@Example.test"]),
            ("Finance", vec![]),
            (HOSTILE, vec![]),
        ] {
            assert_eq!(listed(db, Some(text), 2).await, shown, "{text}");
        }
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
