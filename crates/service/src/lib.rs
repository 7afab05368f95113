//! The use cases of Recourse, one file each: may this person → does the state allow it → change → audit.
//!
//! Pages, forms, the HTTP API, the command line and background jobs all come through here; no rule is written twice.

pub mod action;
pub mod alerts;
pub mod approvals;
pub mod audit_trail;
pub mod channels;
pub mod clock;
pub mod corrections;
pub mod items;
pub mod notices;
pub mod outbound;
pub mod outcomes;
pub mod payloads;
pub mod people;
pub mod quarantine;
pub mod report;
pub mod rights;
pub mod secret;
pub mod session_store;
pub mod shift;
pub mod sign_in;
pub mod teams;
pub mod tokens;
pub mod workflows;

mod ageing;
mod calendar;
mod clearance;
mod compensations;
mod delivery;
mod error;

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use domain::{access::Caller, governance::Governance, ids::SessionId};
use store::Store;
use uuid::Uuid;

pub use error::Error;
/// What use cases read, as the store hands it out.
pub use store::{
    Activity, Alert, AlertOfItem, Answered, Approval, ApprovalDecision, ApprovalPlace, Attempt, AuditFilter, AuditRow,
    ChannelRow, Claim, Comment, Compensation, CompensationStage, Correction, CorrectionFilter, CorrectionPlace, Count,
    Cursor, Decided, DoubleEffect, Draft, Due, DuePosting, DueReplay, Escalation, FoundOut, GrantRow, Item, ItemFilter,
    ListedItem, Load, LookedUp, Mine, NoticeRow, OtherDraft, Page, PersonRow, PostingRow, Purpose, QuarantineState,
    Quarantined, QuietRow, Replay, Revision, RoleRow, SentCorrection, SessionRow, ShiftItem, ShiftPart, Sort, Stage,
    Substitute, TeamRow, TeamSize, TokenKind, TokenRow, View,
};

/// What use cases answer.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What the settings say about use cases.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where people reach Recourse, without a slash at the end.
    pub public_url: String,
    /// Bytes a payload may have once decoded.
    pub payload_limit: usize,
    /// The team that answers for workflows nobody registered.
    pub fallback_team: String,
    /// How consequential rights are given.
    pub governance: Governance,
    /// A session ends after this long without a page being looked at.
    pub session_idle: TimeDelta,
    /// A session ends after this long, whatever was looked at.
    pub session_lifetime: TimeDelta,
    /// Whether e-mail is set up.
    pub mail: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            public_url: "http://127.0.0.1:8080".into(),
            payload_limit: 16 << 20,
            fallback_team: "triage".into(),
            governance: Governance::Standard,
            session_idle: TimeDelta::hours(12),
            session_lifetime: TimeDelta::days(7),
            mail: false,
        }
    }
}

/// The use cases, over one store and one clock. Cheap to clone.
#[derive(Clone)]
pub struct Service {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn clock::Clock>,
    pub(crate) settings: Arc<Settings>,
    pub(crate) courier: outbound::SharedCourier,
    /// Who takes e-mails, where that is set up.
    pub(crate) mailer: Option<outbound::SharedMailer>,
    /// Rung when this process has put something into the outbox.
    pub(crate) outbox: Arc<tokio::sync::Notify>,
}

/// Who asks, and with which request.
#[derive(Debug, Clone)]
pub struct Request {
    /// Who asks.
    pub caller: Caller,
    /// The request's id, which the audit keeps.
    pub id: Option<String>,
    /// The key a script gave the request, so that it may ask again without acting twice.
    pub key: Option<String>,
    /// It was refused, and that is recorded: what its answer shows beside that is no refusal of its own.
    pub refused: bool,
    /// The browser session it came with.
    pub session: Option<Session>,
    /// The address it came from, as far as it can be trusted.
    pub address: Option<String>,
}

/// A browser session, as a request sees it.
#[derive(Debug, Clone, Copy)]
pub struct Session {
    /// Names it; opens nothing.
    pub id: SessionId,
    /// When the person last proved who they are.
    pub stepped_up_at: DateTime<Utc>,
}

impl Request {
    /// A request without an id of its own: the command line, or a job.
    #[must_use]
    pub fn of(caller: Caller) -> Self {
        Self { caller, id: None, key: None, refused: false, session: None, address: None }
    }
}

impl Service {
    /// The use cases over `store`; what is sent to other systems goes through `courier`.
    pub fn new(
        store: Store,
        clock: Arc<dyn clock::Clock>,
        courier: outbound::SharedCourier,
        settings: Settings,
    ) -> Self {
        Self { store, clock, settings: Arc::new(settings), courier, mailer: None, outbox: Arc::default() }
    }

    /// The same with somebody who takes e-mails. The settings say whether there is one.
    #[must_use]
    pub fn with_mailer(self, mailer: Option<outbound::SharedMailer>) -> Self {
        Self { mailer, ..self }
    }

    /// The time, in whole microseconds.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// The clock that everything here goes by.
    #[must_use]
    pub fn clock(&self) -> Arc<dyn clock::Clock> {
        Arc::clone(&self.clock)
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Where a person looks at an item.
    #[must_use]
    pub fn item_url(&self, id: domain::ids::ItemId) -> String {
        format!("{}/items/{id}", self.settings.public_url)
    }

    /// Closes the database; every clone of this stops working.
    pub async fn close(&self) {
        self.store.close().await;
    }

    /// Whether the database answers.
    pub async fn is_ready(&self) -> bool {
        match self.store.read().await {
            Ok(mut uow) => uow.person_count().await.is_ok(),
            Err(_) => false,
        }
    }
}

/// A new id whose order follows `now`.
pub(crate) fn new_id<T: From<Uuid>>(now: DateTime<Utc>) -> T {
    let seconds = u64::try_from(now.timestamp()).unwrap_or(0);
    let time = uuid::Timestamp::from_unix(uuid::NoContext, seconds, now.timestamp_subsec_nanos());
    Uuid::new_v7(time).into()
}
