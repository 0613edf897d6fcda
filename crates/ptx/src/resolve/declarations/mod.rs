//! What a module declares: variables, functions, externals, aliases, files.
//!
//! A function that is declared without a body is one of the module if that defines it elsewhere, else one that
//! the machine provides, else missing; what is missing is refused where it is used, because compilers declare
//! much that nobody calls. The same goes for `.extern` variables; those in `.shared` are the launch's.

pub(crate) mod extent;
mod external;
mod initial;
pub(crate) mod signature;
pub(crate) mod taken;
pub(crate) mod variable;

use super::report::Reports;
use crate::Place;
use crate::ir::{External, ExternalId, FunctionId, Symbol, Variable, VariableId};
use crate::syntax::{DirectiveWords, FunctionDeclaration, TopLevel, Tree};
use signature::{Signature, signature};
use std::collections::{BTreeMap, BTreeSet};

/// Functions that compilers put in tables where nothing is ever called.
const PLACEHOLDERS: &[&str] = &["__cxa_pure_virtual", "__cxa_deleted_virtual"];

/// What a name at module level stands for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Global {
    Variable(VariableId),
    Function(FunctionId),
    External(ExternalId),
    /// Declared and defined nowhere: what to say when it is used, and what helps.
    Missing(String, String),
}

/// A function with a body.
pub(crate) struct Defined<'t> {
    pub(crate) declaration: &'t FunctionDeclaration,
    pub(crate) signature: Signature,
}

/// Everything at module level.
pub(crate) struct Globals<'t> {
    pub(crate) names: BTreeMap<&'t str, Global>,
    pub(crate) functions: Vec<Defined<'t>>,
    pub(crate) externals: Vec<External>,
    pub(crate) address_bytes: u32,
    /// The functions whose address is taken, in order.
    pub(crate) address_taken: Vec<FunctionId>,
    /// Every label of the module, to tell a label of another function from an unknown name.
    pub(crate) labels: BTreeSet<&'t str>,
}

impl Globals<'_> {
    /// What a name in an initial value stands for; nothing if its address is zero.
    pub(crate) fn symbol(&self, name: &str) -> Result<Option<Symbol>, String> {
        match self.names.get(name) {
            Some(Global::Variable(id)) => Ok(Some(Symbol::Variable(*id))),
            Some(Global::Function(id)) => Ok(Some(Symbol::Function(*id))),
            // The entries of a table of virtual functions that no object's table has.
            Some(Global::Missing(..)) if PLACEHOLDERS.contains(&name) => Ok(None),
            Some(Global::Missing(problem, help)) => Err(format!("{problem}; {help}")),
            Some(Global::External(_)) => {
                Err(format!("the function `{name}` is provided by the machine and has no address"))
            }
            None => {
                let near = super::report::nearest(name, self.names.keys().copied());
                let near =
                    near.map(|near| format!("; the nearest known name is `{near}`")).unwrap_or_default();
                Err(format!("`{name}` is not declared{near}"))
            }
        }
    }
}

/// What was declared so far, by name, with its place.
struct Collector<'t, 'r, 'f> {
    globals: Globals<'t>,
    variables: Vec<Variable>,
    places: BTreeMap<&'t str, Place>,
    /// Functions and variables without a definition (yet), in order.
    open_functions: Vec<&'t FunctionDeclaration>,
    open_variables: Vec<(&'t str, Place)>,
    reports: &'r mut Reports<'f>,
}

/// Collects what a module declares; variables are those at module level.
pub(crate) fn collect<'t>(
    tree: &'t Tree,
    externals: &[&str],
    reports: &mut Reports<'_>,
) -> (Globals<'t>, Vec<Variable>) {
    let globals = Globals {
        names: BTreeMap::new(),
        functions: Vec::new(),
        externals: Vec::new(),
        // Before version 2.3 there is no `.address_size`, and addresses have 32 bits where it is not given.
        address_bytes: tree.address_size.unwrap_or(32) / 8,
        address_taken: Vec::new(),
        labels: BTreeSet::new(),
    };
    let mut collector = Collector {
        globals,
        variables: Vec::new(),
        places: BTreeMap::new(),
        open_functions: Vec::new(),
        open_variables: Vec::new(),
        reports,
    };
    for item in &tree.items {
        match item {
            TopLevel::Function(function) => collector.function(function),
            TopLevel::Variable(declaration) => collector.variables(declaration),
            TopLevel::Directive(_) => {}
        }
    }
    for item in &tree.items {
        if let TopLevel::Directive(directive) = item
            && directive.name == "alias"
        {
            collector.alias(directive);
        }
    }
    collector.close(externals);
    collector.initialise(tree);
    let Collector { mut globals, variables, .. } = collector;
    taken::collect(&mut globals, &variables);
    (globals, variables)
}

impl<'t> Collector<'t, '_, '_> {
    /// Notes a definition; `false` if there is one already.
    fn define(&mut self, name: &'t str, place: Place) -> bool {
        match self.places.get(name) {
            None => {
                self.places.insert(name, place);
                true
            }
            Some(first) => {
                let help = format!("the first definition is at line {}, column {}", first.line, first.column);
                self.reports.error(place, format!("`{name}` is defined twice"), Some(help));
                false
            }
        }
    }

    fn function(&mut self, function: &'t FunctionDeclaration) {
        if function.is_entry && !function.results.is_empty() {
            let problem = format!("the kernel `{}` has a result; only a .func may have one", function.name);
            self.reports.error(function.place, problem, None);
        }
        if function.body.is_none() {
            self.open_functions.push(function);
            return;
        }
        if self.define(&function.name, function.place) {
            let id = FunctionId(self.globals.functions.len() as u32);
            self.globals.names.insert(&function.name, Global::Function(id));
            let signature = signature(function, self.reports);
            self.globals.functions.push(Defined { declaration: function, signature });
        }
    }

    fn variables(&mut self, declaration: &'t crate::syntax::Declaration) {
        let is_extern = declaration.words.iter().any(|word| word == "extern");
        let is_shared = declaration.words.iter().any(|word| word.starts_with("shared"));
        for array in &declaration.names {
            let name = array.name.as_str();
            if is_extern && !is_shared {
                self.open_variables.push((name, array.place));
                continue;
            }
            if is_extern && self.globals.names.contains_key(name) {
                continue;
            }
            match variable::variable(declaration, array, None) {
                Ok(variable) if self.define(name, array.place) => {
                    let id = VariableId(self.variables.len() as u32);
                    self.globals.names.insert(name, Global::Variable(id));
                    self.variables.push(variable);
                }
                Ok(_) => {}
                Err(problem) => self.reports.error(array.place, problem, None),
            }
        }
    }

    fn alias(&mut self, directive: &'t DirectiveWords) {
        let [name, function] = directive.words.as_slice() else { return };
        match self.globals.names.get(function.as_str()) {
            Some(Global::Function(id)) => {
                let id = *id;
                if self.define(name, directive.place) {
                    self.globals.names.insert(name, Global::Function(id));
                }
            }
            _ => {
                let problem =
                    format!("the alias `{name}` is for `{function}`, which is no function of the module");
                self.reports.error(directive.place, problem, None);
            }
        }
    }

    /// Decides about what has no definition.
    fn close(&mut self, externals: &[&str]) {
        for function in std::mem::take(&mut self.open_functions) {
            let name = function.name.as_str();
            match self.globals.names.get(name) {
                Some(Global::Function(id)) => self.compare(function, *id),
                Some(Global::Variable(_)) => {
                    self.define(name, function.place);
                }
                Some(_) => {}
                None if externals.contains(&name) => self.external(function),
                None => {
                    let defined =
                        self.globals.functions.iter().map(|function| function.declaration.name.as_str());
                    let help = external::help(name, defined, externals);
                    let problem =
                        format!("the function `{name}` has no body here and the machine does not provide it");
                    self.globals.names.insert(name, Global::Missing(problem, help));
                }
            }
        }
        for (name, place) in std::mem::take(&mut self.open_variables) {
            match self.globals.names.get(name) {
                Some(Global::Function(_)) => {
                    self.define(name, place);
                }
                Some(_) => {}
                None => {
                    let problem =
                        format!("the variable `{name}` is .extern and this module does not define it");
                    let help = "link the modules into one file".to_string();
                    self.globals.names.insert(name, Global::Missing(problem, help));
                }
            }
        }
    }

    /// A declaration must have the signature of its definition.
    fn compare(&mut self, function: &FunctionDeclaration, id: FunctionId) {
        let declared = signature(function, self.reports).sizes();
        let Some(defined) = self.globals.functions.get(id.0 as usize) else { return };
        if declared != defined.signature.sizes() {
            let place = defined.declaration.place;
            let problem =
                format!("`{}` is declared with other parameters than it is defined with", function.name);
            let help = format!("the definition is at line {}, column {}", place.line, place.column);
            self.reports.error(function.place, problem, Some(help));
        }
    }

    fn external(&mut self, function: &'t FunctionDeclaration) {
        let (results, parameters) = signature(function, self.reports).sizes();
        let id = ExternalId(self.globals.externals.len() as u32);
        self.globals.names.insert(&function.name, Global::External(id));
        let result = results.first().copied();
        self.globals.externals.push(External { name: function.name.clone(), parameters, result });
    }

    /// Initial values may name what is declared behind them, so they come last.
    fn initialise(&mut self, tree: &Tree) {
        for item in &tree.items {
            let TopLevel::Variable(declaration) = item else { continue };
            for array in declaration.names.iter().filter(|array| array.initial.is_some()) {
                let Some(Global::Variable(id)) = self.globals.names.get(array.name.as_str()) else {
                    continue;
                };
                // A second definition of a name was refused and has no contents of its own.
                if self.places.get(array.name.as_str()) != Some(&array.place) {
                    continue;
                }
                let Some(variable) = self.variables.get_mut(id.0 as usize) else { continue };
                let result =
                    variable::initialise(variable, declaration, array, &|name| self.globals.symbol(name));
                if let Err(problem) = result {
                    self.reports.error(array.place, format!("`{}`: {problem}", array.name), None);
                }
            }
        }
    }
}
