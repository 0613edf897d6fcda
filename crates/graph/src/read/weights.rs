//! Weights: unsigned 32-bit integers are held, anything else is refused unless a conversion is named.
//!
//! What counts is how a weight is written: `5` is held, whatever the file calls its values; `5.0` and `-5`
//! depend on the [`WeightPolicy`]. Every weight is checked to be a number, even where the structure alone is
//! read.

use super::WeightPolicy;
use super::scan::{Trouble, quoted, unsigned};
use crate::csr::Weight;
use crate::source::WeightsSeen;

/// What the user can do about a weight that does not fit.
pub(super) const CONVERSIONS: &str =
    "name a conversion: --weights drop (structure alone), round, absolute, or scale=FACTOR";

/// What became of one weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// Held as it stands.
    Exact(Weight),
    /// Held after the conversion that the user named.
    Converted(Weight),
    /// Cannot be held; the structure alone will be.
    Unfit,
}

/// Whether weights are wanted at all under `policy`.
pub(super) fn wanted(policy: WeightPolicy) -> bool {
    policy != WeightPolicy::Drop
}

/// Decides about a weight that is written as a plain unsigned integer.
#[inline(always)]
pub(super) fn of_integer(value: u64, policy: WeightPolicy) -> Option<Fate> {
    match policy {
        WeightPolicy::Scale(_) => None,
        _ => u32::try_from(value).ok().map(Fate::Exact),
    }
}

/// Decides about the weight `word`, which stands at `at`.
pub(super) fn of_word(word: &[u8], at: usize, policy: WeightPolicy) -> Result<Fate, Trouble> {
    if let Some((value, end)) = unsigned(word, 0)
        && end == word.len()
        && let Some(fate) = of_integer(value, policy)
    {
        return Ok(fate);
    }
    let value = real(word)
        .ok_or_else(|| Trouble::new(at, format!("the weight should be a number, found {}", quoted(word))))?;
    // A negative number is not brought to zero by rounding.
    let converted = |value: f64| match integral(value.round()).filter(|_| value >= 0.0) {
        Some(weight) => Ok(Fate::Converted(weight)),
        None => Err(refused(word, at)),
    };
    match policy {
        WeightPolicy::Drop => Ok(Fate::Unfit),
        WeightPolicy::Scale(factor) => converted(value * factor),
        WeightPolicy::Refuse => Err(refused(word, at)),
        WeightPolicy::Describe => Ok(Fate::Unfit),
        WeightPolicy::Round => converted(value),
        WeightPolicy::Absolute => converted(value.abs()),
    }
}

fn refused(word: &[u8], at: usize) -> Trouble {
    let problem = format!("weight {} is not an unsigned 32-bit integer", quoted(word));
    Trouble::new(at, problem).with_help(CONVERSIONS)
}

/// A number as C and Fortran print it.
fn real(word: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(word).ok()?;
    let value = match text.parse() {
        Ok(value) => value,
        Err(_) => text.replace(['d', 'D'], "e").parse::<f64>().ok()?,
    };
    Some(value)
}

fn integral(value: f64) -> Option<Weight> {
    let fits = value >= 0.0 && value <= f64::from(u32::MAX) && value.fract() == 0.0;
    fits.then_some(value as Weight)
}

/// What is known about the weights of the input so far.
#[derive(Clone, Debug, Default)]
pub(super) struct WeightRecord {
    /// The first that cannot be held: its line and how it is written.
    pub(super) unfit: Option<(u64, String)>,
    /// Whether a conversion changed any.
    pub(super) converted: bool,
}

impl WeightRecord {
    /// How the weights of an input that has some came through, and what to say about it.
    pub(super) fn outcome(&self, policy: WeightPolicy) -> (WeightsSeen, Option<String>) {
        if policy == WeightPolicy::Drop {
            return (WeightsSeen::Dropped, Some("weights dropped, as asked for".to_owned()));
        }
        if let Some((line, word)) = &self.unfit {
            let note = format!(
                "read without its weights: {word} in line {line} is not an unsigned 32-bit integer \
                 (--weights names a conversion)"
            );
            return (WeightsSeen::Dropped, Some(note));
        }
        if !self.converted {
            return (WeightsSeen::Held, None);
        }
        let how = match policy {
            WeightPolicy::Absolute => "to the nearest integer of their absolute values".to_owned(),
            WeightPolicy::Scale(factor) => format!("to the nearest integer of {factor} times their values"),
            _ => "to the nearest integer".to_owned(),
        };
        (WeightsSeen::Converted, Some(format!("weights converted {how}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fate(word: &str, policy: WeightPolicy) -> Result<Fate, String> {
        of_word(word.as_bytes(), 0, policy).map_err(|trouble| trouble.problem)
    }

    #[test]
    fn integers_are_held_and_reals_converted_even_where_they_are_whole() {
        for policy in [WeightPolicy::Refuse, WeightPolicy::Describe, WeightPolicy::Round] {
            assert_eq!(fate("7", policy), Ok(Fate::Exact(7)));
            assert_eq!(fate("007", policy), Ok(Fate::Exact(7)));
        }
        for word in ["7.0", "0.7e1", "0.7D+01"] {
            assert!(fate(word, WeightPolicy::Refuse).is_err(), "{word}");
            assert_eq!(fate(word, WeightPolicy::Describe), Ok(Fate::Unfit), "{word}");
            assert_eq!(fate(word, WeightPolicy::Round), Ok(Fate::Converted(7)), "{word}");
        }
        assert_eq!(fate("4294967295", WeightPolicy::Refuse), Ok(Fate::Exact(u32::MAX)));
    }

    #[test]
    fn each_policy_treats_what_does_not_fit_in_its_own_way() {
        for word in ["-3", "2.5", "4294967296", "nan", "inf", "1e300"] {
            assert!(fate(word, WeightPolicy::Refuse).is_err(), "{word}");
            assert_eq!(fate(word, WeightPolicy::Describe), Ok(Fate::Unfit), "{word}");
            assert_eq!(fate(word, WeightPolicy::Drop), Ok(Fate::Unfit), "{word}");
        }
        assert_eq!(fate("2.5", WeightPolicy::Round), Ok(Fate::Converted(3)));
        assert!(fate("-2.5", WeightPolicy::Round).is_err());
        assert!(fate("-0.1", WeightPolicy::Round).is_err());
        assert_eq!(fate("-2.4", WeightPolicy::Absolute), Ok(Fate::Converted(2)));
        assert_eq!(fate("-3", WeightPolicy::Absolute), Ok(Fate::Converted(3)));
        assert_eq!(fate("0.0254", WeightPolicy::Scale(1000.0)), Ok(Fate::Converted(25)));
        assert_eq!(fate("3", WeightPolicy::Scale(2.0)), Ok(Fate::Converted(6)));
        assert!(fate("-1", WeightPolicy::Scale(2.0)).is_err());
        assert!(fate("nan", WeightPolicy::Absolute).is_err());
    }

    #[test]
    fn what_is_no_number_is_an_error_under_every_policy() {
        for policy in [WeightPolicy::Refuse, WeightPolicy::Describe, WeightPolicy::Drop] {
            assert!(fate("heavy", policy).is_err());
            assert!(fate("", policy).is_err());
        }
    }
}
