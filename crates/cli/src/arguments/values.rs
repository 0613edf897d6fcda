//! Values with a syntax of their own: sizes, formats, weight policies, transforms.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use heddle_graph::Format;
use heddle_graph::read::WeightPolicy;
use heddle_graph::transform::{self, Transform};
use heddle_graph::write::WRITABLE;
use heddle_lab::select::LaunchChoice;
use std::fmt;
use std::str::FromStr;

/// How an output file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Compress {
    /// Not at all.
    None,
    /// gzip
    Gzip,
    /// zstd
    Zstd,
}

/// The name of a format that can be read.
pub(super) fn readable_format() -> impl TypedValueParser<Value = Format> {
    format_of(&Format::ALL)
}

/// The name of a format that can be written.
pub(super) fn writable_format() -> impl TypedValueParser<Value = Format> {
    format_of(WRITABLE)
}

fn format_of(formats: &'static [Format]) -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(formats.iter().map(|format| format.name()))
        .try_map(|name| Format::by_name(&name).ok_or_else(|| format!("`{name}`: no such format")))
}

/// Bytes, written `32KiB`, `4M`, `1GB` or plain, by the convention of the core utilities: `K` and `KiB` are
/// 1024, `KB` is 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size(pub(crate) u64);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        parse_bytes(text).map(Size)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")]
            .into_iter()
            .find(|(shift, _)| self.0 != 0 && self.0.is_multiple_of(1 << shift));
        match exact {
            Some((shift, unit)) => write!(f, "{}{unit}", self.0 >> shift),
            None => write!(f, "{}", self.0),
        }
    }
}

fn parse_bytes(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| expected_size())?;
    let unit = unit.trim().to_ascii_lowercase();
    let (power, base) = match unit.as_str() {
        "" | "b" => (0, 1024),
        "k" | "ki" | "kib" => (1, 1024),
        "m" | "mi" | "mib" => (2, 1024),
        "g" | "gi" | "gib" => (3, 1024),
        "t" | "ti" | "tib" => (4, 1024),
        "kb" => (1, 1000),
        "mb" => (2, 1000),
        "gb" => (3, 1000),
        "tb" => (4, 1000),
        _ => return Err(expected_size()),
    };
    number.checked_mul(u64::pow(base, power)).ok_or_else(|| "does not fit 64 bits".to_string())
}

fn expected_size() -> String {
    "expected bytes, or a number with a unit such as 32KiB, 4MiB or 1GB".to_string()
}

/// `refuse`, `drop`, `round`, `absolute` or `scale=F`.
pub(super) fn weight_policy(text: &str) -> Result<WeightPolicy, String> {
    let expected = || "expected refuse, drop, round, absolute or scale=FACTOR".to_string();
    match text.split_once('=') {
        None => match text {
            "refuse" => Ok(WeightPolicy::Refuse),
            "drop" => Ok(WeightPolicy::Drop),
            "round" => Ok(WeightPolicy::Round),
            "absolute" => Ok(WeightPolicy::Absolute),
            _ => Err(expected()),
        },
        Some(("scale", factor)) => match factor.parse::<f64>() {
            Ok(factor) if factor.is_finite() && factor > 0.0 => Ok(WeightPolicy::Scale(factor)),
            _ => Err("expected a factor above 0, such as scale=1000".to_string()),
        },
        Some(_) => Err(expected()),
    }
}

/// A transform as the library spells it.
pub(super) fn transform(text: &str) -> Result<Transform, String> {
    transform::parse(text)
}

/// A choice of launches as the lab spells it.
pub(super) fn launches(text: &str) -> Result<LaunchChoice, String> {
    LaunchChoice::parse(text)
}

/// Each word where it stands first: a mechanism that is named again changes nothing.
pub(super) fn distinct(words: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut distinct = Vec::new();
    for word in words {
        if !distinct.contains(&word) {
            distinct.push(word);
        }
    }
    distinct
}

/// Mechanisms joined by `+`; `none` is none of them.
pub(super) fn mechanisms(text: &str) -> Result<Vec<String>, String> {
    let names = distinct(text.split('+').map(|name| name.trim().to_owned()));
    match names.iter().any(String::is_empty) {
        true => Err("expected a mechanism, or several joined by +, such as obm+sector".to_string()),
        false if names == ["none"] => Ok(Vec::new()),
        false if names.iter().any(|name| name == "none") => {
            Err("`none` stands alone: it is the machine without mechanisms".to_string())
        }
        false => Ok(names),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_binary_and_decimal_units() {
        assert_eq!(parse_bytes("7"), Ok(7));
        assert_eq!(parse_bytes("32KiB"), Ok(32 << 10));
        assert_eq!(parse_bytes("4M"), Ok(4 << 20));
        assert_eq!(parse_bytes("4 mib"), Ok(4 << 20));
        assert_eq!(parse_bytes("1GB"), Ok(1_000_000_000));
    }

    #[test]
    fn a_size_is_shown_as_it_can_be_typed() {
        for bytes in [0, 7, 1 << 10, 3 << 19, 1000, 4 << 40, u64::MAX] {
            assert_eq!(Size(bytes).to_string().parse(), Ok(Size(bytes)));
        }
        assert_eq!(Size(32 << 10).to_string(), "32KiB");
    }

    #[test]
    fn what_is_no_size_is_refused() {
        for text in ["", "KiB", "-1", "1.5KiB", "3 apples", "99999999999999999999", "99999999999GiB"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn weight_policies_are_known_by_name() {
        assert_eq!(weight_policy("scale=2.5"), Ok(WeightPolicy::Scale(2.5)));
        assert_eq!(weight_policy("absolute"), Ok(WeightPolicy::Absolute));
        for text in ["", "scale", "scale=", "scale=-1", "scale=inf", "scale=NaN", "round=2"] {
            assert!(weight_policy(text).is_err(), "{text}");
        }
    }

    #[test]
    fn mechanisms_compose_by_plus() {
        assert_eq!(mechanisms("obm+sector"), Ok(vec!["obm".to_string(), "sector".to_string()]));
        assert_eq!(mechanisms("none"), Ok(Vec::new()));
        assert_eq!(mechanisms("obm+sector+ obm"), mechanisms("obm+sector"));
        for text in ["", "+", "a+", "none+a"] {
            assert!(mechanisms(text).is_err(), "{text}");
        }
    }
}
