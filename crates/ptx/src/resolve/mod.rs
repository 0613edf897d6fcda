//! From the syntax tree to the IR.
//!
//! `declarations` resolves the module: variables, functions, externals. `body` resolves a function: scopes,
//! registers, labels, tables, `.loc`. `instruction` resolves one instruction: words to an operation, names to
//! numbers, types checked.

pub(crate) mod body;
pub(crate) mod declarations;
pub(crate) mod instruction;
pub(crate) mod report;
pub(crate) mod scope;

use crate::ir::{FunctionId, Module};
use crate::syntax::{TopLevel, Tree};
use crate::{Diagnostic, Diagnostics};
use report::Reports;
use std::collections::BTreeMap;

/// Reads PTX text. `file` is how the user named it, for messages; `externals` are the names of functions that
/// the machine provides. All errors are reported, not the first alone.
pub fn load(file: &str, text: &str, externals: &[&str]) -> Result<Module, Diagnostics> {
    let tree = crate::syntax::parse(file, text)?;
    resolve(file, &tree, externals)
}

/// Resolves a tree that was parsed from `file`.
pub fn resolve(file: &str, tree: &Tree, externals: &[&str]) -> Result<Module, Diagnostics> {
    match resolve_partly(file, tree, externals) {
        (module, errors) if errors.is_empty() => Ok(module),
        (_, errors) => Err(Diagnostics::ordered(errors)),
    }
}

/// What can be resolved of a tree (instructions that are wrong are left out), and all that is wrong.
pub(crate) fn resolve_partly(file: &str, tree: &Tree, externals: &[&str]) -> (Module, Vec<Diagnostic>) {
    let mut reports = Reports::new(file);
    let (globals, mut variables) = declarations::collect(tree, externals, &mut reports);
    let mut files = BTreeMap::new();
    for item in &tree.items {
        if let TopLevel::Directive(directive) = item
            && directive.name == "file"
        {
            body::add_file(&mut files, directive);
        }
    }
    let mut functions = Vec::with_capacity(globals.functions.len());
    for number in 0..globals.functions.len() {
        let output = body::Output { variables: &mut variables, files: &mut files, reports: &mut reports };
        functions.push(body::resolve(&globals, FunctionId(number as u32), output));
    }
    let module = Module {
        file: file.to_string(),
        version: tree.version,
        target: tree.target.join(", "),
        address_bytes: globals.address_bytes,
        variables,
        functions,
        externals: globals.externals,
        source_files: files.into_iter().collect(),
    };
    (module, reports.finish())
}
