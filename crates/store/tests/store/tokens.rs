//! API tokens.

use std::collections::BTreeSet;

use domain::{
    ids::{PersonId, TokenId},
    permission::Permission,
};
use store::{NewToken, TokenKind};
use uuid::Uuid;

use crate::{
    databases::{is_duplicate, on_both},
    world::{HOSTILE, at, moment},
};

fn named<'a>(name: &'a str, secret_hash: &'a [u8], workflows: Option<&'a [String]>) -> NewToken<'a> {
    NewToken {
        id: TokenId(Uuid::new_v4()),
        kind: TokenKind::Automation,
        name,
        secret_hash,
        workflows,
        person: None,
        scopes: &[],
        expires_at: None,
        made_by: HOSTILE,
    }
}

on_both! {
    async fn a_token_is_bound_to_the_workflows_it_was_given_registered_or_not(db) {
        let workflows = ["invoice-sync".to_owned(), HOSTILE.to_owned(), "invoice-sync".to_owned()];
        let token = named(HOSTILE, &[7; 32], Some(&workflows));
        db.change(async |uow| uow.add_token(&token, at(0)).await).await;

        let found = db.look(async |uow| uow.token_by_hash(&[7; 32]).await).await.unwrap();
        assert_eq!((found.id, found.kind, found.name.as_str()), (token.id, TokenKind::Automation, HOSTILE));
        assert!(!found.any_workflow);
        let bound = db.look(async |uow| uow.workflows_of_token(token.id).await).await;
        assert_eq!(bound, BTreeSet::from(workflows));
    }

    async fn bound_to_nothing_is_not_bound_to_anything(db) {
        let (any, none) = (named("any", &[1; 32], None), named("none", &[2; 32], Some(&[])));
        db.change(async |uow| uow.add_token(&any, at(0)).await).await;
        db.change(async |uow| uow.add_token(&none, at(0)).await).await;
        assert!(db.look(async |uow| uow.token_by_id(any.id).await).await.unwrap().any_workflow);
        assert!(!db.look(async |uow| uow.token_by_id(none.id).await).await.unwrap().any_workflow);
        assert!(db.look(async |uow| uow.workflows_of_token(none.id).await).await.is_empty());
    }

    async fn one_secret_is_one_token(db) {
        db.change(async |uow| uow.add_token(&named("first", &[7; 32], None), at(0)).await).await;
        let second = db.try_change(async |uow| uow.add_token(&named("second", &[7; 32], None), at(0)).await).await;
        assert!(is_duplicate(&second), "{second:?}");
        assert!(db.look(async |uow| uow.token_by_hash(&[8; 32]).await).await.is_none());
    }

    async fn a_personal_token_speaks_for_its_person_within_its_scopes(db) {
        let amara = db.person("amara@example.test").await;
        let scopes = [Permission::ItemsResolve, Permission::ApprovalsDecide, Permission::ItemsResolve];
        let scoped = NewToken {
            kind: TokenKind::Personal,
            person: Some(amara.id),
            scopes: &scopes,
            expires_at: Some(moment("2026-10-01T00:00:00.000001Z")),
            ..named(HOSTILE, &[1; 32], None)
        };
        let plain =
            NewToken { kind: TokenKind::Personal, person: Some(amara.id), ..named("plain", &[2; 32], None) };
        for token in [&scoped, &plain] {
            db.change(async |uow| uow.add_token(token, at(0)).await).await;
        }
        let found = db.look(async |uow| uow.token_by_hash(&[1; 32]).await).await.unwrap();
        assert_eq!((found.kind, found.person_id, found.expires_at), (TokenKind::Personal, Some(amara.id.0), scoped.expires_at));
        let scopes_of = async |id| db.look(async |uow| uow.scopes_of_token(id).await).await;
        assert_eq!(scopes_of(scoped.id).await, BTreeSet::from([Permission::ItemsResolve, Permission::ApprovalsDecide]));
        assert!(scopes_of(plain.id).await.is_empty());
        assert_eq!(db.look(async |uow| uow.token_by_id(plain.id).await).await.unwrap().expires_at, None);

        let nobody = NewToken { person: Some(PersonId(Uuid::nil())), ..named("nobody", &[3; 32], None) };
        assert!(db.try_change(async |uow| uow.add_token(&nobody, at(0)).await).await.is_err());
        for permission in Permission::ALL {
            let scopes = [*permission];
            let hash = [&[9; 31][..], &[*permission as u8]].concat();
            let token = NewToken { kind: TokenKind::Personal, person: Some(amara.id), scopes: &scopes, ..named("one", &hash, None) };
            db.change(async |uow| uow.add_token(&token, at(0)).await).await;
            assert_eq!(scopes_of(token.id).await, BTreeSet::from(scopes));
        }
    }

    async fn a_token_says_who_made_it_and_pages_show_each_once_newest_first(db) {
        let mut names = Vec::new();
        for n in 0..20_u8 {
            let name = format!("token {n}");
            db.change(async |uow| uow.add_token(&named(&name, &[n; 32], None), at(i64::from(n / 4))).await).await;
            names.push(name);
        }
        for limit in [1, 3, 19, 20, 21] {
            let (mut before, mut seen) = (None, Vec::new());
            loop {
                let page = db.look(async |uow| uow.tokens(before, limit).await).await;
                let Some(last) = page.last() else { break };
                before = Some((last.created_at, last.id.0));
                seen.extend(page);
            }
            assert!(seen.is_sorted_by_key(|row| std::cmp::Reverse((row.created_at, row.id))), "pages of {limit}");
            assert!(seen.iter().all(|row| row.made_by.as_deref() == Some(HOSTILE)));
            let mut told: Vec<_> = seen.into_iter().map(|row| row.name).collect();
            told.sort_unstable();
            let mut names = names.clone();
            names.sort_unstable();
            assert_eq!(told, names, "pages of {limit}");
        }
    }

    async fn tokens_are_revoked_once_and_those_of_a_person_together(db) {
        let (amara, bo) = (db.person("amara@example.test").await.id, db.person("bo@example.test").await.id);
        let of = |name, hash, person| NewToken { kind: TokenKind::Personal, person: Some(person), ..named(name, hash, None) };
        let (first, second) = (of("first", &[1; 32], amara), of("second", &[2; 32], amara));
        let (bos, sync) = (of("bo's", &[3; 32], bo), named("sync", &[4; 32], None));
        for (n, token) in [&first, &second, &bos, &sync].into_iter().enumerate() {
            db.change(async |uow| uow.add_token(token, at(i64::try_from(n).unwrap())).await).await;
        }
        let own = db.look(async |uow| uow.tokens_of(amara).await).await;
        assert_eq!(own.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), ["second", "first"]);

        assert!(db.change(async |uow| uow.revoke_token(first.id, at(10)).await).await);
        assert!(!db.change(async |uow| uow.revoke_token(first.id, at(11)).await).await);
        assert_eq!(db.change(async |uow| uow.revoke_tokens_of(amara, at(12)).await).await, 1);
        let revoked = async |id| db.look(async |uow| uow.token_by_id(id).await).await.unwrap().revoked_at;
        assert_eq!(
            [revoked(first.id).await, revoked(second.id).await, revoked(bos.id).await, revoked(sync.id).await],
            [Some(at(10)), Some(at(12)), None, None]
        );
    }

    async fn a_revoked_or_expired_token_is_still_found_and_says_so(db) {
        let token = named("sync", &[7; 32], None);
        db.change(async |uow| uow.add_token(&token, at(0)).await).await;
        let fresh = db.look(async |uow| uow.token_by_id(token.id).await).await.unwrap();
        assert_eq!((fresh.expires_at, fresh.last_used_at, fresh.revoked_at), (None, None, None));

        let (expires, used, revoked) =
            ("2026-10-01T00:00:00.000001Z", "2026-09-30T23:59:00Z", "2026-09-30T23:59:59.999999Z");
        let ended = format!(
            "UPDATE token SET expires_at = '{}', revoked_at = '{}'",
            moment(expires).to_rfc3339(),
            moment(revoked).to_rfc3339()
        );
        assert_eq!(db.as_server(&ended).await, Ok(1));
        db.change(async |uow| uow.touch_token(token.id, moment(used)).await).await;
        let ended = db.look(async |uow| uow.token_by_hash(&[7; 32]).await).await.unwrap();
        assert_eq!(ended.expires_at, Some(moment(expires)));
        assert_eq!(ended.last_used_at, Some(moment(used)));
        assert_eq!(ended.revoked_at, Some(moment(revoked)));
    }
}
