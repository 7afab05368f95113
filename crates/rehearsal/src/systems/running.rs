//! A system that runs until it is dropped.

use std::{marker::PhantomData, sync::Arc};

use axum::{Router, extract::DefaultBodyLimit};
use chrono::TimeDelta;
use tokio::{net::TcpListener, task::JoinHandle};

use super::{
    Faults, Receipt, Record,
    books::Books,
    index_page,
    line::{Exchange, Line, Lines},
};
use crate::Now;

/// A running system of kind `K` ([`Ledger`](super::Ledger), [`Crm`](super::Crm), …).
#[derive(Debug)]
pub struct Running<K> {
    /// Base address without a slash at the end.
    pub url: String,
    pub(super) books: Arc<Books>,
    lines: Lines,
    server: JoinHandle<()>,
    kind: PhantomData<fn() -> K>,
}

impl<K> Running<K> {
    pub(super) async fn start(
        name: &'static str,
        now: Now,
        remembers_keys_for: Option<TimeDelta>,
        routes: impl FnOnce() -> Router<Arc<Books>>,
    ) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let url = format!("http://{}", listener.local_addr()?);
        let books = Arc::new(Books::new(now, remembers_keys_for));
        let lines = Lines::default();
        let app = routes()
            .merge(index_page::route(name))
            .layer(DefaultBodyLimit::disable())
            .with_state(books.clone())
            .into_make_service_with_connect_info::<Line>();
        let exchange = Exchange { listener, lines: lines.clone() };
        let server = tokio::spawn(async move {
            if let Err(error) = axum::serve(exchange, app).await {
                tracing::error!(system = name, %error, "a rehearsal system stopped");
            }
        });
        Ok(Self { url, books, lines, server, kind: PhantomData })
    }

    /// Its faults, to switch on and off.
    #[must_use]
    pub fn faults(&self) -> Faults {
        Faults::new(self.books.clone())
    }

    /// Everything it keeps, in the order of keeping, pending records included.
    #[must_use]
    pub fn records(&self) -> Vec<Record> {
        self.books.open().records.clone()
    }

    /// Every request it got, in order.
    #[must_use]
    pub fn receipts(&self) -> Vec<Receipt> {
        self.books.open().receipts.clone()
    }

    /// The records made under one idempotency key.
    #[must_use]
    pub fn kept_with_key(&self, key: &str) -> Vec<Record> {
        self.books.open().records.iter().filter(|record| record.key.as_deref() == Some(key)).cloned().collect()
    }

    /// Carries out what was only accepted so far ([`Fault::Accepted`](super::Fault::Accepted)); says how many.
    pub fn finish_accepted(&self) -> usize {
        let mut pages = self.books.open();
        let waiting = pages.records.iter_mut().filter(|record| record.pending);
        waiting.map(|record| record.pending = false).count()
    }

    pub(super) fn of_kind(&self, kind: &str) -> Vec<Record> {
        let pages = self.books.open();
        pages.records.iter().filter(|record| record.kind == kind && !record.pending).cloned().collect()
    }
}

impl<K> Drop for Running<K> {
    fn drop(&mut self) {
        self.server.abort();
        self.lines.cut_all();
    }
}
