//! Whole tables, and the guards themselves.

use super::{
    HANDS, Hand, TABLES, append_only::lift_the_guards, everything, is_the_rule, something_of_everything, try_as,
};
use crate::databases::{on_both, on_postgres};

/// The tables that an append-only one refers to, over any number of steps.
const PARENTS: [&str; 7] = ["team", "person", "workflow", "item", "attempt", "payload", "audit_entry"];

on_both! {
    async fn r1_r2_r9_r14_a_table_is_not_emptied(db) {
        something_of_everything(db).await;
        let before = everything(db).await;
        for table in TABLES {
            for hand in HANDS {
                let refused = try_as(db, hand, &format!("DELETE FROM {table}")).await.unwrap_err();
                assert!(is_the_rule(&refused, hand, db), "{hand:?}: {table}: {refused}");
            }
        }
        assert!(everything(db).await == before);
    }
}

#[tokio::test]
async fn r1_r2_r9_r14_truncate_is_refused_on_the_table_and_by_way_of_its_parents() {
    on_postgres(async |db| {
        something_of_everything(db).await;
        let before = everything(db).await;
        let mut ways = vec![format!("TRUNCATE {} CASCADE", TABLES.join(", "))];
        for table in TABLES.into_iter().chain(PARENTS) {
            ways.push(format!("TRUNCATE {table} CASCADE"));
            ways.push(format!("TRUNCATE ONLY {table} RESTART IDENTITY CASCADE"));
        }
        for way in &ways {
            for hand in HANDS {
                let refused = try_as(db, hand, way).await.unwrap_err();
                assert!(is_the_rule(&refused, hand, db), "{hand:?}: {way}: {refused}");
            }
        }
        assert!(everything(db).await == before);
        lift_the_guards(db).await;
        for way in ways {
            let done = db.as_owner(&format!("BEGIN; {way}; ROLLBACK")).await;
            assert!(done.is_ok(), "{way} proves nothing: {done:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn r1_r2_r14_the_servers_role_can_not_lift_change_or_go_round_a_guard() {
    on_postgres(async |db| {
        something_of_everything(db).await;
        let before = everything(db).await;
        let triggers =
            db.ask("SELECT tgname || ' ON ' || tgrelid::regclass FROM pg_trigger WHERE NOT tgisinternal").await;
        assert!(triggers.len() >= 2 * TABLES.len(), "{triggers:?}");
        let mut ways: Vec<_> = triggers.iter().map(|trigger| format!("DROP TRIGGER {trigger}")).collect();
        for table in TABLES {
            ways.extend([
                format!("ALTER TABLE {table} DISABLE TRIGGER ALL"),
                format!("ALTER TABLE {table} DISABLE TRIGGER USER"),
                format!("ALTER TABLE {table} ENABLE ALWAYS RULE anything"),
                format!("ALTER TABLE {table} RENAME TO gone"),
                format!("ALTER TABLE {table} OWNER TO recourse_server"),
                format!("ALTER TABLE {table} ADD COLUMN extra TEXT"),
                format!("ALTER TABLE {table} SET UNLOGGED"),
                format!("CREATE RULE quiet AS ON INSERT TO {table} DO INSTEAD NOTHING"),
                format!("CREATE TRIGGER late AFTER INSERT ON {table} EXECUTE FUNCTION refuse_change('x')"),
                format!("DROP TABLE {table} CASCADE"),
                format!("SET session_replication_role = replica; DELETE FROM {table}"),
            ]);
        }
        for function in ["refuse_change", "payload_guard", "audit_text_guard"] {
            ways.extend([
                format!("DROP FUNCTION {function} CASCADE"),
                format!("ALTER FUNCTION {function} RENAME TO gone"),
                format!(
                    "CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS
                     $$BEGIN RETURN COALESCE(NEW, OLD); END$$"
                ),
            ]);
        }
        ways.push("DROP SCHEMA public CASCADE".to_owned());
        ways.push("CREATE TABLE public.extra (id BIGINT)".to_owned());
        for way in ways {
            let refused = try_as(db, Hand::Server, &way).await.unwrap_err();
            let by_role = ["must be owner", "permission denied", "must be superuser"];
            assert!(by_role.iter().any(|words| refused.contains(words)), "{way}: {refused}");
        }
        for table in TABLES {
            // Not refused but without any effect: one can only grant what one was given to grant.
            let _ = db.as_server(&format!("GRANT ALL ON {table} TO recourse_server")).await;
            for right in ["DELETE", "TRUNCATE", "TRIGGER", "REFERENCES"] {
                let held = format!("SELECT has_table_privilege('recourse_server', '{table}', '{right}')::text");
                assert_eq!(db.ask(&held).await, ["false"], "{right} on {table}");
            }
        }
        assert!(everything(db).await == before);
    })
    .await;
}
