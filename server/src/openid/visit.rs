//! What passes between a sign-in here and the provider: where the browser goes, what is kept, what comes back.

use std::fmt;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// A sign-in that was begun.
#[derive(Debug)]
pub struct Begun {
    /// Where the browser goes now.
    pub url: String,
    /// What its session keeps until it is back. One sign-in uses it up.
    pub pending: Pending,
}

/// What has to be known when the browser comes back; good for ten minutes.
#[derive(Clone, Serialize, Deserialize)]
pub struct Pending {
    /// Comes back with the browser.
    pub state: String,
    /// Comes back inside the token.
    pub nonce: String,
    /// Proves that the code is exchanged by whoever asked for it.
    pub verifier: String,
    /// The person has to sign in there anew.
    pub again: bool,
    /// When it was begun.
    pub at: DateTime<Utc>,
}

/// Never tells what only this browser may know.
impl fmt::Debug for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending").field("again", &self.again).field("at", &self.at).finish_non_exhaustive()
    }
}

/// What the browser brings back in its query.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Callback {
    /// Exchanged for the token.
    pub code: Option<String>,
    /// Must be the one of the sign-in that was begun.
    pub state: Option<String>,
    /// The provider's refusal.
    pub error: Option<String>,
}

/// Who somebody is, as the provider vouches for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The provider.
    pub issuer: String,
    /// The provider's lasting name for the person; with the issuer the only thing to know them by.
    pub subject: String,
    /// An address, as it was written.
    pub email: Option<String>,
    /// The provider says that the address is theirs.
    pub email_verified: bool,
    /// What they are called.
    pub name: Option<String>,
    /// The values of the groups claim, in the provider's order.
    pub groups: Vec<String>,
    /// When they last proved to the provider who they are.
    pub auth_time: Option<DateTime<Utc>>,
}
