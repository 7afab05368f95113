//! Integrations that do real work against the business systems and hand over what they could not finish.
//!
//! Each works one job with `work` and ends with an [`Ending`]: done, or a report and its payload. It waits for the other system
//! for a bounded time, repeats only what is known to have had no effect, a bounded number of times, and never repeats what is
//! uncertain. What a model says is given with the job: a rehearsal must be repeatable.
//!
//! Waiting is compressed: [`Pace`] says how long is really waited and what the report says. Times in reports count from the
//! job's `started_at`.

mod customer_contacts;
mod ending;
mod legacy_export;
mod order_fulfilment;
mod outbound;
mod supplier_invoices;
mod support_replies;
mod verdict;

pub use customer_contacts::{ContactChange, CustomerContacts};
pub use ending::{Ending, Unfinished};
pub use legacy_export::{Export, LegacyExport};
pub use order_fulfilment::{Order, OrderFulfilment, Parcel};
pub use outbound::{Outbound, Pace};
pub use supplier_invoices::{Invoice, Reading, SupplierInvoices};
pub use support_replies::{Draft, SupportReplies};

/// A document with its media type.
#[derive(Debug, Clone)]
pub struct Document {
    pub media_type: String,
    pub bytes: bytes::Bytes,
}

impl Document {
    #[must_use]
    pub fn json(text: String) -> Self {
        Self { media_type: "application/json".to_owned(), bytes: text.into() }
    }
}

impl From<&crate::samples::Sample> for Document {
    fn from(sample: &crate::samples::Sample) -> Self {
        Self { media_type: sample.media_type.to_owned(), bytes: bytes::Bytes::from_static(sample.bytes) }
    }
}
