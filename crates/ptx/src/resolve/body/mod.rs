//! One function: its head, its declarations, its statements in order.
//!
//! Labels, tables and prototypes of a scope are known in all of it, everything else from its declaration on
//! (PTX ISA 8.5, section 5.1). Each instruction is resolved by [`super::instruction`], which asks this for
//! names.

mod declare;
mod head;
mod lookup;
mod scopes;
mod uses;

pub(crate) use uses::operand_names;

use super::declarations::Globals;
use super::instruction;
use super::report::Reports;
use crate::ir::{Function, FunctionId, SourceLine, Variable};
use crate::syntax::{DirectiveWords, InstructionWords, Statement};
use scopes::Scopes;
use std::collections::BTreeMap;

/// What bodies add to the module, and where they report.
pub(crate) struct Output<'o, 'f> {
    /// The module's variables; those of functions are added.
    pub(crate) variables: &'o mut Vec<Variable>,
    /// The files of `.file`.
    pub(crate) files: &'o mut BTreeMap<u32, String>,
    pub(crate) reports: &'o mut Reports<'f>,
}

/// A function on its way.
struct Body<'t, 'o, 'f> {
    globals: &'o Globals<'t>,
    output: Output<'o, 'f>,
    id: FunctionId,
    function: Function,
    scopes: Scopes<'t>,
    /// Where the instructions from here on come from.
    line: Option<SourceLine>,
    /// Bytes of the frame that are taken here; scopes beside each other share theirs.
    frame: u32,
    /// Entries of all tables that instructions were given.
    table_entries: usize,
}

/// Resolves the body of a function.
pub(crate) fn resolve<'t, 'o, 'f>(
    globals: &'o Globals<'t>,
    id: FunctionId,
    output: Output<'o, 'f>,
) -> Function {
    let mut body = Body {
        globals,
        output,
        id,
        function: Function::default(),
        scopes: Scopes::default(),
        line: None,
        frame: 0,
        table_entries: 0,
    };
    if let Some(defined) = globals.functions.get(id.0 as usize) {
        body.scopes.enter();
        body.head(defined);
        body.statements(defined.declaration.body.as_deref().unwrap_or_default());
        body.scopes.leave();
    }
    body.function
}

/// Adds a file of `.file`; the first of a number counts.
pub(crate) fn add_file(files: &mut BTreeMap<u32, String>, directive: &DirectiveWords) {
    let [number, name, ..] = directive.words.as_slice() else { return };
    if let Ok(number) = number.parse() {
        files.entry(number).or_insert_with(|| name.clone());
    }
}

impl<'t> Body<'t, '_, '_> {
    /// The statements of a scope that was entered.
    fn statements(&mut self, statements: &'t [Statement]) {
        self.declare_ahead(statements);
        for statement in statements {
            if self.output.reports.is_full() {
                return;
            }
            match statement {
                Statement::Label(_, name) => self.set_label(name),
                Statement::Declaration(declaration) => self.declaration(declaration),
                Statement::Block(_, inner) => {
                    let frame = self.frame;
                    self.scopes.enter();
                    self.statements(inner);
                    self.scopes.leave();
                    self.frame = frame;
                }
                Statement::Instruction(words) => self.instruction(words),
                Statement::Directive(directive) => self.directive(directive),
                Statement::Prototype(..) => {}
            }
        }
    }

    fn directive(&mut self, directive: &DirectiveWords) {
        match (directive.name.as_str(), directive.words.as_slice()) {
            ("loc", [file, line, ..]) => {
                self.line = match (file.parse(), line.parse()) {
                    (Ok(file), Ok(line)) => Some(SourceLine { file, line }),
                    _ => None,
                };
            }
            ("file", _) => add_file(self.output.files, directive),
            _ => {}
        }
    }

    fn instruction(&mut self, words: &'t InstructionWords) {
        if !self.register_uses(words) {
            return;
        }
        match instruction::resolve(words, self) {
            Ok(instructions) => {
                for instruction in instructions {
                    self.function.instructions.push(instruction);
                    self.function.places.push(words.place);
                    self.function.source_lines.push(self.line);
                }
            }
            Err(problem) => {
                let text = format!("{}: {}", words.words.join("."), problem.text);
                self.output.reports.error(problem.place.unwrap_or(words.place), text, problem.help);
            }
        }
    }
}
