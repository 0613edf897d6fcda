//! What a bank and a group of banks remember: from when on each command is legal for them.

/// The row of a bank that has none open.
pub(super) const CLOSED: u32 = u32::MAX;

/// A bank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bank {
    /// The open row, or [`CLOSED`].
    pub(super) row: u32,
    /// Column commands since the row was opened.
    pub(super) served: u32,
    pub(super) activate_at: u64,
    pub(super) precharge_at: u64,
    pub(super) read_at: u64,
    pub(super) write_at: u64,
}

impl Bank {
    pub(super) const NEW: Bank =
        Bank { row: CLOSED, served: 0, activate_at: 0, precharge_at: 0, read_at: 0, write_at: 0 };

    #[inline(always)]
    pub(super) fn is_open(&self) -> bool {
        self.row != CLOSED
    }
}

/// What commands to other banks mean for the banks of a group. The rules of the whole channel are kept here
/// too, in every group, so that a command has two times to look at and not three.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    pub(super) activate_at: u64,
    pub(super) read_at: u64,
    pub(super) write_at: u64,
}
