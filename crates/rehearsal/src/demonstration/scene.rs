//! One job, the fault it meets, and what the automation does afterwards.

use crate::{
    automations::{ContactChange, Document, Draft, Export, Invoice, Order},
    systems::Fault,
};

#[derive(Debug, Clone)]
pub(super) struct Scene {
    pub(super) job: Job,
    pub(super) trouble: Option<Trouble>,
    pub(super) after: After,
}

#[derive(Debug, Clone)]
pub(super) enum Job {
    Invoice(Invoice),
    Contact(ContactChange),
    Reply(Draft),
    Order(Order),
    Export(Export),
    /// A report that is wrong as text.
    Malformed(String),
    /// Contacts whose reports travel together.
    Batch(Vec<ContactChange>),
}

/// A fault for the next requests that mention `reference`.
#[derive(Debug, Clone)]
pub(super) struct Trouble {
    pub(super) reference: String,
    pub(super) requests: u32,
    pub(super) fault: Fault,
}

#[derive(Debug, Clone, Default)]
pub(super) enum After {
    #[default]
    Nothing,
    /// The automation lost the answer and reports again.
    SameReportAgain,
    /// It runs again on a document that changed meanwhile.
    ChangedDocument(Document),
    /// It finds its record and says so.
    SucceededAfterAll,
}

impl Scene {
    pub(super) fn quiet(job: Job) -> Self {
        Self { job, trouble: None, after: After::Nothing }
    }

    pub(super) fn troubled(job: Job, reference: &str, requests: u32, fault: Fault) -> Self {
        let trouble = Trouble { reference: reference.to_owned(), requests, fault };
        Self { job, trouble: Some(trouble), after: After::Nothing }
    }

    pub(super) fn then(self, after: After) -> Self {
        Self { after, ..self }
    }
}
