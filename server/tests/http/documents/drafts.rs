//! Drafts: theirs alone, kept through everything; of two editors the second is shown both changes.

use domain::{permission::Role, sensitivity::Clearance};

use super::{DOCUMENT, draft_version, kept, patch, register, reported, script};
use crate::{
    app::{App, on_both},
    browser::Browser,
    wire::Answer,
};

/// What a browser returns of a text.
fn returned(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

async fn keep(app: &App, browser: &Browser<'_>, item: &str, text: &str, seen: &str) -> Answer {
    let version = app.packet_version(item).await;
    let fields =
        [("version", version.as_str()), ("parent", "1"), ("draft_version", seen), ("text", text), ("reason", "So far")];
    browser.post(&format!("/items/{item}/draft"), &fields).await
}

async fn page(browser: &Browser<'_>, item: &str) -> String {
    browser.get(&format!("/items/{item}/correct")).await.is(200).text()
}

on_both! {
    async fn a_draft_outlives_its_session_and_is_nobody_else_s(app) {
        register(app, "", None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let email = app.add("Amara", &[Role::Operator], &["finance-ops"], Clearance::Restricted).await;
        let amara = app.browser();
        amara.sign_in(&email).await.is(303);
        let draft = returned(&DOCUMENT.replace("1070468.14", "1070486.14"));
        let (answer, entries) = app.audited(keep(app, &amara, &item, &draft, "0")).await;
        let answer = answer.is(200);
        assert!(answer.header("x-draft-version").parse::<i64>().unwrap() > 0);
        assert!(answer.text().contains("1070486.14") && !answer.text().contains("<html"), "what it would change: {}", answer.text());
        assert!(entries.is_empty(), "a draft is nothing anybody else goes by");
        assert_eq!(app.revisions(&item).await, 1);

        // The session ends; another person signs in on the same tab.
        amara.post("/sign-out", &[]).await.is(303);
        app.add("Bo", &[Role::Operator], &["finance-ops"], Clearance::Restricted).await;
        amara.sign_in("bo@example.test").await.is(303);
        let theirs = page(&amara, &item).await;
        assert!(!theirs.contains("1070486.14"), "nobody sees another's draft");
        assert!(theirs.contains("Somebody else is correcting this item") && theirs.contains("Amara"), "{theirs}");
        amara.post("/sign-out", &[]).await.is(303);
        amara.sign_in(&email).await.is(303);
        let again = page(&amara, &item).await;
        assert!(again.contains("This is your draft") && again.contains("1070486.14") && again.contains("So far"), "{again}");

        let (drop, version) = (format!("/items/{item}/correct"), draft_version(&again));
        amara.post(&drop, &[("stage", "drop"), ("parent", "1"), ("draft_version", "7")]).await.is(409);
        assert!(page(&amara, &item).await.contains("1070486.14"), "another window went on with it");
        amara.post(&drop, &[("stage", "drop"), ("parent", "1"), ("draft_version", &version)]).await.is(303);
        assert!(!page(&amara, &item).await.contains("1070486.14"));
    }

    async fn of_two_windows_the_second_is_told_and_overwrites_nothing(app) {
        register(app, "", None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let version = keep(app, &amara, &item, "one", "0").await.is(200).header("x-draft-version").to_owned();
        let refused = keep(app, &amara, &item, "two", "0").await.is(409).text();
        assert!(refused.contains("changed in another window") && refused.contains(&format!("draft_version={version}")), "{refused}");
        assert!(page(&amara, &item).await.contains("one"));
        keep(app, &amara, &item, "three", &version).await.is(200);
        // A form without a script, from before: it is told, and what the other window kept stays.
        let fields = [("version", "1"), ("parent", "1"), ("draft_version", version.as_str()), ("stage", "preview"), ("text", "four"), ("reason", "r")];
        let told = amara.post(&format!("/items/{item}/correct"), &fields).await.is(409).text();
        assert!(told.contains("four"), "what was typed is still there: {told}");
        assert!(page(&amara, &item).await.contains("three"));
    }

    async fn a_draft_ends_when_it_is_saved_and_without_a_script_it_is_kept_all_the_same(app) {
        register(app, "", None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let version = app.packet_version(&item).await;
        let draft = returned(&DOCUMENT.replace("1070468.14", "5"));
        let stage = |stage: &'static str, seen: &str| [("version", version.clone()), ("parent", "1".into()), ("draft_version", seen.to_owned()), ("stage", stage.to_owned()), ("text", draft.clone()), ("reason", "A digit".into())];
        let post = async |at: &'static str, seen: &str| {
            let fields = stage(at, seen);
            let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            amara.post(&format!("/items/{item}/correct"), &fields).await
        };
        let seen = draft_version(&post("preview", "0").await.is(200).text());
        assert!(page(&amara, &item).await.contains("This is your draft"));
        // Typed on in another window: what was shown is saved, and that stays.
        let newer = keep(app, &amara, &item, &draft.replace("\"amount\":5", "\"amount\":6"), &seen).await.is(200).header("x-draft-version").to_owned();
        post("save", &seen).await.is(303);
        let on = amara.get(&format!("/items/{item}/correct?revision=1")).await.text();
        assert!(on.contains("This is your draft") && on.contains("&quot;amount&quot;:6") || on.contains("\"amount\":6"), "{on}");
        let drop = [("stage", "drop"), ("parent", "1"), ("draft_version", newer.as_str())];
        amara.post(&format!("/items/{item}/correct"), &drop).await.is(303);
        assert_eq!(kept(app, &item, 2).await, DOCUMENT.replace("1070468.14", "5"));
        assert!(!amara.get(&format!("/items/{item}/correct?revision=1")).await.text().contains("This is your draft"));
    }

    /// C76: the second save is offered both changes, and nothing is overwritten.
    async fn c76_the_second_of_two_editors_is_shown_both_changes(app) {
        register(app, "", None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let bo = script(app, "Bo", &[], Clearance::Restricted).await;
        let version = app.packet_version(&item).await;
        bo.act(&item, "correct", patch(1, serde_json::json!([{ "op": "replace", "path": "/ref", "value": 12 }]))).await.is(200);
        bo.act(&item, "release", serde_json::json!({})).await.is(200);
        let mine = returned(&DOCUMENT.replace("1070468.14", "5"));
        let fields = [("version", version.as_str()), ("parent", "1"), ("stage", "save"), ("text", mine.as_str()), ("reason", "A digit")];
        let page = amara.post(&format!("/items/{item}/correct"), &fields).await.is(409).text();
        assert!(page.contains("Revision 2 was made meanwhile") && page.contains("Go on from revision 2 with both"), "{page}");
        assert_eq!(app.revisions(&item).await, 2);

        // What the page offers: both changes, from the newest revision.
        let version = app.packet_version(&item).await;
        let both = returned(&DOCUMENT.replace("1070468.14", "5").replace("90071992547409931", "12"));
        let fields = [("version", version.as_str()), ("parent", "2"), ("stage", "save"), ("text", both.as_str()), ("reason", "A digit")];
        amara.post(&format!("/items/{item}/correct"), &fields).await.is(303);
        assert_eq!(kept(app, &item, 3).await, DOCUMENT.replace("1070468.14", "5").replace("90071992547409931", "12"));
    }

    async fn r16_a_draft_is_not_shown_to_whoever_may_not_see_all_of_it_any_more(app) {
        register(app, "", None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let amara = app.signed_in_with("Amara", Role::Operator, "finance-ops", Clearance::Confidential).await;
        keep(app, &amara, &item, &returned(&DOCUMENT.replace("1070468.14", "5")), "0").await.is(200);
        // The step is told what is sensitive, and her clearance is lowered.
        register(app, super::SENSITIVE, None).await;
        app.database.keep_clearance("amara@example.test", "internal").await;
        let page = page(&amara, &item).await;
        assert!(page.contains("A draft of yours is kept back"), "{page}");
        assert!(!page.contains("NO9386011117947") && page.contains("•••• hidden"), "{page}");
        // And the other way round: a placeholder of then is no value.
        let placeholder = "\"•••• hidden 0123456789\"";
        app.database.keep_clearance("amara@example.test", "restricted").await;
        let version = app.packet_version(&item).await;
        let text = returned(&DOCUMENT.replace("\"NO9386011117947\"", placeholder));
        let fields = [("version", version.as_str()), ("parent", "1"), ("stage", "save"), ("text", &text), ("reason", "r")];
        let refused = amara.post(&format!("/items/{item}/correct"), &fields).await.is(422).text();
        assert!(refused.contains("placeholder of a hidden value"), "{refused}");
    }

    async fn a_draft_is_refused_to_whoever_may_not_correct(app) {
        register(app, "", None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let sven = app.signed_in("Sven", Role::Supervisor, "finance-ops").await;
        keep(app, &sven, &item, "x", "0").await.is(403);
        let stranger = app.signed_in("Olga", Role::Operator, "support").await;
        keep(app, &stranger, &item, "x", "0").await.is(404);
        let below = app.signed_in_with("Ines", Role::Operator, "finance-ops", Clearance::Internal).await;
        keep(app, &below, &item, "x", "0").await.is(403);
    }
}
