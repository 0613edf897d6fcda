//! Weights stored as 32-bit integers, under the user's policy.

use super::WeightPolicy;
use super::context::Context;
use super::weights::CONVERSIONS;
use crate::csr::Weight;
use crate::error::GraphError;
use crate::source::WeightsSeen;

/// How the 32 bits are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signedness {
    Unsigned,
    Signed,
}

/// Weights as the graph will hold them, and what is to be said about them.
pub(super) struct Weights {
    pub(super) values: Option<Vec<Weight>>,
    pub(super) seen: WeightsSeen,
    pub(super) notes: Vec<String>,
}

impl Weights {
    /// The input has none.
    pub(super) fn none() -> Weights {
        Weights { values: None, seen: WeightsSeen::None, notes: Vec::new() }
    }

    /// The input has some that are not held, for this reason.
    pub(super) fn dropped(reason: impl Into<String>) -> Weights {
        Weights { values: None, seen: WeightsSeen::Dropped, notes: vec![reason.into()] }
    }

    fn held(values: Vec<Weight>, seen: WeightsSeen) -> Weights {
        Weights { values: Some(values), seen, notes: Vec::new() }
    }
}

/// Makes `stored` what the policy asks for. `place` gives the byte offset of a weight.
pub(super) fn convert(
    mut stored: Vec<u32>,
    signedness: Signedness,
    place: impl Fn(usize) -> u64,
    context: &Context<'_>,
) -> Result<Weights, GraphError> {
    if context.weights == WeightPolicy::Drop {
        return Ok(Weights::dropped("The weights were dropped, as asked."));
    }
    let negative = match signedness {
        Signedness::Signed => stored.iter().position(|&weight| (weight as i32) < 0),
        Signedness::Unsigned => None,
    };
    let refused = |index: usize, problem: String| {
        Err(context.error(problem).at_offset(place(index)).with_help(CONVERSIONS))
    };
    match (context.weights, negative) {
        (WeightPolicy::Absolute, Some(_)) => {
            stored.iter_mut().for_each(|weight| *weight = (*weight as i32).unsigned_abs());
            Ok(Weights::held(stored, WeightsSeen::Converted))
        }
        (WeightPolicy::Describe, Some(_)) => {
            Ok(Weights::dropped("Some weights are negative, so the structure was read without weights."))
        }
        (_, Some(index)) => {
            let weight = stored.get(index).map_or(0, |&weight| weight as i32);
            refused(index, format!("the weight {weight} is negative; weights are unsigned 32-bit integers"))
        }
        (WeightPolicy::Scale(factor), None) => {
            for (index, weight) in stored.iter_mut().enumerate() {
                let scaled = (f64::from(*weight) * factor).round();
                if !(0.0..=f64::from(u32::MAX)).contains(&scaled) {
                    return refused(
                        index,
                        format!("the weight {weight} times {factor} does not fit 32 bits"),
                    );
                }
                *weight = scaled as u32;
            }
            Ok(Weights::held(stored, WeightsSeen::Converted))
        }
        _ => Ok(Weights::held(stored, WeightsSeen::Held)),
    }
}
