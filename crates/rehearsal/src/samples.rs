//! Documents as real systems send them, each with something that parsers disagree about. `samples/README.md` says what.

/// One document, byte for byte.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    pub name: &'static str,
    pub media_type: &'static str,
    pub bytes: &'static [u8],
}

macro_rules! samples {
    ($($name:literal $media_type:literal),+ $(,)?) => {
        &[$(Sample {
            name: $name,
            media_type: $media_type,
            bytes: include_bytes!(concat!("../samples/", $name)),
        }),+]
    };
}

/// Every sample, in the order of its number.
pub const ALL: &[Sample] = samples![
    "01-invoice-trailing-zeros.json" "application/json",
    "02-invoice-ubl.xml" "application/xml",
    "03-export-lines.csv" "text/csv; charset=utf-8; header=present",
    "04-payment-event.json" "application/json",
    "05-order.json" "application/json",
    "06-order-event.json" "application/cloudevents+json",
    "07-contact.json" "application/json",
    "08-contact-duplicate-keys.json" "application/json",
    "09-status-callback.form" "application/x-www-form-urlencoded",
    "10-reply-bidi.json" "application/json",
    "11-line-separators.json" "application/json",
    "12-numbers.json" "application/json",
    "13-deep.json" "application/json",
    "14-byte-order-mark.json" "application/json",
    "15-crlf.json" "application/json",
    "16-latin-1.json" "application/json; charset=iso-8859-1",
    "17-empty.bin" "application/octet-stream",
    "18-root-null.json" "application/json",
    "19-root-string.json" "application/json",
    "20-root-number.json" "application/json",
    "21-root-array.json" "application/json",
    "22-json-in-string.json" "application/json",
    "23-long-price-list.json" "application/json",
    "24-escapes.json" "application/json",
    "25-odd-keys.json" "application/json",
    "26-markup.json" "application/json",
    "27-form-submission.json" "application/json",
    "28-benefit-statement.json" "application/json",
    "29-note-utf-16.txt" "text/plain; charset=utf-16le",
    "30-order.edi" "application/edifact",
    "31-yaml-note.yaml" "application/yaml",
];

/// The sample whose name starts with `number`, such as `"05"`.
#[must_use]
pub fn numbered(number: &str) -> Option<&'static Sample> {
    ALL.iter().find(|sample| sample.name.split('-').next() == Some(number))
}
