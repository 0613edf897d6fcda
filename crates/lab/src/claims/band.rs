//! When a claim agrees, as the table of claims writes it.
//!
//! `+20..+60%`, `1.02..1.15`, `3.5..7x`, `<= -70%`, `> 50x` and `18..30 of 36` are ranges, and judge a claim by
//! themselves. `above both, +30..+80%` has a range inside words: an expression judges it, and has the range as `band`,
//! so that no figure of a band is written twice.

use super::expression::{End, Range};

/// A range of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// The range; percent are hundredths.
    pub range: Range,
    /// Whether the text is that range and nothing else.
    pub is_plain: bool,
}

/// The first range of a text, if it has one.
pub fn parse(text: &str) -> Option<Band> {
    let text = text.trim();
    if let Some((range, rest)) = range_at(text) {
        return Some(Band { range, is_plain: rest.is_empty() });
    }
    let starts = text.char_indices().filter(|(at, _)| text[..*at].ends_with([' ', '(']));
    let ranges = starts.filter_map(|(at, _)| range_at(&text[at..]));
    ranges.map(|(range, _)| Band { range, is_plain: false }).next()
}

/// The range that a text begins with, and what follows it.
fn range_at(text: &str) -> Option<(Range, &str)> {
    for (sign, is_low, is_included) in
        [("<=", false, true), (">=", true, true), ("<", false, false), (">", true, false)]
    {
        if let Some(rest) = text.strip_prefix(sign) {
            let (number, rest) = number(rest.trim_start())?;
            let (factor, rest) = unit(rest);
            let end = Some(End { at: number / factor, is_included });
            let range = if is_low { Range { low: end, high: None } } else { Range { low: None, high: end } };
            return Some((range, rest));
        }
    }
    let (one, rest) = number(text)?;
    let (other, rest) = number(rest.strip_prefix("..")?)?;
    let (factor, rest) = unit(rest);
    Some((Range::between(one / factor, other / factor), rest))
}

/// A number with its sign. Two points after it are a range, not its decimals.
fn number(text: &str) -> Option<(f64, &str)> {
    let signed = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign_bytes = text.len() - signed.len();
    let whole = signed.bytes().take_while(u8::is_ascii_digit).count();
    let decimals = match signed[whole..].strip_prefix('.') {
        Some(after) => after.bytes().take_while(u8::is_ascii_digit).count(),
        None => 0,
    };
    let bytes = sign_bytes + whole + if decimals > 0 { decimals + 1 } else { 0 };
    let number = text[..bytes].strip_prefix('+').unwrap_or(&text[..bytes]).parse().ok()?;
    (whole > 0).then_some((number, &text[bytes..]))
}

/// What a number is divided by for its unit, and what follows the unit. `of 36` says of how many, and changes nothing.
fn unit(text: &str) -> (f64, &str) {
    if let Some(rest) = text.strip_prefix('%') {
        return (100.0, rest);
    }
    let of =
        text.strip_prefix(" of ").filter(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()));
    match of {
        Some(_) => (1.0, ""),
        None => (1.0, text.strip_prefix('x').unwrap_or(text)),
    }
}
