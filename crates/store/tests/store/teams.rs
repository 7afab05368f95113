//! Teams: how much belongs to them.

use store::TeamSize;

use crate::{
    databases::{Database, on_both},
    world::{HOSTILE, at},
};

async fn sizes(db: &Database) -> Vec<(String, i64, i64)> {
    let sizes = db.look(async |uow| uow.team_sizes().await).await;
    sizes.into_iter().map(|TeamSize { team, members, workflows }| (team.key, members, workflows)).collect()
}

on_both! {
    async fn a_teams_size_counts_its_workflows_and_those_of_its_members_who_can_act(db) {
        let (finance, sales) = (db.team("finance").await, db.team("sales").await);
        db.workflow("invoice-sync", &finance).await;
        db.workflow("crm-sync", &finance).await;
        let mut people = Vec::new();
        for n in 0..4 {
            let person = db.person(&format!("p{n}@example.test")).await.id;
            db.change(async |uow| uow.join_team(person, finance.id).await).await;
            people.push(person);
        }
        db.change(async |uow| uow.join_team(people[0], sales.id).await).await;
        assert_eq!(sizes(db).await, [("finance".into(), 4, 2), ("sales".into(), 1, 0)]);

        db.change(async |uow| uow.disable_person(people[1], at(1)).await).await;
        db.change(async |uow| uow.delete_person(people[2], at(1)).await).await;
        db.change(async |uow| uow.leave_team(people[3], finance.id).await).await;
        assert_eq!(sizes(db).await, [("finance".into(), 1, 2), ("sales".into(), 1, 0)]);
        let workflows = db.look(async |uow| uow.workflows_of_team(finance.id).await).await;
        assert_eq!(workflows, ["crm-sync", "invoice-sync"]);
    }

    async fn leaving_a_team_ends_that_membership_and_no_other(db) {
        let (finance, sales) = (db.team("finance").await, db.team("sales").await);
        let (amara, bo) = (db.person("amara@example.test").await.id, db.person("bo@example.test").await.id);
        for (person, team) in [(amara, &finance), (amara, &sales), (bo, &finance)] {
            db.change(async |uow| uow.join_team(person, team.id).await).await;
        }
        for _ in 0..2 {
            db.change(async |uow| uow.leave_team(amara, finance.id).await).await;
        }
        let teams_of = async |person| {
            let teams = db.look(async |uow| uow.teams_of(person).await).await;
            teams.into_iter().map(|team| team.key).collect::<Vec<_>>()
        };
        assert_eq!((teams_of(amara).await, teams_of(bo).await), (vec!["sales".into()], vec!["finance".into()]));
        let members = db.look(async |uow| uow.members_of(finance.id).await).await;
        assert_eq!(members.into_iter().map(|row| row.id).collect::<Vec<_>>(), [bo]);
    }

    async fn a_team_keeps_its_key_under_another_name(db) {
        let finance = db.team("finance").await;
        db.change(async |uow| uow.rename_team(finance.id, HOSTILE).await).await;
        let found = db.look(async |uow| uow.team_by_key("finance").await).await.unwrap();
        assert_eq!((found.id, found.name.as_str()), (finance.id, HOSTILE));
    }
}
