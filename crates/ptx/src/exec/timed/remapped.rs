//! Static accesses whose data lie where a pending access keeps them.

use crate::exec::access::{AccessCode, Action, Data, ELEMENTS};
use crate::exec::code::Row;

/// Where the second operand of compare-and-swap is kept.
pub(super) const SWAP_ROW: u32 = ELEMENTS as u32;
/// Where old values are kept, from this row on.
pub(super) const OLD_ROW: u32 = SWAP_ROW + 1;
/// Rows that a pending access may need.
pub(super) const ROWS: usize = OLD_ROW as usize + ELEMENTS;

/// An access as it is performed on kept values.
#[derive(Clone, Debug)]
pub(super) struct Remapped {
    pub(super) code: AccessCode,
    /// Registers whose values are kept when the access is formed, and the rows they are kept in.
    pub(super) kept: Vec<(Data, Row)>,
    /// Registers that get old values, and the rows these are in.
    pub(super) old: Vec<(Data, Row)>,
    /// Rows needed.
    pub(super) rows: usize,
}

impl Remapped {
    pub(super) fn new(original: &AccessCode) -> Remapped {
        let mut remapped = Remapped { code: *original, kept: Vec::new(), old: Vec::new(), rows: 0 };
        if !matches!(original.action, Action::Store | Action::Atomic { .. }) {
            return remapped;
        }
        for (number, data) in remapped.code.data.iter_mut().enumerate() {
            keep(&mut remapped.kept, data, number as u32);
        }
        if let Action::Atomic { old, swap, .. } = &mut remapped.code.action {
            keep(&mut remapped.kept, swap, SWAP_ROW);
            for (number, data) in old.iter_mut().enumerate() {
                keep(&mut remapped.old, data, OLD_ROW + number as u32);
            }
        }
        let rows = remapped.kept.iter().chain(&remapped.old).map(|(_, row)| row.0 as usize + 1);
        remapped.rows = rows.max().unwrap_or_default();
        remapped
    }
}

/// Moves a register that exists to a row.
fn keep(list: &mut Vec<(Data, Row)>, data: &mut Data, row: u32) {
    if data.bytes > 0 {
        list.push((*data, Row(row)));
        data.row = Row(row);
    }
}
