//! The sessions of a person: what is kept of them, looking at them, ending them (C73, C74, R16).

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::TimeDelta;
use domain::audit::AuditKind;
use service::{session_store::Begun, sign_in::SignInStage};
use sha2::{Digest as _, Sha256};

use super::{admin, behind_a_proxy, detail, id_of, is_in, is_out, operator};
use crate::{
    app::{App, PASSWORD, on_both},
    browser::Browser,
    wire::{Answer, race, statuses},
};

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const SAFARI: &str =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1";

/// The ids with which the page ends sessions.
fn ids(page: &Answer) -> Vec<String> {
    let text = page.text();
    let inputs = text.split("<input type=\"hidden\" name=\"id\" value=\"").skip(1);
    inputs.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

async fn signed_in<'a>(app: &'a App, email: &str, address: &str, agent: &str) -> Browser<'a> {
    let browser = app.browser().at(address).named(agent);
    browser.sign_in(email).await.is(303);
    browser
}

/// Upper case, as one database shows bytes.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

on_both! {
    set up by behind_a_proxy;

    async fn only_a_hash_of_a_session_s_id_is_kept(app) {
        let amara = operator(app, "Amara").await;
        let browser = signed_in(app, &amara, "203.0.113.7", FIREFOX).await;
        let cookie = browser.session().unwrap();
        let mut id = BASE64_URL_SAFE_NO_PAD.decode(&cookie).unwrap();
        assert_eq!(id.len(), 16, "128 random bits");
        let everything = format!("{:?}", app.database.content_without(&[]).await).to_uppercase();
        assert!(!everything.contains(&cookie.to_uppercase()));
        assert!(!everything.contains(&hex(&id)));
        id.reverse();
        assert!(!everything.contains(&hex(&id)));
        assert!(everything.contains(&hex(&Sha256::digest(&id))), "this is what it is found by");
    }

    async fn a_session_s_name_on_pages_opens_nothing(app) {
        let amara = operator(app, "Amara").await;
        let (here, there) = (app.browser(), app.browser());
        here.sign_in(&amara).await.is(303);
        there.sign_in(&amara).await.is(303);
        let name = ids(&here.get("/me/security").await.is(200)).pop().unwrap();
        let bytes = uuid::Uuid::parse_str(&name).unwrap();
        let thief = app.browser();
        for planted in [name.clone(), BASE64_URL_SAFE_NO_PAD.encode(bytes.as_bytes())] {
            thief.plant(&planted);
            is_out(&thief).await;
        }
    }

    async fn a_forged_cookie_is_nobody_and_breaks_nothing(app) {
        let amara = operator(app, "Amara").await;
        for forged in ["x", "AAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA", "%00", "../../etc", "{}", "_____________________w", "=="] {
            let browser = app.browser();
            browser.plant(forged);
            is_out(&browser).await;
            browser.get("/sign-in").await.is(200);
            browser.sign_in(&amara).await.is(303);
            is_in(&browser).await;
            assert_ne!(browser.session().unwrap(), forged);
        }
        assert_eq!(app.database.rows("session").await, 8);
    }

    async fn somebody_sees_where_they_are_signed_in_and_ends_any_of_it(app) {
        let amara = operator(app, "Amara").await;
        let here = signed_in(app, &amara, "203.0.113.7", FIREFOX).await;
        app.later(TimeDelta::hours(1));
        let phone = signed_in(app, &amara, "2001:db8:1:2::3", SAFARI).await;
        let odd = signed_in(app, &amara, "198.51.100.1", "<script>alert(1)</script>").await;
        let page = here.get("/me/security").await.is(200);
        let text = page.text();
        for told in ["Firefox on Linux", "203.0.113.7", "Safari on iPhone", "2001:db8:1:2::/64", "Unknown browser", "198.51.100.1", "this one"] {
            assert!(text.contains(told), "{told}: {}", page.shown());
        }
        assert!(!text.contains("<script>alert"));
        assert_eq!(ids(&page).len(), 2, "the one that is used here is ended by signing out");

        let phone_id = ids(&phone.get("/me/security").await);
        let odd_id: Vec<_> = ids(&page).into_iter().filter(|id| phone_id.contains(id)).collect();
        let (done, entries) = app.audited(here.post("/me/security/end-session", &[("id", &odd_id[0])])).await;
        assert_eq!(done.location(), "/me/security?done=session");
        assert_eq!((entries.len(), entries[0].action, detail(&entries[0], "sessions_ended")), (1, AuditKind::SessionsEnded, 1.into()));
        is_out(&odd).await;
        is_in(&phone).await;
        let (_, entries) = app.audited(here.post("/me/security/end-session", &[("id", &odd_id[0])])).await;
        assert!(entries.is_empty(), "it was ended already");
        here.post("/me/security/end-session", &[("id", "x")]).await.is(404);

        assert_eq!(here.post("/me/security/end-others", &[]).await.location(), "/me/security?done=sessions");
        is_out(&phone).await;
        is_in(&here).await;
    }

    async fn nobody_ends_another_person_s_session(app) {
        let (email, other) = (operator(app, "Amara").await, operator(app, "Bilal").await);
        let (amara, elsewhere, bilal) = (app.browser(), app.browser(), app.browser());
        amara.sign_in(&email).await.is(303);
        elsewhere.sign_in(&email).await.is(303);
        bilal.sign_in(&other).await.is(303);
        let id = ids(&amara.get("/me/security").await).pop().unwrap();
        let (_, entries) = app.audited(bilal.post("/me/security/end-session", &[("id", &id)])).await;
        assert!(entries.is_empty());
        bilal.post("/me/security/end-others", &[]).await.is(303);
        is_in(&amara).await;
        is_in(&elsewhere).await;
        bilal.post(&format!("/admin/people/{}/sessions", id_of(app, &email).await), &[]).await.is(403);
        is_in(&elsewhere).await;
        assert!(!bilal.get("/me/security").await.text().contains(&id));
    }

    async fn an_admin_ends_all_of_them(app) {
        let email = operator(app, "Amara").await;
        let amara = signed_in(app, &email, "203.0.113.7", FIREFOX).await;
        let (admin, id) = (admin(app).await, id_of(app, &email).await);
        assert!(admin.get(&format!("/admin/people/{id}")).await.text().contains("Firefox on Linux"));
        admin.post(&format!("/admin/people/{id}/sessions"), &[]).await.is(303);
        is_out(&amara).await;
        is_in(&admin).await;
        amara.sign_in(&email).await.is(303);
    }

    async fn c73_a_sign_in_that_another_password_overtakes_signs_nobody_in(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let request = service::Request::of(domain::access::Caller::Anonymous);
        let SignInStage::Done(who) = app.service.sign_in(&request, &email, PASSWORD.into()).await.unwrap() else {
            panic!("no second step is asked of them")
        };
        let begun = Begun { data: "{}".into(), person: Some(who.person), mark: Some(who.mark), ..Begun::default() };
        assert!(app.service.create_session(1, &begun).await.unwrap());
        assert_eq!(app.service.load_session(1).await.unwrap().unwrap().person_id, Some(who.person.0));
        let chosen = [("present", PASSWORD), ("password", "a herring in the attic")];
        amara.post("/me/security/password", &chosen).await.is(303);
        assert!(app.service.load_session(1).await.unwrap().is_none());
        assert!(app.service.create_session(2, &begun).await.unwrap());
        assert_eq!(app.service.load_session(2).await.unwrap().unwrap().person_id, None);
    }

    async fn c73_another_password_ends_the_other_sessions_and_keeps_this_one(app) {
        let email = operator(app, "Amara").await;
        let (amara, elsewhere) = (app.browser(), app.browser());
        amara.sign_in(&email).await.is(303);
        elsewhere.sign_in(&email).await.is(303);
        let fields = [("present", PASSWORD), ("password", "a herring in the attic")];
        let (done, entries) = app.audited(amara.post("/me/security/password", &fields)).await;
        assert_eq!(done.location(), "/me/security?done=password");
        assert_eq!((entries.len(), entries[0].action, detail(&entries[0], "sessions_ended")), (1, AuditKind::PasswordSet, 1.into()));
        is_in(&amara).await;
        is_out(&elsewhere).await;
        assert!(super::notices(&amara).await.contains("Your password was changed"));
        elsewhere.sign_in(&email).await.is(401);
        elsewhere.sign_in_with(&email, "a herring in the attic").await.is(303);
    }

    async fn c74_eight_requests_at_the_moment_of_prolonging_all_succeed(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let before = amara.session();
        for _ in 0..3 {
            app.later(TimeDelta::hours(12) - TimeDelta::microseconds(1));
            let answers = race(8, |n| amara.get(["/queue", "/me", "/me/security", "/notices"][n % 4])).await;
            assert_eq!(statuses(&answers), [(200, 8)]);
        }
        assert_eq!(amara.session(), before);
        app.later(TimeDelta::hours(12));
        let answers = race(8, |_| amara.get("/queue")).await;
        assert_eq!(statuses(&answers), [(303, 8)]);
        assert!(answers.iter().all(|answer| answer.location() == "/sign-in"));
    }

    async fn c74_who_signs_out_while_other_requests_are_under_way_is_out(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let cookie = amara.session().unwrap();
        app.later(TimeDelta::hours(1));
        let answers = race(8, |n| {
            let browser = app.browser();
            browser.plant(&cookie);
            async move { if n == 4 { browser.post("/sign-out", &[]).await } else { browser.get("/queue").await } }
        }).await;
        assert!(answers.iter().all(|answer| matches!(answer.status, 200 | 303)), "{:?}", statuses(&answers));
        amara.plant(&cookie);
        is_out(&amara).await;
        assert_eq!(app.database.rows("session").await, 0);
    }
}
