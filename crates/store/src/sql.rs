//! Statements, one text for both databases but for row locks, and the macros that run them on either.

/// A statement in both dialects.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sql {
    pub(crate) sqlite: &'static str,
    pub(crate) postgres: &'static str,
}

/// Declares statements and the list of them that a test prepares on both databases.
///
/// A statement marked `for update` takes a row lock on PostgreSQL; SQLite has one writer at a time anyway.
macro_rules! statements {
    ($($name:ident = $text:literal $($lock:ident)*;)+) => {
        $(const $name: $crate::sql::Sql = $crate::sql::statements!(@one $text $($lock)*);)+
        pub(crate) const STATEMENTS: &[(&str, $crate::sql::Sql)] = &[$((stringify!($name), $name)),+];
    };
    (@one $text:literal) => { $crate::sql::Sql { sqlite: $text, postgres: $text } };
    (@one $text:literal locked) => { $crate::sql::Sql { sqlite: $text, postgres: concat!($text, " FOR UPDATE") } };
    (@one $text:literal skip_locked) => { $crate::sql::Sql { sqlite: $text, postgres: concat!($text, " FOR UPDATE SKIP LOCKED") } };
}
pub(crate) use statements;

/// Runs one body in two arms: the macros below are its only users.
macro_rules! run {
    ($uow:expr, $what:expr, $make:ident $(::<_, $row:ty>)?, $sql:expr, [$($bind:expr),*], $end:ident) => {
        match &mut $uow.tx {
            $crate::uow::Tx::Sqlite(tx) => sqlx::$make$(::<_, $row>)?($sql.sqlite)$(.bind($bind))*.$end(&mut **tx).await
                .map_err(|error| $crate::Error::sort(error, $what)),
            $crate::uow::Tx::Postgres(tx) => sqlx::$make$(::<_, $row>)?($sql.postgres)$(.bind($bind))*.$end(&mut **tx).await
                .map_err(|error| $crate::Error::sort(error, $what)),
        }
    };
}
pub(crate) use run;

/// All rows of a statement as `Vec<$row>`.
macro_rules! fetch_all {
    ($uow:expr, $row:ty, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::sql::run!($uow, std::any::type_name::<$row>(), query_as::<_, $row>, $sql, [$($bind),*], fetch_all)
    };
}
pub(crate) use fetch_all;

/// The row of a statement, if there is one.
macro_rules! fetch_optional {
    ($uow:expr, $row:ty, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::sql::run!($uow, std::any::type_name::<$row>(), query_as::<_, $row>, $sql, [$($bind),*], fetch_optional)
    };
}
pub(crate) use fetch_optional;

/// The one row of a statement.
macro_rules! fetch_one {
    ($uow:expr, $row:ty, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::sql::run!($uow, std::any::type_name::<$row>(), query_as::<_, $row>, $sql, [$($bind),*], fetch_one)
    };
}
pub(crate) use fetch_one;

/// Runs a statement; answers how many rows it changed.
macro_rules! execute {
    ($uow:expr, $sql:expr $(, $bind:expr)* $(,)?) => {
        match &mut $uow.tx {
            $crate::uow::Tx::Sqlite(tx) => sqlx::query($sql.sqlite)$(.bind($bind))*.execute(&mut **tx).await
                .map(|done| done.rows_affected()).map_err(|error| $crate::Error::sort(error, stringify!($sql))),
            $crate::uow::Tx::Postgres(tx) => sqlx::query($sql.postgres)$(.bind($bind))*.execute(&mut **tx).await
                .map(|done| done.rows_affected()).map_err(|error| $crate::Error::sort(error, stringify!($sql))),
        }
    };
}
pub(crate) use execute;
