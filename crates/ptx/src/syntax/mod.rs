//! PTX text as a tree that keeps every word and its place.
//!
//! The tree knows the shape of PTX (directives, declarations, statements, operands) and nothing of any single
//! instruction: opcodes are words between dots. So it reads PTX of every version, and what is not supported is
//! refused later, by [`crate::resolve`], with the instruction in the message.

mod declaration;
mod expression;
mod lexer;
mod module;
mod operand;
mod parser;
mod places;
mod print;
mod statement;
mod token;
mod tree;

pub use tree::{
    Array, Declaration, DirectiveWords, Expression, FunctionDeclaration, InitialValue, InstructionWords,
    Operand, Statement, TopLevel, Tree,
};

pub use print::print;

use crate::{Diagnostic, Diagnostics, Place};

/// Reads PTX text. All errors are reported, not the first alone, up to some hundreds.
pub fn parse(file: &str, text: &str) -> Result<Tree, Diagnostics> {
    match parse_partly(file, text) {
        partial if partial.errors.is_empty() => Ok(partial.tree),
        partial => Err(Diagnostics::ordered(partial.errors)),
    }
}

/// Reads what can be read of PTX text, and all that is wrong.
pub(crate) fn parse_partly(file: &str, text: &str) -> parser::Partial {
    // Tokens count bytes in 32 bits.
    if u32::try_from(text.len()).is_err() {
        let problem = "the file is larger than 4 GiB".to_string();
        let place = Place { line: 1, column: 1 };
        let errors = vec![Diagnostic { file: file.to_string(), place, problem, help: None }];
        return parser::Partial { tree: Tree::default(), errors, whole: false };
    }
    let mut parser = parser::Parser::new(file, text);
    let tree = parser.tree();
    parser.finish(tree)
}
