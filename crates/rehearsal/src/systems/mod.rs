//! The other systems. Each listens on a free port of the loopback address, keeps its records in memory behind one lock,
//! writes down every request it gets, and can be told to fail ([`Faults`]). Dropping a [`Running`] one cuts its connections.

mod answer;
mod books;
mod clerk;
mod conduct;
mod crm;
mod faults;
mod incoming;
mod index_page;
mod keys;
mod ledger;
mod line;
mod mail;
mod post_office;
mod record;
mod running;
mod sink;
mod warehouse;

pub use crm::Crm;
pub use faults::{Fault, Faults};
pub use ledger::Ledger;
pub use mail::Mail;
pub use post_office::{Delivered, Manner, PostOffice};
pub use record::{Receipt, Record};
pub use running::Running;
pub use sink::Sink;
pub use warehouse::Warehouse;

use crate::Now;

/// The four business systems of the demonstration, running.
#[derive(Debug)]
pub struct Systems {
    pub ledger: Running<Ledger>,
    pub crm: Running<Crm>,
    pub mail: Running<Mail>,
    pub warehouse: Running<Warehouse>,
}

impl Systems {
    /// # Errors
    /// When no port of the loopback address can be opened.
    pub async fn start(now: Now) -> std::io::Result<Self> {
        Ok(Self {
            ledger: Ledger::start(now.clone()).await?,
            crm: Crm::start(now.clone()).await?,
            mail: Mail::start(now.clone()).await?,
            warehouse: Warehouse::start(now).await?,
        })
    }
}
