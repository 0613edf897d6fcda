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
    let whole = [
        ("bits", cost.bits),
        ("bits_per_core", cost.bits_per_core),
        ("bytes_per_core", cost.bits_per_core.div_ceil(8)),
        ("register_file_bytes", cost.register_file_bytes),
    ];
    let by_level = cost.levels.iter().flat_map(|level| {
        let bytes = [("tag_bytes", level.tag_bits), ("table_bytes", level.table_bits)];
        bytes.map(|(name, bits)| (format!("{}.{name}", level.name), bits.div_ceil(8)))
    });
    let whole = whole.into_iter().map(|(name, value)| (name.to_owned(), value));
    let run = Row { counts: whole.chain(by_level).collect(), ..Row::default() };
    Ok(Outcome::Done { run, launches: Vec::new() })
}
