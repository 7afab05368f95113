//! Choosing a password, and what counts as the same one (C75).

use domain::audit::{AuditKind, AuditOutcome};

use super::{detail, operator};
use crate::app::{PASSWORD, on_both};

/// Both are 9 letters and more; each `å` and `ø` is written in one piece or as a letter with a mark.
const IN_ONE_PIECE: &str = "p\u{e5}skel\u{f8}rdag p\u{e5} fj\u{e9}llet";
const IN_TWO: &str = "pa\u{30a}skel\u{f8}rdag pa\u{30a} fje\u{301}llet";

on_both! {
    async fn what_is_easy_to_guess_is_told_in_place_with_a_reason(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        for (weak, why) in [
            ("", "Choose at least 12 characters."), ("correct hor", "Choose at least 12 characters."), ("passwordpassword", "This is too easy to guess."),
            ("aaaaaaaaaaaaaaaa", "This is too easy to guess. Repeats like"), ("qwertyuiop12", "This is too easy to guess."),
            ("amara@example.test", "This is too easy to guess."),
            (&"x".repeat(1_025), "Choose at most 1024 bytes."),
        ] {
            let (answer, entries) = app.audited(amara.post("/me/security/password", &[("present", PASSWORD), ("password", weak)])).await;
            let page = answer.is(422).text();
            assert!(page.contains(why) && page.contains("aria-invalid=\"true\""), "{weak}: {page}");
            assert!(entries.is_empty(), "nothing was asked for yet: {entries:?}");
        }
        app.browser().sign_in(&email).await.is(303);
    }

    async fn only_who_knows_the_present_password_changes_it(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        for present in ["", "wrong horse battery", &"x".repeat(2_000)] {
            let page = amara.post("/me/security/password", &[("present", present), ("password", "a herring in the attic")]).await.is(422);
            assert!(page.text().contains("This is not your password."));
        }
        app.browser().sign_in(&email).await.is(303);
    }

    async fn c75_a_password_is_the_same_however_its_letters_are_put_together(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        amara.post("/me/security/password", &[("present", PASSWORD), ("password", IN_ONE_PIECE)]).await.is(303);
        app.browser().sign_in_with(&email, IN_TWO).await.is(303);
        amara.post("/me/security/password", &[("present", IN_TWO), ("password", IN_TWO)]).await.is(303);
        app.browser().sign_in_with(&email, IN_ONE_PIECE).await.is(303);
        app.browser().sign_in_with(&email, &IN_ONE_PIECE.replace('\u{e5}', "a")).await.is(401);
    }

    async fn c75_a_long_password_counts_to_its_end(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let long = "\u{f8}sters fisker p\u{e5} loftet ".repeat(4).chars().take(76).collect::<String>();
        assert!(long.len() >= 80, "{}", long.len());
        let prefix = &long[..(0..=72).rev().find(|end| long.is_char_boundary(*end)).unwrap()];
        amara.post("/me/security/password", &[("present", PASSWORD), ("password", &long)]).await.is(303);
        app.browser().sign_in_with(&email, prefix).await.is(401);
        app.browser().sign_in_with(&email, &long).await.is(303);
        let longest = "fisker ".repeat(146) + "øo";
        assert_eq!(longest.len(), 1_025);
        amara.post("/me/security/password", &[("present", &long), ("password", &longest)]).await.is(422);
        let longest = &longest[..1_022];
        amara.post("/me/security/password", &[("present", &long), ("password", longest)]).await.is(303);
        app.browser().sign_in_with(&email, longest).await.is(303);
        app.browser().sign_in_with(&email, &longest[..1_021]).await.is(401);
    }

    async fn c75_a_password_of_megabytes_is_refused_before_any_work(app) {
        let email = operator(app, "Amara").await;
        let (large, entries) = app.audited(app.browser().sign_in_with(&email, &"x".repeat(10 << 20))).await;
        assert!(large.is(413).text().contains("A form may have at most"));
        assert!(entries.is_empty());
        let (long, entries) = app.audited(app.browser().sign_in_with(&email, &"x".repeat(3 << 20))).await;
        let wrong = app.browser().sign_in_with(&email, "wrong horse battery").await.is(401);
        assert_eq!(long.is(401).words(), wrong.words());
        assert_eq!((entries.len(), entries[0].action, entries[0].outcome), (1, AuditKind::SignedIn, AuditOutcome::Refused));
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let long = "x".repeat(3 << 20);
        amara.post("/me/security/password", &[("present", &long), ("password", "a herring in the attic")]).await.is(422);
        amara.post("/me/security/password", &[("present", PASSWORD), ("password", &long)]).await.is(422);
        assert_eq!(detail(&entries[0], "person"), serde_json::Value::Null, "who it was tried for is not said by id");
    }
}
