//! What instructions are called in messages: opcode, state space, operation and type.

use super::alu_mnemonic::{alu_mnemonic, set_predicate_mnemonic};
use crate::analysis::names::{atomic_operation, atomic_type};
use crate::ir::{
    Access, BarrierKind, BooleanOperation, CallTarget, Operation, Ordering, Reduction, ScalarType,
    ShuffleMode, StateSpace, VoteMode,
};

/// The mnemonic of an operation.
pub(in crate::exec) fn mnemonic(operation: &Operation) -> String {
    use Operation as O;
    match operation {
        O::Alu { operation, ty, mode, .. } => alu_mnemonic(*operation, *ty, *mode),
        O::SetPredicate { comparison, ty, .. } => set_predicate_mnemonic(*comparison, *ty),
        O::Pack { ty, .. } | O::Unpack { ty, .. } => format!("mov.{}", ty.name()),
        O::Load { access, .. } => format!("ld{}", suffix(access)),
        O::Store { access, .. } => format!("st{}", suffix(access)),
        O::Atomic { atomic, destinations, .. } => {
            let opcode = if destinations.is_empty() { "red" } else { "atom" };
            let (space, vector) = (space(atomic.space), vector(atomic.vector));
            let (operation, ty) = (atomic_operation(atomic.operation), atomic_type(atomic.ty));
            format!("{opcode}{space}.{operation}{vector}.{ty}")
        }
        O::Prefetch { level, .. } => format!("prefetch.L{level}"),
        O::CopyAsync { bytes, .. } => format!("cp.async.shared.global {bytes}"),
        O::CopyCommit => "cp.async.commit_group".to_owned(),
        O::CopyWait => "cp.async.wait".to_owned(),
        O::Texture { ty, coordinate_ty, .. } => format!("tex.1d.v4.{}.{}", ty.name(), coordinate_ty.name()),
        O::Fence { .. } => "fence".to_owned(),
        O::Barrier(barrier) => match &barrier.kind {
            BarrierKind::Synchronise => "bar.sync".to_owned(),
            BarrierKind::Arrive => "bar.arrive".to_owned(),
            BarrierKind::Reduce { operation: None, .. } => "bar.red.popc".to_owned(),
            BarrierKind::Reduce { operation: Some(BooleanOperation::And), .. } => "bar.red.and".to_owned(),
            BarrierKind::Reduce { .. } => "bar.red.or".to_owned(),
        },
        O::WarpBarrier { .. } => "bar.warp.sync".to_owned(),
        O::Shuffle { mode, members, .. } => format!("shfl{}.{}", synchronised(members), shuffle(*mode)),
        O::Vote { mode, members, .. } => format!("vote{}.{}", synchronised(members), vote(*mode)),
        O::Match { all, ty, .. } => {
            format!("match.{}.sync.{}", if *all { "all" } else { "any" }, ty.name())
        }
        O::Reduce { operation, ty, .. } => format!("redux.sync.{}.{}", reduction(*operation), ty.name()),
        O::Elect { .. } => "elect.sync".to_owned(),
        O::ActiveMask { .. } => "activemask".to_owned(),
        O::Branch { .. } => "bra".to_owned(),
        O::BranchIndexed { .. } => "brx.idx".to_owned(),
        O::Call(call) => match call.target {
            CallTarget::Indirect(..) => "call (indirect)".to_owned(),
            _ => "call".to_owned(),
        },
        O::Return => "ret".to_owned(),
        O::Exit => "exit".to_owned(),
        O::Trap => "trap".to_owned(),
        O::Nothing => "nop".to_owned(),
    }
}

fn suffix(access: &Access) -> String {
    let ordering = match access.ordering {
        Ordering::Weak => "",
        Ordering::Volatile => ".volatile",
        Ordering::Relaxed => ".relaxed",
        Ordering::Acquire => ".acquire",
        Ordering::Release => ".release",
        Ordering::AcquireRelease => ".acq_rel",
        Ordering::SequentiallyConsistent => ".sc",
        Ordering::MemoryMapped => ".mmio",
    };
    let coherent = if access.non_coherent { ".nc" } else { "" };
    let (space, vector, ty) = (space(access.space), vector(access.vector), ScalarType::name(access.ty));
    format!("{ordering}{space}{coherent}{vector}.{ty}")
}

pub(super) fn space(space: StateSpace) -> &'static str {
    match space {
        StateSpace::Generic => "",
        StateSpace::Global => ".global",
        StateSpace::Shared => ".shared",
        StateSpace::Local => ".local",
        StateSpace::Constant => ".const",
        StateSpace::Parameter => ".param",
    }
}

fn vector(elements: u8) -> String {
    if elements > 1 { format!(".v{elements}") } else { String::new() }
}

fn synchronised<T>(members: &Option<T>) -> &'static str {
    if members.is_some() { ".sync" } else { "" }
}

fn shuffle(mode: ShuffleMode) -> &'static str {
    match mode {
        ShuffleMode::Up => "up.b32",
        ShuffleMode::Down => "down.b32",
        ShuffleMode::Butterfly => "bfly.b32",
        ShuffleMode::Index => "idx.b32",
    }
}

fn vote(mode: VoteMode) -> &'static str {
    match mode {
        VoteMode::All => "all.pred",
        VoteMode::Any => "any.pred",
        VoteMode::Uniform => "uni.pred",
        VoteMode::Ballot => "ballot.b32",
    }
}

fn reduction(operation: Reduction) -> &'static str {
    match operation {
        Reduction::Add => "add",
        Reduction::Minimum => "min",
        Reduction::Maximum => "max",
        Reduction::And => "and",
        Reduction::Or => "or",
        Reduction::Xor => "xor",
    }
}
