//! Reading numbers and tokens from bytes, eight digits at a time.
//!
//! Real graph files are mostly decimal numbers of one to ten digits. A number is read by loading eight
//! bytes as one word, finding the first byte that is no digit, and summing the digits by three
//! multiplications: no branch depends on the number's length.

/// Trouble inside a piece of text, on its way to become an error that names the line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Trouble {
    /// Byte within the piece.
    pub(super) at: usize,
    pub(super) problem: String,
    pub(super) help: Option<String>,
}

impl Trouble {
    pub(super) fn new(at: usize, problem: impl Into<String>) -> Trouble {
        Trouble { at, problem: problem.into(), help: None }
    }

    pub(super) fn with_help(mut self, help: impl Into<String>) -> Trouble {
        self.help = Some(help.into());
        self
    }
}

/// The decimal number that begins at `at`, and where it ends. `None` if there is no digit, or if the
/// number does not fit 64 bits.
#[inline(always)]
pub(super) fn unsigned(text: &[u8], at: usize) -> Option<(u64, usize)> {
    let Some(word) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) else {
        return unsigned_by_byte(text, at, at, 0);
    };
    let digits = u64::from_le_bytes(*word) ^ 0x3030_3030_3030_3030;
    // The high bit of every byte that is no digit. A carry out of such a byte spoils only later ones.
    let others = (digits.wrapping_add(0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080;
    let length = (others.trailing_zeros() / 8) as usize;
    match length {
        0 => None,
        8 => unsigned_by_byte(text, at, at + 8, sum_of_eight(digits)),
        _ => Some((sum_of_eight(digits << (64 - 8 * length)), at + length)),
    }
}

/// The number that eight digits make, the first in the lowest byte.
#[inline(always)]
fn sum_of_eight(digits: u64) -> u64 {
    let pairs = (digits.wrapping_mul(1 + (10 << 8)) >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs.wrapping_mul(1 + (100 << 16)) >> 16) & 0x0000_FFFF_0000_FFFF;
    fours.wrapping_mul(1 + (10_000 << 32)) >> 32
}

/// A number that begins at `first`, of which `value` stands before `at`.
fn unsigned_by_byte(text: &[u8], first: usize, at: usize, mut value: u64) -> Option<(u64, usize)> {
    let mut end = at;
    while let Some(digit) = text.get(end).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        value = value.checked_mul(10)?.checked_add(digit as u64)?;
        end += 1;
    }
    (end > first).then_some((value, end))
}

/// The first position from `at` that is neither blank nor tab.
#[inline(always)]
pub(super) fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}

/// Where the line that `at` is in ends: at its line feed, or at the end of the text.
pub(super) fn line_end(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    memchr::memchr(b'\n', rest).map_or(text.len(), |length| at + length)
}

/// A line without line feed, carriage return and blanks at its end.
pub(super) fn trimmed(line: &[u8]) -> &[u8] {
    line.trim_ascii_end()
}

/// The words of a line, set apart by blanks.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty())
}

/// A word that is a decimal number and nothing else.
pub(super) fn whole_number(word: &[u8]) -> Option<u64> {
    unsigned(word, 0).filter(|&(_, end)| end == word.len()).map(|(value, _)| value)
}

/// A piece of the input as it may stand in a message: short and printable.
pub(super) fn quoted(bytes: &[u8]) -> String {
    const SHOWN: usize = 40;
    let bytes = trimmed(bytes);
    let shown: String = bytes[..bytes.len().min(SHOWN)].escape_ascii().to_string();
    let shown = shown.replace("\\'", "'").replace("\\\"", "\"");
    let rest = if bytes.len() > SHOWN { "…" } else { "" };
    format!("`{shown}{rest}`")
}

/// What stands at `at` in place of the number that was expected: the message for the user.
pub(super) fn not_a_number(line: &[u8], at: usize, expected: &str) -> String {
    let rest = line.get(at..).unwrap_or_default();
    let length = rest.iter().position(|byte| b" \t,;\r\n".contains(byte)).unwrap_or(rest.len());
    let word = &rest[..length];
    if word.is_empty() {
        format!("{expected} is missing in {}", quoted(line))
    } else if word.iter().all(u8::is_ascii_digit) {
        format!("{expected} is too large: {}", quoted(word))
    } else if word.contains(&0) {
        format!("{expected} should be a whole number, found a NUL byte: the file is binary or damaged")
    } else if std::str::from_utf8(word).is_err() {
        format!("{expected} should be a whole number, found bytes that are not UTF-8: {}", quoted(word))
    } else {
        format!("{expected} should be a whole number, found {}", quoted(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_of_every_length_are_read_up_to_64_bits() {
        for text in ["0", "9", "12345678", "123456789", "00000000000000000000000017", "18446744073709551615"]
        {
            for tail in ["", " ", "\t5", ",x", "\r\n12345678"] {
                let line = format!("{text}{tail}");
                assert_eq!(
                    unsigned(line.as_bytes(), 0),
                    Some((text.parse().unwrap(), text.len())),
                    "{line:?}"
                );
            }
        }
        assert_eq!(unsigned(b"18446744073709551616", 0), None);
        assert_eq!(unsigned(b"", 0), None);
        assert_eq!(unsigned(b"-1", 0), None);
        assert_eq!(unsigned(b"12345678", 8), None, "a number does not begin where another ended");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]
        #[test]
        fn a_number_is_read_as_the_standard_library_does(value: u64, tail in "[^0-9].{0,12}") {
            let line = format!("{value}{tail}");
            prop_assert_eq!(unsigned(line.as_bytes(), 0), Some((value, value.to_string().len())));
        }

        #[test]
        fn only_ascii_digits_are_digits(bytes in prop::collection::vec(any::<u8>(), 0..16)) {
            let length = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
            match unsigned(&bytes, 0) {
                Some((_, end)) => prop_assert_eq!(end, length),
                None => prop_assert_eq!(length, 0),
            }
        }
    }
}
