//! Accepted and refused forms of every family, as the assembler of the ISA takes them, and what they mean.

mod access;
mod agreement;
mod any_words;
mod arithmetic;
mod atomics;
mod bits;
mod calls;
mod compare;
mod control;
mod conversions;
mod convert;
mod expansions;
mod floating;
mod hints;
mod meaning;
mod messages;
mod moves;
mod scope;
mod synchronise;
mod warp;

use crate::ir::{Instruction, Operation};
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
    let statements = function.body.unwrap_or_default();
    let instruction = statements.into_iter().find_map(|statement| match statement {
        Statement::Instruction(instruction) => Some(instruction),
        _ => None,
    });
    instruction.unwrap_or_else(|| panic!("{line}: no instruction"))
}

/// Resolves a line with the names of [`TestScope`].
fn resolve(line: &str) -> Result<Vec<Instruction>, Problem> {
    super::resolve(&words(line), &mut TestScope::new())
}

/// What a line means.
fn operations(line: &str) -> Vec<Operation> {
    let resolved = resolve(line).unwrap_or_else(|problem| panic!("{line}: {}", problem.text));
    resolved.into_iter().map(|instruction| instruction.operation).collect()
}

/// What a line that is one operation means.
fn operation(line: &str) -> Operation {
    let mut all = operations(line);
    assert_eq!(all.len(), 1, "{line}: {all:?}");
    all.remove(0)
}

fn accepts(lines: &[&str]) {
    let refused: Vec<String> =
        lines.iter().filter_map(|line| Some(format!("{line} {}", resolve(line).err()?.text))).collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// Each line is refused with a problem that contains the text after it.
fn refuses(lines: &[(&str, &str)]) {
    for (line, expected) in lines {
        match resolve(line) {
            Ok(operations) => panic!("{line} was accepted: {operations:?}"),
            Err(problem) => assert!(problem.text.contains(expected), "{line}: {}", problem.text),
        }
    }
}
