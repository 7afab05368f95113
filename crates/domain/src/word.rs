//! Closed lists of words that appear in the database, the API and on the screen.

/// A text that is not one of a closed list of words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not one of {expected}")]
pub struct UnknownWord {
    /// What was found instead.
    pub found: String,
    /// The legal words, separated by commas.
    pub expected: String,
}

impl UnknownWord {
    pub(crate) fn new(found: &str, legal: &[&str]) -> Self {
        Self { found: found.to_owned(), expected: legal.join(", ") }
    }
}

/// Declares an enum whose variants have one stable spelling each, used by SQL, JSON, TOML and URLs alike.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$variant_meta])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            /// Every word of the list, in its declared order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The stable spelling.
            #[must_use]
            pub const fn as_str(self) -> &'static str { match self { $(Self::$variant => $word),+ } }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::UnknownWord;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text { $($word => Ok(Self::$variant),)+ other => Err($crate::UnknownWord::new(other, &[$($word),+])) }
            }
        }

        impl TryFrom<String> for $name {
            type Error = $crate::UnknownWord;
            fn try_from(text: String) -> Result<Self, Self::Error> { text.parse() }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(self.as_str()) }
        }
    };
}
pub(crate) use words;
