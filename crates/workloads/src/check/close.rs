//! Real-valued answers against the expected ones.

use heddle_graph::Vertex;
use thiserror::Error;

/// A value is too far from the expected one. Of several, the one that is furthest off.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("vertex {vertex} is furthest off: {found}, expected {expected} (relative tolerance {tolerance})")]
pub struct NotClose {
    /// Where.
    pub vertex: Vertex,
    /// What the answer says.
    pub found: f64,
    /// What is right.
    pub expected: f64,
    /// By which share of the expected value it may differ.
    pub tolerance: f64,
}

/// Makes sure that every value differs from the expected one by no more than `tolerance` times that one,
/// or times `floor` if that is larger. Values that are not finite are never close.
pub(super) fn close(found: &[f64], expected: &[f64], tolerance: f64, floor: f64) -> Result<(), NotClose> {
    let mut worst: Option<(f64, NotClose)> = None;
    for (vertex, (&found, &expected)) in found.iter().zip(expected).enumerate() {
        let off = (found - expected).abs() / expected.abs().max(floor);
        let off = if found.is_finite() { off } else { f64::INFINITY };
        // A tolerance that is no number tolerates nothing.
        let is_close = off <= tolerance && found.is_finite();
        if !is_close && worst.is_none_or(|(worst_off, _)| off > worst_off) {
            worst = Some((off, NotClose { vertex: vertex as Vertex, found, expected, tolerance }));
        }
    }
    worst.map_or(Ok(()), |(_, error)| Err(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_is_named_and_nothing_hides_behind_nan() {
        let worst = |found: &[f64], tolerance| {
            close(found, &[1.0, 2.0, 4.0], tolerance, 1.0).map_err(|error| error.vertex)
        };
        assert_eq!(worst(&[1.0, 2.0, 4.0], 0.0), Ok(()));
        assert_eq!(worst(&[1.1, 2.6, 4.4], 0.01), Err(1));
        assert_eq!(worst(&[1.1, 2.1, 4.1], 0.11), Ok(()));
        assert_eq!(worst(&[9.0, 2.0, f64::NAN], 0.01), Err(2));
        assert_eq!(worst(&[1.0, f64::INFINITY, 4.0], f64::INFINITY), Err(1));
        assert_eq!(worst(&[1.0, 2.0, 4.0], f64::NAN), Err(0));
    }

    #[test]
    fn the_floor_guards_small_values() {
        assert_eq!(close(&[1e-9], &[0.0], 1e-8, 1.0), Ok(()));
        assert!(close(&[1e-9], &[1e-10], 1e-8, f64::MIN_POSITIVE).is_err());
    }
}
