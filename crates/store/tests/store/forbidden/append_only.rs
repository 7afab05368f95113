//! Single rows: UPDATE, DELETE, REPLACE and upsert.

use super::{HANDS, Hand, Row, TABLES, everything, is_the_rule, rows, something_of_everything, try_as};
use crate::{
    databases::{Database, on_both},
    world::at,
};

/// Every way to change or remove the row.
async fn ways_to_change(db: &Database, row: &Row) -> Vec<String> {
    let Row { table, place, key, changes } = row;
    let columns = db.columns_of(table).await.join(", ");
    let same = format!("INSERT INTO {table} ({columns}) SELECT {columns} FROM {table} WHERE {place}");
    let mut ways = vec![format!("DELETE FROM {table} WHERE {place}")];
    for (_, change) in changes {
        ways.push(format!("UPDATE {table} SET {change} WHERE {place}"));
        ways.push(format!("{same} ON CONFLICT ({key}) DO UPDATE SET {change}"));
    }
    if db.is_sqlite() {
        ways.push(same.replace("INSERT INTO", "INSERT OR REPLACE INTO"));
        ways.push(same.replace("INSERT INTO", "REPLACE INTO"));
        ways.extend(changes.iter().map(|(_, change)| format!("UPDATE OR REPLACE {table} SET {change} WHERE {place}")));
        ways.extend(changes.iter().map(|(_, change)| format!("UPDATE OR IGNORE {table} SET {change} WHERE {place}")));
    } else {
        let merge = format!("MERGE INTO {table} AS kept USING (SELECT 1) AS one ON {place} WHEN MATCHED THEN");
        ways.push(format!("{merge} DELETE"));
        ways.extend(changes.iter().map(|(_, change)| format!("{merge} UPDATE SET {change}")));
    }
    ways
}

on_both! {
    async fn r1_r2_r9_r14_no_column_of_an_append_only_row_changes_and_no_row_goes(db) {
        let kept = something_of_everything(db).await;
        let before = everything(db).await;
        let (rows, mut tried) = (rows(db, &kept), 0);
        assert_eq!(rows.iter().map(|row| row.table).collect::<Vec<_>>(), TABLES);
        for row in &rows {
            let mut columns = db.columns_of(row.table).await;
            let mut changed: Vec<_> = row.changes.iter().map(|(column, _)| (*column).to_owned()).collect();
            columns.sort_unstable();
            changed.sort_unstable();
            assert_eq!(changed, columns, "each column of {} is tried", row.table);
            for way in ways_to_change(db, row).await {
                for hand in HANDS {
                    let refused = try_as(db, hand, &way).await;
                    let told = refused.as_ref().is_err_and(|words| is_the_rule(words, hand, db));
                    assert!(told, "{hand:?}: {way}\n{refused:?}");
                    assert!(everything(db).await == before, "{hand:?}: {way} changed something");
                    tried += 1;
                }
            }
        }
        assert!(tried > 200, "only {tried} statements");
    }

    /// The same statements, once nothing guards the tables any more: so it was the guard that refused them.
    async fn without_their_guards_the_same_rows_would_have_changed(db) {
        let kept = something_of_everything(db).await;
        lift_the_guards(db).await;
        for row in &rows(db, &kept) {
            for way in ways_to_change(db, row).await {
                let done = db.as_owner(&format!("BEGIN; {way}; ROLLBACK")).await;
                assert!(done.as_ref().is_ok_and(|changed| *changed > 0), "{way}\n{done:?}");
            }
        }
    }

    async fn r2_a_revision_is_not_pushed_out_by_another_with_its_payload(db) {
        let kept = something_of_everything(db).await;
        let before = everything(db).await;
        let columns = db.columns_of("revision").await.join(", ");
        let values = columns.replace("item_id,", &format!("{},", db.id(kept.other_item.id.0)));
        let insert = db.either("INSERT OR REPLACE INTO", "INSERT INTO");
        let upsert = db.either("", " ON CONFLICT (payload_id) DO UPDATE SET item_id = EXCLUDED.item_id");
        let push = format!(
            "{insert} revision ({columns}) SELECT {values} FROM revision WHERE item_id = {} AND number = 2{upsert}",
            db.id(kept.item.id.0)
        );
        for hand in HANDS {
            let refused = try_as(db, hand, &push).await.unwrap_err();
            assert!(is_the_rule(&refused, hand, db), "{hand:?}: {refused}");
        }
        assert!(everything(db).await == before);
    }

    async fn r3_what_an_attempt_sent_never_changes_and_no_attempt_goes(db) {
        let kept = something_of_everything(db).await;
        let attempt = kept.attempts[0];
        let began = format!("UPDATE attempt SET started_at = '{}'", at(5).to_rfc3339());
        db.as_server(&began).await.unwrap();
        let before = db.content_of("attempt").await;
        let place = format!("WHERE id = {}", db.id(attempt.0));
        let mut ways = vec![format!("DELETE FROM attempt {place}")];
        for change in [
            "number = 9", "made_by = 'person'", "epoch = 1", "revision = 2", "idempotency_key = 'other'", "destination = '{}'",
            "request = 'GET /'", "started_at = NULL", &format!("item_id = {}", db.id(kept.other_item.id.0)),
        ] {
            ways.push(format!("UPDATE attempt SET {change} {place}"));
        }
        for way in &ways {
            for hand in HANDS {
                let refused = try_as(db, hand, way).await.unwrap_err();
                assert!(is_the_rule(&refused, hand, db), "{hand:?}: {way}: {refused}");
            }
        }
        assert!(db.content_of("attempt").await == before);
        db.as_server(&format!("UPDATE attempt SET outcome = 'failed', effect = 'none' {place}")).await.unwrap();
    }

    async fn what_append_only_rows_stand_on_can_not_be_pulled_away(db) {
        let kept = something_of_everything(db).await;
        let before = everything(db).await;
        let item = db.id(kept.item.id.0);
        for pull in [
            format!("DELETE FROM item WHERE id = {item}"),
            format!("UPDATE item SET id = {} WHERE id = {item}", db.id(uuid::Uuid::new_v4())),
            "DELETE FROM workflow".to_owned(),
            "DELETE FROM team".to_owned(),
        ] {
            for hand in HANDS {
                let refused = try_as(db, hand, &pull).await.unwrap_err();
                assert!(refused.to_lowercase().contains("foreign key"), "{hand:?}: {pull}: {refused}");
            }
        }
        assert!(everything(db).await == before);
    }
}

pub(super) async fn lift_the_guards(db: &Database) {
    if db.is_sqlite() {
        for trigger in db.ask("SELECT name FROM sqlite_master WHERE type = 'trigger'").await {
            db.as_owner(&format!("DROP TRIGGER {trigger}")).await.unwrap();
        }
    } else {
        let guarded = "SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal";
        for table in db.ask(guarded).await {
            db.as_owner(&format!("ALTER TABLE {table} DISABLE TRIGGER USER")).await.unwrap();
        }
    }
    let open = try_as(db, Hand::Owner, "BEGIN; DELETE FROM audit_text; ROLLBACK").await;
    assert!(open.is_ok(), "the guards are still there: {open:?}");
}
