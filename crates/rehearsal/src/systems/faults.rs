//! The faults a system can be told to show.

use std::sync::Arc;

use super::books::Books;

/// One way to misbehave. "Before" and "after" are seen from the record: before it is kept, or after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Answers with this code; nothing is kept.
    Status { code: u16, retry_after_s: Option<u32> },
    /// 422 with a validation answer that names this field; nothing is kept.
    Reject { pointer: String, message: String },
    /// 429 with `Retry-After`; nothing is kept.
    RateLimited { retry_after_s: u32 },
    /// Never answers; nothing is kept.
    HangBeforeCommit,
    /// Drops the connection; nothing is kept.
    ResetBeforeCommit,
    /// The record is kept, then no answer ever comes.
    CommitThenTimeout,
    /// The record is kept, then the connection is reset.
    CommitThenReset,
    /// The record is kept, then this code is the answer, without a useful body.
    CommitThenStatus { code: u16 },
    /// The record is kept; the answer arrives one byte at a time.
    Drip { pause_ms: u64 },
    /// The record is kept; the answer is this large.
    HugeBody { bytes: u64 },
    /// The record is kept; the answer is 200 with a page that has nothing to do with it.
    WrongBody,
    /// The record is kept; the answer stops before its announced length.
    CutBody,
    /// 202; the record stays pending until [`Running::finish_accepted`](super::Running::finish_accepted).
    Accepted,
    /// Lookups are answered with 503. The only fault that concerns reading.
    LookupUnavailable,
}

impl Fault {
    pub(super) fn concerns(&self, writing: bool) -> bool {
        (*self != Self::LookupUnavailable) == writing
    }

    pub(super) fn prevents_commit(&self) -> bool {
        matches!(
            self,
            Self::Status { .. }
                | Self::Reject { .. }
                | Self::RateLimited { .. }
                | Self::HangBeforeCommit
                | Self::ResetBeforeCommit
                | Self::LookupUnavailable
        )
    }
}

/// Which requests a fault is for, and how many are left.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) mentions: Option<String>,
    pub(super) left: Option<u32>,
    pub(super) fault: Fault,
}

/// The switchboard of one system. Rules are looked at in the order they were made; the first that fits is used.
#[derive(Debug, Clone)]
pub struct Faults {
    books: Arc<Books>,
}

impl Faults {
    pub(super) fn new(books: Arc<Books>) -> Self {
        Self { books }
    }

    /// The next `count` requests that the fault can concern.
    pub fn next(&self, count: u32, fault: Fault) {
        self.add(None, Some(count), fault);
    }

    /// Every request until [`Faults::clear`].
    pub fn always(&self, fault: Fault) {
        self.add(None, None, fault);
    }

    /// The next `count` requests whose body, key or address mentions `reference`.
    pub fn matching(&self, reference: &str, count: u32, fault: Fault) {
        self.add(Some(reference.to_owned()), Some(count), fault);
    }

    /// Every request that mentions `reference`, until [`Faults::clear`].
    pub fn matching_always(&self, reference: &str, fault: Fault) {
        self.add(Some(reference.to_owned()), None, fault);
    }

    /// All is well again. Requests already hanging keep hanging.
    pub fn clear(&self) {
        self.books.open().rules.clear();
    }

    /// How many rules are still waiting for a request.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.books.open().rules.len()
    }

    fn add(&self, mentions: Option<String>, left: Option<u32>, fault: Fault) {
        if left != Some(0) {
            self.books.open().rules.push(Rule { mentions, left, fault });
        }
    }
}
