//! Declarations in a body: registers, variables, parameters of calls, labels, tables, prototypes.

use super::Body;
use super::scopes::{Kind, Local};
use crate::Place;
use crate::ir::{Label, Register, RegisterId, VariableId};
use crate::resolve::declarations::Global;
use crate::resolve::declarations::extent::{scalar_type, vector_length};
use crate::resolve::declarations::signature::{parameter, signature};
use crate::resolve::declarations::variable::{initialise, variable};
use crate::resolve::scope::{Named, Scope};
use crate::syntax::{Array, Declaration, DirectiveWords, Statement};

/// Names of the elements of a vector register.
const ELEMENTS: &[&str] = &["x", "y", "z", "w"];

impl<'t> Body<'t, '_, '_> {
    fn error(&mut self, place: Place, problem: String) {
        self.output.reports.error(place, problem, None);
    }

    /// Declares a name in the innermost scope.
    pub(super) fn declare(&mut self, place: Place, name: &'t str, local: Local) {
        if !self.scopes.declare(name, local) {
            self.error(place, format!("`{name}` is declared twice in the same scope"));
        }
    }

    /// New registers for a name: one, or as many as a vector has elements.
    pub(super) fn new_registers(&mut self, name: &str, kind: Kind) -> Vec<RegisterId> {
        new_registers(&mut self.function.registers, name, kind)
    }

    /// Labels, tables and prototypes of a scope, which are known in all of it.
    pub(super) fn declare_ahead(&mut self, statements: &'t [Statement]) {
        for statement in statements {
            match statement {
                Statement::Label(place, name) => {
                    let label = Label(self.function.labels.len() as u32);
                    self.function.labels.push(0);
                    self.function.label_names.push(name.clone());
                    self.declare(*place, name, Local::Named(Named::Label(label)));
                }
                Statement::Prototype(place, name, function) => {
                    let (results, parameters) = signature(function, self.output.reports).sizes();
                    self.declare(*place, name, Local::Named(Named::Prototype(results, parameters)));
                }
                _ => {}
            }
        }
        for statement in statements {
            if let Statement::Directive(directive) = statement {
                self.table(directive);
            }
        }
    }

    /// `name: .branchtargets a, b;` or `name: .calltargets f, g;`
    fn table(&mut self, directive: &'t DirectiveWords) {
        let is_branch = directive.name == "branchtargets";
        let Some((name, targets)) = directive.words.split_first() else { return };
        if !is_branch && directive.name != "calltargets" {
            return;
        }
        let (mut labels, mut functions) = (Vec::new(), Vec::new());
        for target in targets {
            let global = self.globals.names.get(target.as_str());
            match (self.find(target), global) {
                (Some(Named::Label(label)), _) if is_branch => labels.push(label),
                (_, Some(Global::Function(id))) if !is_branch => functions.push(*id),
                _ => {
                    let what =
                        if is_branch { "a label of this function" } else { "a function of this module" };
                    let near = self.nearest(target).map(|near| format!("the nearest known name is `{near}`"));
                    let problem = format!("expected {what} in .{}, found `{target}`", directive.name);
                    self.output.reports.error(directive.place, problem, near);
                }
            }
        }
        let named = if is_branch { Named::BranchTargets(labels) } else { Named::CallTargets(functions) };
        self.declare(directive.place, name, Local::Named(named));
    }

    /// The label stands before the next instruction.
    pub(super) fn set_label(&mut self, name: &str) {
        if let Some(Local::Named(Named::Label(label))) = self.scopes.innermost(name)
            && let Some(position) = self.function.labels.get_mut(label.0 as usize)
        {
            *position = self.function.instructions.len();
        }
    }

    /// `.reg`, `.param`, or a variable.
    pub(super) fn declaration(&mut self, declaration: &'t Declaration) {
        let space = declaration.words.iter().find(|word| matches!(word.as_str(), "reg" | "param"));
        for array in &declaration.names {
            let result = match space.map(String::as_str) {
                Some("reg") => self.register(declaration, array),
                Some(_) => self.call_parameter(declaration, array),
                None => self.variable(declaration, array),
            };
            match result {
                Ok(Some(local)) => self.declare(array.place, &array.name, local),
                Ok(None) => {}
                Err(problem) => {
                    self.error(array.place, problem);
                    self.refuse(array);
                }
            }
        }
    }

    /// Declares what was refused, so that its uses are not refused again.
    fn refuse(&mut self, array: &'t Array) {
        match array.count {
            Some(count) => self.scopes.declare_family(&array.name, count, None),
            None => self.scopes.declare(&array.name, Local::Refused),
        };
    }

    fn register(&mut self, declaration: &'t Declaration, array: &'t Array) -> Result<Option<Local>, String> {
        if !array.dimensions.is_empty() || array.initial.is_some() {
            return Err(format!("the register `{}` is an array or has an initial value", array.name));
        }
        let kind = Kind { ty: scalar_type(&declaration.ty)?, elements: vector_length(declaration) };
        if kind.elements > ELEMENTS.len() as u64 {
            return Err(format!(
                "a vector register has 2 or 4 elements, `{}` has {}",
                array.name, kind.elements
            ));
        }
        let Some(count) = array.count else { return Ok(Some(Local::Register(kind, Vec::new()))) };
        match self.scopes.declare_family(&array.name, count, Some(kind)) {
            true => Ok(None),
            false => Err(format!("`{}<{count}>` is declared twice in the same scope", array.name)),
        }
    }

    fn call_parameter(
        &mut self,
        declaration: &'t Declaration,
        array: &'t Array,
    ) -> Result<Option<Local>, String> {
        let parameter = parameter(declaration, array, &mut self.frame, false)?;
        let number = self.function.call_parameters.len() as u32;
        self.function.call_parameters.push(parameter);
        Ok(Some(Local::Named(Named::CallParameter(number))))
    }

    fn variable(&mut self, declaration: &'t Declaration, array: &'t Array) -> Result<Option<Local>, String> {
        let mut variable = variable(declaration, array, Some(self.id))?;
        initialise(&mut variable, declaration, array, &|name| match self.scopes.get(name) {
            Some(Local::Named(Named::Variable(id))) => Ok(Some(crate::ir::Symbol::Variable(*id))),
            _ => self.globals.symbol(name),
        })?;
        let id = VariableId(self.output.variables.len() as u32);
        self.output.variables.push(variable);
        Ok(Some(Local::Named(Named::Variable(id))))
    }
}

/// New registers at the end of the list.
pub(super) fn new_registers(registers: &mut Vec<Register>, name: &str, kind: Kind) -> Vec<RegisterId> {
    let first = registers.len() as u32;
    for element in 0..kind.elements as usize {
        let name = match ELEMENTS.get(element) {
            Some(suffix) if kind.elements > 1 => format!("{name}.{suffix}"),
            _ => name.to_string(),
        };
        registers.push(Register { name, ty: kind.ty });
    }
    (first..registers.len() as u32).map(RegisterId).collect()
}
