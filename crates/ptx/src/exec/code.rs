//! A decoded program: micro-operations over rows, and the tables that they refer to.
//!
//! Each kernel has its own copy of the code of every function that it reaches, in one flat array: a program
//! counter is an index of that array, and the shared memory of the kernel is laid out for it alone.

use super::access::AccessCode;
use super::lanes::{Lanes, Mask};
use crate::ir;

/// A row of the register file, or of the constant pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row(pub u32);

impl Row {
    const CONSTANT: u32 = 1 << 31;

    /// A row of the constant pool.
    pub fn of_constant(index: u32) -> Row {
        Row(index | Row::CONSTANT)
    }

    /// The index in the constant pool, if this is a constant.
    #[inline(always)]
    pub fn constant(self) -> Option<u32> {
        if self.0 & Row::CONSTANT != 0 { Some(self.0 & !Row::CONSTANT) } else { None }
    }
}

/// Executes a pure operation for the lanes of a mask.
pub type Handler = fn(&mut Lanes<'_>, &MicroOp, Mask);

/// One decoded instruction.
#[derive(Clone, Copy, Debug)]
pub struct MicroOp {
    /// What it is.
    pub kind: Kind,
    /// The guard's predicate, or number 1, which is always true.
    pub guard: u32,
    /// Whether the guard is negated.
    pub guard_negated: bool,
    /// Destination row, or predicate number where the result is a predicate.
    pub destination: Row,
    /// Source rows (or predicate numbers), as the handler expects them.
    pub sources: [Row; 4],
    /// Whatever else a handler needs (a table, a second predicate …); the reconvergence point of a branch;
    /// the function that a return leaves.
    pub extra: u32,
}

/// What kind of micro-operation this is; the numbers are indices of side tables in [`KernelCode`].
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A pure operation.
    Alu(Handler),
    /// A pure operation that reads the clock.
    Timed(Handler),
    /// A load, store, atomic, texture fetch or asynchronous copy: `KernelCode::accesses`.
    Access(u32),
    /// Anything that concerns other lanes of the warp: `KernelCode::collectives`.
    Collective(u32),
    /// A barrier: `KernelCode::barriers`.
    Barrier(u32),
    /// A jump to this instruction.
    Branch(u32),
    /// A jump through a table: `KernelCode::tables`.
    BranchIndexed(u32),
    /// A call: `KernelCode::calls`.
    Call(u32),
    /// Return from a function.
    Return,
    /// The end of the thread.
    Exit,
    /// The program gives up.
    Trap,
    /// A fence: no effect on values here.
    Fence,
    /// No effect on values here.
    Nothing,
}

/// No instruction: lanes that diverge meet again only where the function is left.
pub const NOWHERE: u32 = u32::MAX;

/// A kernel with every function that it reaches.
#[derive(Clone, Debug, Default)]
pub struct KernelCode {
    /// The micro-operations of all functions, one after the other; the kernel's own come first.
    pub operations: Vec<MicroOp>,
    /// The functions, in the order of their code.
    pub functions: Vec<FunctionCode>,
    /// The constant pool: a row of 16 words for up to 32 bits, two rows for 64.
    pub constants: Vec<u64>,
    /// What [`Kind::Access`] names.
    pub accesses: Vec<AccessCode>,
    /// What [`Kind::Collective`] names.
    pub collectives: Vec<Collective>,
    /// What [`Kind::Barrier`] names.
    pub barriers: Vec<BarrierCode>,
    /// What [`Kind::BranchIndexed`] names: targets.
    pub tables: Vec<Vec<u32>>,
    /// What [`Kind::Call`] names.
    pub calls: Vec<CallCode>,
    /// Bytes of static shared memory; dynamic shared memory follows, aligned to 16 bytes or more.
    pub static_shared: u64,
    /// Where dynamic shared memory starts.
    pub dynamic_shared_start: u64,
    /// Variables in shared memory: name, first byte, length (0 for dynamic ones).
    pub shared_variables: Vec<(String, u64, u64)>,
}

impl KernelCode {
    /// The function that an instruction belongs to, as an index of [`KernelCode::functions`].
    pub fn function_at(&self, pc: u32) -> usize {
        self.functions.partition_point(|function| function.start <= pc).saturating_sub(1)
    }
}

/// One function in the code of a kernel.
#[derive(Clone, Debug)]
pub struct FunctionCode {
    /// Which function of the module it is.
    pub id: ir::FunctionId,
    /// Its first micro-operation. One more than it has instructions follow: the last is an implied return.
    pub start: u32,
    /// Rows of its registers of up to 32 bits.
    pub narrow_rows: u32,
    /// Rows of its registers of 64 bits.
    pub wide_rows: u32,
    /// The row of each of its registers; none for predicates and for registers that nothing names.
    pub rows: Vec<Option<Row>>,
    /// Its predicates, the fixed ones too.
    pub predicates: u32,
    /// Bytes of its frame in local memory: parameters, results, variables, parameters of calls.
    pub frame_bytes: u32,
    /// Registers that may be read before they are written: row and bytes. They start as zero.
    pub cleared_rows: Vec<(Row, u32)>,
    /// Registers that hold an address in the frame from the start of the function: row, bytes, offset.
    pub frame_addresses: Vec<(Row, u32, u32)>,
}

/// Where a value is that is passed from a function to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// In a register of this many bytes, or a constant.
    Row(Row, u32),
    /// At this offset of the frame.
    Frame(u32),
}

/// A value that a call or a return copies.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// From where.
    pub from: Passed,
    /// To where.
    pub to: Passed,
    /// Its size.
    pub bytes: u32,
}

/// A function that a call may reach.
#[derive(Clone, Debug)]
pub struct Callee {
    /// Index in [`KernelCode::functions`].
    pub function: u32,
    /// Its address, for indirect calls.
    pub address: u64,
    /// Arguments, from the caller to the callee.
    pub arguments: Vec<Transfer>,
    /// Results, from the callee to the caller.
    pub results: Vec<Transfer>,
}

/// A call.
#[derive(Clone, Debug)]
pub enum CallCode {
    /// Of a function.
    Direct(Callee),
    /// Of one of these, by an address in a row of 4 or 8 bytes.
    Indirect {
        /// Where the address is.
        address: Row,
        /// Its size.
        bytes: u32,
        /// What it may be.
        candidates: Vec<Callee>,
    },
    /// Of a function that the machine provides.
    External {
        /// Its number in the registry.
        number: usize,
        /// Arguments: where and how many bytes.
        arguments: Vec<(Passed, u32)>,
        /// The result.
        result: Option<(Passed, u32)>,
    },
}

impl CallCode {
    /// The callee of this function number.
    pub fn callee(&self, function: u32) -> Option<&Callee> {
        match self {
            CallCode::Direct(callee) => Some(callee),
            CallCode::Indirect { candidates, .. } => candidates.iter().find(|c| c.function == function),
            CallCode::External { .. } => None,
        }
    }
}

/// A barrier of a block.
#[derive(Clone, Copy, Debug)]
pub struct BarrierCode {
    /// The number's row.
    pub number: Row,
    /// The count's row, if it has one.
    pub threads: Option<Row>,
    /// What it does.
    pub action: BarrierAction,
}

/// What a barrier does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarrierAction {
    /// Arrive and wait.
    Synchronise,
    /// Arrive only.
    Arrive,
    /// Arrive, wait, and learn what all threads said.
    Reduce {
        /// And, or, xor of the predicates; none counts them.
        operation: Option<ir::BooleanOperation>,
        /// A predicate's number, or a row for a count.
        destination: u32,
        /// The predicate that is given.
        source: u32,
        /// Whether its complement is given.
        negated: bool,
    },
}

/// An operation among the lanes of a warp.
#[derive(Clone, Copy, Debug)]
pub struct Collective {
    /// What it computes.
    pub action: CollectiveAction,
    /// The row of the member mask; none acts on the active lanes.
    pub members: Option<Row>,
    /// The value's row, or the predicate's number of a vote.
    pub source: Row,
    /// Bytes of the value: 4 or 8.
    pub bytes: u32,
    /// Whether the predicate is negated.
    pub negated: bool,
    /// Lane operand of a shuffle.
    pub lane: Row,
    /// Clamp operand of a shuffle.
    pub clamp: Row,
    /// The row of the result, if it has one.
    pub destination: Option<Row>,
    /// The number of the predicate that it sets, if any.
    pub predicate: Option<u32>,
}

/// What an operation among lanes computes. Lanes that meet must have the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the IR")]
pub enum CollectiveAction {
    Barrier,
    Shuffle(ir::ShuffleMode),
    Vote(ir::VoteMode),
    Match { all: bool },
    Reduce(ir::Reduction, ir::ScalarType),
    Elect,
    ActiveMask,
}

/// A decoded module.
#[derive(Clone, Debug)]
pub struct Program {
    /// The module that it was decoded from.
    pub module: ir::Module,
    /// One per function of the module; none for functions that are no kernels.
    pub kernels: Vec<Option<KernelCode>>,
}

/// The address of a function, as `mov` of its name gives it and an indirect call takes it.
pub fn function_address(id: ir::FunctionId) -> u64 {
    // Below every window and allocation, so that it is no address of data; never null.
    0x1000 + 16 * u64::from(id.0)
}
