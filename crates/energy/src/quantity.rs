//! Energies and powers as tables write them: `133pJ`, `2.119nJ`, `1.59W`.

use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// An energy: positive and finite.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
pub struct Picojoules(f64);

/// A power: positive and finite.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
pub struct Watts(f64);

impl Picojoules {
    /// In picojoules.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Watts {
    /// In watts.
    pub fn get(self) -> f64 {
        self.0
    }
}

/// Name, factor and divisor: one of the two is 1, so that a quantity is rounded once.
type Unit = (&'static str, f64, f64);
const ENERGIES: &[Unit] = &[("pJ", 1.0, 1.0), ("nJ", 1e3, 1.0), ("uJ", 1e6, 1.0)];
const POWERS: &[Unit] = &[("W", 1.0, 1.0), ("mW", 1.0, 1e3), ("uW", 1.0, 1e6)];

/// One joule: no single action costs more.
const PICOJOULES_MAX: f64 = 1e12;
/// A megawatt.
const WATTS_MAX: f64 = 1e6;

/// Reads a plain decimal number with a unit. No sign and no exponent: what is not positive is refused.
fn parse(text: &str, units: &[Unit], largest: f64) -> Result<f64, String> {
    let names = || units.iter().map(|(name, ..)| *name).collect::<Vec<_>>().join(", ");
    let wrong = || format!("'{text}' is not a positive decimal number followed by one of {}", names());
    let trimmed = text.trim();
    let end = trimmed.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(trimmed.len());
    let (number, unit) = trimmed.split_at(end);
    let (_, factor, divisor) = units.iter().find(|(name, ..)| *name == unit.trim()).ok_or_else(wrong)?;
    let value: f64 = number.parse().map_err(|_| wrong())?;
    let value = value * factor / divisor;
    if value == 0.0 {
        return Err(format!("'{text}' is nothing: list the statistic under [[free]], with the reason"));
    }
    if value > 0.0 && value <= largest { Ok(value) } else { Err(format!("'{text}' is out of range")) }
}

impl FromStr for Picojoules {
    type Err = String;

    fn from_str(text: &str) -> Result<Picojoules, String> {
        parse(text, ENERGIES, PICOJOULES_MAX).map(Picojoules)
    }
}

impl FromStr for Watts {
    type Err = String;

    fn from_str(text: &str) -> Result<Watts, String> {
        parse(text, POWERS, WATTS_MAX).map(Watts)
    }
}

impl<'de> Deserialize<'de> for Picojoules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Picojoules, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Watts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Watts, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl fmt::Display for Picojoules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} pJ", self.0)
    }
}

impl fmt::Display for Watts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} W", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn units_are_factors() {
        assert_eq!("133pJ".parse(), Ok(Picojoules(133.0)));
        assert_eq!("695 nJ".parse(), Ok(Picojoules(695_000.0)));
        assert_eq!("1.59W".parse(), Ok(Watts(1.59)));
        assert_eq!("413mW".parse(), Ok(Watts(0.413)));
    }

    #[test]
    fn what_is_no_positive_quantity_is_refused() {
        for text in [
            "",
            "pJ",
            "133",
            "133 PJ",
            "-1pJ",
            "NaN pJ",
            "inf pJ",
            "1e3pJ",
            "1.2.3pJ",
            "0pJ",
            "1W",
            "9999999999999pJ",
        ] {
            assert!(text.parse::<Picojoules>().is_err(), "{text}");
        }
        for text in ["0W", "-1W", "1pJ", "NaNW", "1e9W", "9999999W"] {
            assert!(text.parse::<Watts>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text: String) {
            let refusals = [text.parse::<Picojoules>().err(), text.parse::<Watts>().err()];
            prop_assert!(refusals.into_iter().flatten().all(|refusal| refusal.contains(&text)));
        }
    }
}
