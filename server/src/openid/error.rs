//! Why a sign-in came to nothing.

use std::fmt;

/// What lies behind an error, for the log.
pub(super) type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why a sign-in came to nothing. [`Self::sentence`] is for people; the chain of causes is for the log.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The provider did not answer, or only that it can't.
    #[error("the identity provider could not be reached")]
    Unreachable(#[source] Cause),
    /// What the provider says about itself can't be used.
    #[error("the identity provider's description of itself can't be used")]
    BadDiscovery(#[source] Cause),
    /// The provider said no, with this code of its own: small letters and underscores only.
    #[error("the identity provider refused: {0}")]
    Denied(String),
    /// The answer belongs to no sign-in that this browser began.
    #[error("the answer's state is not the one that was sent")]
    WrongState,
    /// The sign-in was begun too long ago.
    #[error("the sign-in was begun too long ago")]
    TooLate,
    /// What the provider said about the person does not hold.
    #[error("the identity provider's token is not accepted: {0}")]
    BadToken(Reason, #[source] Option<Cause>),
    /// The provider left this out.
    #[error("the identity provider's answer has no {0}")]
    MissingClaim(&'static str),
}

/// Why a token is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It can't be read.
    Malformed,
    /// It is not signed, or not in a way that is accepted.
    Algorithm,
    /// It is signed with a key that the provider does not publish.
    Key,
    /// Its signature is not of that key.
    Signature,
    /// Another provider made it.
    Issuer,
    /// It was made for somebody else.
    Audience,
    /// It has run out.
    Expired,
    /// It is from the future.
    NotYetValid,
    /// It answers another sign-in.
    Nonce,
    /// Token and userinfo tell of different people.
    Subject,
    /// The person was asked to sign in anew and did not.
    Stale,
}

impl Reason {
    /// As the end of "because …".
    const fn because(self) -> &'static str {
        match self {
            Self::Malformed => "it can't be read",
            Self::Algorithm => "it is not signed in a way that is accepted",
            Self::Key => "it is signed with a key that the provider does not publish",
            Self::Signature => "its signature is wrong",
            Self::Issuer => "another provider made it",
            Self::Audience => "it was made for another application",
            Self::Expired => "it has run out",
            Self::NotYetValid => "it is from the future: the clocks differ",
            Self::Nonce => "it answers another sign-in",
            Self::Subject => "it tells of different people",
            Self::Stale => "you were to sign in there anew and it says you did not",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.because())
    }
}

impl Error {
    /// What happened and what to do, for the person. Of the provider's own words it has at most the code.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::Unreachable(_) => "The identity provider does not answer. Try again in a moment.".into(),
            Self::BadDiscovery(_) => {
                "The identity provider's description of itself can't be used. Tell whoever runs Recourse.".into()
            }
            Self::Denied(code) => format!("The identity provider did not sign you in ({code})."),
            Self::WrongState => "This sign-in was not begun in this browser, or has ended. Begin again.".into(),
            Self::TooLate => "This sign-in took longer than ten minutes. Begin again.".into(),
            Self::BadToken(reason, _) => {
                format!("The identity provider's answer was not accepted because {reason}. Begin again.")
            }
            Self::MissingClaim(name) => {
                format!(
                    "The identity provider's answer was not accepted because it has no {name}. Tell whoever runs Recourse."
                )
            }
        }
    }

    /// A token that is not accepted, with what lies behind it.
    pub(super) fn bad(reason: Reason, cause: impl Into<Cause>) -> Self {
        Self::BadToken(reason, Some(cause.into()))
    }

    /// The provider's refusal. What is no plain code is not repeated: it could be anybody's text.
    pub(super) fn denied(code: &str) -> Self {
        let plain = (1..=40).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        Self::Denied(if plain { code } else { "no_known_code" }.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_code_is_repeated() {
        assert!(Error::denied("access_denied").sentence().contains("(access_denied)"));
        for text in ["", "<b>Call 0800</b>", "Access", "access denied", &"a".repeat(41)] {
            assert!(Error::denied(text).sentence().contains("(no_known_code)"), "{text}");
        }
    }

    #[test]
    fn causes_are_for_the_log_only() {
        let error = Error::bad(Reason::Nonce, "the provider's own words");
        assert!(!error.sentence().contains("own words"));
        assert!(std::error::Error::source(&error).is_some_and(|cause| cause.to_string().contains("own words")));
    }
}
