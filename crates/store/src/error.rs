//! What can go wrong in the database, by who has to act on it.

/// An error of the store. Its text is for logs, never for a response.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database can't be reached, or no connection came free in time. Trying again may help.
    #[error("the database is unavailable")]
    Unavailable(#[source] sqlx::Error),
    /// A unique constraint refused the row: somebody else was first.
    #[error("the row exists already")]
    Duplicate(#[source] sqlx::Error),
    /// What is stored does not make sense.
    #[error("column {column} holds nonsense in {table}")]
    Corrupt {
        /// The table or list that was read.
        table: &'static str,
        /// The column.
        column: String,
        /// What was found.
        #[source]
        source: sqlx::Error,
    },
    /// Opening or migrating failed, told in a sentence for the person at the command line.
    #[error("{0}")]
    Open(String),
    /// Anything else: a fault of ours.
    #[error("the database refused a statement")]
    Database(#[source] sqlx::Error),
}

impl Error {
    /// Sorts what the driver says. `table` names what was read or written.
    pub(crate) fn sort(error: sqlx::Error, table: &'static str) -> Self {
        match error {
            sqlx::Error::ColumnDecode { ref index, .. } => {
                let column = index.trim_matches('"').to_owned();
                Self::Corrupt { table, column, source: error }
            }
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) | sqlx::Error::Tls(_) => {
                Self::Unavailable(error)
            }
            sqlx::Error::Database(ref inner) if inner.is_unique_violation() => Self::Duplicate(error),
            // PostgreSQL shutting down, starting up, full, or breaking a deadlock; SQLite locked beyond the busy timeout.
            sqlx::Error::Database(ref inner)
                if inner.code().is_some_and(|code| {
                    matches!(code.as_ref(), "57P01" | "57P02" | "57P03" | "53300" | "40001" | "40P01" | "5" | "6")
                }) =>
            {
                Self::Unavailable(error)
            }
            other => Self::Database(other),
        }
    }
}
