//! Who does what and when: everything random comes from one seed.

use chrono::{DateTime, TimeDelta, Utc};
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};

use super::{
    cast::{CUSTOMERS, Customer, SUPPLIERS, Supplier},
    contacts, invoices, orders, replies,
    scene::{Job, Scene},
};

pub(super) struct Script {
    rng: StdRng,
    now: DateTime<Utc>,
    serial: u32,
}

impl Script {
    pub(super) fn new(seed: u64, now: DateTime<Utc>) -> Self {
        Self { rng: StdRng::seed_from_u64(seed), now, serial: 0 }
    }

    /// Later scenes happen now.
    pub(super) fn turn_to(&mut self, now: DateTime<Utc>) {
        self.now = now;
    }

    /// Work that needs nobody.
    pub(super) fn quiet_scenes(&mut self) -> Vec<Scene> {
        let mut scenes = invoices::quiet(self);
        scenes.extend(contacts::quiet(self));
        scenes.extend(replies::quiet(self));
        scenes.extend(orders::quiet(self));
        scenes
    }

    /// Work for the queues.
    pub(super) fn troubled_scenes(&mut self) -> Vec<Scene> {
        let mut scenes = invoices::troubled(self);
        scenes.extend(contacts::troubled(self));
        scenes.extend(replies::troubled(self));
        scenes.extend(orders::troubled(self));
        scenes.extend(wrong_reports());
        scenes
    }

    /// One more thing that happens just now.
    pub(super) fn next_scene(&mut self) -> Scene {
        match self.between(0, 9) {
            0..=3 => invoices::another(self),
            4..=5 => contacts::another(self),
            6..=7 => replies::another(self),
            _ => orders::another(self),
        }
    }

    /// A whole number, both ends included.
    pub(super) fn between(&mut self, least: u64, most: u64) -> u64 {
        self.rng.random_range(least..=most)
    }

    /// A number that no other job has.
    pub(super) fn serial(&mut self) -> u32 {
        self.serial += 1;
        self.serial
    }

    pub(super) fn supplier(&mut self) -> Supplier {
        SUPPLIERS.choose(&mut self.rng).copied().unwrap_or(SUPPLIERS[0])
    }

    pub(super) fn customer(&mut self) -> Customer {
        CUSTOMERS.choose(&mut self.rng).copied().unwrap_or(CUSTOMERS[0])
    }

    pub(super) fn one_of<T: Copy>(&mut self, from: &[T; 3]) -> T {
        from.choose(&mut self.rng).copied().unwrap_or(from[0])
    }

    /// Some time in the last days: much of it today, some of it nearly a week old.
    pub(super) fn some_time_ago(&mut self) -> DateTime<Utc> {
        let minutes = match self.between(0, 9) {
            0..=3 => self.between(4, 6 * 60),
            4..=7 => self.between(6 * 60, 48 * 60),
            _ => self.between(48 * 60, 6 * 24 * 60),
        };
        self.minutes_ago(minutes)
    }

    pub(super) fn minutes_ago(&mut self, minutes: u64) -> DateTime<Utc> {
        let seconds = minutes * 60 + self.between(0, 59);
        self.now - TimeDelta::seconds(i64::try_from(seconds).unwrap_or_default())
    }

    pub(super) fn now(&self) -> DateTime<Utc> {
        self.now
    }
}

/// Reports that cannot be understood: one breaks off, one has a field and a class that do not exist.
fn wrong_reports() -> Vec<Scene> {
    let broken_off = r#"{"workflow":"invoice-sync","dedupe_key":"supplier-invoice:FJORD:FJ-2026-0500","step":"create_invoice","failure":{"class":"timeout","message":"The ledger did not answer in 10 s"},"payload":{"media_type":"application/json","json":{"invoice_number":"FJ-2026-0500","total":1290.00"#;
    let unknown = r#"{"workflow":"invoice-sync","dedupe_key":"supplier-invoice:ACME:INV-0999","step":"create_invoice","failure":{"class":"gremlins","message":"It did not work"},"retry_count":3,"payload":{"json":{"invoice_number":"INV-0999","total":40.00}}}"#;
    [broken_off, unknown].map(|text| Scene::quiet(Job::Malformed(text.to_owned()))).into()
}
