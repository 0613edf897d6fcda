//! Instructions by class, for reports.

use crate::ir::{AluOperation, Operation, ScalarType};

/// A class of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it; the texts are in `name`")]
pub enum Class {
    Integer,
    Float,
    Logic,
    Move,
    Compare,
    Load,
    Store,
    Atomic,
    Texture,
    Branch,
    Call,
    Leave,
    Barrier,
    Fence,
    Warp,
    Other,
}

impl Class {
    /// Every class.
    pub const ALL: [Class; 16] = [
        Class::Integer,
        Class::Float,
        Class::Logic,
        Class::Move,
        Class::Compare,
        Class::Load,
        Class::Store,
        Class::Atomic,
        Class::Texture,
        Class::Branch,
        Class::Call,
        Class::Leave,
        Class::Barrier,
        Class::Fence,
        Class::Warp,
        Class::Other,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Class::Integer => "integer",
            Class::Float => "float",
            Class::Logic => "logic",
            Class::Move => "move",
            Class::Compare => "compare",
            Class::Load => "load",
            Class::Store => "store",
            Class::Atomic => "atomic",
            Class::Texture => "texture",
            Class::Branch => "branch",
            Class::Call => "call",
            Class::Leave => "leave",
            Class::Barrier => "barrier",
            Class::Fence => "fence",
            Class::Warp => "warp",
            Class::Other => "other",
        }
    }

    /// The class of an operation.
    pub fn of(operation: &Operation) -> Class {
        match operation {
            Operation::Alu { operation, ty, .. } => Class::of_alu(*operation, *ty),
            Operation::SetPredicate { .. } => Class::Compare,
            Operation::Pack { .. } | Operation::Unpack { .. } => Class::Move,
            Operation::Load { .. } => Class::Load,
            Operation::Store { .. } => Class::Store,
            Operation::Atomic { .. } => Class::Atomic,
            Operation::Texture { .. } => Class::Texture,
            Operation::Branch { .. } | Operation::BranchIndexed { .. } => Class::Branch,
            Operation::Call(_) => Class::Call,
            Operation::Return | Operation::Exit | Operation::Trap => Class::Leave,
            Operation::Barrier(_) => Class::Barrier,
            Operation::Fence { .. } => Class::Fence,
            Operation::WarpBarrier { .. }
            | Operation::Shuffle { .. }
            | Operation::Vote { .. }
            | Operation::Match { .. }
            | Operation::Reduce { .. }
            | Operation::Elect { .. }
            | Operation::ActiveMask { .. } => Class::Warp,
            Operation::Prefetch { .. }
            | Operation::CopyAsync { .. }
            | Operation::CopyCommit
            | Operation::CopyWait
            | Operation::Nothing => Class::Other,
        }
    }

    fn of_alu(operation: AluOperation, ty: ScalarType) -> Class {
        use AluOperation as Alu;
        match operation {
            Alu::Move | Alu::Convert(_) | Alu::ToGeneric(_) | Alu::FromGeneric(_) => Class::Move,
            Alu::Select
            | Alu::SelectBySign { .. }
            | Alu::SetValue { .. }
            | Alu::IsInSpace(_)
            | Alu::TestProperty(_) => Class::Compare,
            Alu::And | Alu::Or | Alu::Xor | Alu::Not | Alu::LogicalNot | Alu::Lookup3(_) => Class::Logic,
            Alu::ShiftLeft | Alu::ShiftRight | Alu::FunnelLeft { .. } | Alu::FunnelRight { .. } => {
                Class::Logic
            }
            Alu::Permute(_) | Alu::ExtractField | Alu::InsertField | Alu::MakeMask { .. } => Class::Logic,
            Alu::ReverseBits | Alu::PopulationCount | Alu::LeadingZeros | Alu::FindLeading { .. } => {
                Class::Logic
            }
            _ if ty.is_float() => Class::Float,
            _ => Class::Integer,
        }
    }
}
