//! Numbers judged by how they are written. Nothing is ever rounded and no exponent is ever written out, so `1e999999999`
//! costs no more than `1`.

use std::cmp::Ordering;

use num_bigint::BigUint;

/// Digits up to which a number is divided; of more nobody can tell whether it is a multiple.
pub const MOST_DIGITS: usize = 100_000;

/// Digits up to which a number is divided by. Beyond, each step of a division would be slow.
pub const MOST_DIVISOR_DIGITS: usize = 1_000;

/// How many digits are divided at a time.
const CHUNK: usize = 18;

/// A number: its digits times ten to an exponent. Equal where the numbers are, however they were written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Decimal {
    negative: bool,
    /// Without a zero at either end; empty for zero itself.
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// Reads a JSON number. `None` where its exponent has more digits than anybody needs, and for what is no number.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (negative, unsigned) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let written = [whole, fraction].concat();
        if written.is_empty() || !written.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let significant = written.trim_start_matches('0');
        let digits = significant.trim_end_matches('0');
        if digits.is_empty() {
            return Some(Self { negative: false, digits: String::new(), exponent: 0 });
        }
        let behind = i64::try_from(fraction.len()).ok()?;
        let trimmed = i64::try_from(significant.len() - digits.len()).ok()?;
        let exponent = exponent.parse::<i64>().ok()?.checked_sub(behind)?.checked_add(trimmed)?;
        Some(Self { negative, digits: digits.to_owned(), exponent })
    }

    /// Whether it has no fraction: `1.0` and `1e2` have none.
    #[must_use]
    pub const fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// Whether it is zero.
    #[must_use]
    pub const fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Whether it is less than zero.
    #[must_use]
    pub const fn is_negative(&self) -> bool {
        self.negative
    }

    /// Whether `divisor` goes into it without a rest. `None` where that cannot be told: the divisor is zero, or there are too
    /// many digits.
    #[must_use]
    pub fn is_multiple_of(&self, divisor: &Self) -> Option<bool> {
        if divisor.is_zero() {
            return None;
        }
        if self.is_zero() {
            return Some(true);
        }
        // Its digits end in no zero, so no power of ten goes into them.
        let Ok(shift) = u128::try_from(i128::from(self.exponent) - i128::from(divisor.exponent)) else {
            return Some(false);
        };
        if self.digits.len() > MOST_DIGITS || divisor.digits.len() > MOST_DIVISOR_DIGITS {
            return None;
        }
        let modulus = divisor.digits.parse::<BigUint>().ok()?;
        let mut rest = BigUint::ZERO;
        for chunk in self.digits.as_bytes().chunks(CHUNK) {
            let (step, number) = chunk
                .iter()
                .fold((1_u64, 0_u64), |(step, number), digit| (step * 10, number * 10 + u64::from(digit - b'0')));
            rest = (rest * step + number) % &modulus;
        }
        let power = BigUint::from(10_u8).modpow(&BigUint::from(shift), &modulus);
        Some(rest * power % modulus == BigUint::ZERO)
    }

    /// A text that is the same exactly for equal numbers.
    #[must_use]
    pub fn canonical(&self) -> String {
        let sign = if self.negative { "-" } else { "" };
        format!("{sign}{}e{}", self.digits, self.exponent)
    }

    /// How large it is without its sign: first the place of the first digit, then the digits one by one.
    fn compare_sizes(&self, other: &Self) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self.place().cmp(&other.place()).then_with(|| self.digits.cmp(&other.digits)),
        }
    }

    fn place(&self) -> i128 {
        i128::from(self.exponent) + i128::try_from(self.digits.len()).unwrap_or(i128::MAX >> 1)
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.compare_sizes(other),
            (true, true) => other.compare_sizes(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::read(text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn equal_numbers_are_equal_however_they_are_written() {
        for (one, other) in [
            ("1.0", "1"),
            ("1e2", "100"),
            ("-0.0e7", "0"),
            ("0e99999999999999999999999", "0"),
            ("120.50", "1.205E+2"),
            ("1e-400", "0.1e-399"),
            ("1e999999999", "10e999999998"),
        ] {
            assert_eq!(decimal(one), decimal(other));
            assert_eq!(decimal(one).canonical(), decimal(other).canonical());
        }
        assert_eq!(Decimal::read("1e99999999999999999999999"), None);
    }

    #[test]
    fn order_holds_beyond_every_machine_number() {
        let ascending = [
            "-1e999999999",
            "-9007199254740993",
            "-9007199254740992",
            "-1.5",
            "-1e-999999999",
            "0",
            "1e-999999999",
            "0.1",
            "0.10000000000000000000000000000001",
            "9",
            "10",
            "9007199254740992",
            "9007199254740993",
            "1e400",
            "1.1e400",
            "1e999999999",
        ];
        for pair in ascending.windows(2) {
            assert!(decimal(pair[0]) < decimal(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn integers_are_told_by_the_digits() {
        for (text, expected) in [
            ("1.0", true),
            ("1e2", true),
            ("1e-2", false),
            ("100e-2", true),
            ("123456789012345678901234567890", true),
            ("123456789012345678901234567890.5", false),
            ("1e400", true),
            ("0.0", true),
        ] {
            assert_eq!(decimal(text).is_integer(), expected, "{text}");
        }
    }

    #[test]
    fn multiples_are_told_exactly() {
        for (text, divisor, expected) in [
            ("1070468.14", "0.01", Some(true)),
            ("1.11", "0.01", Some(true)),
            ("0.005", "0.01", Some(false)),
            ("10.1", "0.1", Some(true)),
            ("-10.1", "0.1", Some(true)),
            ("0", "0.01", Some(true)),
            ("123456789012345678901234567890", "9", Some(true)),
            ("123456789012345678901234567891", "9", Some(false)),
            ("1e999999999", "7", Some(false)),
            ("1e999999999", "8", Some(true)),
            ("7e999999999", "7e-999999999", Some(true)),
            ("1e-999999999", "1", Some(false)),
            ("1", "0", None),
        ] {
            assert_eq!(decimal(text).is_multiple_of(&decimal(divisor)), expected, "{text} {divisor}");
        }
        let long = "1".repeat(MOST_DIGITS);
        assert_eq!(decimal(&long).is_multiple_of(&decimal("3")), Some(MOST_DIGITS.is_multiple_of(3)));
        assert_eq!(decimal(&format!("{long}1")).is_multiple_of(&decimal("3")), None);
        assert_eq!(decimal("1").is_multiple_of(&decimal(&"1".repeat(MOST_DIVISOR_DIGITS + 1))), None);
    }

    /// A number as text, and the same times 10^6 as an integer.
    fn scaled() -> impl Strategy<Value = (String, i128)> {
        (-10_000_000_000_000_i128..10_000_000_000_000, 0_usize..7, -3_i32..4).prop_map(|(digits, places, exponent)| {
            let sign = if digits < 0 { "-" } else { "" };
            let padded = format!("{:0>width$}", digits.unsigned_abs(), width = places + 1);
            let (whole, fraction) = padded.split_at(padded.len() - places);
            let point = if fraction.is_empty() { String::new() } else { format!(".{fraction}") };
            let shift = 9 + exponent - i32::try_from(places).unwrap();
            (format!("{sign}{whole}{point}e{exponent}"), digits * 10_i128.pow(u32::try_from(shift).unwrap()))
        })
    }

    proptest! {
        #[test]
        fn exact_judgement_agrees_with_integers((one, left) in scaled(), (other, right) in scaled(), small in 1_i128..50) {
            prop_assert_eq!(decimal(&one).cmp(&decimal(&other)), left.cmp(&right));
            prop_assert_eq!(decimal(&one) == decimal(&other), left == right);
            prop_assert_eq!(decimal(&one).is_integer(), left % 1_000_000_000 == 0);
            let divisor = decimal(&format!("{small}e-3"));
            prop_assert_eq!(decimal(&one).is_multiple_of(&divisor), Some(left % (small * 1_000_000) == 0));
        }
    }
}
