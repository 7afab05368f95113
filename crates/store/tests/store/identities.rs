//! Accounts by what an identity provider calls them.

use crate::{
    databases::{is_duplicate, on_both},
    world::{HOSTILE, at},
};

on_both! {
    async fn an_identity_is_one_account_and_an_account_may_have_several(db) {
        let (amara, bo) = (db.person("amara@example.test").await.id, db.person("bo@example.test").await.id);
        for (issuer, subject, person) in [("https://b", HOSTILE, amara), ("https://a", "7", amara), ("https://a", "8", bo)] {
            db.change(async |uow| uow.add_identity(issuer, subject, person, at(0)).await).await;
        }
        for person in [amara, bo] {
            let again = db.try_change(async |uow| uow.add_identity("https://a", "7", person, at(1)).await).await;
            assert!(is_duplicate(&again), "{again:?}");
        }
        let whose = async |issuer: &str, subject: &str| {
            db.look(async |uow| uow.person_of_identity(issuer, subject).await).await
        };
        assert_eq!(whose("https://b", HOSTILE).await, Some(amara));
        assert_eq!(whose("https://a", "8").await, Some(bo));
        assert_eq!(whose("https://b", "7").await, None, "a subject means nothing without its issuer");
        assert_eq!(whose("https://A", "7").await, None);
        assert_eq!(db.look(async |uow| uow.issuers_of(amara).await).await, ["https://a", "https://b"]);

        db.change(async |uow| uow.remove_identities_of(amara).await).await;
        assert_eq!((whose("https://a", "7").await, whose("https://a", "8").await), (None, Some(bo)));
        db.change(async |uow| uow.add_identity("https://a", "7", bo, at(2)).await).await;
    }
}
