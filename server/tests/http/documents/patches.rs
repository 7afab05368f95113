//! Corrections that name their places (RFC 6902), field by field, and what reaches the destination.

use std::sync::Arc;

use domain::{document::patch::spliced, permission::Role, sensitivity::Clearance};
use rehearsal::systems::Sink;
use serde_json::{Value, json};

use super::{DOCUMENT, kept, patch, register, reported, script};
use crate::{actions::wrong, app::on_both, dice::Dice, words::with};

/// Numbers, strings and keys as people write them; the place of each value is known.
fn document(dice: &mut Dice) -> (String, Vec<(String, std::ops::Range<usize>)>) {
    let mut text = dice.pick(&["", "\u{feff}", " \r\n"]).to_owned() + "{";
    let mut places = Vec::new();
    let count = dice.below(6) + 1;
    for at in 0..count {
        let space = dice.pick(&["", " ", "\n  ", "\r\n\t"]);
        let value = dice.pick(&[
            "40.00",
            "-0.0",
            "1e400",
            "90071992547409931",
            "\"L\\u00e9on\"",
            "\"a\\/b\"",
            "null",
            "[1.0, {\"x\":2}]",
            "true",
        ]);
        text.push_str(&format!("{space}\"k{at}\"{space}:"));
        places.push((format!("/k{at}"), text.len()..text.len() + value.len()));
        text.push_str(value);
        if at + 1 < count {
            text.push(',');
        }
    }
    text.push_str(dice.pick(&["}", "\n}\n", " } \r\n"]));
    (text, places)
}

on_both! {
    async fn r2_a_patch_changes_its_place_and_no_other_byte(app) {
        register(app, "", None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let amara = script(app, "Amara", &[], Clearance::Restricted).await;
        let version = app.packet_version(&item).await;
        // The value is taken as it is written: no float comes near it.
        let body = r#"{"parent":1,"reason":"Digits were swapped","patch":[{"op":"replace","path":"/amount","value":1070486.140},{"op":"add","path":"/lines/-","value":{"sku":"C-3","qty":1e400}}]}"#;
        let request = amara.request("POST", &format!("/api/v1/items/{item}/correct")).header("if-match", version);
        crate::wire::Answer::to(request.header("content-type", "application/json").body(body)).await.is(200);
        let expected = DOCUMENT.replace("1070468.14", "1070486.140").replace("\"qty\":2}", "\"qty\":2}, {\"sku\":\"C-3\",\"qty\":1e400}");
        assert_eq!(kept(app, &item, 2).await, expected);
        assert_eq!(kept(app, &item, 1).await, DOCUMENT, "R1");
    }

    async fn what_of_a_patch_is_wrong_is_named(app) {
        register(app, "", None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let amara = script(app, "Amara", &[], Clearance::Restricted).await;
        for (operations, pointer) in [
            (json!([{ "op": "swap", "path": "/amount" }]), "/patch/0/op"),
            (json!([{ "op": "remove", "path": "/order" }, { "op": "remove", "path": "/nothing" }]), "/patch/1/path"),
            (json!([{ "op": "test", "path": "/amount", "value": 1 }]), "/patch/0/value"),
            (json!({}), "/patch"),
        ] {
            wrong(&amara.act(&item, "correct", patch(1, operations)).await, pointer);
        }
        let unchanged = json!([{ "op": "test", "path": "/amount", "value": 1070468.14 }]);
        amara.act(&item, "correct", patch(1, unchanged)).await.problem(422, "nothing_changed");
        let both = json!({ "parent": 1, "text": "{}", "patch": [], "reason": "x" });
        wrong(&amara.act(&item, "correct", both).await, "/text");
        assert_eq!(app.revisions(&item).await, 1);
    }

    /// R2, R3: random documents and random edits, from the report to the bytes that the destination receives.
    async fn r2_r3_only_the_edited_span_differs_at_the_destination(app) {
        let clock = Arc::clone(&app.clock);
        let sink = Sink::start(Arc::new(move || service::clock::Clock::now(&*clock))).await.unwrap();
        app.register(&format!(
            "[workflow]\nkey = \"invoice-sync\"\nname = \"Invoices\"\nowner_team = \"finance-ops\"\nversion = \"2026-11-20\"\n\
             [[step]]\nkey = \"create_invoice\"\nside_effect = \"irreversible\"\nsensitivity = \"internal\"\n\
             [step.destination]\nkind = \"http\"\nurl = \"{}/ok\"\nallow_private = true\n", sink.url)).await;
        let sync = app.token(&["invoice-sync"]).await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        for number in 0..25 {
            let mut dice = Dice(number);
            let (text, places) = document(&mut dice);
            let (pointer, span) = &places[dice.below(places.len())];
            let value = dice.pick(&["41.10", "\"\\u00e5\"", "{ \"y\" : [ ] }", "-1E+2"]);
            let payload = json!({ "media_type": "application/json", "text": text });
            let item = sync.reported(&with(crate::actions::not_sent(&format!("A-{number}")), json!({ "payload": payload }))).await;
            let version = app.packet_version(&item).await;
            let body = format!("{{\"parent\":1,\"reason\":\"r\",\"patch\":[{{\"op\":\"replace\",\"path\":\"{pointer}\",\"value\":{value}}}]}}");
            let request = amara.request("POST", &format!("/api/v1/items/{item}/correct")).header("if-match", version);
            crate::wire::Answer::to(request.header("content-type", "application/json").body(body)).await.is(200);
            amara.act(&item, "replay", json!({ "revision": 2, "reason": "Corrected" })).await.is(202);
            app.send_due().await;
            let expected = spliced(&text, span.clone(), value);
            let sent = sink.lines().pop().unwrap();
            assert_eq!(String::from_utf8(sent.body.to_vec()).unwrap(), expected, "{number}: {text:?}");
        }
    }

    async fn r2_field_by_field_keeps_what_was_not_touched(app) {
        register(app, "", None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let page = amara.get(&format!("/items/{item}/correct?view=fields")).await.is(200).text();
        assert!(page.contains("text:%2Fvendor%2Fname") && page.contains("value=\"Léon\""), "{page}");
        let version = app.packet_version(&item).await;
        let typed = |amount: &'static str| vec![
            ("version", version.clone()), ("parent", "1".into()), ("reason", "Digits".into()), ("stage", "save".to_owned()),
            ("text:%2Fvendor%2Fname", "Léon".into()), ("value:%2Famount", amount.into()), ("value:%2Flines%2F0%2Fqty", "1.00".into()),
        ];
        let post = async |amount| {
            let fields = typed(amount);
            let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            amara.post(&format!("/items/{item}/correct"), &fields).await
        };
        let refused = post("4O.00").await.is(422).text();
        assert!(refused.contains("Write a number, true, false, null") && refused.contains("4O.00"), "{refused}");
        post("41.0").await.is(303);
        assert_eq!(kept(app, &item, 2).await, DOCUMENT.replace("1070468.14", "41.0"));
    }

    async fn any_two_revisions_can_be_compared(app) {
        register(app, "", None).await;
        let item = reported(app, "A", DOCUMENT).await;
        let bo = script(app, "Bo", &[], Clearance::Restricted).await;
        for (parent, amount) in [(1, 2), (2, 3)] {
            bo.act(&item, "correct", patch(parent, json!([{ "op": "replace", "path": "/amount", "value": amount }]))).await.is(200);
        }
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let page = amara.get(&format!("/items/{item}?revision=3&compare=2")).await.is(200).text();
        let (_, table) = page.split_once("What differs, place by place").unwrap();
        let (row, _) = table.split_once("</table>").unwrap();
        assert!(row.contains("/amount") && row.contains("<del>2<") && row.contains("<ins>3<"), "{row}");
        amara.get(&format!("/items/{item}?revision=3&compare=3")).await.is(200);
        assert!(amara.get(&format!("/items/{item}?compare=9")).await.is(200).text().contains("revision 9"));
    }

    /// Bad input: each is opened, replayed unedited or corrected, and no page breaks.
    async fn no_page_breaks_because_of_a_payload(app) {
        register(app, "", None).await;
        let sync = app.token(&["invoice-sync"]).await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let deep = "[".repeat(60_000) + &"]".repeat(60_000);
        let line = format!("{{\"x\":\"{}\"}}", "é".repeat(1 << 18));
        let odd: Vec<(&str, Value)> = vec![
            ("application/json", json!({ "text": "{\"a\":\"\\ud800\",\"b\":1e400}" })),
            ("application/json", json!({ "text": deep })),
            ("application/json", json!({ "text": line })),
            ("application/json", json!({ "text": "{\"a\":1,\"a\":2}" })),
            ("application/json", json!({ "text": "null" })),
            ("application/json", json!({ "text": "\"text\"" })),
            ("application/json", json!({ "text": "" })),
            ("application/json", json!({ "text": "{\"a\":1" })),
            ("application/json", json!({ "text": "\u{feff}{}" })),
            ("text/plain", json!({ "text": "a\u{0}b" })),
            ("application/json", json!({ "base64": "eyJhIjoi/yJ9" })),
            ("application/octet-stream", json!({ "base64": "AP8B" })),
            ("application/x-www-form-urlencoded", json!({ "text": "a=1&b=%2B+x&a=2" })),
            ("application/xml", json!({ "text": "<a><!-- & --></a>" })),
        ];
        for (number, (media_type, payload)) in odd.into_iter().enumerate() {
            let payload = with(payload, json!({ "media_type": media_type }));
            let item = sync.reported(&with(crate::actions::not_sent(&format!("A-{number}")), json!({ "payload": payload }))).await;
            for path in ["", "/correct", "/correct?view=fields", "?view=raw", "/replay", "/revisions/1/payload"] {
                amara.get(&format!("/items/{item}{path}")).await.is(200);
            }
            let version = app.packet_version(&item).await;
            let fields = [("version", version.as_str()), ("parent", "1"), ("stage", "preview"), ("text", "{}"), ("reason", "Mended")];
            amara.post(&format!("/items/{item}/correct"), &fields).await.is(200);
        }
    }
}
