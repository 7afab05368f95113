//! Customer contacts of the demonstration.

use chrono::TimeDelta;

use super::{
    cast::Customer,
    json_text::quoted,
    scene::{Job, Scene},
    script::Script,
};
use crate::{
    automations::{ContactChange, Document},
    samples,
    systems::Fault,
};

/// External keys the CRM has from the beginning, so that a second contact is a conflict.
const KNOWN: [&str; 2] = ["kd-7001", "kd-7002"];
/// Samples that travel as contacts, with what people call them.
const FROM_SAMPLES: [(&str, &str); 5] = [
    ("07", "نورة بنت عبد الله الحمّادي"),
    ("08", "Anneliese Oberhuber"),
    ("13", "Deep import"),
    ("25", "Import with odd keys"),
    ("27", "Form of O. Adeyemi"),
];

pub(super) fn quiet(script: &mut Script) -> Vec<Scene> {
    let mut scenes: Vec<_> = (0..4).map(|_| Scene::quiet(Job::Contact(plain(script, None)))).collect();
    scenes.extend(KNOWN.map(|key| Scene::quiet(Job::Contact(plain(script, Some(key))))));
    scenes
}

pub(super) fn troubled(script: &mut Script) -> Vec<Scene> {
    let mut scenes = Vec::new();
    for key in KNOWN {
        let change = ContactChange { event: "contact.merged".to_owned(), ..plain(script, Some(key)) };
        scenes.push(Scene::quiet(Job::Contact(change)));
    }
    for (requests, fault) in [
        (1, Fault::Status { code: 403, retry_after_s: None }),
        (1, Fault::Status { code: 401, retry_after_s: None }),
        (1, Fault::CommitThenTimeout),
        (1, Fault::HangBeforeCommit),
        (3, Fault::Status { code: 503, retry_after_s: Some(20) }),
    ] {
        scenes.push(meets(plain(script, None), requests, fault));
    }
    for minutes in [25, 70] {
        scenes.push(busy(script, minutes));
    }
    scenes.push(Scene::quiet(Job::Batch((0..3).map(|_| without_address(script)).collect())));
    scenes.extend(FROM_SAMPLES.iter().filter_map(|(number, name)| sample(script, number, name)));
    scenes
}

pub(super) fn another(script: &mut Script) -> Scene {
    let mut change = plain(script, None);
    change.started_at = script.now() - TimeDelta::seconds(15);
    match script.one_of(&[0, 1, 2]) {
        0 => meets(change, 1, Fault::Status { code: 403, retry_after_s: None }),
        1 => meets(change, 1, Fault::CommitThenReset),
        _ => busy(script, 12),
    }
}

/// The CRM is busy and the automation will come back.
fn busy(script: &mut Script, minutes: i64) -> Scene {
    let mut change = plain(script, None);
    change.started_at = script.minutes_ago(3);
    change.next_try = Some(script.now() + TimeDelta::minutes(minutes));
    meets(change, 3, Fault::RateLimited { retry_after_s: 900 })
}

fn without_address(script: &mut Script) -> ContactChange {
    let mut change = plain(script, None);
    let text = String::from_utf8_lossy(&change.document.bytes).replace('@', " at ");
    change.document = Document::json(text);
    change.impact = Some("low");
    change
}

fn sample(script: &mut Script, number: &str, name: &str) -> Option<Scene> {
    let sample = samples::numbered(number)?;
    let change = ContactChange {
        external_key: format!("import-{number}"),
        name: name.to_owned(),
        event: "contact.imported".to_owned(),
        document: sample.into(),
        started_at: script.some_time_ago(),
        sensitivity: (number == "27").then_some("restricted"),
        impact: Some("low"),
        next_try: None,
    };
    let key = change.dedupe_key();
    Some(Scene::troubled(Job::Contact(change), &key, 1, Fault::Status { code: 403, retry_after_s: None }))
}

fn meets(change: ContactChange, requests: u32, fault: Fault) -> Scene {
    let reference = change.external_key.clone();
    Scene::troubled(Job::Contact(change), &reference, requests, fault)
}

fn plain(script: &mut Script, known: Option<&str>) -> ContactChange {
    let customer = script.customer();
    let external_key = known.map_or_else(|| format!("kd-{}", 8_100 + script.serial()), str::to_owned);
    ContactChange {
        document: Document::json(text(&customer, &external_key)),
        external_key,
        name: customer.name.to_owned(),
        event: "contact.updated".to_owned(),
        started_at: script.some_time_ago(),
        sensitivity: None,
        impact: None,
        next_try: None,
    }
}

fn text(customer: &Customer, external_key: &str) -> String {
    format!(
        r#"{{
  "external_key": {key},
  "name": {{ "full": {name} }},
  "email": {email},
  "phone": {phone},
  "address": {{ "street": {street}, "city": {city}, "country": "{country}" }},
  "consent": {{ "marketing": false, "since": null }},
  "score": 0.70
}}"#,
        key = quoted(external_key),
        name = quoted(customer.name),
        email = quoted(customer.email),
        phone = quoted(customer.phone),
        street = quoted(customer.street),
        city = quoted(customer.city),
        country = customer.country,
    )
}
