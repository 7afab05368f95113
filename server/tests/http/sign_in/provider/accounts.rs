//! Whose account an identity is.

use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
    sensitivity::Clearance,
};
use serde_json::json;
use service::people::leave::{Account, DisablePerson};

use super::{at_a_provider, leave, plainly, sign_in, signed_in, told};
use crate::{
    app::command_line,
    openid::stub::User,
    sign_in::{detail, id_of, is_in, is_out, operator},
    wire::{race, statuses},
};

at_a_provider! {
    set up by plainly;

    async fn the_first_sign_in_makes_an_account_with_the_roles_and_teams_of_its_claims(app, stub) {
        let page = app.browser().get("/sign-in?next=%2Fme").await.is(200);
        assert!(crate::sign_in::between(&page, "href=\"/sign-in/openid?next=%2Fme\"", "</a>").contains("the stub"));
        stub.knows(User::new("Amara Okafor", &["ops", "leads", "desk", "unknown here"]));
        let amara = app.browser();
        let back = leave(&amara, stub, "/sign-in/openid?next=%2Fme").await;
        let (done, entries) = app.audited(amara.get(&back)).await;
        assert_eq!(done.location(), "/me");
        let me = amara.get("/me").await.is(200).text();
        for shown in ["Amara Okafor", "amara.okafor@example.test", "Operator", "Supervisor", "finance-ops", "support"] {
            assert!(me.contains(shown), "{shown}");
        }
        let mut kinds: Vec<_> = entries.iter().map(|row| (row.action.as_str(), row.actor_name.as_str())).collect();
        kinds.sort();
        let provider = "identity provider";
        assert_eq!(kinds, [
            ("person.identity_linked", provider), ("person.roles_changed", provider), ("person.signed_in", "Amara Okafor"),
            ("team.created", provider), ("team.created", provider),
        ]);
        assert!(entries.iter().all(|row| row.outcome == AuditOutcome::Done));
        let person = id_of(app, "amara.okafor@example.test").await.to_string();
        for entry in entries.iter().filter(|row| row.action != AuditKind::TeamCreated) {
            assert_eq!(detail(entry, "person"), person, "{:?}", entry.action);
        }
        let signed_in = entries.iter().find(|row| row.action == AuditKind::SignedIn).unwrap();
        assert_eq!((detail(signed_in, "with"), detail(signed_in, "address")), ("identity provider".into(), "127.0.0.1".into()));
    }

    async fn an_address_that_was_given_to_somebody_else_opens_nothing_of_whoever_had_it(app, stub) {
        let amara = signed_in(app, stub, "Amara", &["ops"]).await;
        let heir = User { email: Some("amara@example.test".into()), ..User::new("Bilal", &["leads"]) };
        stub.knows(heir);
        let bilal = app.browser();
        told(&sign_in(&bilal, stub).await, "belongs to somebody else at your identity provider");
        is_out(&bilal).await;
        is_in(&amara).await;
        assert_eq!((app.database.rows("person").await, app.database.rows("identity").await), (1, 1));
        assert!(!amara.get("/me").await.text().contains("role: supervisor"));
    }

    async fn they_are_known_by_the_provider_s_name_for_them_and_not_by_their_address(app, stub) {
        let amara = signed_in(app, stub, "Amara", &["ops"]).await;
        amara.post("/sign-out", &[]).await.is(303);
        let elsewhere = User { email: Some("amara.okafor@example.test".into()), ..User::new("Amara", &["ops"]) };
        stub.knows(elsewhere);
        sign_in(&amara, stub).await.is(303);
        assert!(amara.get("/me").await.text().contains("amara@example.test"), "what is kept here is ours to change");
        stub.knows(User { email_verified: false, ..User::new("Amara", &["ops"]) });
        sign_in(&app.browser(), stub).await.is(303);
        assert_eq!((app.database.rows("person").await, app.database.rows("identity").await), (1, 1));
    }

    async fn an_account_with_the_verified_address_is_theirs_and_keeps_its_password(app, stub) {
        let email = operator(app, "Amara").await;
        let before = id_of(app, &email).await;
        stub.knows(User { email: Some("AMARA@Example.test".into()), ..User::new("Somebody", &["ops"]) });
        let amara = app.browser();
        let (done, entries) = app.audited(sign_in(&amara, stub)).await;
        done.is(303);
        let linked = entries.iter().find(|row| row.action == AuditKind::IdentityLinked).unwrap();
        assert_eq!((detail(linked, "person"), detail(linked, "new_account")), (json!(before.to_string()), json!(null)));
        assert_eq!(app.database.rows("person").await, 1);
        assert!(amara.get("/me").await.text().contains("Amara"));
        app.browser().sign_in(&email).await.is(303);
    }

    async fn an_address_that_is_not_verified_takes_over_nothing_and_makes_nothing(app, stub) {
        app.add("Ada", &[Role::Admin], &["triage"], Clearance::Restricted).await;
        let before = app.database.content_without(&["session", "audit_entry"]).await;
        for user in [
            User { email_verified: false, ..User::new("Ada", &["it"]) },
            User { email_verified: false, ..User::new("Eve", &["it"]) },
            User { email: None, ..User::new("Ada", &["it"]) },
            User { email: Some("no address".into()), ..User::new("Ada", &["it"]) },
        ] {
            stub.knows(user.clone());
            let browser = app.browser();
            let (answer, entries) = app.audited(sign_in(&browser, stub)).await;
            told(&answer, "Your identity provider");
            assert_eq!((entries.len(), entries[0].action, entries[0].outcome), (1, AuditKind::SignedIn, AuditOutcome::Refused), "{user:?}");
            is_out(&browser).await;
        }
        assert_eq!(app.database.content_without(&["session", "audit_entry"]).await, before);
    }

    async fn whose_claims_stand_for_no_role_is_not_let_in_and_gets_no_account(app, stub) {
        let before = app.database.content_without(&["session", "audit_entry"]).await;
        for groups in [&[][..], &["desk"], &["Ops"], &["ops "], &["operator", "admin"]] {
            stub.knows(User::new("Amara", groups));
            let browser = app.browser();
            told(&sign_in(&browser, stub).await, "nothing it says of you stands for a role here");
            is_out(&browser).await;
        }
        assert_eq!(app.database.content_without(&["session", "audit_entry"]).await, before);
        // Somebody whom an admin gave a role has one.
        app.add("Amara", &[Role::Auditor], &["triage"], Clearance::Internal).await;
        sign_in(&app.browser(), stub).await.is(303);
    }

    async fn a_disabled_account_stays_out_known_or_not(app, stub) {
        let email = operator(app, "Amara").await;
        let bilal = signed_in(app, stub, "Bilal", &["ops"]).await;
        for address in [email, "bilal@example.test".to_owned()] {
            app.service.run(&command_line(), DisablePerson(Account::Email(address))).await.unwrap();
        }
        is_out(&bilal).await;
        let before = app.database.content_without(&["session", "audit_entry"]).await;
        for name in ["Amara", "Bilal"] {
            stub.knows(User::new(name, &["ops", "it"]));
            told(&sign_in(&app.browser(), stub).await, "Your account here is disabled. Ask an admin.");
        }
        assert_eq!(app.database.content_without(&["session", "audit_entry"]).await, before, "nor is it given anything");
    }

    async fn a_name_that_is_no_name_gets_no_account(app, stub) {
        for name in ["Amara\r\nSet-Cookie: evil=1", "Amara\0", &"x".repeat(101)] {
            stub.knows(User { name: Some(name.into()), ..User::new("Amara", &["ops"]) });
            let answer = sign_in(&app.browser(), stub).await;
            told(&answer, "a name or address that can't be kept here");
            assert!(!answer.header("set-cookie").contains("evil"));
        }
        assert_eq!(app.database.rows("person").await, 0);
        stub.knows(User { name: None, ..User::new("Amara", &["ops"]) });
        let amara = app.browser();
        sign_in(&amara, stub).await.is(303);
        assert!(amara.get("/me").await.text().contains("amara@example.test"), "their address is their name until they have one");
    }

    async fn who_signs_in_for_the_first_time_in_five_browsers_at_once_gets_one_account(app, stub) {
        stub.knows(User::new("Amara", &["ops"]));
        let mut ways = Vec::new();
        for _ in 0..5 {
            let browser = app.browser();
            let back = leave(&browser, stub, "/sign-in/openid").await;
            ways.push((browser, back));
        }
        let answers = race(5, |n| ways[n].0.get(&ways[n].1)).await;
        assert_eq!(statuses(&answers), [(303, 5)]);
        assert_eq!((app.database.rows("person").await, app.database.rows("identity").await), (1, 1));
        for (browser, _) in &ways {
            is_in(browser).await;
        }
    }
}
