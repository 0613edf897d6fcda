//! Static accesses whose data lie where a pending access keeps them.

use crate::exec::access::{AccessCode, Action, Data, ELEMENTS};
use crate::exec::code::Row;

/// Rows that a copy needs.
pub(super) const COPY_ROWS: usize = 2;
/// Where the second operand of compare-and-swap is kept, or the handle of a texture.
pub(super) const SWAP_ROW: u32 = ELEMENTS as u32;
/// Where values for registers are kept, from this row on: the old ones of an atomic operation, or an element's.
pub(super) const OLD_ROW: u32 = SWAP_ROW + 1;
/// Rows that a pending access may need.
pub(super) const ROWS: usize = OLD_ROW as usize + ELEMENTS;

/// An access as it is performed on kept values.
#[derive(Clone, Debug)]
pub(super) struct Remapped {
    pub(super) code: AccessCode,
    /// Registers whose values are kept when the access is formed, and the rows they are kept in.
    pub(super) kept: Vec<(Data, Row)>,
    /// Registers that get values when it was performed, and the rows these are in.
    pub(super) old: Vec<(Data, Row)>,
    /// Rows needed.
    pub(super) rows: usize,
}

impl Remapped {
    pub(super) fn new(original: &AccessCode) -> Remapped {
        let mut remapped = Remapped { code: *original, kept: Vec::new(), old: Vec::new(), rows: 0 };
        let Remapped { code: AccessCode { action, data, .. }, kept, old: given, .. } = &mut remapped;
        match action {
            Action::Load { .. } => {}
            // Its targets, and how many bytes are read.
            Action::Copy { .. } => remapped.rows = COPY_ROWS,
            Action::Store => keep_all(kept, data, 0),
            Action::Atomic { old, swap, .. } => {
                keep_all(kept, data, 0);
                keep(kept, swap, SWAP_ROW);
                keep_all(given, old, OLD_ROW);
            }
            Action::Texture { texture, .. } => {
                keep(kept, texture, SWAP_ROW);
                keep_all(given, data, OLD_ROW);
            }
        }
        let rows = remapped.kept.iter().chain(&remapped.old).map(|(_, row)| row.0 as usize + 1);
        remapped.rows = rows.max().unwrap_or(remapped.rows);
        remapped
    }
}

/// Moves registers that exist to rows from `first` on.
fn keep_all(list: &mut Vec<(Data, Row)>, all: &mut [Data], first: u32) {
    for (data, row) in all.iter_mut().zip(first..) {
        keep(list, data, row);
    }
}

/// Moves a register that exists to a row.
fn keep(list: &mut Vec<(Data, Row)>, data: &mut Data, row: u32) {
    if data.bytes > 0 {
        list.push((*data, Row(row)));
        data.row = Row(row);
    }
}
