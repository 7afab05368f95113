//! A unit of work: one transaction. Leaving early commits nothing.

use sqlx::{Postgres, Sqlite, Transaction};

use crate::{Error, Result};

pub(crate) enum Tx {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}

/// One transaction; every statement of the store is a method on it. Dropped without [`Uow::commit`], it changed nothing.
pub struct Uow {
    pub(crate) tx: Tx,
}

impl Uow {
    /// Keeps what was done.
    pub async fn commit(self) -> Result<()> {
        match self.tx {
            Tx::Sqlite(tx) => tx.commit().await,
            Tx::Postgres(tx) => tx.commit().await,
        }
        .map_err(|error| Error::sort(error, "commit"))
    }
}
