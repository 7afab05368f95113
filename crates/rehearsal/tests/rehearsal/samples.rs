use std::path::Path;

use rehearsal::{report::Payload, samples};
use serde_json::value::RawValue;

#[test]
fn embedded_samples_equal_the_files_and_none_is_missing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    for sample in samples::ALL {
        assert_eq!(sample.bytes, std::fs::read(folder.join(sample.name)).unwrap(), "{}", sample.name);
    }
    let files = std::fs::read_dir(&folder).unwrap().filter(|file| file.as_ref().unwrap().file_name() != "README.md");
    assert_eq!(files.count(), samples::ALL.len());
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    for sample in samples::ALL {
        let row = format!("| `{}` | `{}` | {} |", sample.name, sample.media_type, sample.bytes.len());
        assert!(readme.contains(&row), "README.md does not say {row}");
    }
}

#[test]
fn the_samples_are_as_difficult_as_they_claim() {
    let bytes = |number: &str| samples::numbered(number).unwrap().bytes;
    let has = |number: &str, text: &str| String::from_utf8_lossy(bytes(number)).contains(text);
    assert!(has("01", "84.90") && has("01", r"\/Date("));
    assert!(has("03", "\r\n") && has("15", "\r\n"));
    assert!(has("11", "\u{2028}") && has("10", "\u{202e}"));
    assert!(bytes("14").starts_with(b"\xef\xbb\xbf"));
    assert!(std::str::from_utf8(bytes("16")).is_err());
    assert!(bytes("17").is_empty());
    assert!(bytes("23").len() > 300_000);
    assert!(serde_json::from_slice::<serde_json::Value>(bytes("13")).is_err(), "deeper than usual parsers go");
    assert!(serde_json::from_slice::<&RawValue>(bytes("13")).is_ok());
    // None of these survives being parsed and printed.
    for number in ["01", "05", "08", "12", "22", "28"] {
        let value: serde_json::Result<serde_json::Value> = serde_json::from_slice(bytes(number));
        assert!(value.map_or(true, |value| value.to_string().as_bytes() != bytes(number)), "{number}");
    }
}

#[test]
fn every_sample_can_be_carried() {
    for sample in samples::ALL {
        assert_eq!(Payload::exact(sample.media_type, sample.bytes).media_type, sample.media_type);
    }
}
