//! Accepted and refused forms of every family, as the assembler of the ISA takes them.

mod scope;

use crate::ir::Operation;
use crate::resolve::scope::Problem;
use crate::syntax::{self, InstructionWords, Statement, TopLevel};
use scope::TestScope;

/// The one instruction of a line of PTX.
fn words(line: &str) -> InstructionWords {
    let text = format!(".version 8.5\n.target sm_90\n.address_size 64\n.entry k()\n{{\n{line}\n}}\n");
    let tree = syntax::parse("test.ptx", &text).unwrap_or_else(|error| panic!("{line}: {error}"));
    let Some(TopLevel::Function(function)) = tree.items.into_iter().next() else {
        panic!("{line}: no function")
    };
    for statement in function.body.unwrap_or_default() {
        if let Statement::Instruction(instruction) = statement {
            return instruction;
        }
    }
    panic!("{line}: no instruction")
}

/// Resolves a line with the names of [`TestScope`].
fn resolve(line: &str) -> Result<Vec<Operation>, Problem> {
    let mut scope = TestScope::new();
    let resolved = super::resolve(&words(line), &mut scope)?;
    Ok(resolved.into_iter().map(|instruction| instruction.operation).collect())
}
