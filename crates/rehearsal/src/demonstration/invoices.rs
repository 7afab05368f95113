//! Supplier invoices of the demonstration.

use chrono::TimeDelta;

use super::{
    cast::Supplier,
    json_text::{money, quoted},
    scene::{After, Job, Scene},
    script::Script,
};
use crate::{
    automations::{Document, Invoice, Reading},
    samples,
    systems::Fault,
};

/// What the ledger will not like about a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Defect {
    Nothing,
    CostCentre,
    Currency,
    DueDate,
}

/// Samples that travel as invoices, with the supplier they come from and a number to find them by.
const FROM_SAMPLES: [(&str, &str, &str); 11] = [
    ("01", "Fjordlys Sjømat AS", "FJ-2026-0417"),
    (
        "02",
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft mbH & Co. KG",
        "RE-88/2026-0093",
    ),
    ("03", "Bjørk & Sønner ANS", "Lines of 29 November"),
    ("04", "Cloudberry Analytics DAC", "CA-0042"),
    ("12", "Acme Components Inc.", "INV-NUMBERS-7"),
    ("14", "Fjordlys Sjømat AS", "FJ-2026-0418"),
    ("15", "הלוי־כהן ובניו בע״מ", "HX-1009"),
    ("16", "Sámi Duodji Siida SA", "SDS-0031"),
    ("17", "Ó Súilleabháin & Daughters Ltd", "OSD-empty"),
    ("23", "Österreichische Schraubenhandelsgesellschaft m. b. H.", "DDG-2026-7781"),
    ("30", "Bjørk & Sønner ANS", "EDI 4417"),
];

pub(super) fn quiet(script: &mut Script) -> Vec<Scene> {
    (0..9).map(|_| Scene::quiet(Job::Invoice(plain(script, Defect::Nothing)))).collect()
}

pub(super) fn troubled(script: &mut Script) -> Vec<Scene> {
    let mut scenes = Vec::new();
    let uncertain = [
        Fault::CommitThenTimeout,
        Fault::CommitThenTimeout,
        Fault::CommitThenTimeout,
        Fault::HangBeforeCommit,
        Fault::CommitThenReset,
        Fault::CommitThenStatus { code: 502 },
        Fault::WrongBody,
        Fault::Accepted,
    ];
    scenes.extend(uncertain.map(|fault| meets(plain(script, Defect::Nothing), 1, fault)));
    scenes.extend(outage(script));
    for defect in [Defect::CostCentre, Defect::CostCentre, Defect::Currency, Defect::DueDate] {
        scenes.push(Scene::quiet(Job::Invoice(plain(script, defect))));
    }
    scenes.push(meets(plain(script, Defect::Nothing), 1, Fault::Status { code: 401, retry_after_s: None }));
    scenes.extend(readings(script));
    scenes.extend(special(script));
    scenes.extend(samples_as_invoices(script));
    scenes
}

pub(super) fn another(script: &mut Script) -> Scene {
    let mut invoice = plain(script, Defect::Nothing);
    invoice.started_at = script.now() - TimeDelta::seconds(40);
    let fault = script.one_of(&[0, 1, 2]);
    match fault {
        0 => meets(invoice, 1, Fault::CommitThenTimeout),
        1 => meets(invoice, 3, Fault::Status { code: 503, retry_after_s: Some(30) }),
        _ => {
            let document = plain(script, Defect::CostCentre);
            Scene::quiet(Job::Invoice(Invoice { started_at: invoice.started_at, ..document }))
        }
    }
}

/// One evening on which the ledger was down.
fn outage(script: &mut Script) -> Vec<Scene> {
    (0..4)
        .map(|minute| {
            let mut invoice = plain(script, Defect::Nothing);
            invoice.started_at = script.minutes_ago(13 * 60 + minute * 3);
            invoice.impact = Some("medium");
            meets(invoice, 3, Fault::Status { code: 503, retry_after_s: Some(60) })
        })
        .collect()
}

fn readings(script: &mut Script) -> Vec<Scene> {
    let findings = [
        "/total: must be a number, found \"1.290,00\"",
        "/lines/2/net: is required",
        "/due_date: must match YYYY-MM-DD, found \"30 dager netto\"",
    ]
    .map(str::to_owned);
    [
        Reading::BrokenContract { findings: findings.to_vec() },
        Reading::BrokenContract { findings: findings[..1].to_vec() },
        Reading::NoAnswer,
        Reading::Doubtful { confidence: 0.58, other: "Bjørk og Sønn Transport AS".to_owned() },
        Reading::Doubtful { confidence: 0.71, other: "Fjordlys Kraft AS".to_owned() },
    ]
    .map(|reading| {
        let invoice = plain(script, Defect::Nothing);
        Scene::quiet(Job::Invoice(Invoice { reading, impact: Some("medium"), ..invoice }))
    })
    .into()
}

/// Reports that come twice, change, come true after all, or were made by an old version.
fn special(script: &mut Script) -> Vec<Scene> {
    let twice = plain(script, Defect::Nothing);
    let mut changing = plain(script, Defect::Currency);
    changing.started_at = script.minutes_ago(95);
    let changed = String::from_utf8_lossy(&changing.document.bytes).replace("\"4200\"", "\"4310\"");
    let late = plain(script, Defect::Nothing);
    let mut old = plain(script, Defect::Nothing);
    (old.version, old.started_at) = (Some("2026-09-14"), script.minutes_ago(5 * 24 * 60));
    old.reading = Reading::Paused { moved_to: "2026-11-20" };
    let mut stalled = plain(script, Defect::Nothing);
    stalled.worker_stops = true;
    let mut secret = plain(script, Defect::Nothing);
    secret.sensitivity = Some("restricted");
    vec![
        meets(twice, 1, Fault::CommitThenTimeout).then(After::SameReportAgain),
        Scene::quiet(Job::Invoice(changing)).then(After::ChangedDocument(Document::json(changed))),
        meets(late, 1, Fault::CommitThenReset).then(After::SucceededAfterAll),
        Scene::quiet(Job::Invoice(old)),
        Scene::quiet(Job::Invoice(stalled)),
        meets(secret, 1, Fault::CommitThenTimeout),
    ]
}

fn samples_as_invoices(script: &mut Script) -> Vec<Scene> {
    let sample = |(number, supplier, reference): &(&str, &str, &str)| {
        let sample = samples::numbered(number)?;
        let invoice = Invoice {
            number: (*reference).to_owned(),
            supplier: (*supplier).to_owned(),
            supplier_code: format!("S{number}"),
            document: sample.into(),
            reading: Reading::Good { confidence: 0.9 },
            started_at: script.some_time_ago(),
            impact: None,
            sensitivity: None,
            worker_stops: false,
            version: None,
        };
        // Found by key: not every document holds its own number.
        let key = invoice.dedupe_key();
        Some(match script.one_of(&[0, 1, 2]) {
            0 => Scene::troubled(Job::Invoice(invoice), &key, 1, Fault::CommitThenTimeout),
            1 => Scene::troubled(Job::Invoice(invoice), &key, 3, Fault::Status { code: 503, retry_after_s: Some(30) }),
            _ => {
                let message = "The document could not be booked in this form.".to_owned();
                let fault = Fault::Reject { pointer: "/".to_owned(), message };
                Scene::troubled(Job::Invoice(invoice), &key, 1, fault)
            }
        })
    };
    FROM_SAMPLES.iter().filter_map(sample).collect()
}

fn meets(invoice: Invoice, requests: u32, fault: Fault) -> Scene {
    let reference = invoice.number.clone();
    Scene::troubled(Job::Invoice(invoice), &reference, requests, fault)
}

fn plain(script: &mut Script, defect: Defect) -> Invoice {
    let supplier = script.supplier();
    let number = format!("{}{}", supplier.series, 4_100 + script.serial());
    let started_at = script.some_time_ago();
    let issued = started_at.date_naive() - TimeDelta::days(2);
    let due = issued + TimeDelta::days(if defect == Defect::DueDate { -30 } else { 30 });
    let document = Document::json(text(script, &supplier, &number, &issued.to_string(), &due.to_string(), defect));
    #[expect(clippy::cast_precision_loss, reason = "two digits")]
    let confidence = 0.80 + script.between(0, 19) as f64 / 100.0;
    Invoice {
        number,
        supplier: supplier.name.to_owned(),
        supplier_code: supplier.code.to_owned(),
        document,
        reading: Reading::Good { confidence },
        started_at,
        impact: None,
        sensitivity: None,
        worker_stops: false,
        version: None,
    }
}

fn text(script: &mut Script, supplier: &Supplier, number: &str, issued: &str, due: &str, defect: Defect) -> String {
    let first = script.between(1, 40) * script.between(900, 12_050);
    let second = script.between(5, 90) * 1_000;
    let tax = (first + second) / 4;
    let currency = if defect == Defect::Currency { "NKR" } else { supplier.currency };
    let cost_centre = if defect == Defect::CostCentre { "4190" } else { "4200" };
    format!(
        r#"{{
  "invoice_number": {number},
  "supplier": {{
    "name": {name},
    "vat_id": {vat_id},
    "iban": {iban},
    "contact": {{ "name": {contact}, "email": {email} }}
  }},
  "issue_date": "{issued}",
  "due_date": "{due}",
  "currency": "{currency}",
  "currency_rate": 1.000000,
  "cost_centre": "{cost_centre}",
  "lines": [
    {{ "text": {ware}, "net": {net}, "tax_rate": 0.250 }},
    {{ "text": {other_ware}, "net": {other_net}, "tax_rate": 0.250 }}
  ],
  "net_total": {net_total},
  "tax_total": {tax_total},
  "total": {total}
}}"#,
        number = quoted(number),
        name = quoted(supplier.name),
        vat_id = quoted(supplier.vat_id),
        iban = quoted(supplier.iban),
        contact = quoted(supplier.contact),
        email = quoted(supplier.email),
        ware = quoted(supplier.wares[0]),
        other_ware = quoted(supplier.wares[1]),
        net = money(first),
        other_net = money(second),
        net_total = money(first + second),
        tax_total = money(tax),
        total = money(first + second + tax),
    )
}
