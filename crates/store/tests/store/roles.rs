//! Roles that admins put together, and who may what.

use std::collections::BTreeSet;

use domain::{
    ids::PersonId,
    permission::{Permission, Role},
    role::{HeldRole, RoleKey},
};
use tokio::sync::oneshot;

use crate::{
    databases::{Database, is_duplicate, on_both},
    world::{HOSTILE, a_person, at},
};

fn a_role(key: &str, name: &str, permissions: &[Permission]) -> HeldRole {
    let permissions = permissions.iter().copied().collect();
    HeldRole { key: key.parse().unwrap(), name: name.to_owned(), permissions }
}

async fn saved(db: &Database, role: &HeldRole, is_new: bool) {
    db.change(async |uow| uow.save_role(role, is_new, at(0)).await).await;
}

async fn give(db: &Database, person: PersonId, role: &RoleKey) {
    db.change(async |uow| uow.add_role(person, role).await).await;
}

async fn who_may(db: &Database, permission: Permission) -> BTreeSet<PersonId> {
    db.look(async |uow| uow.who_may(permission).await).await
}

on_both! {
    async fn a_role_comes_back_as_it_was_put_together_and_as_it_was_changed(db) {
        let mut role = a_role("night-shift", HOSTILE, &[Permission::ItemsRead, Permission::BulkRun]);
        saved(db, &role, true).await;
        let made = db.look(async |uow| uow.made_role(&role.key).await).await.unwrap();
        assert_eq!((&made.role, made.version), (&role, 1));

        // A permission goes, one stays, one comes.
        role = a_role("night-shift", "Night", &[Permission::ItemsRead, Permission::AuditRead]);
        saved(db, &role, false).await;
        let made = db.look(async |uow| uow.made_role(&role.key).await).await.unwrap();
        assert_eq!((&made.role, made.version), (&role, 2));
        role.permissions.clear();
        saved(db, &role, false).await;
        role.permissions = Permission::ALL.iter().copied().collect();
        saved(db, &role, false).await;
        let made = db.look(async |uow| uow.made_role(&role.key).await).await.unwrap();
        assert_eq!((&made.role, made.version), (&role, 4));
    }

    async fn a_key_is_one_role_and_none_of_the_four(db) {
        let role = a_role("night-shift", "Night", &[Permission::ItemsRead]);
        saved(db, &role, true).await;
        let again = db.try_change(async |uow| uow.save_role(&role, true, at(1)).await).await;
        assert!(is_duplicate(&again), "{again:?}");
        for built_in in Role::ALL {
            let role = a_role(built_in.as_str(), "Mine", &[Permission::ItemsRead]);
            let refused = db.try_change(async |uow| uow.save_role(&role, true, at(1)).await).await;
            assert!(refused.is_err(), "{built_in}");
        }
        assert_eq!(db.ask("SELECT key FROM role").await, ["night-shift"]);
    }

    async fn roles_are_listed_the_four_first_and_then_by_name(db) {
        for (key, name) in [("b", "Zebra"), ("a", "apple"), ("c", "Äpfel"), ("d", "Apple")] {
            saved(db, &a_role(key, name, &[Permission::ItemsRead]), true).await;
        }
        let all = db.look(async |uow| uow.all_roles().await).await;
        let keys: Vec<_> = all.iter().map(|role| role.key.to_string()).collect();
        assert_eq!(keys, ["operator", "supervisor", "auditor", "admin", "d", "b", "a", "c"]);
        let made = db.look(async |uow| uow.made_roles().await).await;
        assert_eq!(made.iter().map(|row| row.role.clone()).collect::<Vec<_>>(), all[4..]);
    }

    async fn r16_what_a_person_holds_is_what_their_roles_add_up_to_now(db) {
        let amara = db.person("amara@example.test").await;
        let night = a_role("night-shift", "Night", &[Permission::ItemsRead]);
        saved(db, &night, true).await;
        saved(db, &a_role("day-shift", "Day", &[Permission::BulkRun]), true).await;
        give(db, amara.id, &night.key).await;
        give(db, amara.id, &Role::Auditor.into()).await;
        let held = async || db.look(async |uow| uow.roles_of(amara.id).await).await;
        assert_eq!(held().await, [HeldRole::from(Role::Auditor), night.clone()]);

        let wider = a_role("night-shift", "Nights", &[Permission::ItemsRead, Permission::PayloadsReveal]);
        saved(db, &wider, false).await;
        assert_eq!(held().await, [HeldRole::from(Role::Auditor), wider.clone()]);
        db.change(async |uow| uow.take_role(amara.id, &Role::Auditor.into()).await).await;
        assert_eq!(held().await, [wider]);
    }

    async fn a_role_is_held_by_accounts_that_are_there_disabled_ones_included(db) {
        let mut people = Vec::new();
        for n in 0..4 {
            people.push(db.person(&format!("p{n}@example.test")).await.id);
        }
        let night = a_role("night-shift", "Night", &[Permission::ItemsRead]);
        saved(db, &night, true).await;
        for person in &people[..3] {
            give(db, *person, &night.key).await;
        }
        db.change(async |uow| uow.disable_person(people[1], at(1)).await).await;
        db.change(async |uow| uow.delete_person(people[2], at(1)).await).await;
        let holders = db.look(async |uow| uow.holders_of(&night.key).await).await;
        assert_eq!(BTreeSet::from_iter(holders), BTreeSet::from([people[0], people[1]]));

        let unused = a_role("unused", "Unused", &[Permission::ItemsRead]);
        saved(db, &unused, true).await;
        db.change(async |uow| uow.remove_role(&unused.key).await).await;
        assert!(db.look(async |uow| uow.made_role(&unused.key).await).await.is_none());
        assert_eq!(db.ask("SELECT DISTINCT role_key FROM role_permission").await, ["night-shift"]);
    }

    async fn only_those_who_can_sign_in_may_anything_by_any_of_their_roles(db) {
        let deciding = a_role("decides", "Decides", &[Permission::ApprovalsDecide]);
        saved(db, &deciding, true).await;
        let built_in = db.person("supervisor@example.test").await.id;
        let made = db.person("made@example.test").await.id;
        let invited = store::PersonRow { password_hash: None, ..a_person("invited@example.test") };
        let elsewhere = store::PersonRow { password_hash: None, ..a_person("elsewhere@example.test") };
        for row in [&invited, &elsewhere] {
            db.change(async |uow| uow.add_person(row, at(0)).await).await;
        }
        let (disabled, deleted) = (db.person("disabled@example.test").await.id, db.person("gone@example.test").await.id);
        give(db, built_in, &Role::Supervisor.into()).await;
        for person in [made, invited.id, elsewhere.id, disabled, deleted] {
            give(db, person, &deciding.key).await;
        }
        db.change(async |uow| uow.add_identity("https://id.example", "7", elsewhere.id, at(0)).await).await;
        db.change(async |uow| uow.disable_person(disabled, at(1)).await).await;
        db.change(async |uow| uow.delete_person(deleted, at(1)).await).await;

        let everybody = BTreeSet::from([built_in, made, elsewhere.id]);
        assert_eq!(who_may(db, Permission::ApprovalsDecide).await, everybody);
        db.change(async |uow| uow.enable_person(disabled).await).await;
        db.change(async |uow| uow.set_password(invited.id, "chosen").await).await;
        let joined = everybody.into_iter().chain([disabled, invited.id]).collect();
        assert_eq!(who_may(db, Permission::ApprovalsDecide).await, joined);
        assert!(who_may(db, Permission::PeopleManage).await.is_empty());
    }

    async fn whoever_changes_rights_holds_the_others_off_until_they_are_done(db) {
        let mut first = db.store.begin().await.unwrap();
        first.lock_access().await.unwrap();
        let amara = a_person("amara@example.test");
        first.add_person(&amara, at(0)).await.unwrap();
        let (store, (send, mut receive)) = (db.store.clone(), oneshot::channel());
        let second = tokio::spawn(async move {
            let mut uow = store.begin().await.unwrap();
            uow.lock_access().await.unwrap();
            let seen = uow.person_count().await.unwrap();
            send.send(()).unwrap();
            seen
        });
        for _ in 0..50 {
            tokio::task::yield_now().await;
        }
        assert!(receive.try_recv().is_err(), "the second did not wait");
        first.commit().await.unwrap();
        assert_eq!(second.await.unwrap(), 1);
    }
}
