//! How often somebody may try. Counted before a password is looked at, by account and by address, whether or not the account
//! exists. A stranger's tries do not keep the owner out where they have signed in before.

use chrono::TimeDelta;
use domain::{digest::Sha256, ids::PersonId, refusal::Refusal, text};
use store::Pace;

use crate::{Request, Result, Service, action::Entry};

/// For how long an address counts as one from which an account was signed in to.
pub(crate) const KNOWN_FOR: TimeDelta = TimeDelta::days(90);

/// For one account, from anywhere it has not been signed in to from.
const ACCOUNT: Pace = Pace { burst: 10, every: TimeDelta::seconds(30) };
/// For one account, from one address that is known for it.
const KNOWN: Pace = Pace { burst: 10, every: TimeDelta::seconds(30) };
/// From one address, for whichever account: a whole office may share it.
const ADDRESS: Pace = Pace { burst: 60, every: TimeDelta::seconds(2) };
/// For the second step of one account.
const CODE: Pace = Pace { burst: 5, every: TimeDelta::seconds(60) };
/// For confirming who one is, in a session that stands.
const CONFIRM: Pace = Pace { burst: 10, every: TimeDelta::seconds(30) };
/// For asking for a reset link.
const RESET: Pace = Pace { burst: 3, every: TimeDelta::minutes(10) };
/// For requests without a token that stands, from one address.
const TOKEN: Pace = Pace { burst: 60, every: TimeDelta::seconds(1) };

/// What is tried.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Trying<'t> {
    /// A password, for the account with this address, which may be nobody's.
    Password(&'t str, Option<PersonId>),
    /// A code of the second step.
    Code(PersonId),
    /// Who they are, again.
    Confirm(PersonId),
    /// To be sent a reset link for this address.
    Reset(&'t str),
    /// A one-time link.
    Link,
    /// A token.
    Token,
}

/// A try that was counted.
#[derive(Debug)]
pub(crate) struct Counted {
    buckets: Vec<(String, Pace)>,
    /// How many were turned away before it.
    turned_away: i64,
}

impl Service {
    /// Counts a try, or refuses it. What is refused here is counted and told with the next that is not.
    pub(crate) async fn count_try(&self, request: &Request, trying: Trying<'_>) -> Result<Counted> {
        let now = self.now();
        let mut uow = self.store.begin().await?;
        let address = request.address.as_deref().unwrap_or("unknown");
        let by_address = (format!("address:{address}"), ADDRESS);
        let buckets = match trying {
            Trying::Password(email, person) => {
                let account = account(email);
                let who = person.unwrap_or(PersonId(uuid::Uuid::nil()));
                let known = uow.knows_address(who, address, now - KNOWN_FOR).await?;
                let own = if known {
                    (format!("known:{account}:{address}"), KNOWN)
                } else {
                    (format!("account:{account}"), ACCOUNT)
                };
                vec![by_address, own]
            }
            Trying::Code(person) => vec![by_address, (format!("code:{person}"), CODE)],
            Trying::Confirm(person) => vec![(format!("confirm:{person}"), CONFIRM)],
            Trying::Reset(email) => {
                vec![(format!("reset-from:{address}"), RESET), (format!("reset:{}", account(email)), RESET)]
            }
            Trying::Link => vec![by_address],
            Trying::Token => vec![(format!("token:{address}"), TOKEN)],
        };
        let (mut turned_away, mut wait) = (0, None);
        for (bucket, pace) in &buckets {
            match uow.take_try(bucket, *pace, now).await? {
                Ok(()) => turned_away += uow.turned_away(bucket).await?,
                Err(seconds) => {
                    wait = Some(seconds);
                    break;
                }
            }
        }
        uow.commit().await?;
        match wait {
            Some(wait) => Err(Refusal::TooManyTries { wait }.into()),
            None => Ok(Counted { buckets, turned_away }),
        }
    }
}

impl Counted {
    /// Tells how many were turned away before it: whatever comes of it, nobody else will.
    pub(crate) fn tell(&self, entry: &mut Entry) {
        if self.turned_away > 0 {
            entry.detail("turned_away_before", self.turned_away);
        }
    }

    /// It was a good one: it counts against nobody.
    pub(crate) async fn take_back(&self, uow: &mut store::Uow) -> Result<()> {
        for (bucket, pace) in &self.buckets {
            uow.give_try_back(bucket, *pace).await?;
        }
        Ok(())
    }
}

/// An account by its address, which may be nobody's, without keeping what was typed.
fn account(email: &str) -> String {
    Sha256::of(text::fold(email.trim()).as_bytes()).hex()
}
