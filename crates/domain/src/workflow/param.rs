//! What a person may fill in for a compensation's parameter.

use chrono::NaiveDate;

use super::{Param, ParamType, Scalar, body::is_number};
use crate::document::exact::Decimal;

/// Characters a text may have where nothing else is said.
const TEXT_LIMIT: usize = 2_000;

impl Param {
    /// Whether a value fits, and if not, what would.
    pub fn check(&self, value: &str) -> Result<(), String> {
        match self.kind {
            ParamType::Text => {
                let count = value.chars().count();
                let bound = |bound: &Option<Scalar>| match bound {
                    Some(Scalar::Integer(n)) => usize::try_from(*n).ok(),
                    _ => None,
                };
                let (min, max) = (bound(&self.min).unwrap_or(1), bound(&self.max).unwrap_or(TEXT_LIMIT));
                if value.chars().any(|c| c.is_control() && c != '\n') {
                    return Err("may hold no control characters".into());
                }
                if (min..=max).contains(&count) {
                    Ok(())
                } else {
                    Err(format!("must have {min} to {max} characters; this has {count}"))
                }
            }
            ParamType::Integer | ParamType::Decimal => {
                let number = Decimal::read(value).filter(|_| is_number(value) && value.len() <= 100);
                let number = number.ok_or("must be a number, written with digits and a point")?;
                if self.kind == ParamType::Integer && (!number.is_integer() || value.contains(['.', 'e', 'E'])) {
                    return Err("must be a whole number".into());
                }
                self.within(&number)
            }
            ParamType::Date => {
                let date: NaiveDate = value.parse().map_err(|_| "must be a date such as 2026-12-25")?;
                let bound = |bound: &Option<Scalar>| match bound {
                    Some(Scalar::Text(text)) => text.parse::<NaiveDate>().ok(),
                    _ => None,
                };
                match (bound(&self.min), bound(&self.max)) {
                    (Some(min), _) if date < min => Err(format!("must be {min} or later")),
                    (_, Some(max)) if date > max => Err(format!("must be {max} or earlier")),
                    _ => Ok(()),
                }
            }
            ParamType::Choice if self.choices.iter().any(|choice| choice == value) => Ok(()),
            ParamType::Choice => Err(format!("must be one of: {}", self.choices.join(", "))),
        }
    }

    fn within(&self, number: &Decimal) -> Result<(), String> {
        let bound = |bound: &Option<Scalar>| {
            let text = match bound.as_ref()? {
                Scalar::Integer(n) => n.to_string(),
                Scalar::Decimal(n) => n.to_string(),
                Scalar::Text(text) => text.clone(),
                Scalar::Bool(_) => return None,
            };
            Some((Decimal::read(&text)?, text))
        };
        match (bound(&self.min), bound(&self.max)) {
            (Some((min, text)), _) if *number < min => Err(format!("must be {text} or more")),
            (_, Some((max, text))) if *number > max => Err(format!("must be {text} or less")),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn param(kind: ParamType, min: Option<Scalar>, max: Option<Scalar>) -> Param {
        Param { key: "p".parse().unwrap(), kind, min, max, choices: vec!["refund".into(), "credit".into()] }
    }

    #[test]
    fn values_are_held_against_their_type_and_bounds() {
        let int = |n| Some(Scalar::Integer(n));
        let text = |t: &str| Some(Scalar::Text(t.into()));
        for (kind, min, max, fits, does_not) in [
            (ParamType::Text, None, int(5), vec!["a", "øøøøø"], vec!["", "123456", "a\u{7}"]),
            (ParamType::Integer, int(0), int(10), vec!["0", "10"], vec!["-1", "11", "1.0", "1e1", "01", " 1", "x", ""]),
            (
                ParamType::Decimal,
                int(0),
                text("100.00"),
                vec!["100.000", "0.01", "1e2"],
                vec!["100.01", "-0.01", "1,5", "NaN", ".5"],
            ),
            (ParamType::Date, text("2026-01-01"), None, vec!["2026-01-01"], vec!["2025-12-31", "1.1.2026"]),
            (ParamType::Choice, None, None, vec!["refund"], vec!["Refund", ""]),
        ] {
            let param = param(kind, min, max);
            for value in fits {
                assert_eq!(param.check(value), Ok(()), "{kind} {value}");
            }
            for value in does_not {
                assert!(param.check(value).is_err(), "{kind} {value:?}");
            }
        }
    }
}
