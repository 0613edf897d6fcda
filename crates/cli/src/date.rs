//! Days of the calendar, as ledgers bear them.

#[expect(clippy::disallowed_types, reason = "a ledger says when it was made; no verdict depends on it")]
use std::time::{SystemTime, UNIX_EPOCH};

/// Today, in coordinated universal time.
pub(crate) fn today() -> String {
    #[expect(clippy::disallowed_types, reason = "a ledger says when it was made; no verdict depends on it")]
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    of_day(since.as_secs() / 86_400)
}

/// A day by its number from 1970-01-01: years of March to February, so that the leap day is the last of its year.
fn of_day(day: u64) -> String {
    let day = day + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year + 400 * era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// A day that a user typed.
pub(crate) fn parse(text: &str) -> Result<String, String> {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |index: usize, digits: usize, most: u32| {
        let part =
            parts.get(index).filter(|part| part.len() == digits && part.bytes().all(|b| b.is_ascii_digit()));
        part.and_then(|part| part.parse().ok()).is_some_and(|number: u32| (1..=most).contains(&number))
    };
    match parts.len() == 3 && number(0, 4, 9999) && number(1, 2, 12) && number(2, 2, 31) {
        true => Ok(text.to_owned()),
        false => Err("a day is written as 2026-01-31".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates() {
        let day = |number: u64| of_day(number);
        assert_eq!(day(0), "1970-01-01");
        assert_eq!(day(11_016), "2000-02-29");
        assert_eq!(day(11_017), "2000-03-01");
        assert_eq!(day(20_484), "2026-01-31");
        assert_eq!(day(20_453), "2025-12-31");
        assert_eq!(parse(&today()), Ok(today()));
    }

    #[test]
    fn other_spellings_are_refused() {
        for text in ["2026-1-31", "31.1.2026", "2026-13-01", "2026-00-10", "+026-01-01", ""] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
