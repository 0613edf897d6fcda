//! Quantities as users write them: `48KiB`, `1.2GHz`, `100.8GB/s`.

use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A number of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

/// A frequency in whole hertz.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Frequency(u64);

/// A rate of transfer in whole bytes per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bandwidth(u64);

impl Frequency {
    /// So many hertz.
    pub fn from_hertz(hertz: u64) -> Frequency {
        Frequency(hertz)
    }

    /// The whole nanoseconds that so many cycles take.
    pub fn nanoseconds(self, cycles: u64) -> u64 {
        (u128::from(cycles) * 1_000_000_000 / u128::from(self.0.max(1))) as u64
    }

    /// In hertz.
    pub fn hertz(self) -> u64 {
        self.0
    }
}

impl Bandwidth {
    /// So many bytes per second.
    pub fn from_bytes_per_second(bytes: u64) -> Bandwidth {
        Bandwidth(bytes)
    }

    /// In bytes per second.
    pub fn bytes_per_second(self) -> u64 {
        self.0
    }
}

const BYTES: &[(&str, u64)] = &[("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)];
const HERTZ: &[(&str, u64)] = &[("GHz", 1_000_000_000), ("MHz", 1_000_000), ("kHz", 1_000), ("Hz", 1)];
const RATES: &[(&str, u64)] = &[("GB/s", 1_000_000_000), ("MB/s", 1_000_000), ("kB/s", 1_000), ("B/s", 1)];

/// Reads a decimal number with a unit, exactly: `1.2GHz` is 1,200,000,000.
fn parse(text: &str, units: &[(&str, u64)]) -> Result<u64, String> {
    let names = || units.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let trimmed = text.trim();
    let end = trimmed.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_').unwrap_or(trimmed.len());
    let (number, unit) = (trimmed[..end].replace('_', ""), trimmed[end..].trim());
    let Some(&(_, factor)) = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit)) else {
        return Err(match unit {
            "" => format!("'{text}' needs a unit: a number followed by one of {}", names()),
            _ => format!("'{text}' has no known unit: expected a number followed by one of {}", names()),
        });
    };
    let (whole, part) = number.split_once('.').unwrap_or((&number, ""));
    let wrong = || format!("'{text}' is not a number followed by one of {}", names());
    if whole.is_empty() || part.len() > 9 {
        return Err(wrong());
    }
    let too_large = || format!("'{text}' is too large");
    let digits: u128 = format!("{whole}{part}").parse().map_err(|_| wrong())?;
    let scale = 10u128.pow(part.len() as u32);
    let scaled = digits.checked_mul(u128::from(factor)).ok_or_else(too_large)?;
    if scaled % scale != 0 {
        return Err(format!("'{text}' is not a whole number of {}", units[units.len() - 1].0));
    }
    u64::try_from(scaled / scale).map_err(|_| too_large())
}

/// Writes a quantity in the largest unit in which it is exact with at most three decimals.
fn write(f: &mut fmt::Formatter<'_>, value: u64, units: &[(&str, u64)]) -> fmt::Result {
    for &(name, factor) in units {
        let thousandths = u128::from(value) * 1000;
        if value >= factor && thousandths % u128::from(factor) == 0 {
            let thousandths = thousandths / u128::from(factor);
            let text = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
            return write!(f, "{}{name}", text.trim_end_matches('0').trim_end_matches('.'));
        }
    }
    write!(f, "{value}{}", units[units.len() - 1].0)
}

macro_rules! quantity {
    ($ty:ident, $units:expr, $what:literal, $bare:expr) => {
        impl fmt::Display for $ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write(f, self.0, $units)
            }
        }

        impl FromStr for $ty {
            type Err = String;

            fn from_str(text: &str) -> Result<$ty, String> {
                parse(text, $units).map($ty)
            }
        }

        impl Serialize for $ty {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $ty {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$ty, D::Error> {
                struct Visitor;
                impl de::Visitor<'_> for Visitor {
                    type Value = $ty;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($what)
                    }

                    fn visit_str<E: de::Error>(self, text: &str) -> Result<$ty, E> {
                        text.parse().map_err(E::custom)
                    }

                    fn visit_i64<E: de::Error>(self, value: i64) -> Result<$ty, E> {
                        match u64::try_from(value) {
                            Ok(value) if $bare || value == 0 => Ok($ty(value)),
                            _ => Err(E::custom(format!("{value} has no unit: write {}", $what))),
                        }
                    }

                    fn visit_u64<E: de::Error>(self, value: u64) -> Result<$ty, E> {
                        self.visit_i64(i64::try_from(value).unwrap_or(i64::MAX))
                    }
                }
                deserializer.deserialize_any(Visitor)
            }
        }
    };
}

quantity!(Bytes, BYTES, "a size such as \"48KiB\", or a number of bytes", true);
quantity!(Frequency, HERTZ, "a frequency such as \"1.2GHz\"", false);
quantity!(Bandwidth, RATES, "a bandwidth such as \"100.8GB/s\"", false);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quantities_are_exact() {
        assert_eq!("1.2GHz".parse(), Ok(Frequency(1_200_000_000)));
        assert_eq!("924 MHz".parse(), Ok(Frequency(924_000_000)));
        assert_eq!("100.8GB/s".parse(), Ok(Bandwidth(100_800_000_000)));
        assert_eq!("48kib".parse(), Ok(Bytes(49_152)));
        assert_eq!(Bytes(49_152).to_string(), "48KiB");
        assert_eq!(Bandwidth(100_800_000_000).to_string(), "100.8GB/s");
        assert_eq!(Frequency(0).to_string(), "0Hz");
    }

    #[test]
    fn what_is_no_quantity_is_refused() {
        for text in ["", "KiB", "1.5B", "12 parsecs", "1.2.3GHz", "48", "-1KiB", "99999999999999999999GiB"] {
            assert!(text.parse::<Bytes>().is_err() && text.parse::<Frequency>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(value: u64) {
            prop_assert_eq!(Bytes(value).to_string().parse(), Ok(Bytes(value)));
            prop_assert_eq!(Frequency(value).to_string().parse(), Ok(Frequency(value)));
        }

        #[test]
        fn no_text_makes_it_panic(text: String) {
            let refusals = [text.parse::<Bytes>().err(), text.parse::<Bandwidth>().err()];
            prop_assert!(refusals.into_iter().flatten().all(|refusal| refusal.contains(&text)));
        }
    }
}
