//! What a mechanism costs in bits, from its configuration.

use crate::error::LabError;
use crate::experiment::Point;
use crate::record::{Outcome, Row};
use heddle_machine::{Machine, mechanism_cost};

/// The figures of a point's mechanism on its machine.
pub(super) fn figures(point: &Point) -> Result<Outcome, LabError> {
    let machine = Machine::named(&point.machine)?.set(&point.set);
    let mechanism = point.with.join("+");
    let cost = mechanism_cost(&machine, &mechanism)?;
    let run = Row {
        counts: [
            ("bits", cost.bits),
            ("bits_per_core", cost.bits_per_core),
            ("bytes_per_core", cost.bits_per_core.div_ceil(8)),
            ("register_file_bytes", cost.register_file_bytes),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into(),
        ..Row::default()
    };
    Ok(Outcome::Done { run, launches: Vec::new() })
}
