//! The two migration folders make the same tables, but for what has another name on the other side.

use std::{collections::BTreeMap, fs, path::Path};

use domain::{
    attempt::{AttemptBy, Outcome},
    audit::{ActorKind, AuditOutcome},
    channel::ChannelKind,
    effect::Effect,
    item::{ActivityKind, Impact, Lane, Resolution, State},
    sensitivity::Sensitivity,
    workflow::{Repeat, SideEffect},
};

use crate::databases::{Database, on_both, on_postgres, on_sqlite};

/// How SQLite keeps what PostgreSQL has a type for: ids as 16 bytes, times as RFC 3339 text, truth as 0 or 1.
const TYPES: [(&str, &str); 6] = [
    ("uuid", "BLOB"),
    ("bytea", "BLOB"),
    ("text", "TEXT"),
    ("timestamp with time zone", "TEXT"),
    ("bigint", "INTEGER"),
    ("boolean", "INTEGER"),
];

fn files_of(dialect: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations").join(dialect);
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

/// Asks both databases, each in its own words, and compares what they answer.
async fn compare(sqlite: &str, postgres: &str, translate: impl Fn(String) -> String) -> Vec<String> {
    let mut told = Vec::new();
    on_sqlite(async |db| told = translated(db, sqlite, &translate).await).await;
    let here = told;
    let mut told = Vec::new();
    on_postgres(async |db| told = translated(db, postgres, &translate).await).await;
    assert_eq!(here, told);
    assert!(!here.is_empty());
    here
}

async fn translated(db: &Database, question: &str, translate: impl Fn(String) -> String) -> Vec<String> {
    let mut answers: Vec<_> = db.ask(question).await.into_iter().map(translate).collect();
    answers.sort_unstable();
    answers
}

/// A condition without what the two databases write differently around it.
fn plain(condition: String) -> String {
    let condition = condition.replace("::text", "").replace("octet_length", "length").replace("= ANY (ARRAY", "IN ");
    let condition = condition.replace("<> ALL (ARRAY", "NOT IN ");
    condition
        .chars()
        .filter(|c| !"()[]".contains(*c))
        .collect::<String>()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

const SQLITE_TABLES: &str = "sqlite_master AS t WHERE t.type = 'table'
    AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!' AND t.name <> '_sqlx_migrations'";
const POSTGRES_TABLES: &str = "pg_class AS t WHERE t.relkind = 'r'
    AND t.relnamespace = 'public'::regnamespace AND t.relname <> '_sqlx_migrations'";

#[test]
fn both_folders_have_the_same_steps() {
    assert_eq!(files_of("sqlite"), files_of("postgres"));
}

on_both! {
    /// Where this fails, the library was compiled before the newest migration was written.
    async fn every_file_of_the_folder_was_applied(db) {
        let applied = db.ask("SELECT CAST(COUNT(*) AS TEXT) FROM _sqlx_migrations").await;
        assert_eq!(applied, [files_of(db.either("sqlite", "postgres")).len().to_string()]);
    }
}

#[tokio::test]
async fn columns_agree_in_order_type_and_whether_they_may_be_missing() {
    let sqlite = format!(
        r#"SELECT t.name || '.' || c.cid || ' ' || c.name || ': ' || c.type
               || CASE WHEN c."notnull" = 1 OR c.pk > 0 THEN ' NOT NULL' ELSE '' END
           FROM pragma_table_info(t.name) AS c, {SQLITE_TABLES}"#
    );
    let postgres = format!(
        "SELECT t.relname || '.' || (c.attnum - 1) || ' ' || c.attname || ': ' || format_type(c.atttypid, c.atttypmod)
             || CASE WHEN c.attnotnull THEN ' NOT NULL' ELSE '' END
         FROM pg_attribute AS c, {POSTGRES_TABLES} AND c.attrelid = t.oid AND c.attnum > 0"
    );
    let columns = compare(&sqlite, &postgres, |line| {
        let Some((name, kind)) = line.split_once(": ") else { panic!("{line}") };
        let (kind, needed) = kind.strip_suffix(" NOT NULL").map_or((kind, ""), |kind| (kind, " NOT NULL"));
        let kind = TYPES.iter().find(|(postgres, _)| *postgres == kind).map_or(kind, |(_, sqlite)| sqlite);
        format!("{name}: {kind}{needed}")
    })
    .await;
    assert!(columns.len() > 150, "{}", columns.len());
}

#[tokio::test]
async fn primary_keys_agree() {
    let sqlite = format!(
        "SELECT t.name || ' (' || (SELECT group_concat(name, ', ' ORDER BY pk) FROM pragma_table_info(t.name) WHERE pk > 0)
             || ')' FROM {SQLITE_TABLES}"
    );
    let postgres = format!(
        "SELECT t.relname || ' ' || substring(pg_get_constraintdef(c.oid) from '\\(.*\\)')
         FROM pg_constraint AS c, {POSTGRES_TABLES} AND c.conrelid = t.oid AND c.contype = 'p'"
    );
    compare(&sqlite, &postgres, |line| line).await;
}

#[tokio::test]
async fn foreign_keys_agree() {
    let sqlite = format!(
        r#"SELECT t.name || ' (' || group_concat(f."from", ', ' ORDER BY f.seq) || ') to ' || f."table"
               || ' (' || group_concat(f."to", ', ' ORDER BY f.seq) || ')'
               || CASE f.on_delete WHEN 'NO ACTION' THEN '' ELSE f.on_delete END
           FROM pragma_foreign_key_list(t.name) AS f, {SQLITE_TABLES} GROUP BY t.name, f.id"#
    );
    let postgres = format!(
        "SELECT t.relname || ' '
             || replace(replace(pg_get_constraintdef(c.oid), 'FOREIGN KEY ', ''), ' REFERENCES ', ' to ')
         FROM pg_constraint AS c, {POSTGRES_TABLES} AND c.conrelid = t.oid AND c.contype = 'f'"
    );
    compare(&sqlite, &postgres, |line| line.replace('(', " (").replace("  (", " (")).await;
}

#[tokio::test]
async fn unique_rules_agree_whatever_their_names() {
    let sqlite = format!(
        r#"SELECT t.name || ' (' || (SELECT group_concat(name, ', ' ORDER BY seqno) FROM pragma_index_info(i.name)) || ')'
               || COALESCE((SELECT substr(sql, instr(sql, ' WHERE ')) FROM sqlite_master AS m
                            WHERE m.name = i.name AND instr(sql, ' WHERE ') > 0), '')
           FROM pragma_index_list(t.name) AS i, {SQLITE_TABLES} AND i."unique" = 1 AND i.origin <> 'pk'"#
    );
    let postgres = format!(
        "SELECT t.relname || ' ' || substring(pg_get_indexdef(i.indexrelid) from 'USING btree (.*)')
         FROM pg_index AS i, {POSTGRES_TABLES} AND i.indrelid = t.oid AND i.indisunique AND NOT i.indisprimary"
    );
    compare(&sqlite, &postgres, plain).await;
}

#[tokio::test]
async fn indexes_agree_in_name_columns_and_condition() {
    let sqlite = "SELECT replace(replace(sql, 'CREATE INDEX ', ''), 'CREATE UNIQUE INDEX ', '')
                  FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL";
    let postgres = format!(
        "SELECT x.relname || ' ON ' || t.relname || ' ' || substring(pg_get_indexdef(x.oid) from 'USING btree (.*)')
         FROM pg_index AS i JOIN pg_class AS x ON x.oid = i.indexrelid
         LEFT JOIN pg_constraint AS c ON c.conindid = x.oid AND c.contype IN ('p', 'u'), {POSTGRES_TABLES}
         AND i.indrelid = t.oid AND c.oid IS NULL"
    );
    let indexes = compare(sqlite, &postgres, plain).await;
    assert!(indexes.iter().any(|index| index.starts_with("activity_one_live ON activity")), "{indexes:?}");
}

#[tokio::test]
async fn what_is_checked_agrees_and_uses_the_words_of_the_domain() {
    let postgres = format!(
        "SELECT t.relname || ' ' || substring(pg_get_constraintdef(c.oid) from 7)
         FROM pg_constraint AS c, {POSTGRES_TABLES} AND c.conrelid = t.oid AND c.contype = 'c'"
    );
    let (mut here, mut there) = (Vec::new(), Vec::new());
    on_sqlite(async |db| {
        for sql in db.ask("SELECT sql FROM sqlite_master WHERE type = 'table' AND name <> '_sqlx_migrations'").await {
            let table = sql.split_whitespace().nth(2).unwrap().to_owned();
            here.extend(checks_in(&sql).into_iter().map(|check| plain(format!("{table} {check}"))));
        }
    })
    .await;
    on_postgres(async |db| there = translated(db, &postgres, plain).await).await;
    here.sort_unstable();
    assert_eq!(here, there);

    let lists: BTreeMap<_, _> = here.iter().filter_map(|check| check.split_once(" IN ")).collect();
    for (column, words) in words_of_the_domain() {
        let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
        assert_eq!(lists.get(column), Some(&quoted.join(", ").as_str()), "{column}");
    }
}

/// The conditions of a CREATE TABLE's checks.
fn checks_in(sql: &str) -> Vec<&str> {
    let closed_at = |text: &str| {
        let mut depth = 0;
        text.char_indices().find_map(|(at, c)| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            (depth == 0).then_some(at)
        })
    };
    sql.match_indices("CHECK (").map(|(at, _)| &sql[at + 6..]).map(|text| &text[..=closed_at(text).unwrap()]).collect()
}

fn words_of_the_domain() -> Vec<(&'static str, Vec<&'static str>)> {
    macro_rules! all {
        ($word:ty) => {
            <$word>::ALL.iter().map(|word| word.as_str()).collect::<Vec<_>>()
        };
    }
    vec![
        ("activity kind", all!(ActivityKind)),
        ("attempt made_by", all!(AttemptBy)),
        ("attempt outcome", all!(Outcome)),
        ("audit_entry actor_kind", all!(ActorKind)),
        ("audit_entry outcome", all!(AuditOutcome)),
        ("channel kind", all!(ChannelKind)),
        ("item impact", all!(Impact)),
        ("item lane", all!(Lane)),
        ("item resolution", all!(Resolution)),
        ("item sensitivity", all!(Sensitivity)),
        ("item state", all!(State)),
        ("person clearance", all!(Sensitivity)),
        ("step impact", all!(Impact)),
        ("step repeat", all!(Repeat)),
        ("step sensitivity", all!(Sensitivity)),
        ("step side_effect", all!(SideEffect)),
    ]
}

on_both! {
    /// In whatever order they are listed: the domain's is by doubt.
    async fn every_effect_of_the_domain_has_its_word(db) {
        let item = db.an_item().await;
        for effect in Effect::ALL {
            let item = store::Item { effect: *effect, ..item.clone() };
            db.change(async |uow| uow.save_item(&item).await).await;
        }
    }
}

#[tokio::test]
async fn the_same_tables_are_guarded_against_the_same_changes() {
    let sqlite =
        "SELECT tbl_name || CASE WHEN sql LIKE '%BEFORE UPDATE%' THEN ' update' WHEN sql LIKE '%BEFORE DELETE%'
                  THEN ' delete' WHEN sql LIKE '%BEFORE INSERT%' THEN ' insert' ELSE sql END
                  FROM sqlite_master WHERE type = 'trigger'";
    let postgres = "SELECT tgrelid::regclass || event
                    FROM pg_trigger, (VALUES (' insert', 4), (' delete', 8), (' update', 16)) AS e (event, bit)
                    WHERE NOT tgisinternal AND tgtype & bit > 0 AND tgtype & 3 = 3 AND tgenabled = 'O'";
    let guards = compare(sqlite, postgres, |line| line).await;
    let mut emptied = Vec::new();
    on_postgres(async |db| {
        let truncate = "SELECT tgrelid::regclass::text FROM pg_trigger
                        WHERE NOT tgisinternal AND tgtype & 32 > 0 AND tgtype & 2 > 0";
        emptied = translated(db, truncate, |table| format!("{table} delete")).await;
    })
    .await;
    assert_eq!(guards.into_iter().filter(|guard| guard.ends_with(" delete")).collect::<Vec<_>>(), emptied);
}

#[tokio::test]
async fn text_is_compared_by_its_bytes_on_postgresql_as_it_is_on_sqlite() {
    on_postgres(async |db| {
        let others = "SELECT table_name || '.' || column_name FROM information_schema.columns
                      WHERE table_schema = 'public' AND table_name <> '_sqlx_migrations'
                      AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'";
        assert_eq!(db.ask(others).await, Vec::<String>::new());
    })
    .await;
    on_sqlite(async |db| {
        let loose = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0
                     AND name NOT LIKE 'sqlite%' AND name <> '_sqlx_migrations'";
        assert_eq!(db.ask(loose).await, Vec::<String>::new());
        let folding = "SELECT name FROM sqlite_master WHERE sql LIKE '%COLLATE%'";
        assert_eq!(db.ask(folding).await, Vec::<String>::new());
    })
    .await;
}
