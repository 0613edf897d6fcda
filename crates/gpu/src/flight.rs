//! Accesses and requests that are under way.

use crate::core::Cause;
use crate::statics::{Destinations, OperationKind};
use heddle_engine::Slab;
use heddle_memory::request::Token;
use heddle_memory::{CoreId, WarpId};
use heddle_ptx::exec::Mask;
use heddle_ptx::exec::timed::{Command, PendingAccess};

/// An access of a warp, from issue to the last reply.
#[derive(Debug, Default)]
pub(crate) struct Flight {
    pub(crate) pending: PendingAccess,
    pub(crate) core: CoreId,
    pub(crate) warp: WarpId,
    pub(crate) kind: Option<OperationKind>,
    /// The instruction, of the program or injected.
    pub(crate) operation: u32,
    /// The registers that it writes.
    pub(crate) destinations: Destinations,
    /// Whether it passes L1.
    pub(crate) passes: bool,
    /// Whether its values are there before its requests are answered.
    pub(crate) is_foreseen: bool,
    /// Whether its registers have been given before all requests were answered.
    pub(crate) is_given: bool,
    /// Requests that have not been answered, and those not yet made.
    pub(crate) remaining: u32,
    /// Core cycle of issue.
    pub(crate) issued_at: u64,
    /// From when the data of those answered may be used.
    pub(crate) ready_at: u64,
    /// What the slowest of them waited for.
    pub(crate) cause: Option<Cause>,
}

/// One request of a flight.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineRequest {
    pub(crate) flight: u32,
    /// The lanes that it serves.
    pub(crate) lanes: Mask,
    /// Whether its values have been taken or given.
    pub(crate) serviced: bool,
}

/// A call that is a command to an agent, from issue to the reply.
#[derive(Clone, Debug)]
pub(crate) struct CommandFlight {
    pub(crate) core: CoreId,
    pub(crate) warp: WarpId,
    /// The registers that its result goes to.
    pub(crate) destinations: Destinations,
    /// Core cycle of issue.
    pub(crate) issued_at: u64,
    pub(crate) command: Command,
}

/// All that is under way.
#[derive(Debug, Default)]
pub(crate) struct Flights {
    pub(crate) accesses: Slab<Flight>,
    pub(crate) transactions: Slab<LineRequest>,
    pub(crate) commands: Slab<CommandFlight>,
}

/// Marks tokens of instruction fetches.
const FETCH: u32 = 1 << 31;

/// What a token names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// A transaction.
    LineRequest(u32),
    /// A fetch of a warp on a core.
    Fetch(CoreId, WarpId),
}

/// The token of a fetch.
pub(crate) fn fetch_token(core: CoreId, warp: WarpId) -> Token {
    Token(FETCH | u32::from(core.0) << 8 | u32::from(warp.0))
}

/// What a token names.
#[inline(always)]
pub(crate) fn named(token: Token) -> Named {
    if token.0 & FETCH == 0 {
        Named::LineRequest(token.0)
    } else {
        Named::Fetch(CoreId(((token.0 & !FETCH) >> 8) as u16), WarpId((token.0 & 0xff) as u16))
    }
}

impl Flights {
    /// Takes a place for an access that is about to be formed.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> u32 {
        match self.accesses.reuse() {
            Some(number) => number,
            None => self.accesses.insert(Flight::default()),
        }
    }
}
