//! How long ago something was, in words. The server writes them and the browser keeps them fresh, so both use these.

/// `seconds` as "12 min", "5 h 12 min", "3 d 4 h" or "120 d". What lies ahead is no time at all: clocks differ.
#[must_use]
pub(crate) fn in_words(seconds: i64) -> String {
    let minutes = seconds.max(0) / 60;
    let (hours, days) = (minutes / 60, minutes / 1_440);
    match (days, hours, minutes) {
        (0, 0, 0) => "under 1 min".to_owned(),
        (0, 0, minutes) => format!("{minutes} min"),
        (0, hours, minutes) => pair(hours, "h", minutes % 60, "min"),
        (days, hours, _) if days < 30 => pair(days, "d", hours % 24, "h"),
        (days, ..) => format!("{days} d"),
    }
}

/// What is due in `seconds`, or was: "Claim in 40 min", "Claim overdue by 2 h".
#[must_use]
pub(crate) fn due_in_words(what: &str, seconds: i64) -> String {
    match seconds {
        ..=0 => format!("{what} overdue by {}", in_words(-seconds)),
        _ => format!("{what} in {}", in_words(seconds)),
    }
}

fn pair(whole: i64, unit: &str, rest: i64, smaller: &str) -> String {
    if rest == 0 { format!("{whole} {unit}") } else { format!("{whole} {unit} {rest} {smaller}") }
}

#[cfg(test)]
mod tests {
    use super::{due_in_words, in_words};

    #[test]
    fn what_is_due_is_told_from_both_sides() {
        assert_eq!(due_in_words("Claim", 2_400), "Claim in 40 min");
        assert_eq!(due_in_words("Claim", 0), "Claim overdue by under 1 min");
        assert_eq!(due_in_words("Close", -7_200), "Close overdue by 2 h");
    }

    #[test]
    fn two_units_are_enough_and_the_future_is_now() {
        let minute = 60;
        let (hour, day) = (60 * minute, 1_440 * minute);
        assert_eq!(in_words(-5 * day), "under 1 min");
        assert_eq!(in_words(59), "under 1 min");
        assert_eq!(in_words(12 * minute + 59), "12 min");
        assert_eq!(in_words(5 * hour), "5 h");
        assert_eq!(in_words(5 * hour + 12 * minute), "5 h 12 min");
        assert_eq!(in_words(3 * day + 4 * hour + 59 * minute), "3 d 4 h");
        assert_eq!(in_words(3 * day), "3 d");
        assert_eq!(in_words(400 * day), "400 d");
    }
}
