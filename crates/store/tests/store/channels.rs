//! Channels, and what people chose about how they are told.

use domain::{channel::ChannelKind, ids::ChannelId, notice::Topic};
use store::{ChannelRow, QuietRow};
use uuid::Uuid;

use crate::{
    databases::{Database, on_both},
    world::{HOSTILE, at},
};

/// A channel of any kind, with nothing in it that could be left out.
pub(crate) fn a_channel(name: &str, kind: ChannelKind) -> ChannelRow {
    ChannelRow {
        id: ChannelId(Uuid::new_v4()),
        name: name.to_owned(),
        kind,
        url: HOSTILE.to_owned(),
        secret: None,
        allow_private: false,
        version: 1,
        worked_at: None,
        failing_since: None,
        last_error: None,
        disabled_at: None,
        disabled_why: None,
        created_by_name: HOSTILE.to_owned(),
        created_at: at(0),
        changed_by_name: HOSTILE.to_owned(),
        changed_at: at(0),
    }
}

async fn named(db: &Database, name: &str) -> Option<ChannelRow> {
    db.look(async |uow| uow.channel_by_name(name).await).await
}

on_both! {
    async fn a_channel_of_any_kind_comes_back_as_it_was_made_and_its_name_is_taken(db) {
        for kind in ChannelKind::ALL {
            let secret = (*kind == ChannelKind::Webhook).then(|| "RECOURSE_SECRET_X".to_owned());
            let row = ChannelRow { secret, allow_private: true, ..a_channel(kind.as_str(), *kind) };
            assert!(db.change(async |uow| uow.add_channel(&row).await).await);
            assert_eq!(named(db, kind.as_str()).await.as_ref(), Some(&row));
            assert_eq!(db.look(async |uow| uow.channel_by_id(row.id).await).await, Some(row));
            let again = a_channel(kind.as_str(), *kind);
            assert!(!db.change(async |uow| uow.add_channel(&again).await).await);
        }
        let names: Vec<_> = db.look(async |uow| uow.channels().await).await.into_iter().map(|row| row.name).collect();
        assert_eq!(names, ["slack", "teams", "webhook"]);
        assert_eq!(named(db, HOSTILE).await, None);
    }

    async fn of_two_who_change_a_channel_the_second_changes_nothing(db) {
        let row = a_channel("ops-chat", ChannelKind::Slack);
        db.change(async |uow| uow.add_channel(&row).await).await;
        let changed = ChannelRow { url: "https://a.example/".into(), changed_at: at(1), ..row.clone() };
        assert!(db.change(async |uow| uow.save_channel(&changed).await).await);
        assert!(!db.change(async |uow| uow.save_channel(&row).await).await);
        assert_eq!(named(db, "ops-chat").await, Some(ChannelRow { version: 2, ..changed }));
    }

    async fn a_channel_fails_since_the_first_failure_works_again_and_is_disabled_once(db) {
        let row = a_channel("ops-chat", ChannelKind::Slack);
        db.change(async |uow| uow.add_channel(&row).await).await;
        for second in [1, 2] {
            db.change(async |uow| uow.channel_failed(row.id, HOSTILE, at(second)).await).await;
        }
        let seen = named(db, "ops-chat").await.unwrap();
        assert_eq!((seen.failing_since, seen.last_error.as_deref()), (Some(at(1)), Some(HOSTILE)));
        assert!(db.change(async |uow| uow.channel_gives_up(row.id, at(2)).await).await);
        assert!(!db.change(async |uow| uow.channel_gives_up(row.id, at(2)).await).await);
        db.change(async |uow| uow.channel_worked(row.id, at(3)).await).await;
        assert!(db.change(async |uow| uow.channel_gives_up(row.id, at(3)).await).await, "it worked in between");
        let seen = named(db, "ops-chat").await.unwrap();
        assert_eq!((seen.failing_since, seen.last_error, seen.worked_at), (None, None, Some(at(3))));
        assert!(!db.change(async |uow| uow.disable_channel(row.id, 9, HOSTILE, at(4)).await).await);
        assert!(db.change(async |uow| uow.disable_channel(row.id, 1, HOSTILE, at(4)).await).await);
        assert!(!db.change(async |uow| uow.disable_channel(row.id, 2, "again", at(5)).await).await);
        let more = format!("{HOSTILE} and more");
        db.change(async |uow| uow.explain_disabled(row.id, &more).await).await;
        assert!(!db.change(async |uow| uow.channel_gives_up(row.id, at(5)).await).await, "nothing goes through it");
        let seen = named(db, "ops-chat").await.unwrap();
        assert_eq!((seen.disabled_at, seen.disabled_why, seen.version), (Some(at(4)), Some(more), 2));
        assert!(!db.change(async |uow| uow.enable_channel(row.id, 1).await).await, "it was changed meanwhile");
        assert!(db.change(async |uow| uow.enable_channel(row.id, 2).await).await);
        assert!(!db.change(async |uow| uow.enable_channel(row.id, 3).await).await);
        db.change(async |uow| uow.explain_disabled(row.id, HOSTILE).await).await;
        let seen = named(db, "ops-chat").await.unwrap();
        assert_eq!((seen.disabled_at, seen.disabled_why), (None, None), "there is nothing to explain");
        assert!(db.change(async |uow| uow.channel_gives_up(row.id, at(6)).await).await);
        assert!(db.change(async |uow| uow.disable_channel(row.id, 3, HOSTILE, at(7)).await).await);
    }

    async fn what_a_person_chose_is_theirs_and_forgotten_with_them(db) {
        let (amara, bo) = (db.person("amara@example.test").await.id, db.person("bo@example.test").await.id);
        for topic in Topic::ALL {
            assert_eq!(db.look(async |uow| uow.choice(amara, *topic).await).await, None);
            for by_email in [Some(true), None, None, Some(true), Some(false)] {
                db.change(async |uow| uow.choose(amara, *topic, by_email).await).await;
                assert_eq!(db.look(async |uow| uow.choice(amara, *topic).await).await, by_email);
            }
        }
        assert_eq!(db.look(async |uow| uow.choices(amara).await).await.len(), Topic::ALL.len());
        assert!(db.look(async |uow| uow.choices(bo).await).await.is_empty());
        let quiet = QuietRow { begins: "22:00".into(), ends: "07:00".into(), zone: "Europe/Oslo".into() };
        for _ in 0..2 {
            db.change(async |uow| uow.set_quiet_hours(amara, Some(&quiet)).await).await;
        }
        assert_eq!(db.look(async |uow| uow.quiet_hours(amara).await).await, Some(quiet.clone()));
        db.change(async |uow| uow.set_quiet_hours(amara, None).await).await;
        assert_eq!(db.look(async |uow| uow.quiet_hours(amara).await).await, None);
        db.change(async |uow| uow.set_quiet_hours(amara, Some(&quiet)).await).await;
        db.change(async |uow| uow.forget_choices_of(amara).await).await;
        assert!(db.look(async |uow| uow.choices(amara).await).await.is_empty());
        assert_eq!(db.look(async |uow| uow.quiet_hours(amara).await).await, None);
    }
}
