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

/// What commands to other banks mean for the banks of each group: from when on a kind of command is legal, by
/// `group * 4 + kind`. The rules of the whole channel are kept here too, in every group, so that a command has two
/// times to look at and not three. There are at most 64 groups, so that every index of eight bits is one.
pub(super) type Gates = Box<[u64; 256]>;

pub(super) const ACTIVATE: u8 = 0;
pub(super) const READ: u8 = 1;
pub(super) const WRITE: u8 = 2;
/// The only rule between banks is tPPD.
pub(super) const PRECHARGE: u8 = 3;
