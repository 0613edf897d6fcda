//! The cost of structures: bits exactly, square millimetres by interpolation between points of CACTI.
//!
//! Bits are arithmetic. An area is read off a line between the two nearest points of the same kind of
//! structure, straight in the logarithms of bits and area, and says so; outside of the points it is a bound or an
//! extrapolation, and says that. All points are for 32 nm; see energy-tables/area.toml.

use serde::{Deserialize, Serialize};

const TEXT: &str = include_str!("../../../energy-tables/area.toml");

/// A kind of structure, by how it is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A cache with its tags.
    Cache,
    /// A plain array, read by index.
    Array,
    /// A content-addressed array, searched.
    Search,
}

/// A structure whose area is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// What it is.
    pub name: String,
    /// How it is built.
    pub kind: Kind,
    /// Data bits.
    pub bits: u64,
    /// Process.
    pub nanometres: u32,
    /// Access time.
    pub nanoseconds: f64,
    /// Energy of a read, or of a search.
    pub read_picojoules: f64,
    /// Leakage.
    pub leakage_milliwatts: f64,
    /// Area.
    pub square_millimetres: f64,
    /// Where it is from.
    pub source: String,
}

/// An area that a document states for a whole unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The unit.
    pub name: String,
    /// Process.
    pub nanometres: u32,
    /// Area.
    pub square_millimetres: f64,
    /// Where it is from.
    pub source: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    point: Vec<Point>,
    published: Vec<Published>,
}

/// What a structure costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// The structure.
    pub name: String,
    /// Its bits.
    pub bits: u64,
    /// Its area.
    pub square_millimetres: f64,
    /// How the area was found.
    pub basis: Basis,
}

/// How an area was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// It is a point.
    Point(String),
    /// Between two points.
    Interpolated(String, String),
    /// Smaller than the smallest point, whose area is an upper bound.
    AtMost(String),
    /// Larger than the largest point, and as dense.
    Extrapolated(String),
}

/// The points of a kind, from few bits to many.
pub fn points(kind: Kind) -> Vec<Point> {
    let mut points: Vec<Point> = file().point.into_iter().filter(|point| point.kind == kind).collect();
    points.sort_by_key(|point| point.bits);
    points
}

/// The areas that documents state.
pub fn published() -> Vec<Published> {
    file().published
}

/// The text is part of the program, and a test reads it: were it damaged, every cost would have no area.
fn file() -> File {
    toml::from_str(TEXT).unwrap_or(File { point: Vec::new(), published: Vec::new() })
}

/// The cost of a structure of so many bits that is read by index: what policies add.
pub fn cost(name: &str, bits: u64) -> Cost {
    cost_of(Kind::Array, name, bits)
}

/// The cost of a structure of a kind.
pub fn cost_of(kind: Kind, name: &str, bits: u64) -> Cost {
    let points = points(kind);
    let above = points.iter().position(|point| point.bits >= bits);
    let (square_millimetres, basis) = match above {
        Some(index) if points[index].bits == bits => {
            (points[index].square_millimetres, Basis::Point(points[index].name.clone()))
        }
        Some(0) => (points[0].square_millimetres, Basis::AtMost(points[0].name.clone())),
        Some(index) => {
            let (low, high) = (&points[index - 1], &points[index]);
            (between(low, high, bits), Basis::Interpolated(low.name.clone(), high.name.clone()))
        }
        None => points.last().map_or((0.0, Basis::Extrapolated(String::new())), |last| {
            let area = last.square_millimetres * (bits as f64 / last.bits as f64);
            (area, Basis::Extrapolated(last.name.clone()))
        }),
    };
    Cost { name: name.to_owned(), bits, square_millimetres, basis }
}

/// On the line through two points in logarithms.
fn between(low: &Point, high: &Point, bits: u64) -> f64 {
    let log = |value: f64| libm::log(value);
    let share = log(bits as f64 / low.bits as f64) / log(high.bits as f64 / low.bits as f64);
    low.square_millimetres * libm::pow(high.square_millimetres / low.square_millimetres, share)
}

/// Bits of the tags of a cache: `lines` of `tag_bits` each, with `state_bits` for validity, age and whatever
/// policies add. Counts that no memory could hold end at the largest number.
pub fn bits_of_tags(lines: u64, tag_bits: u32, state_bits: u32) -> u64 {
    bits_of_table(lines, u64::from(tag_bits) + u64::from(state_bits))
}

/// Bits of an address above the line offset and the set index.
pub fn tag_bits(address_bits: u32, line_bytes: u64, sets: u64) -> u32 {
    address_bits.saturating_sub(index_bits(line_bytes)).saturating_sub(index_bits(sets))
}

/// Bits that number so many things.
pub fn index_bits(count: u64) -> u32 {
    u64::BITS - count.saturating_sub(1).leading_zeros()
}

/// Bits of MSHRs: each has the line's address, a valid bit and a token for each request that it can merge.
pub fn bits_of_mshrs(entries: u64, line_address_bits: u32, merges: u64, token_bits: u32) -> u64 {
    let tokens = merges.saturating_mul(u64::from(token_bits) + 1);
    bits_of_table(entries, tokens.saturating_add(u64::from(line_address_bits) + 1))
}

/// Bits of a table of equal entries.
pub fn bits_of_table(entries: u64, entry_bits: u64) -> u64 {
    entries.saturating_mul(entry_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_a_source_and_larger_structures_of_a_kind_have_larger_areas() {
        assert_eq!(points(Kind::Cache).len(), 4);
        assert_eq!(points(Kind::Array).len(), 2);
        assert_eq!(points(Kind::Search).len(), 1);
        for kind in [Kind::Cache, Kind::Array, Kind::Search] {
            let points = points(kind);
            assert!(points.iter().all(|point| !point.source.is_empty() && point.nanometres == 32));
            assert!(points.windows(2).all(|pair| pair[0].square_millimetres < pair[1].square_millimetres));
        }
    }

    #[test]
    fn the_area_that_the_document_states_is_kept() {
        let published = published();
        assert_eq!((published[0].square_millimetres, published[0].nanometres), (0.87, 32));
    }

    #[test]
    fn points_are_met_and_what_lies_between_is_labelled() {
        let cache = |kib: u64| cost_of(Kind::Cache, "L1", kib * 8192);
        assert_eq!(cache(16).square_millimetres, 0.075);
        assert!(matches!(cache(16).basis, Basis::Point(_)));
        let middle = cache(48);
        assert!((0.107..0.156).contains(&middle.square_millimetres), "{middle:?}");
        assert!(matches!(middle.basis, Basis::Interpolated(..)));
        assert!(matches!(cache(8).basis, Basis::AtMost(_)));
        let large = cache(256);
        assert!(
            (large.square_millimetres - 0.508).abs() < 1e-12 && matches!(large.basis, Basis::Extrapolated(_))
        );
        assert!(cost("nothing", 0).square_millimetres >= 0.0);
    }

    #[test]
    fn the_tag_bits_of_the_document_come_out() {
        // [Lakshminarayana14] section 4.5.6: 5376 B of L2 tags; a line gains the id of one of 16 cores and
        // the bits SR, PR and CB.
        let lines = 768 * 1024 / 128;
        assert_eq!(bits_of_tags(lines, 0, index_bits(16) + 3) / 8, 5376);
    }

    #[test]
    fn bits_are_arithmetic_and_end_at_the_largest_number() {
        assert_eq!(tag_bits(32, 128, 64), 19);
        assert_eq!((index_bits(0), index_bits(1), index_bits(2), index_bits(5)), (0, 0, 1, 3));
        assert_eq!(bits_of_mshrs(32, 25, 8, 6), 32 * (26 + 8 * 7));
        assert_eq!(bits_of_tags(u64::MAX, 20, 4), u64::MAX);
        assert_eq!(bits_of_mshrs(u64::MAX, u32::MAX, u64::MAX, u32::MAX), u64::MAX);
    }
}
