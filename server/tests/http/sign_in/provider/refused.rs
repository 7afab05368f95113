//! Ways back from the provider that lead nowhere: told on the sign-in page, with nothing changed.

use chrono::TimeDelta;

use super::{at_a_provider, leave, plainly, sign_in, signed_in, told};
use crate::{
    app::App,
    openid::stub::{Misdeed, User},
    sign_in::{is_in, is_out, operator},
};

/// Everything but sessions, which come and go.
async fn content(app: &App) -> crate::databases::Content {
    app.database.content_without(&["session"]).await
}

at_a_provider! {
    set up by plainly;

    async fn a_way_back_leads_in_once(app, stub) {
        stub.knows(User::new("Amara", &["ops"]));
        let amara = app.browser();
        let back = leave(&amara, stub, "/sign-in/openid").await;
        let half = amara.session().unwrap();
        is_out(&amara).await;
        amara.get(&back).await.is(303);
        is_in(&amara).await;
        let session = amara.session().unwrap();
        assert_ne!(session, half, "a new session");
        let before = content(app).await;
        told(&amara.get(&back).await, "This browser was not on its way back");
        is_in(&amara).await;
        assert_eq!(amara.session().unwrap(), session);
        let thief = app.browser();
        thief.plant(&half);
        is_out(&thief).await;
        told(&thief.get(&back).await, "This browser was not on its way back");
        assert_eq!(content(app).await, before);
    }

    async fn a_way_back_that_was_spoilt_is_used_up(app, stub) {
        stub.knows(User::new("Amara", &["ops"]));
        let before = content(app).await;
        for spoil in [
            |back: &str| back.replace("state=", "state=x"), |back: &str| back.split_once("&state=").unwrap().0.to_owned(),
            |back: &str| back.replace("code=", "code=x"), |back: &str| back.split('?').next().unwrap().to_owned(),
            |back: &str| format!("{back}&state=again"), |back: &str| back.replace("?code=", "?error=access_denied&code="),
        ] {
            let browser = app.browser();
            let back = leave(&browser, stub, "/sign-in/openid").await;
            let answer = browser.get(&spoil(&back)).await;
            told(&answer, "");
            assert!(answer.text().contains("Begin again.") || answer.text().contains("did not sign you in") || answer.text().contains("not begun in this browser"), "{}", answer.shown());
            told(&browser.get(&back).await, "This browser was not on its way back");
            is_out(&browser).await;
        }
        assert_eq!(content(app).await, before);
    }

    async fn a_way_back_that_this_browser_did_not_begin_is_refused(app, _stub) {
        for back in ["/sign-in/openid/callback", "/sign-in/openid/callback?code=x&state=y", "/sign-in/openid/callback?error=access_denied", "/sign-in/openid/callback?code=%00&state=%ff"] {
            let browser = app.browser();
            told(&browser.get(back).await, "This browser was not on its way back from the identity provider. Sign in anew.");
            assert!(browser.session().is_none());
        }
    }

    async fn nobody_is_signed_in_as_somebody_else_by_following_their_way_back(app, stub) {
        let email = operator(app, "Bilal").await;
        stub.knows(User::new("Eve", &["ops"]));
        let eve = app.browser();
        let trap = leave(&eve, stub, "/sign-in/openid").await;

        let (fresh, signed_in, under_way) = (app.browser(), app.browser(), app.browser());
        signed_in.sign_in(&email).await.is(303);
        stub.knows(User::new("Amara", &["ops"]));
        leave(&under_way, stub, "/sign-in/openid").await;
        let before = content(app).await;
        told(&fresh.get(&trap).await, "This browser was not on its way back");
        told(&signed_in.get(&trap).await, "This browser was not on its way back");
        told(&under_way.get(&trap).await, "This sign-in was not begun in this browser");
        assert_eq!(content(app).await, before);
        is_out(&fresh).await;
        is_out(&under_way).await;
        assert!(signed_in.get("/me").await.is(200).text().contains("Bilal"));
        eve.get(&trap).await.is(303);
    }

    async fn who_takes_longer_than_ten_minutes_begins_again(app, stub) {
        stub.knows(User::new("Amara", &["ops"]));
        let (quick, slow) = (app.browser(), app.browser());
        let (soon, late) = (leave(&quick, stub, "/sign-in/openid").await, leave(&slow, stub, "/sign-in/openid").await);
        app.later(TimeDelta::minutes(10));
        quick.get(&soon).await.is(303);
        app.later(TimeDelta::seconds(1));
        told(&slow.get(&late).await, "longer than ten minutes");
        app.later(TimeDelta::minutes(5));
        told(&slow.get(&late).await, "This browser was not on its way back");
    }

    async fn what_the_provider_does_wrong_is_told_and_lets_nobody_in(app, stub) {
        stub.knows(User::new("Amara", &["ops"]));
        let before = content(app).await;
        for (misdeed, why) in [
            (Misdeed::Declines, "did not sign you in (access_denied)"), (Misdeed::DeclinesWithText, "did not sign you in (no_known_code)"),
            (Misdeed::WrongNonce, "it answers another sign-in"), (Misdeed::ForeignSignature, "its signature is wrong"), (Misdeed::WrongAudience, "it was made for another application"),
            (Misdeed::Unsigned, "not signed in a way that is accepted"), (Misdeed::Expired, "it has run out"), (Misdeed::TokenBreaks, "The identity provider"),
        ] {
            stub.misbehave(misdeed);
            let browser = app.browser();
            let answer = sign_in(&browser, stub).await;
            told(&answer, why);
            assert!(!answer.text().contains("0800 123") && !answer.text().contains("own words"));
            is_out(&browser).await;
        }
        assert_eq!(content(app).await, before);
        stub.behave();
        sign_in(&app.browser(), stub).await.is(303);
    }

    async fn a_provider_that_does_not_answer_is_told_before_anybody_leaves(app, stub) {
        let email = operator(app, "Amara").await;
        stub.misbehave(Misdeed::DiscoveryBreaks);
        let browser = app.browser();
        told(&browser.get("/sign-in/openid").await, "The identity provider does not answer. Try again in a moment.");
        browser.sign_in(&email).await.is(303);
        told(&browser.get("/sign-in/openid?again=yes").await, "The identity provider does not answer");
        is_in(&browser).await;
    }

    async fn it_leads_back_to_our_own_pages_and_nowhere_else(app, stub) {
        stub.knows(User::new("Amara", &["ops"]));
        for next in ["//evil.example", "https://evil.example", "/%5Cevil.example", "javascript:alert(1)", "%0d%0aX-Evil:%201", "/%0aX-Evil:%201", ""] {
            let browser = app.browser();
            let back = leave(&browser, stub, &format!("/sign-in/openid?next={next}")).await;
            let answer = browser.get(&back).await;
            assert_eq!(answer.location(), "/queue", "{next}");
            assert_eq!(answer.header("x-evil"), "");
        }
    }

    async fn nothing_of_the_way_back_stays_in_the_database_or_on_the_page(app, stub) {
        let amara = signed_in(app, stub, "Amara", &["ops"]).await;
        let back = leave(&amara, stub, "/sign-in/openid?again=yes").await;
        amara.get(&back).await.is(303);
        let code = back.split("code=").nth(1).unwrap().split('&').next().unwrap().to_owned();
        let state = back.split("state=").nth(1).unwrap().to_owned();
        let answer = amara.get(&back).await;
        let everything = format!("{:?}", app.database.content_without(&[]).await);
        for secret in [&code, &state] {
            assert!(!everything.contains(secret.as_str()));
            assert!(!answer.text().contains(secret.as_str()), "{}", answer.text());
        }
    }

    async fn signing_out_here_ends_the_session_here(app, stub) {
        let amara = signed_in(app, stub, "Amara", &["ops"]).await;
        let cookie = amara.session().unwrap();
        amara.post("/sign-out", &[]).await.is(303);
        amara.plant(&cookie);
        is_out(&amara).await;
    }
}
