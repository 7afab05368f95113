use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::digest::Sha256;
use rehearsal::samples::ALL;
use serde_json::json;

use super::{GOOD, Stage};
use crate::{actions::not_sent, app::on_both, words::with};

on_both! {
    /// R3, C78, C88, C89: every sample, replayed without an edit, arrives byte for byte, with its own media type.
    async fn r3_every_sample_arrives_byte_for_byte(app) {
        let stage = Stage::new(app, GOOD).await;
        for sample in ALL {
            let payload = json!({ "media_type": sample.media_type, "base64": STANDARD.encode(sample.bytes) });
            let item = stage.sync.reported(&with(not_sent(sample.name), json!({ "payload": payload }))).await;
            let seen = stage.replayed(&item, 1).await;
            assert_eq!(seen["state"], "closed", "{}", sample.name);
            let line = stage.lines().pop().unwrap();
            assert_eq!(Sha256::of(&line.body), Sha256::of(sample.bytes), "{}", sample.name);
            assert_eq!(line.header("content-type"), Some(sample.media_type), "{}", sample.name);
        }
        assert_eq!(stage.sink.kept().len(), ALL.len());
    }
}
