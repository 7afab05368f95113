//! The API's own description is a golden file: a change of the contract is seen in review.

use std::path::Path;

use crate::app::on_both;

/// Set this to write the file anew.
const UPDATE: &str = "UPDATE_GOLDEN";

fn described() -> String {
    let pretty = server::openapi().to_pretty_json().unwrap();
    pretty + "\n"
}

#[test]
fn the_description_is_as_agreed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/openapi.json");
    #[expect(clippy::disallowed_methods, reason = "the tests have no settings of their own to read it from")]
    let update = std::env::var(UPDATE).is_ok_and(|value| value == "1");
    if update {
        std::fs::write(&path, described()).unwrap();
    }
    let agreed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        agreed == described(),
        "docs/openapi.json is not what the code describes. Run this test with {UPDATE}=1 and look at the difference."
    );
}

on_both! {
    async fn the_description_is_served_and_read_without_other_hosts(app) {
        let browser = app.browser();
        let served = browser.get("/api/openapi.json").await.is(200).json();
        assert_eq!(served, serde_json::from_str::<serde_json::Value>(&described()).unwrap());
        let viewer = browser.get("/api/docs/").await.is(200).text();
        assert!(!viewer.contains("http://") && !viewer.contains("https://"), "{viewer}");
        for file in viewer.split(['"', '\'']).filter(|part| part.ends_with(".css") || part.ends_with(".js")) {
            browser.get(&format!("/api/docs/{}", file.trim_start_matches("./"))).await.is(200);
        }
    }

    async fn every_operation_says_what_a_refusal_looks_like(app) {
        let served = app.browser().get("/api/openapi.json").await.is(200).json();
        for (path, item) in served["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                let refused = &operation["responses"]["401"]["content"]["application/problem+json"];
                assert!(refused.is_object(), "{method} {path}");
                assert!(operation["operationId"].is_string() && operation["summary"].is_string(), "{method} {path}");
            }
        }
        assert_eq!(served["openapi"].as_str().map(|version| &version[..3]), Some("3.1"));
    }
}
