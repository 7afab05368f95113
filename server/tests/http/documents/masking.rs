//! What is sensitive stays hidden below clearance, on every way out; and a masked person still corrects the rest (rehearsal 20).

use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::{Permission, Role},
    sensitivity::Clearance,
};
use serde_json::json;

use super::{DOCUMENT, SECRETS, SENSITIVE, kept, patch, person, register, reported, script};
use crate::{
    actions::{not_sent, wrong},
    app::{App, PASSWORD, on_both},
    words::with,
};

/// The first two placeholders, each in the other's place.
fn swapped(text: &str) -> String {
    let found: Vec<&str> = text.split('"').filter(|said| said.starts_with("•••• hidden ")).collect();
    text.replace(found[0], "@").replace(found[1], found[0]).replace('@', found[1])
}

/// Says nothing of what is hidden.
fn tells_nothing(what: &str, text: &str) {
    for secret in SECRETS {
        assert!(!text.contains(secret), "{what} tells {secret}: {text}");
    }
}

/// The placeholder-bearing text of the correction's page, as a browser shows it.
async fn to_edit(browser: &crate::browser::Browser<'_>, item: &str) -> String {
    let page = browser.get(&format!("/items/{item}/correct")).await.is(200).text();
    tells_nothing("the page", &page);
    let (_, area) = page.split_once("name=\"text\"").unwrap();
    let (_, content) = area.split_once('>').unwrap();
    let (content, _) = content.split_once("</textarea>").unwrap();
    let content = content.replace("<!>", "").replace("&lt;", "<").replace("&amp;", "&").replace("\r\n", "\n");
    content.strip_prefix('\n').unwrap_or(&content).replace('\n', "\r\n")
}

async fn save(app: &App, browser: &crate::browser::Browser<'_>, item: &str, text: &str) -> crate::wire::Answer {
    let version = app.packet_version(item).await;
    let fields =
        [("version", version.as_str()), ("parent", "1"), ("stage", "save"), ("text", text), ("reason", "A digit")];
    browser.post(&format!("/items/{item}/correct"), &fields).await
}

on_both! {
    async fn r15_no_way_out_tells_what_is_hidden(app) {
        register(app, SENSITIVE, None).await;
        let item = reported(app, "A", DOCUMENT).await;
        // Somebody who is cleared makes a second revision, so that there is a difference.
        let amara = script(app, "Amara", &[], Clearance::Restricted).await;
        let changes = json!([{ "op": "replace", "path": "/amount", "value": 7 }, { "op": "replace", "path": "/vendor/iban", "value": "NO5500000000000" }]);
        amara.act(&item, "correct", patch(1, changes)).await.is(200);
        amara.act(&item, "release", json!({})).await.is(200);

        let email = app.add("Ines", &[Role::Supervisor, Role::Auditor, Role::Operator], &["finance-ops"], Clearance::Internal).await;
        let (ines, by_script) = (app.browser(), app.script_of(&email, &[]).await);
        ines.sign_in(&email).await.is(303);
        let digests: Vec<String> = app.packet(&item).await.revisions.iter().map(|revision| revision.sha256.hex()).collect();
        for path in [
            format!("/items/{item}"), format!("/items/{item}?revision=1"), format!("/items/{item}?revision=1&view=raw"), format!("/items/{item}/correct"),
            format!("/items/{item}/correct?view=fields"), format!("/items/{item}/correct?revision=1"), format!("/items/{item}/replay"),
            format!("/items/{item}/replay?revision=2"), format!("/audit/corrections/{item}/2"), "/audit/corrections".into(),
            format!("/items/{item}/revisions/1/payload"), format!("/items/{item}/revisions/2/payload"), "/queue".into(), "/audit".into(),
        ] {
            let page = ines.get(&path).await.is(200).text();
            tells_nothing(&path, &page);
            assert!(!page.contains("NO5500000000000"), "{path}");
            for digest in &digests {
                assert!(!page.contains(digest.as_str()), "{path} tells a digest");
            }
        }
        let shown = ines.get(&format!("/items/{item}?revision=1")).await.is(200).text();
        assert!(shown.contains("•••• hidden") && shown.contains("1070468.14"), "the rest is shown: {shown}");
        assert!(shown.contains("nor what of the payload is sensitive") && !shown.contains("Payload, technical detail"), "{shown}");

        let download = ines.get(&format!("/items/{item}/revisions/1/payload")).await;
        assert!(download.header("content-disposition").contains("masked"));
        assert!(!download.headers.contains_key("repr-digest"), "a digest tells who guesses right");
        let payload = by_script.get(&format!("/api/v1/items/{item}/revisions/1/payload")).await.is(200);
        assert_eq!((payload.header("recourse-masked"), payload.headers.contains_key("repr-digest")), ("4", false));
        tells_nothing("the API", &payload.text());
        let read = by_script.item(&item).await;
        tells_nothing("the item", &read.to_string());
        assert!(read["revisions"].as_array().unwrap().iter().all(|revision| revision["sha256"].is_null() && revision["size"].is_null()));
        // A cleared person sees all of it.
        assert!(amara.get(&format!("/api/v1/items/{item}/revisions/1/payload")).await.is(200).text().contains(SECRETS[0]));
    }

    async fn r2_a_masked_person_corrects_the_rest_and_the_hidden_bytes_stay(app) {
        register(app, SENSITIVE, None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let ines = app.signed_in_with("Ines", Role::Operator, "finance-ops", Clearance::Internal).await;
        let text = to_edit(&ines, &item).await;
        assert_eq!(text.matches("•••• hidden ").count(), 4, "{text}");
        let corrected = text.replace("1070468.14", "1070486.14");
        let version = app.packet_version(&item).await;
        let preview = [("version", version.as_str()), ("parent", "1"), ("stage", "preview"), ("text", &corrected), ("reason", "A digit")];
        let page = ines.post(&format!("/items/{item}/correct"), &preview).await.is(200).text();
        tells_nothing("the preview", &page);
        assert!(page.contains("1070486.14") && page.contains("Save as a new revision"), "{page}");
        save(app, &ines, &item, &corrected).await.is(303);
        assert_eq!(kept(app, &item, 2).await, DOCUMENT.replace("1070468.14", "1070486.14"));
    }

    async fn a_placeholder_that_is_changed_moved_copied_or_gone_is_refused(app) {
        register(app, SENSITIVE, None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let ines = app.signed_in_with("Ines", Role::Operator, "finance-ops", Clearance::Internal).await;
        let text = to_edit(&ines, &item).await;
        let at = text.find("\"iban\":\"").unwrap() + 7;
        let placeholder = &text[at..at + text[at + 1..].find('"').unwrap() + 2];
        let name = "\"name\":\"L\\u00e9on\"";
        for (what, tampered) in [
            ("gone", text.replace(placeholder, "null")),
            ("guessed", text.replace(placeholder, "\"NO9386011117947\"")),
            ("changed", text.replace(placeholder, &placeholder.replace("•••• hidden ", "•••• hidden x"))),
            ("copied", text.replace(name, &format!("\"name\":{placeholder}"))),
            ("moved", text.replace(placeholder, "\"x\"").replace(name, &format!("\"name\":{placeholder}"))),
            ("inside a text", text.replace(placeholder, "\"x\"").replace("L\\u00e9on", placeholder.trim_matches('"'))),
            ("swapped", swapped(&text)),
            ("elsewhere that is hidden, too", text.replace("\"mail\":", "\"mail\":\"kari@hemmelig.example\",\"x\":")),
            ("shadowed", text.replace("\"iban\":", "\"iban\":\"mine\",\"iban\":")),
            ("broken", text.replace('}', "")),
        ] {
            assert_ne!(tampered, text, "{what}");
            let answer = save(app, &ines, &item, &tampered).await.is(422);
            if what != "guessed" && !what.starts_with("elsewhere") {
                tells_nothing(what, &answer.text());
            }
        }
        assert_eq!(app.revisions(&item).await, 1);
    }

    async fn by_script_a_masked_person_may_write_and_not_ask(app) {
        register(app, SENSITIVE, None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let ines = script(app, "Ines", &[], Clearance::Internal).await;
        for operations in [
            json!([{ "op": "copy", "from": "/vendor/iban", "path": "/vendor/name" }]),
            json!([{ "op": "move", "from": "/vendor/iban", "path": "/copy" }]),
            json!([{ "op": "test", "path": "/vendor/iban", "value": "NO9386011117947" }, { "op": "replace", "path": "/amount", "value": 1 }]),
        ] {
            wrong(&ines.act(&item, "correct", patch(1, operations)).await, "/patch");
        }
        for operations in [json!([{ "op": "remove", "path": "/vendor" }]), json!([{ "op": "replace", "path": "/vendor/iban", "value": "mine" }])] {
            wrong(&ines.act(&item, "correct", patch(1, operations)).await, "/text");
        }
        // What was downloaded with placeholders is not taken back.
        let masked = ines.get(&format!("/api/v1/items/{item}/revisions/1/payload")).await.is(200).text();
        wrong(&ines.act(&item, "correct", json!({ "parent": 1, "text": masked.replace("10.0", "11"), "reason": "r" })).await, "/text");
        ines.act(&item, "correct", patch(1, json!([{ "op": "replace", "path": "/amount", "value": 1 }]))).await.is(200);
        assert_eq!(kept(app, &item, 2).await, DOCUMENT.replace("1070468.14", "1"));
    }

    async fn where_places_can_t_be_told_or_none_are_named_all_of_it_is_hidden(app) {
        register(app, SENSITIVE, None).await;
        let ines = app.signed_in_with("Ines", Role::Operator, "finance-ops", Clearance::Internal).await;
        for (key, document) in [("A", DOCUMENT.trim_end().trim_end_matches('}')), ("B", "iban=NO9386011117947")] {
            let item = reported(app, key, document).await;
            tells_nothing(key, &ines.get(&format!("/items/{item}")).await.is(200).text());
            ines.get(&format!("/items/{item}/correct")).await.is(403);
            ines.get(&format!("/items/{item}/revisions/1/payload")).await.is(403);
        }
        register(app, "", None).await;
        let item = reported(app, "C", DOCUMENT).await;
        ines.get(&format!("/items/{item}/revisions/1/payload")).await.is(403);
    }

    async fn secrets_in_an_error_s_message_are_hidden_below_clearance_and_not_found_by_search(app) {
        register(app, SENSITIVE, None).await;
        let sync = app.token(&["invoice-sync"]).await;
        let message = "401 for Authorization: Bearer abcdef1234567890abcdef, card 4111 1111 1111 1111 declined";
        let told = with(not_sent("A"), json!({ "failure": { "class": "auth", "message": message } }));
        let item = sync.reported(&told).await;
        let ines = app.signed_in_with("Ines", Role::Operator, "finance-ops", Clearance::Internal).await;
        for path in [format!("/items/{item}"), "/queue".into()] {
            let page = ines.get(&path).await.is(200).text();
            assert!(!page.contains("abcdef1234567890abcdef") && !page.contains("4111 1111"), "{path}: {page}");
        }
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        assert!(amara.get(&format!("/items/{item}")).await.text().contains("4111 1111 1111 1111"));
        let found = |answer: crate::wire::Answer| answer.text().contains(&item);
        assert!(found(ines.get("/queue?q=declined").await));
        for guess in ["4111+1111+1111+1111", "abcdef1234567890abcdef"] {
            assert!(!found(ines.get(&format!("/queue?q={guess}")).await), "{guess}");
        }
    }

    async fn revealing_takes_the_right_a_reason_and_a_confirmation_and_is_told(app) {
        register(app, SENSITIVE, None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let ines = app.signed_in_with("Ines", Role::Operator, "finance-ops", Clearance::Internal).await;
        let form = format!("/items/{item}/reveal");
        let asked = |reason: &'static str| [("revision", "1"), ("reason", reason), ("confirm", PASSWORD)];
        tells_nothing("the refusal", &ines.post(&form, &asked("I want to see it")).await.is(403).text());
        assert!(!ines.get(&format!("/items/{item}")).await.text().contains("Reveal…"));

        let email = person(app, "Rita", &[Permission::PayloadsReveal], Clearance::Internal).await;
        let rita = app.browser();
        rita.sign_in(&email).await.is(303);
        assert!(rita.get(&format!("/items/{item}")).await.text().contains("Reveal…"));
        app.later(chrono::TimeDelta::minutes(30));
        rita.post(&form, &[("revision", "1"), ("reason", "The bank asks")]).await.is(403);
        wrong_reason(&rita, &form).await;
        let (shown, entries) = app.audited(rita.post(&form, &asked("The bank asks for it"))).await;
        assert!(shown.is(200).text().contains("NO9386011117947"));
        let entry = entries.into_iter().find(|entry| entry.action == AuditKind::PayloadRevealed).unwrap();
        assert_eq!((entry.outcome, entry.text.as_deref()), (AuditOutcome::Done, Some("The bank asks for it")));
        tells_nothing("the page afterwards", &rita.get(&format!("/items/{item}")).await.text());
    }

    async fn a_finding_about_a_hidden_value_does_not_tell_what_is_wrong_with_it(app) {
        let schema = r#"{"properties":{"vendor":{"properties":{"iban":{"maxLength":3}}},"amount":{"maximum":10}}}"#;
        register(app, &format!("{SENSITIVE}\nschema = \"invoice.schema.json\""), Some(schema)).await;
        let item = reported(app, "A", DOCUMENT).await;
        let ines = script(app, "Ines", &[], Clearance::Internal).await;
        let problem = ines.act(&item, "correct", patch(1, json!([{ "op": "replace", "path": "/amount", "value": 11 }]))).await.problem(422, "schema_fails");
        let told: Vec<&str> = problem["fields"].as_array().unwrap().iter().map(|field| field["message"].as_str().unwrap()).collect();
        assert!(told.contains(&"A hidden value does not fit the schema."), "{problem}");
        assert!(!told.iter().any(|message| message.contains('3')), "{problem}");
    }
}

async fn wrong_reason(rita: &crate::browser::Browser<'_>, form: &str) {
    let refused = rita.post(form, &[("revision", "1"), ("reason", " "), ("confirm", PASSWORD)]).await.is(422).text();
    assert!(refused.contains("Say why you have to see it."), "{refused}");
}
