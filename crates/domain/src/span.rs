//! Lengths of time as people write them: `90s`, `30m`, `4h`, `7d`, `7y`.

use std::str::FromStr;

/// A length of time in whole seconds, remembering how it was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
#[serde(transparent)]
pub struct Span {
    written: String,
    #[serde(skip)]
    seconds: i64,
}

impl Span {
    /// Its length in seconds; a day is 24 h, a year 365 days.
    #[must_use]
    pub const fn seconds(&self) -> i64 {
        self.seconds
    }

    /// As a difference of times.
    #[must_use]
    pub fn delta(&self) -> chrono::TimeDelta {
        chrono::TimeDelta::try_seconds(self.seconds).unwrap_or(chrono::TimeDelta::MAX)
    }

    /// How many days it is, where it was written in days.
    #[must_use]
    pub fn days(&self) -> Option<i64> {
        self.written.ends_with('d').then_some(self.seconds / 86_400)
    }

    /// As it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.written
    }
}

/// Why a text is not a length of time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a length of time: write a whole number and one of s, m, h, d or y, such as \"30m\" or \"7d\"")]
pub struct NotASpan(String);

impl FromStr for Span {
    type Err = NotASpan;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || NotASpan(text.to_owned());
        let unit = text.chars().last().ok_or_else(wrong)?;
        let number = &text[..text.len() - unit.len_utf8()];
        let seconds: i64 = match unit {
            's' => 1,
            'm' => 60,
            'h' => 3_600,
            'd' => 86_400,
            'y' => 31_536_000,
            _ => return Err(wrong()),
        };
        if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
            return Err(wrong());
        }
        let count: i64 = number.parse().map_err(|_| wrong())?;
        let seconds = count.checked_mul(seconds).filter(|s| *s <= 3_153_600_000).ok_or_else(wrong)?;
        Ok(Self { written: text.to_owned(), seconds })
    }
}

impl<'de> serde::Deserialize<'de> for Span {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write_and_refuses_the_rest() {
        assert_eq!("7d".parse::<Span>().map(|s| s.seconds()), Ok(604_800));
        assert_eq!("0m".parse::<Span>().map(|s| s.seconds()), Ok(0));
        for wrong in ["", "d", "7", "7w", "-1h", "1.5h", "7 d", "١h", "99999999999y", "9223372036854775807d"] {
            assert!(wrong.parse::<Span>().is_err(), "{wrong} was read");
        }
    }
}
