//! What the command bus carries.

use crate::ids::BankId;

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Opens a row of a closed bank.
    Activate,
    /// Closes the row of a bank.
    Precharge,
    /// Closes the rows of all banks.
    PrechargeAll,
    /// Reads a column of the open row.
    Read,
    /// Writes a column of the open row.
    Write,
    /// Reads, and precharges the bank as soon as that is legal.
    ReadAuto,
    /// Writes, and precharges the bank as soon as that is legal.
    WriteAuto,
    /// Refreshes all banks, which must be closed.
    Refresh,
}

/// A command that was issued, for observers of the command bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issued {
    /// When.
    pub at: u64,
    /// What.
    pub command: Command,
    /// Which bank; 0 for commands to all banks.
    pub bank: BankId,
    /// Which row: of an activate the row that is opened, of a column command the row that is open.
    pub row: u32,
}
