//! A unit of work is kept whole or not at all, and a reader sees one state of the data.

use store::registry;

use crate::{
    databases::on_both,
    world::{a_person, at},
};

on_both! {
    async fn leaving_a_unit_of_work_early_keeps_nothing_of_it(db) {
        let mut uow = db.store.begin().await.unwrap();
        uow.add_person(&a_person("amara@example.test"), at(0)).await.unwrap();
        assert_eq!(uow.person_count().await.unwrap(), 1);
        drop(uow);
        assert_eq!(db.look(async |uow| uow.person_count().await).await, 0);
        db.person("amara@example.test").await;
    }

    async fn nobody_sees_what_is_not_committed(db) {
        let mut uow = db.store.begin().await.unwrap();
        uow.add_person(&a_person("amara@example.test"), at(0)).await.unwrap();
        assert_eq!(db.look(async |uow| uow.person_count().await).await, 0);
        uow.commit().await.unwrap();
        assert_eq!(db.look(async |uow| uow.person_count().await).await, 1);
    }

    async fn a_reader_sees_one_state_of_the_data_however_long_it_reads(db) {
        db.person("amara@example.test").await;
        let mut reader = db.store.read().await.unwrap();
        assert_eq!(reader.person_count().await.unwrap(), 1);
        db.person("bo@example.test").await;
        assert_eq!(reader.person_count().await.unwrap(), 1);
        assert!(reader.person_by_email("bo@example.test").await.unwrap().is_none());
        drop(reader);
        assert_eq!(db.look(async |uow| uow.person_count().await).await, 2);
    }

    async fn a_unit_of_work_that_only_reads_can_not_write(db) {
        let mut reader = db.store.read().await.unwrap();
        let refused = reader.add_person(&a_person("amara@example.test"), at(0)).await;
        assert!(matches!(refused, Err(store::Error::Database(_))), "{refused:?}");
        drop(reader);
        let mut reader = db.store.read().await.unwrap();
        assert!(registry::execute(&mut reader, "CREATE TABLE extra (id INTEGER)").await.is_err());
        assert_eq!(db.look(async |uow| uow.person_count().await).await, 0);
    }
}
