//! What answers never tell (C81), and what forms keep (C83, C84).

use domain::permission::Role;

use super::operator;
use crate::app::{PASSWORD, on_both};

const AWKWARD: &str = "O'Neil [team] & 100% +1 %5B%5D a=b;c\u{1F600}";

on_both! {
    async fn c84_a_password_of_any_letters_arrives_as_it_was_typed(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        amara.post("/me/security/password", &[("present", PASSWORD), ("password", AWKWARD)]).await.is(303);
        app.browser().sign_in_with(&email, AWKWARD).await.is(303);
        for near in [AWKWARD.replace('+', " "), AWKWARD.replace("%5B%5D", "[]"), AWKWARD.trim_end_matches('\u{1F600}').to_owned()] {
            app.browser().sign_in_with(&email, &near).await.is(401);
        }
    }

    async fn c83_a_refused_sign_in_keeps_the_address_and_never_the_password(app) {
        let typed = "  o'neil+[x]@example.test";
        let page = app.browser().post("/sign-in", &[("email", typed), ("password", PASSWORD), ("next", "/items/x")]).await.is(401).text();
        assert!(page.contains("value=\"  o'neil+[x]@example.test\""), "{page}");
        assert!(page.contains("value=\"/items/x\""));
        assert!(!page.contains(PASSWORD));
        let empty = app.browser().post("/sign-in", &[]).await;
        assert_eq!(empty.status, 401, "sent before anything was typed");
    }

    async fn c83_c84_every_form_of_signing_in_works_without_a_script(app) {
        for path in ["/sign-in", "/sign-in/code", "/sign-in/help"] {
            let page = app.browser().get(path).await.is(200).text();
            assert!(page.contains(&format!("method=\"post\" action=\"{path}\"")), "{path}: {page}");
        }
    }

    async fn c81_no_answer_about_signing_in_has_the_database_s_words(app) {
        let email = operator(app, "Amara").await;
        let amara = app.signed_in("Bilal", Role::Operator, "finance-ops").await;
        let answers = [
            app.browser().sign_in_with(&format!("{email}'; DROP TABLE person"), PASSWORD).await,
            app.browser().sign_in_with(&"x".repeat(1 << 20), PASSWORD).await,
            app.browser().post("/sign-in/code", &[("code", "' OR 1=1")]).await,
            app.browser().get("/link/'%20OR%201=1").await,
            amara.post("/me/security/end-session", &[("id", "' OR 1=1")]).await,
            amara.post("/me/security/confirm-two-step", &[("code", "\0")]).await,
            amara.post("/me/security/password", &[("present", "\0"), ("password", "\0")]).await,
        ];
        for answer in answers {
            assert!((400..500).contains(&answer.status), "{}", answer.status);
            for word in ["SELECT", "INSERT", "sqlx", "sqlite", "postgres", "syntax error", "constraint"] {
                assert!(!answer.shown().contains(word), "{word}: {}", answer.shown());
            }
        }
    }

    async fn c81_without_its_database_nobody_is_let_in_and_nothing_is_told(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        app.service.close().await;
        for answer in [app.browser().sign_in(&email).await, amara.get("/queue").await, app.browser().post("/sign-in/help", &[("email", &email)]).await] {
            assert_eq!(answer.status, 503, "{}", answer.text());
            assert!(!answer.text().contains("pool") && answer.headers.get("set-cookie").is_none());
        }
    }
}
