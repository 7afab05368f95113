//! Orders of the demonstration, and the exports of an old system that nobody has registered.

use chrono::TimeDelta;

use super::{
    cast::Customer,
    json_text::{money, quoted},
    scene::{Job, Scene},
    script::Script,
};
use crate::{
    automations::{Document, Export, Order, Parcel},
    samples,
    systems::Fault,
};

const LOCATIONS: [&str; 3] = ["LYS-1", "TRD-2", "HAM-4"];

pub(super) fn quiet(script: &mut Script) -> Vec<Scene> {
    (1..=3).map(|parcels| Scene::quiet(Job::Order(plain(script, parcels, true)))).collect()
}

pub(super) fn troubled(script: &mut Script) -> Vec<Scene> {
    let out_of_stock = |sku: &str| Fault::Reject {
        pointer: "/line_items/0/quantity".to_owned(),
        message: format!("Only 0 of {sku} are left at this location."),
    };
    let mut scenes = vec![
        second_parcel(script, 2, 1, out_of_stock("CUP-GR-02")),
        second_parcel(script, 3, 1, out_of_stock("TEAPOT-GR-07")),
        second_parcel(script, 2, 3, Fault::Status { code: 503, retry_after_s: Some(45) }),
        second_parcel(script, 2, 1, Fault::CommitThenTimeout),
        Scene::quiet(Job::Order(plain(script, 1, false))),
    ];
    for fault in [Fault::CommitThenTimeout, Fault::CommitThenReset, Fault::Status { code: 404, retry_after_s: None }] {
        let order = plain(script, 1, true);
        let reference = order.name.clone();
        scenes.push(Scene::troubled(Job::Order(order), &reference, 1, fault));
    }
    scenes.extend(["05", "06"].into_iter().filter_map(|number| sample(script, number)));
    let outdated = Order { changed_to: Some("order-v12".to_owned()), ..plain(script, 2, true) };
    scenes.push(Scene::quiet(Job::Order(outdated)));
    scenes.extend(exports(script));
    scenes
}

pub(super) fn another(script: &mut Script) -> Scene {
    let message = "This location is closed for stock-taking.".to_owned();
    let fault = Fault::Reject { pointer: "/location".to_owned(), message };
    let mut scene = second_parcel(script, 2, 1, fault);
    if let Job::Order(order) = &mut scene.job {
        order.started_at = script.now() - TimeDelta::seconds(12);
    }
    scene
}

fn second_parcel(script: &mut Script, parcels: usize, requests: u32, fault: Fault) -> Scene {
    let order = plain(script, parcels, true);
    let reference = format!("{}/2", order.name);
    Scene::troubled(Job::Order(order), &reference, requests, fault)
}

fn sample(script: &mut Script, number: &str) -> Option<Scene> {
    let document = Document::from(samples::numbered(number)?);
    let name = if number == "05" { "#4417" } else { "#4431" };
    let order = Order {
        name: name.to_owned(),
        customer: "Léon Mercier-d’Aubigné".to_owned(),
        parcels: vec![Parcel { location: LOCATIONS[0].to_owned(), document: document.clone() }],
        document,
        started_at: script.some_time_ago(),
        impact: Some("medium"),
        source_version: Some("order-v3".to_owned()),
        changed_to: None,
    };
    let key = order.dedupe_key();
    Some(Scene::troubled(Job::Order(order), &key, 1, Fault::CommitThenTimeout))
}

fn exports(script: &mut Script) -> Vec<Scene> {
    ["03", "29", "31"]
        .into_iter()
        .filter_map(|number| {
            let sample = samples::numbered(number)?;
            let ended_at = script.some_time_ago();
            Some(Scene::quiet(Job::Export(Export {
                file: format!("EXP{}.{number}", ended_at.format("%m%d")),
                document: sample.into(),
                log: "EXPJOB02 STEP030 ENDED RC=0012\nSEE SYSOUT".to_owned(),
                ended_at,
            })))
        })
        .collect()
}

fn plain(script: &mut Script, parcels: usize, deliverable: bool) -> Order {
    let customer = script.customer();
    let name = format!("#{}", 5_200 + script.serial());
    let price = script.between(2_900, 31_990);
    let country = if deliverable { customer.country } else { "XX" };
    let document = Document::json(order_text(script, &customer, &name, price, country));
    let parcel = |(at, location): (usize, &&str)| Parcel {
        location: (*location).to_owned(),
        document: if parcels == 1 { document.clone() } else { parcel_text(&name, at + 1, location, price) },
    };
    Order {
        parcels: LOCATIONS.iter().take(parcels).enumerate().map(parcel).collect(),
        customer: customer.name.to_owned(),
        document: document.clone(),
        name,
        started_at: script.some_time_ago(),
        impact: None,
        source_version: Some(format!("order-v{}", script.between(1, 9))),
        changed_to: None,
    }
}

fn parcel_text(order: &str, at: usize, location: &str, price: u64) -> Document {
    Document::json(format!(
        r#"{{"name":{name},"parcel":{parcel},"location":"{location}","line_items":[{{"sku":"CUP-GR-0{at}","quantity":{at},"price":"{price}"}}]}}"#,
        name = quoted(order),
        parcel = quoted(&format!("{order}/{at}")),
        price = money(price),
    ))
}

/// One line, as the shop sends it: money as text, rates as numbers.
fn order_text(script: &mut Script, customer: &Customer, name: &str, price: u64, country: &str) -> String {
    let id = 5_823_409_117_743 + script.between(1, 900_000);
    format!(
        r#"{{"id": {id}, "admin_graphql_api_id": "gid://shop/Order/{id}", "name": {name}, "currency": "EUR", "current_total_price": "{total}", "current_total_price_set": {{"shop_money": {{"amount": "{total}", "currency_code": "EUR"}}}}, "customer": {{"email": {email}, "name": {customer}, "phone": {phone}}}, "email": {email}, "financial_status": "paid", "fulfillment_status": null, "note": null, "shipping_address": {{"name": {customer}, "address1": {street}, "city": {city}, "country_code": "{country}"}}, "line_items": [{{"id": {line}, "sku": "TEAPOT-GR-07", "quantity": 1, "price": "{total}", "grams": 1250, "tax_lines": [{{"title": "MVA", "rate": 0.250}}]}}], "token": "b1946ac9rehearsal{id}", "total_weight": 1250}}"#,
        name = quoted(name),
        total = money(price),
        email = quoted(customer.email),
        customer = quoted(customer.name),
        phone = quoted(customer.phone),
        street = quoted(customer.street),
        city = quoted(customer.city),
        line = id * 2,
    )
}
