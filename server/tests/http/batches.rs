//! Many reports at once: one result each, never all-or-nothing.

use serde_json::{Value, json};

use crate::{
    app::{Token, on_both},
    wire::Answer,
    words::{report, with},
};

async fn batch(token: &Token<'_>, reports: &[Value]) -> Answer {
    token.send("POST", "/api/v1/items/batch", json!({ "items": reports }).to_string()).await
}

on_both! {
    async fn each_report_of_a_batch_has_its_own_result_in_order(app) {
        let sync = app.invoices().await;
        let one = with(report("INV-1"), json!({ "report_id": "r-1" }));
        let reports = [
            one.clone(),
            with(report("INV-2"), json!({ "colour": "red" })),
            with(report("S-1"), json!({ "workflow": "support-replies" })),
            one.clone(),
            json!(17),
            with(one.clone(), json!({ "impact": "low" })),
            report("INV-3"),
        ];
        let answer = batch(&sync, &reports).await.is(200).json();
        let results = answer["results"].as_array().unwrap();
        let statuses: Vec<_> = results.iter().map(|result| result["status"].as_u64().unwrap()).collect();
        assert_eq!(statuses, [201, 422, 403, 200, 422, 409, 201]);
        assert_eq!(results[0]["id"], results[3]["id"]);
        assert_eq!(results[1]["fields"][0]["pointer"], "/colour");
        assert_eq!(results[2]["code"], "forbidden");
        assert_eq!(results[5]["code"], "report_id_taken");
        for refused in [1, 2, 4, 5] {
            assert!(results[refused]["quarantine_id"].is_string(), "{}", results[refused]);
        }
        assert_eq!((app.database.rows("item").await, app.database.rows("quarantine").await), (2, 4));

        assert_eq!(sync.report(&one).await.is(200).json()["id"], results[0]["id"], "alone or in a batch, it is the same report");
    }

    async fn only_an_automation_sends_a_batch(app) {
        app.invoices().await;
        let amara = app.script("Amara", domain::permission::Role::Supervisor, "finance-ops").await;
        for reports in [vec![], vec![report("INV-1")]] {
            batch(&amara, &reports).await.problem(403, "forbidden");
        }
        assert_eq!((app.database.rows("item").await, app.database.rows("quarantine").await), (0, 0));
    }

    async fn a_batch_has_at_most_a_thousand_reports(app) {
        let sync = app.invoices().await;
        let many: Vec<_> = (0..1_001).map(|_| json!(0)).collect();
        let id = batch(&sync, &many).await.kept_for("/items");
        let case = app.service.quarantine_case(&crate::app::command_line(), id.parse().unwrap()).await.unwrap();
        assert_eq!(case.bytes.unwrap(), json!({ "items": many }).to_string().as_bytes());
        assert_eq!(app.database.rows("quarantine").await, 1, "kept as it came, as one");

        assert_eq!(batch(&sync, &[]).await.is(200).json(), json!({ "results": [] }));
    }

    async fn what_is_no_batch_is_kept_whole(app) {
        let sync = app.invoices().await;
        for body in ["", "[]", "{", "{}", r#"{"items":[],"more":1}"#, r#"{"items":{}}"#, "\u{feff}{\"items\":[]}"] {
            let answer = sync.send("POST", "/api/v1/items/batch", body).await;
            answer.kept(400, "malformed");
        }
    }

    async fn payloads_in_a_batch_keep_their_bytes(app) {
        let sync = app.invoices().await;
        let spelled = r#"{ "amount": 40.00, "a":1,"a":2, "k":"\u00e9" }"#;
        let text = format!(r#"{{"items":[ {} ]}}"#, crate::words::with_payload_text(report("INV-1"), spelled));
        let answer = sync.send("POST", "/api/v1/items/batch", text).await.is(200).json();
        let id = answer["results"][0]["id"].as_str().unwrap().to_owned();
        assert_eq!(sync.get(&format!("/api/v1/items/{id}/revisions/1/payload")).await.is(200).text(), spelled);
    }
}
