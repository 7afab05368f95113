//! What a number says, apart from how it is written.

use std::hash::{Hash, Hasher};

/// A number by its exact value: `1.0`, `1`, `10e-1` and `0.1E+1` are one, however large the exponent. An exponent of more than
/// 36 digits is not calculated with: two such numbers are one only where the exponents are written with the same digits.
#[derive(Debug, Clone, Copy)]
pub struct Decimal<'t> {
    negative: bool,
    /// The digits from the first to the last that is not 0; the point stood somewhere before, between or after the two.
    digits: (&'t str, &'t str),
    scale: Scale<'t>,
}

/// The power of ten of the last digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Scale<'t> {
    Counted(i128),
    /// An exponent too long to count with, without sign and leading zeros, and what the point adds to it.
    Written {
        negative: bool,
        exponent: &'t str,
        shift: i128,
    },
}

const LONGEST_COUNTED: usize = 36;

impl<'t> Decimal<'t> {
    /// Reads a JSON number; `None` of what is none. Leading zeros and missing digits are forgiven.
    #[must_use]
    pub fn of(raw: &'t str) -> Option<Self> {
        let (negative, rest) = signed(raw);
        let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let exponent_sign = exponent.starts_with('-');
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.len() + fraction.len() == 0
            || exponent.is_empty()
            || ![whole, fraction, exponent].into_iter().all(all_digits)
        {
            return None;
        }
        let (digits, shift) = significant(whole, fraction);
        if digits == ("", "") {
            return Some(Self { negative: false, digits, scale: Scale::Counted(0) });
        }
        let exponent = exponent.trim_start_matches('0');
        let scale = if exponent.len() <= LONGEST_COUNTED {
            let count = exponent.bytes().fold(0, |count, digit| count * 10 + i128::from(digit - b'0'));
            Scale::Counted(if exponent_sign { shift - count } else { shift + count })
        } else {
            Scale::Written { negative: exponent_sign, exponent, shift }
        };
        Some(Self { negative, digits, scale })
    }

    fn digits(&self) -> impl Iterator<Item = u8> + '_ {
        self.digits.0.bytes().chain(self.digits.1.bytes())
    }
}

fn signed(raw: &str) -> (bool, &str) {
    raw.strip_prefix('-').map_or((false, raw), |rest| (true, rest))
}

/// The digits without the zeros around them, and how many places the last of them stands before (or, negative, behind) the point.
fn significant<'t>(whole: &'t str, fraction: &'t str) -> ((&'t str, &'t str), i128) {
    let (mut whole, mut fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let behind = fraction.len() as i128;
    if whole.is_empty() {
        fraction = fraction.trim_start_matches('0');
    }
    if fraction.is_empty() {
        let length = whole.len();
        whole = whole.trim_end_matches('0');
        return ((whole, fraction), (length - whole.len()) as i128);
    }
    ((whole, fraction), -behind)
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.negative == other.negative && self.scale == other.scale && self.digits().eq(other.digits())
    }
}

impl Eq for Decimal<'_> {}

impl Hash for Decimal<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.negative, self.scale).hash(state);
        // By pieces of one length, wherever the point stood.
        let (mut piece, mut length) = ([0; 32], 0);
        for digit in self.digits() {
            piece[length] = digit;
            length += 1;
            if length == piece.len() {
                state.write(&piece);
                length = 0;
            }
        }
        state.write(&piece[..length]);
        state.write_u8(0);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn hash(decimal: Decimal<'_>) -> u64 {
        let mut hasher = std::hash::DefaultHasher::new();
        decimal.hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn the_value_counts_and_not_the_spelling() {
        let huge = "9".repeat(60);
        for (one, other, same) in [
            ("1", "1.0", true),
            ("1.0", "1.00", true),
            ("120", "1.2E+2", true),
            ("0.700", "0.7", true),
            ("0.7", "7e-1", true),
            ("0.07", "0.7", false),
            ("12.5", "125e-1", true),
            ("12.5", "1.25", false),
            ("10.05", "1005e-2", true),
            ("100", "1e2", true),
            ("100", "1e3", false),
            ("1234567890123456789012345678901234567.5", "12345678901234567890123456789012345675e-1", true),
            ("-0", "0", true),
            ("-0.0e9", "0", true),
            ("-1", "1", false),
            ("0.1", "0.1000000000000000055511151231257827", false),
            ("12345678901234567890", "12345678901234567891", false),
            ("1e999999999999", "10e999999999998", true),
            ("1e999999999999", "1e999999999998", false),
            ("1e-999999999999", "1e999999999999", false),
            ("1e400", "1E+0400", true),
            (&format!("1e{huge}"), &format!("1.0E+00{huge}"), true),
            (&format!("1e{huge}"), &format!("1e-{huge}"), false),
            (&format!("0e{huge}"), "0", true),
        ] {
            let (left, right) = (Decimal::of(one).unwrap(), Decimal::of(other).unwrap());
            assert_eq!(left == right, same, "{one} {other}");
            assert_eq!(hash(left) == hash(right), same, "{one} {other}");
        }
        for none in ["", "-", ".", "1e", "x", "1,0", "0x1", "--1", "NaN"] {
            assert!(Decimal::of(none).is_none(), "{none}");
        }
    }

    proptest! {
        #[test]
        fn moving_the_point_changes_nothing(digits in "[1-9][0-9]{0,12}", places in 0..12_usize, zeros in 0..4_usize) {
            let at = digits.len().saturating_sub(places);
            let moved = format!("{}.{}{}e{}", &digits[..at].parse::<u64>().unwrap_or(0), &digits[at..], "0".repeat(zeros + 1), digits.len() - at);
            prop_assert!(Decimal::of(&moved) == Decimal::of(&digits), "{} {}", moved, digits);
            prop_assert_eq!(hash(Decimal::of(&moved).unwrap()), hash(Decimal::of(&digits).unwrap()));
        }

        #[test]
        fn it_is_the_value_that_arithmetic_gives(one in -2000_i64..2000, other in -2000_i64..2000, e in 0..3_u32, f in 0..3_u32) {
            let same = one * 10_i64.pow(e) == other * 10_i64.pow(f);
            let (left, right) = (format!("{one}e{e}"), format!("{other}e+{f}"));
            prop_assert_eq!(Decimal::of(&left) == Decimal::of(&right), same);
        }
    }
}
