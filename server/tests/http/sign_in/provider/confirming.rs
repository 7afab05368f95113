//! Confirming at the provider who one is, for those who have no password here.

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
};
use serde_json::Value;

use super::{at_a_provider, leave, plainly, signed_in, told};
use crate::{
    browser::Browser,
    openid::stub::{Misdeed, User},
    sign_in::{between, id_of, is_in, is_out, operator},
    wire::Answer,
};

/// Tries what has to be confirmed.
async fn tries(admin: &Browser<'_>) -> Answer {
    let person = id_of(admin.app, "bilal@example.test").await;
    admin.post(&format!("/admin/people/{person}/link"), &[]).await
}

at_a_provider! {
    set up by plainly;

    async fn who_has_no_password_confirms_by_signing_in_there_once_more(app, stub) {
        operator(app, "Bilal").await;
        let amara = signed_in(app, stub, "Amara", &["it"]).await;
        // The provider may have known them for long: signing in there is no confirmation.
        let refused = tries(&amara).await.is(403);
        let again = between(&refused, "href=\"/sign-in/openid?again=yes", "\"").replace("&amp;", "&");
        assert!(!refused.text().contains("Your password, to confirm"));
        let session = amara.session();
        let back = leave(&amara, stub, &format!("/sign-in/openid?again=yes{again}")).await;
        let (done, entries) = app.audited(amara.get(&back)).await;
        assert_eq!(done.location(), format!("/admin/people/{}", id_of(app, "bilal@example.test").await));
        assert_eq!((entries.len(), entries[0].action, entries[0].outcome, entries[0].actor_name.as_str()), (1, AuditKind::SteppedUp, AuditOutcome::Done, "Amara"));
        assert_eq!(amara.session(), session, "it is the session of before");
        tries(&amara).await.is(200);
        app.later(TimeDelta::minutes(10));
        tries(&amara).await.is(403);
    }

    async fn typing_something_confirms_nothing_for_who_has_no_password(app, stub) {
        let email = operator(app, "Bilal").await;
        let amara = signed_in(app, stub, "Amara", &["it"]).await;
        assert!(!amara.get("/me/security").await.text().contains("Present password"));
        app.later(TimeDelta::minutes(10));
        let path = format!("/admin/people/{}/link", id_of(app, &email).await);
        for typed in ["x", "correct horse battery", "000000"] {
            amara.post(&path, &[("confirm", typed)]).await.is(422);
        }
        amara.post("/me/security/password", &[("present", ""), ("password", "a herring in the attic")]).await.is(422);
        app.browser().sign_in_with("amara@example.test", "").await.is(401);
    }

    async fn another_person_s_identity_confirms_nothing(app, stub) {
        operator(app, "Bilal").await;
        signed_in(app, stub, "Eve", &["it"]).await;
        let amara = signed_in(app, stub, "Amara", &["it"]).await;
        app.later(TimeDelta::minutes(10));
        for other in ["Eve", "Nobody here", "Bilal"] {
            stub.knows(User { subject: format!("subject of {}", other.to_lowercase()), ..User::new(other, &["it"]) });
            let back = leave(&amara, stub, "/sign-in/openid?again=yes&next=%2Fme").await;
            let (answer, entries) = app.audited(amara.get(&back)).await;
            told(&answer, "That is another person than the one who is signed in here.");
            assert_eq!((entries.len(), entries[0].action, entries[0].outcome), (1, AuditKind::SteppedUp, AuditOutcome::Refused));
            assert_eq!(entries[0].detail.get("person"), None::<&Value>);
            tries(&amara).await.is(403);
            assert!(amara.get("/me").await.is(200).text().contains("Amara"));
        }
        assert_eq!(app.database.rows("identity").await, 2, "nor is anybody linked to anything");
    }

    async fn a_provider_that_only_remembers_them_confirms_nothing(app, stub) {
        operator(app, "Bilal").await;
        let amara = signed_in(app, stub, "Amara", &["it"]).await;
        app.later(TimeDelta::minutes(10));
        for misdeed in [Misdeed::Remembers, Misdeed::NoAuthTime, Misdeed::Declines] {
            stub.misbehave(misdeed);
            let back = leave(&amara, stub, "/sign-in/openid?again=yes").await;
            told(&amara.get(&back).await, "The identity provider");
            tries(&amara).await.is(403);
        }
        stub.behave();
        // A plain sign-in that was begun before is no confirmation, but a sign-in: the session is another.
        let before = amara.session();
        let back = leave(&amara, stub, "/sign-in/openid").await;
        amara.get(&back).await.is(303);
        assert_ne!(amara.session(), before);
    }

    async fn nobody_who_is_not_signed_in_confirms_anything(app, stub) {
        stub.knows(User::new("Amara", &["it"]));
        let browser = app.browser();
        let back = leave(&browser, stub, "/sign-in/openid?again=yes&next=%2Fadmin%2Fpeople").await;
        browser.get(&back).await.is(401);
        is_out(&browser).await;
        assert_eq!(app.database.rows("person").await, 0);
        // Signed out on the way.
        let amara = signed_in(app, stub, "Amara", &["it"]).await;
        let back = leave(&amara, stub, "/sign-in/openid?again=yes").await;
        amara.post("/sign-out", &[]).await.is(303);
        told(&amara.get(&back).await, "This browser was not on its way back");
        is_out(&amara).await;
    }

    async fn who_was_linked_and_has_a_password_confirms_with_that(app, stub) {
        let email = app.add("Amara", &[Role::Admin], &["triage"], domain::sensitivity::Clearance::Internal).await;
        operator(app, "Bilal").await;
        let amara = signed_in(app, stub, "Amara", &["it"]).await;
        app.later(TimeDelta::minutes(10));
        assert!(tries(&amara).await.is(403).text().contains("Your password, to confirm that it is you"));
        let person = id_of(app, "bilal@example.test").await;
        amara.post(&format!("/admin/people/{person}/link"), &[("confirm", crate::app::PASSWORD)]).await.is(200);
        is_in(&amara).await;
        assert_eq!(email, "amara@example.test");
    }
}
