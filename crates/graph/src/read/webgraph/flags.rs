//! How the numbers of a bit stream are coded, with the format's defaults and its names of codes.

use dsi_bitstream::dispatch::Codes;

/// The code of every kind of number, and what bounds the copying and the intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flags {
    pub(super) outdegrees: Codes,
    pub(super) references: Codes,
    pub(super) blocks: Codes,
    pub(super) intervals: Codes,
    pub(super) residuals: Codes,
    /// The shortest run that is stored as an interval; 0 where no list has intervals.
    pub(super) min_interval_length: u64,
    /// How many vertices back a list may refer; 0 where none refers to another.
    pub(super) compression_window: u64,
}

impl Default for Flags {
    /// What properties mean that name no code.
    fn default() -> Flags {
        Flags {
            outdegrees: Codes::Gamma,
            references: Codes::Unary,
            blocks: Codes::Gamma,
            intervals: Codes::Gamma,
            residuals: Codes::Zeta(3),
            min_interval_length: 4,
            compression_window: 7,
        }
    }
}

/// The code of that name, in either case. `ZETA` alone takes its parameter from `zetak`.
pub(super) fn code(name: &str, zetak: usize) -> Option<Codes> {
    let name = name.to_ascii_uppercase();
    match name.as_str() {
        "UNARY" => return Some(Codes::Unary),
        "GAMMA" => return Some(Codes::Gamma),
        "DELTA" => return Some(Codes::Delta),
        "OMEGA" => return Some(Codes::Omega),
        "ZETA" => return Some(Codes::Zeta(zetak)),
        _ => {}
    }
    let parameter = |family| match name.strip_prefix(family).map(str::as_bytes) {
        Some(&[digit @ b'1'..=b'7']) => Some(usize::from(digit - b'0')),
        _ => None,
    };
    let pi = parameter("PI").filter(|&parameter| parameter <= 4).map(Codes::Pi);
    parameter("ZETA").map(Codes::Zeta).or(pi)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_go_by_their_names_in_either_case() {
        for (name, expected) in [
            ("UNARY", Codes::Unary),
            ("gamma", Codes::Gamma),
            ("Delta", Codes::Delta),
            ("OMEGA", Codes::Omega),
            ("ZETA", Codes::Zeta(5)),
            ("ZETA1", Codes::Zeta(1)),
            ("zeta7", Codes::Zeta(7)),
            ("PI1", Codes::Pi(1)),
            ("pi4", Codes::Pi(4)),
        ] {
            assert_eq!(code(name, 5), Some(expected), "{name}");
        }
        for name in ["", "ZETA0", "ZETA8", "ZETA33", "PI", "PI0", "PI5", "GOLOMB", "NIBBLE", "GAMMA1"] {
            assert_eq!(code(name, 5), None, "{name}");
        }
    }
}
