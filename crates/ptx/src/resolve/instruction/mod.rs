//! One instruction, from words to an operation.

use super::scope::{Problem, Scope};
use crate::ir::Instruction;
use crate::syntax::InstructionWords;

/// Resolves an instruction. Most give one; a special register as a source of anything but `mov` gives a move
/// to a temporary first.
pub(crate) fn resolve(words: &InstructionWords, scope: &mut dyn Scope) -> Result<Vec<Instruction>, Problem> {
    let _ = scope;
    Err(Problem { place: None, text: format!("unknown instruction {}", words.words.join(".")), help: None })
}
