//! Whoever is named in a comment is told, if they can see the item.

use domain::{
    audit::{AuditKind, AuditOutcome},
    notice::NoticeKind,
    permission::Role,
    sensitivity::Clearance,
};
use serde_json::json;
use service::people::leave::{Account, DisablePerson};

use super::{only, wrong};
use crate::{
    app::{command_line, on_both},
    words::{self, report, with},
};

on_both! {
    async fn whoever_is_named_in_a_comment_is_told_once(app) {
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let jonas = app.signed_in("Jonas", Role::Operator, "finance-ops").await;
        app.add("Aud", &[Role::Auditor], &["finance-ops"], Clearance::Internal).await;
        let id = sync.reported(&with(report("INV-1"), json!({ "business_ref": "Invoice 7" }))).await;
        let text = "@jonas@example.test, (@Aud@EXAMPLE.test): look. Again @JONAS@example.test, and I, @amara@example.test.";
        let (said, entries) = app.audited(amara.act(&id, "comment", json!({ "text": text }))).await;
        said.is(200);
        only(entries, AuditKind::Commented, AuditOutcome::Done);
        for told in ["jonas@example.test", "aud@example.test"] {
            assert_eq!(app.told_of(told, NoticeKind::Mentioned).await, ["Amara named you in a comment about Invoice 7"]);
        }
        assert!(app.told_of("amara@example.test", NoticeKind::Mentioned).await.is_empty(), "nobody is told of what they did themselves");
        let page = jonas.get("/notices").await.is(200).text();
        assert!(page.contains("Amara named you in a comment about Invoice 7") && page.contains(&format!("href=\"/items/{id}\"")));

        amara.act(&id, "comment", json!({ "text": "I wrote to jonas@example.test and to nobody@example.test." })).await.is(200);
        assert_eq!(app.told_of("jonas@example.test", NoticeKind::Mentioned).await.len(), 1, "an address alone names nobody");
        assert_eq!(app.packet(&id).await.comments.len(), 2);
    }

    async fn r15_who_can_not_see_the_item_is_not_named_and_nobody_learns_whether_they_exist(app) {
        let sync = app.invoices().await;
        app.register(words::REPLIES).await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let selma = app.script("Selma", Role::Supervisor, "finance-ops").await;
        app.add("Sam", &[Role::Operator], &["support"], Clearance::Restricted).await;
        app.add("Gone", &[Role::Operator], &["finance-ops"], Clearance::Restricted).await;
        app.service.run(&command_line(), DisablePerson(Account::Email("gone@example.test".into()))).await.unwrap();
        let id = sync.reported(&report("INV-1")).await;
        let mut said = std::collections::BTreeSet::new();
        for address in ["sam@example.test", "gone@example.test", "nobody@example.test"] {
            let body = json!({ "text": format!("@selma@example.test, @{address}: look.") });
            let (refused, entries) = app.audited(amara.act(&id, "comment", body)).await;
            wrong(&refused, "/text");
            only(entries, AuditKind::Commented, AuditOutcome::Refused);
            let message = refused.json()["fields"][0]["message"].as_str().unwrap().to_owned();
            assert!(message.contains(address) && message.contains("leave out the @"), "{message}");
            said.insert(message.replace(address, "…"));
        }
        assert_eq!(said.len(), 1, "one wording for all: {said:?}");
        assert!(app.packet(&id).await.comments.is_empty());
        assert!(app.told_of("selma@example.test", NoticeKind::Mentioned).await.is_empty(), "all or nobody");

        // Of several the first is told: whoever corrects it learns of the next.
        let two = amara.act(&id, "comment", json!({ "text": "@selma@example.test, @nobody@example.test and @sam@example.test: look." })).await;
        wrong(&two, "/text");
        assert!(two.text().contains("signs in as nobody@example.test. ") && !two.text().contains("sam@"), "{}", two.text());
        amara.act(&id, "comment", json!({ "text": "It runs with @types/node@18 and see /@nobody@example.test/1" })).await.is(200);
        assert_eq!(app.packet(&id).await.comments.len(), 1, "a package is nobody");

        let crowd: String = (0..21).map(|n| format!("@p{n}@example.test ")).collect();
        let many = amara.act(&id, "comment", json!({ "text": crowd })).await;
        wrong(&many, "/text");
        assert!(many.text().contains("at most 20 people"), "{}", many.text());

        let browser = app.signed_in("Bo", Role::Operator, "finance-ops").await;
        let version = app.version(&id).await.to_string();
        let form = browser.get(&format!("/items/{id}/comment")).await.is(200).text();
        assert!(form.contains("@amara@example.com"), "the form says how");
        let fields = [("version", version.as_str()), ("text", "Typed with care for @sam@example.test")];
        let page = browser.post(&format!("/items/{id}/comment"), &fields).await.is(422).text();
        assert!(page.contains("Typed with care for @sam@example.test") && page.contains("leave out the @ before it"), "{page}");

        selma.act(&id, "assign", json!({ "team": "support", "note": "Theirs" })).await.is(200);
        browser.post(&format!("/items/{id}/comment"), &[("text", "Now you see it, @sam@example.test")]).await.is(303);
        assert_eq!(app.told_of("sam@example.test", NoticeKind::Mentioned).await.len(), 1);
    }
}
