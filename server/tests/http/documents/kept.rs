//! Drafts that are not typed as text: single values, and files. They are kept like it, and go over into one another.

use domain::{permission::Role, sensitivity::Clearance};

use super::{DOCUMENT, SECRETS, SENSITIVE, draft_version, kept, patch, register, reported, script};
use crate::{
    app::{App, on_both},
    browser::Browser,
    correcting::{bytes_of, post, sent_by_a_browser, shown_in_the_textarea},
    wire::Answer,
};

const NAME: &str = "text:%2Fvendor%2Fname";
const AMOUNT: &str = "value:%2Famount";

/// What is kept while somebody types single values.
async fn type_values(app: &App, browser: &Browser<'_>, item: &str, seen: &str, values: &[(&str, &str)]) -> Answer {
    let version = app.packet_version(item).await;
    let mut fields =
        vec![("version", version.as_str()), ("parent", "1"), ("draft_version", seen), ("reason", "So far")];
    fields.extend(values);
    browser.post(&format!("/items/{item}/draft"), &fields).await
}

async fn page(browser: &Browser<'_>, item: &str, view: &str) -> String {
    browser.get(&format!("/items/{item}/correct?revision=1{view}")).await.is(200).text()
}

const FIELDS: &str = "&view=fields";

on_both! {
    async fn single_values_are_kept_and_both_views_show_them(app) {
        register(app, "", None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let first = type_values(app, &amara, &item, "0", &[(AMOUNT, "1070486.14"), (NAME, "Léon")]).await.is(200);
        assert!(first.text().contains("1070486.14") && first.header("x-draft-state").contains("Draft kept"), "{}", first.text());
        let by_field = page(&amara, &item, FIELDS).await;
        assert!(by_field.contains("This is your draft") && by_field.contains("value=\"1070486.14\"") && by_field.contains("So far"), "{by_field}");
        let text = page(&amara, &item, "").await;
        assert!(shown_in_the_textarea(&text).contains("1070486.14"), "{text}");

        // Gone on with as text, and then by value again.
        let typed = sent_by_a_browser(&shown_in_the_textarea(&text)).replace("\"ref\":90071992547409931", "\"ref\":12, \"more\" : true");
        let (version, seen) = (app.packet_version(&item).await, draft_version(&text));
        let fields = [("version", version.as_str()), ("parent", "1"), ("draft_version", &seen), ("text", &typed), ("reason", "So far")];
        amara.post(&format!("/items/{item}/draft"), &fields).await.is(200);
        let by_field = page(&amara, &item, FIELDS).await;
        assert!(by_field.contains("value:%2Fmore"), "what was added as text is a value, too: {by_field}");

        // Shown and saved without a script: what was typed as text is part of it.
        let seen = draft_version(&by_field);
        let values = [("value:%2Fmore", "false"), (NAME, "Leon"), (AMOUNT, "1070486.14")];
        let mut fields = vec![("version", version.as_str()), ("parent", "1"), ("draft_version", &seen), ("stage", "preview"), ("reason", "A digit")];
        fields.extend(values);
        let shown = post(&amara, &item, &fields, None).await.is(200).text();
        assert!(shown.contains("Save as a new revision"), "{shown}");
        let seen = draft_version(&shown);
        let mut fields = vec![("version", version.as_str()), ("parent", "1"), ("draft_version", &seen), ("stage", "save"), ("reason", "A digit")];
        fields.extend(values);
        post(&amara, &item, &fields, None).await.is(303);
        let expected = DOCUMENT
            .replace("1070468.14", "1070486.14")
            .replace("L\\u00e9on", "Leon")
            .replace("\"ref\":90071992547409931", "\"ref\":12, \"more\" : false");
        assert_eq!(kept(app, &item, 2).await, expected, "R2: nothing else differs");
        assert!(!page(&amara, &item, "").await.contains("This is your draft"));
    }

    async fn r2_a_value_of_another_kind_is_made_once_however_often_it_is_kept_and_shown(app) {
        const QUANTITY: &str = "value:%2Flines%2F1%2Fqty";
        register(app, "", None).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let typed = [(AMOUNT, "\"2026-01-01\""), (QUANTITY, "null"), (NAME, "\"Leon\"")];
        let expected = DOCUMENT
            .replace("1070468.14", "\"2026-01-01\"")
            .replace("\"qty\":2}", "\"qty\":null}")
            .replace("\"L\\u00e9on\"", "\"\\\"Leon\\\"\"");
        // Kept while it was typed, or not, as without scripts.
        for (key, is_kept) in [("A", true), ("B", false)] {
            let item = reported(app, key, DOCUMENT).await;
            let mut seen = "0".to_owned();
            if is_kept {
                for _ in 0..2 {
                    let answer = type_values(app, &amara, &item, &seen, &typed).await.is(200);
                    seen = answer.header("x-draft-version").to_owned();
                }
            }
            let version = app.packet_version(&item).await;
            for stage in ["preview", "preview", "save"] {
                let mut fields = vec![("version", version.as_str()), ("parent", "1"), ("draft_version", &seen), ("stage", stage), ("reason", "A date")];
                fields.extend(typed);
                let answer = post(&amara, &item, &fields, None).await;
                if stage == "save" {
                    answer.is(303);
                    continue;
                }
                let shown = answer.is(200).text();
                assert!(shown.contains("name=\"value:%2Famount\"") && !shown.contains("name=\"text:%2Famount\""), "read as it was typed: {shown}");
                seen = draft_version(&shown);
            }
            assert_eq!(kept(app, &item, 2).await, expected);
        }
        // Found again, it is a text like any other.
        let item = reported(app, "C", DOCUMENT).await;
        type_values(app, &amara, &item, "0", &typed).await.is(200);
        let found = page(&amara, &item, FIELDS).await;
        assert!(found.contains("name=\"text:%2Famount\"") && found.contains("value=\"2026-01-01\""), "{found}");
        assert!(found.contains("name=\"value:%2Flines%2F1%2Fqty\""), "{found}");
    }

    async fn a_value_that_can_t_be_is_told_at_its_field_and_the_others_are_kept(app) {
        register(app, "", None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let answer = type_values(app, &amara, &item, "0", &[(AMOUNT, "12,50"), (NAME, "Leon")]).await.is(200);
        assert!(answer.header("x-draft-state").contains("but for one value"), "{}", answer.header("x-draft-state"));
        assert!(answer.text().contains("amount") && answer.text().contains("Write a number"), "{}", answer.text());
        let by_field = page(&amara, &item, FIELDS).await;
        assert!(by_field.contains("value=\"Leon\"") && by_field.contains("value=\"1070468.14\""), "{by_field}");
        // Without a script it stays in its field, with why.
        let (version, seen) = (app.packet_version(&item).await, draft_version(&by_field));
        let fields = [("version", version.as_str()), ("parent", "1"), ("draft_version", &seen), ("stage", "preview"), (AMOUNT, "12,50"), ("reason", "r")];
        let shown = post(&amara, &item, &fields, None).await.text();
        assert!(shown.contains("value=\"12,50\"") && shown.contains("Write a number"), "{shown}");
        assert_eq!(app.revisions(&item).await, 1);
        // Several: each is named above and marked where it stands, in words for people.
        let fields = [
            ("version", version.as_str()), ("parent", "1"), ("draft_version", &draft_version(&shown)), ("stage", "preview"),
            (AMOUNT, "12,50"), ("value:%2Flines%2F1%2Fqty", "two"), (NAME, "Leon"), ("reason", "r"),
        ];
        let shown = post(&amara, &item, &fields, None).await.text();
        assert_eq!(shown.matches("aria-invalid=\"true\"").count(), 2, "{shown}");
        assert!(shown.contains("<code>/lines/1/qty</code>") && shown.contains("<code>/amount</code>"), "{shown}");
        assert!(shown.contains("value=\"two\"") && !shown.contains("each is named in"), "{shown}");
    }

    async fn of_two_windows_with_values_the_second_overwrites_nothing(app) {
        register(app, "", None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        type_values(app, &amara, &item, "0", &[(AMOUNT, "1")]).await.is(200);
        let told = type_values(app, &amara, &item, "0", &[(AMOUNT, "2")]).await.is(409).text();
        assert!(told.contains("changed in another window") && told.contains("view=fields"), "{told}");
        let version = app.packet_version(&item).await;
        for stage in ["preview", "save"] {
            let fields = [("version", version.as_str()), ("parent", "1"), ("draft_version", "1"), ("stage", stage), (AMOUNT, "2"), ("reason", "r")];
            let shown = post(&amara, &item, &fields, None).await.is(409).text();
            assert!(shown.contains("value=\"2\""), "{stage}: what was typed is still there: {shown}");
        }
        assert!(page(&amara, &item, FIELDS).await.contains("value=\"1\""));
        assert_eq!(app.revisions(&item).await, 1);
        let as_text = sent_by_a_browser("no JSON {");
        let seen = draft_version(&page(&amara, &item, "").await);
        let fields = [("version", version.as_str()), ("parent", "1"), ("draft_version", &seen), ("text", &as_text), ("reason", "r")];
        amara.post(&format!("/items/{item}/draft"), &fields).await.is(200);
        assert!(page(&amara, &item, FIELDS).await.contains("Your draft is not JSON as it stands"));
    }

    async fn r16_single_values_are_kept_beside_hidden_ones(app) {
        register(app, SENSITIVE, None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let ines = app.signed_in_with("Ines", Role::Operator, "finance-ops", Clearance::Internal).await;
        let answer = type_values(app, &ines, &item, "0", &[(AMOUNT, "5"), (NAME, "Leon")]).await.is(200).text();
        let shown = page(&ines, &item, FIELDS).await;
        assert!(shown.contains("value=\"5\"") && !shown.contains("text:%2Fvendor%2Fiban"), "{shown}");
        for secret in SECRETS {
            assert!(!answer.contains(secret) && !shown.contains(secret), "{secret}");
        }
        let (version, seen) = (app.packet_version(&item).await, draft_version(&shown));
        let fields = [("version", version.as_str()), ("parent", "1"), ("draft_version", &seen), ("stage", "save"), (NAME, "Leon"), ("reason", "r")];
        post(&ines, &item, &fields, None).await.is(303);
        assert_eq!(kept(app, &item, 2).await, DOCUMENT.replace("1070468.14", "5").replace("L\\u00e9on", "Leon"));
        // A value put where something is hidden is none of hers.
        let fields = [("version", "1"), ("parent", "1"), ("draft_version", "0"), ("text:%2Fvendor%2Fiban", "NO1"), ("reason", "r")];
        assert!(!ines.post(&format!("/items/{item}/draft"), &fields).await.text().contains("NO9386011117947"));
        let fields = [("version", "1"), ("parent", "1"), ("stage", "save"), ("text:%2Fvendor%2Fiban", "NO1"), ("reason", "r")];
        assert_ne!(post(&ines, &item, &fields, None).await.status, 303);
        assert_eq!(app.revisions(&item).await, 2);
    }

    async fn a_chosen_file_is_kept_byte_for_byte_and_saved_without_being_sent_again(app) {
        register(app, "", None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let file: Vec<u8> = (0..=255).chain(*b"\r\n\n\r").collect();
        let version = app.packet_version(&item).await;
        let preview = [("version", version.as_str()), ("parent", "1"), ("draft_version", "0"), ("stage", "preview"), ("text", "not this"), ("reason", "From the archive")];
        post(&amara, &item, &preview, Some(&file)).await.is(303);
        amara.post("/sign-out", &[]).await.is(303);
        amara.sign_in("amara@example.test").await.is(303);
        let shown = page(&amara, &item, "").await;
        assert!(shown.contains("Your draft is a file of 260 bytes") && shown.contains("Save as a new revision") && shown.contains("From the archive"), "{shown}");
        assert!(!shown.contains("Go on with it as text"), "it is none");
        // Another window keeps another file meanwhile: this page's version does not count any more.
        let seen = draft_version(&shown);
        let again = [("version", version.as_str()), ("parent", "1"), ("draft_version", seen.as_str()), ("stage", "preview"), ("reason", "r")];
        post(&amara, &item, &again, Some(b"other")).await.is(303);
        let save = |seen: &str| [("version", version.clone()), ("parent", "1".into()), ("draft_version", seen.to_owned()), ("stage", "save".into()), ("as_it_is", "yes".into()), ("reason", "From the archive".to_owned())];
        let posted = async |seen: &str| {
            let fields = save(seen);
            let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            post(&amara, &item, &fields, None).await
        };
        posted(&seen).await.is(409);
        assert_eq!(app.revisions(&item).await, 1);
        let seen = draft_version(&page(&amara, &item, "").await);
        let back = [("version", version.as_str()), ("parent", "1"), ("draft_version", seen.as_str()), ("stage", "preview"), ("reason", "r")];
        post(&amara, &item, &back, Some(&file)).await.is(303);
        let seen = draft_version(&page(&amara, &item, "").await);
        posted(&seen).await.is(303);
        assert_eq!(bytes_of(app, &item, 2).await, file);
    }

    async fn of_a_file_whoever_saved_meanwhile_is_told_and_it_is_saved_after_that(app) {
        register(app, "", None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let bo = script(app, "Bo", &[], Clearance::Restricted).await;
        let version = app.packet_version(&item).await;
        let fields = [("version", version.as_str()), ("parent", "1"), ("draft_version", "0"), ("stage", "preview"), ("reason", "r")];
        post(&amara, &item, &fields, Some(b"mine")).await.is(303);
        bo.act(&item, "correct", patch(1, serde_json::json!([{ "op": "replace", "path": "/ref", "value": 12 }]))).await.is(200);
        bo.act(&item, "release", serde_json::json!({})).await.is(200);
        let shown = page(&amara, &item, "").await;
        let field = |page: &str, name: &str| {
            let form = page.split("value=\"save\"").nth(1).expect("it can be saved").to_owned();
            form.split(&format!("name=\"{name}\" value=\"")).nth(1).unwrap().split('"').next().unwrap().to_owned()
        };
        let save = async |page: &str| {
            let (version, seen) = (field(page, "version"), field(page, "draft_version"));
            let fields = [("version", version.as_str()), ("parent", "1"), ("draft_version", seen.as_str()), ("stage", "save"), ("as_it_is", "yes"), ("reason", "r")];
            post(&amara, &item, &fields, None).await
        };
        let told = save(&shown).await.is(409).text();
        assert!(told.contains("Bo made revision 2"), "{told}");
        assert_eq!(app.revisions(&item).await, 2);
        save(&told).await.is(303);
        assert_eq!(bytes_of(app, &item, 3).await, b"mine");
    }

    async fn a_file_of_text_is_gone_on_with_as_text_by_choice(app) {
        register(app, "", None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let file = DOCUMENT.replace("\r\n", "\n").replace("1070468.14", "5");
        let version = app.packet_version(&item).await;
        let fields = [("version", version.as_str()), ("parent", "1"), ("draft_version", "0"), ("stage", "preview"), ("reason", "r")];
        post(&amara, &item, &fields, Some(file.as_bytes())).await.is(303);
        let shown = page(&amara, &item, "").await;
        assert!(!shown.contains("name=\"text\" class"), "the file stands in place of the text: {shown}");
        // By value it stays a file: its own line ends.
        let seen = draft_version(&shown);
        type_values(app, &amara, &item, &seen, &[(NAME, "Leon")]).await.is(200);
        let shown = page(&amara, &item, "").await;
        assert!(shown.contains("Your draft is a file of"), "{shown}");
        let seen = draft_version(&shown);
        let fields = [("version", version.as_str()), ("parent", "1"), ("draft_version", &seen), ("stage", "as_text"), ("reason", "r")];
        post(&amara, &item, &fields, None).await.is(303);
        let text = shown_in_the_textarea(&page(&amara, &item, "").await);
        assert!(text.contains("\"Leon\"") && text.contains("\"amount\":5"), "{text}");
        let fields = [("version", version.as_str()), ("parent", "1"), ("stage", "save"), ("text", &sent_by_a_browser(&text)), ("reason", "r")];
        post(&amara, &item, &fields, None).await.is(303);
        assert_eq!(kept(app, &item, 2).await, DOCUMENT.replace("1070468.14", "5").replace("L\\u00e9on", "Leon"), "the revision's line ends");
    }

    async fn text_typed_while_another_window_kept_a_file_stays_in_the_text(app) {
        register(app, "", None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let version = app.packet_version(&item).await;
        let fields = [("version", version.as_str()), ("parent", "1"), ("draft_version", "0"), ("stage", "preview"), ("reason", "r")];
        post(&amara, &item, &fields, Some(b"a file")).await.is(303);
        let typed = sent_by_a_browser(&DOCUMENT.replace("1070468.14", "5"));
        let fields = [("version", version.as_str()), ("parent", "1"), ("draft_version", "0"), ("stage", "preview"), ("text", &typed), ("reason", "r")];
        let told = post(&amara, &item, &fields, None).await.is(409).text();
        let (_, form) = told.split_once("value=\"preview\"").expect("it can be edited");
        assert!(shown_in_the_textarea(form).contains("\"amount\":5"), "{told}");
    }
}
