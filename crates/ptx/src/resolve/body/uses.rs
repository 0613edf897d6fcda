//! The names that an instruction uses: registers are numbered at their first use, and what is declared and
//! defined nowhere is refused here, with the place of the name.

use super::Body;
use super::declare::new_registers;
use super::scopes::Local;
use crate::Place;
use crate::resolve::declarations::Global;
use crate::resolve::declarations::taken::call_target;
use crate::resolve::scope::Named;
use crate::syntax::{Expression, InstructionWords, Operand};

/// Tables of jumps and calls are copied to each instruction that uses them; a file in which many instructions
/// use a large table would become very large.
const MAX_TABLE_ENTRIES: usize = 1 << 22;

/// Calls back with every name in an operand.
pub(crate) fn operand_names<'t>(operand: &'t Operand, each: &mut dyn FnMut(Place, &'t str)) {
    match operand {
        Operand::Name(place, name) | Operand::Not(place, name) => each(*place, name),
        Operand::Constant(place, Expression::Symbol { name, .. }) => each(*place, name),
        Operand::Constant(..) => {}
        Operand::Address(_, base, _) => operand_names(base, each),
        Operand::Vector(_, items) | Operand::List(_, items) | Operand::Bracket(_, items) => {
            items.iter().for_each(|item| operand_names(item, each));
        }
        Operand::Pair(first, second) => {
            operand_names(first, each);
            operand_names(second, each);
        }
    }
}

impl<'t> Body<'t, '_, '_> {
    /// Numbers the registers that an instruction uses. `false` if the instruction cannot be resolved because
    /// of what it names, which was reported.
    pub(super) fn register_uses(&mut self, words: &'t InstructionWords) -> bool {
        let mut names: Vec<(Place, &str)> = Vec::with_capacity(8);
        if let Some((guard, _)) = &words.guard {
            names.push((words.place, guard));
        }
        for operand in &words.operands {
            operand_names(operand, &mut |place, name| names.push((place, name)));
        }
        let mut usable = true;
        for (place, name) in names {
            if let Err(problem) = self.use_name(name, words) {
                usable = false;
                if let Some((problem, help)) = problem {
                    let text = format!("{}: {problem}", words.words.join("."));
                    self.output.reports.error(place, text, help);
                }
            }
        }
        usable
    }

    /// Numbers a register; an error without text was reported where the name was declared.
    fn use_name(
        &mut self,
        name: &str,
        words: &InstructionWords,
    ) -> Result<(), Option<(String, Option<String>)>> {
        // `v.x` is an element of `v`.
        let base = name.split('.').next().unwrap_or(name);
        match self.scopes.get_mut(base) {
            Some(Local::Register(kind, numbers)) => {
                if numbers.is_empty() {
                    *numbers = new_registers(&mut self.function.registers, base, *kind);
                }
                self.indirect_call(name, words)
            }
            Some(Local::Named(Named::BranchTargets(labels))) => {
                let entries = labels.len();
                self.table_use(entries)
            }
            Some(Local::Named(Named::CallTargets(functions))) => {
                let entries = functions.len();
                self.table_use(entries)
            }
            Some(Local::Named(_)) => Ok(()),
            Some(Local::Refused) => Err(None),
            None => self.use_global(name, words),
        }
    }

    fn use_global(
        &self,
        name: &str,
        words: &InstructionWords,
    ) -> Result<(), Option<(String, Option<String>)>> {
        let opcode = words.words.first().map_or("", String::as_str);
        match self.globals.names.get(name) {
            Some(Global::Missing(problem, help)) => Err(Some((problem.clone(), Some(help.clone())))),
            Some(Global::Function(id)) if call_target(words).is_some_and(|(_, target)| target == name) => {
                let is_kernel =
                    self.globals.functions.get(id.0 as usize).is_some_and(|f| f.declaration.is_entry);
                match is_kernel {
                    true => Err(Some((format!("`{name}` is a kernel; only a .func can be called"), None))),
                    false => Ok(()),
                }
            }
            None if opcode == "bra" && self.globals.labels.contains(name) => {
                let problem =
                    format!("the label `{name}` is outside of this function or inside another scope");
                let help = "a branch stays in its function, and does not enter a scope in braces".to_string();
                Err(Some((problem, Some(help))))
            }
            _ => Ok(()),
        }
    }

    /// A call through a register may reach every function whose address is taken.
    fn indirect_call(
        &mut self,
        name: &str,
        words: &InstructionWords,
    ) -> Result<(), Option<(String, Option<String>)>> {
        match call_target(words) {
            Some((_, target)) if target == name => self.table_use(self.globals.address_taken.len()),
            _ => Ok(()),
        }
    }

    fn table_use(&mut self, entries: usize) -> Result<(), Option<(String, Option<String>)>> {
        self.table_entries = self.table_entries.saturating_add(entries);
        match self.table_entries > MAX_TABLE_ENTRIES {
            true => Err(Some((
                format!("this function uses tables of more than {MAX_TABLE_ENTRIES} targets"),
                None,
            ))),
            false => Ok(()),
        }
    }
}
