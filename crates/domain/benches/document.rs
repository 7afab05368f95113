//! How long it takes to read two versions of a document and tell their difference, where one field was edited.

#![expect(clippy::unwrap_used, reason = "a measurement of what cannot be read is none")]

use domain::document::{difference::tree_diff, json::Json};

fn main() {
    divan::main();
}

/// Orders as a shop reports them, of about this many bytes, with one quantity that can be edited.
fn orders(bytes: usize, edited: u32) -> String {
    let mut text = String::from("{\n  \"version\": \"2024-10\",\n  \"orders\": [");
    let (mut number, mut halfway) = (0_u64, false);
    while text.len() < bytes {
        let quantity = if !halfway && text.len() >= bytes / 2 { edited } else { 2 };
        halfway = text.len() >= bytes / 2;
        let comma = if number == 0 { "" } else { "," };
        text.push_str(&format!(
            r##"{comma}
    {{
      "id": {id}, "name": "#{number}", "created_at": "2024-11-02T09:{minute:02}:11+01:00", "test": false, "note": null,
      "customer": {{ "email": "kunde{number}@example.no", "first_name": "Bj\u00f8rn", "last_name": "Åsen" }},
      "total_price": "{price}.00", "tax_rate": 0.250, "currency": "NOK",
      "line_items": [
        {{ "sku": "KAFFE-{number}", "title": "Kaffe, hele bønner", "quantity": {quantity}, "price": {price}.90, "grams": 500 }},
        {{ "sku": "KOPP-{number}", "title": "Kopp \"Fjord\"", "quantity": 1, "price": 149.00, "grams": 310 }}
      ],
      "shipping_address": {{ "address1": "Storgata {number}", "zip": "0184", "city": "Oslo", "country_code": "NO" }},
      "tags": ["web", "no-{tag}"]
    }}"##,
            id = 450_789_469 + number * 7,
            minute = number % 60,
            price = number % 900 + 100,
            tag = number % 17,
        ));
        number += 1;
    }
    text.push_str("\n  ]\n}\n");
    text
}

#[divan::bench(args = [10_000, 1_000_000, 16_000_000], sample_count = 10)]
fn read_and_compare(bencher: divan::Bencher<'_, '_>, bytes: usize) {
    let (old, new) = (orders(bytes, 2), orders(bytes, 3));
    bencher.bench_local(|| {
        let (old, new) = (Json::read(&old).unwrap(), Json::read(&new).unwrap());
        let diff = tree_diff(&old, &new);
        assert_eq!(diff.changes.len(), 1);
        diff
    });
}

#[divan::bench(args = [10_000, 1_000_000, 16_000_000], sample_count = 10)]
fn read(bencher: divan::Bencher<'_, '_>, bytes: usize) {
    let text = orders(bytes, 2);
    bencher.bench_local(|| Json::read(&text).unwrap().len());
}

/// Arrays in which little or nothing stands where it stood.
#[divan::bench(args = ["turned", "shuffled", "other", "few values"], sample_count = 5)]
fn compare_long_arrays(bencher: divan::Bencher<'_, '_>, how: &str) {
    let array = |element: &dyn Fn(u64) -> u64| {
        let elements: Vec<String> = (0..100_000).map(|place| element(place).to_string()).collect();
        format!("[{}]", elements.join(","))
    };
    let (old, new) = match how {
        "turned" => (array(&|n| n), array(&|n| 100_000 - n)),
        "shuffled" => (array(&|n| n), array(&|n| n * 48_271 % 100_003)),
        "other" => (array(&|n| n), array(&|n| n + 500_000)),
        _ => (array(&|n| n * 48_271 % 100_003 % 5), array(&|n| n * 7 % 11 % 5)),
    };
    let (old, new) = (Json::read(&old).unwrap(), Json::read(&new).unwrap());
    bencher.bench_local(|| tree_diff(&old, &new).changes.len());
}
