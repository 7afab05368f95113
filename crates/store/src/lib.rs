//! All SQL of Recourse, in one text for SQLite and PostgreSQL.
//!
//! A [`Store`] hands out units of work ([`Uow`]); every statement is a method on one, and nothing is kept unless
//! [`Uow::commit`] is called. Rows are converted to the domain's words when they are read: nonsense in the database is
//! [`Error::Corrupt`], never a panic.

mod activities;
mod alerts;
mod approvals;
mod attempts;
mod audit;
mod channels;
mod choices;
mod column;
mod compensations;
mod corrections;
mod drafts;
mod error;
mod escalations;
mod follow_ups;
mod identities;
mod invites;
mod item_list;
mod item_sql;
mod items;
mod lookups;
mod notices;
mod open;
mod outcomes;
mod payloads;
mod people;
mod postings;
mod quarantine;
mod replays;
mod reports;
mod right_grants;
mod roles;
mod sessions;
mod shift;
mod sql;
mod substitutes;
mod teams;
mod throttles;
mod tokens;
mod two_step;
mod uow;
mod work;
mod workflows;

pub mod registry;

pub use activities::{Activity, EndedHow, NewActivity};
pub use alerts::{Alert, AlertOfItem, AlertPlace, AlertSubject, Joinable, NewAlert, Reached};
pub use approvals::{Approval, ApprovalDecision, ApprovalPlace, Exclusion, NewApproval};
pub use attempts::{Attempt, DoubleEffect};
pub use audit::{AuditFilter, AuditRow, NewAudit};
pub use channels::ChannelRow;
pub use choices::{ChoiceRow, QuietRow};
pub use column::{Due, Stored};
pub use compensations::{Compensation, CompensationStage};
pub use corrections::{Correction, CorrectionFilter, CorrectionPlace, SentCorrection};
pub use drafts::{Draft, OtherDraft};
pub use error::Error;
pub use escalations::Escalation;
pub use invites::{OpenInvite, Purpose};
pub use item_list::{Count, Cursor, ItemFilter, ListedItem, Mine, Page, Sort, View};
pub use items::Item;
pub use lookups::LookedUp;
pub use notices::{NewNotice, NoticeRow};
pub use open::{Backend, Options, Store, migrate};
pub use outcomes::OutcomeRow;
pub use payloads::{NewCorrection, NewRevision, Revision, StoredPayload};
pub use people::PersonRow;
pub use postings::{DuePosting, PostingRow};
pub use quarantine::{Decision, NewQuarantine, QuarantineState, Quarantined};
pub use replays::{Answered, DueReplay, Replay, Stage};
pub use reports::ReportRow;
pub use right_grants::GrantRow;
pub use roles::RoleRow;
pub use sessions::SessionRow;
pub use shift::{LOOKS_AT as SHIFT_LOOKS_AT, Load, Part as ShiftPart, ShiftItem};
pub use substitutes::Substitute;
pub use teams::{TeamRow, TeamSize};
pub use throttles::Pace;
pub use tokens::{NewToken, TokenKind, TokenRow};
pub use two_step::TwoStepRow;
pub use uow::Uow;
pub use work::{Asked, Claim, Comment, Decided, FoundOut};
pub use workflows::{DefinitionRow, StepRow, WorkflowRow};

/// What every statement answers.
pub type Result<T, E = Error> = std::result::Result<T, E>;
