//! Everything that a report says of a kernel, in plain data.

use super::cfg::Cfg;
use super::class::Class;
use super::dominators::Dominators;
use super::loads::{LoopLoad, head_tail_pairs, loop_loads};
use super::loops::Loops;
use super::operands::{Source, for_each_source};
use super::registers::RegisterDemand;
use crate::ir::{
    AddressBase, CallTarget, ExternalId, Function, FunctionId, Module, Operand, Operation, StateSpace,
    Symbol, VariableId,
};
use std::collections::BTreeSet;

/// A kernel, without running it.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelSummary {
    /// Registers by our own allocation.
    pub demand: RegisterDemand,
    /// Shared memory with a fixed size, of the kernel and what it calls, with its alignment.
    pub shared_bytes: u64,
    /// Whether it uses shared memory whose size the launch gives.
    pub dynamic_shared: bool,
    /// Local memory per thread, of the kernel and what it calls.
    pub local_bytes: u64,
    /// Instructions of the kernel itself by class, those that occur.
    pub classes: Vec<(Class, usize)>,
    /// Its blocks.
    pub cfg: Cfg,
    /// Its loops.
    pub loops: Loops,
    /// The loads in them.
    pub loads: Vec<LoopLoad>,
    /// Strided heads and the tails that depend on them, by instruction.
    pub pairs: Vec<(usize, usize)>,
    /// Functions of the module that it calls, directly or not.
    pub functions: Vec<FunctionId>,
    /// Functions of the machine that it calls, directly or not.
    pub externals: Vec<ExternalId>,
}

impl KernelSummary {
    /// Of a kernel whose registers are known ([`super::register_demands`]).
    pub fn new(module: &Module, kernel: FunctionId, demand: RegisterDemand) -> KernelSummary {
        let function = &module.functions[kernel.0 as usize];
        let reached = Reached::new(module, kernel);
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let loops = Loops::new(&cfg, &dominators);
        let loads = loop_loads(function, &cfg, &dominators, &loops);
        let variables = |space: StateSpace| {
            let wanted = move |id: &&VariableId| module.variables[id.0 as usize].space == space;
            reached.variables.iter().filter(wanted).map(|id| &module.variables[id.0 as usize])
        };
        let size = |space: StateSpace| {
            variables(space).filter(|variable| !variable.is_extern).fold(0u64, |end, variable| {
                let alignment = u64::from(variable.alignment.max(1));
                end.checked_next_multiple_of(alignment).unwrap_or(end).saturating_add(variable.bytes)
            })
        };
        KernelSummary {
            demand,
            shared_bytes: size(StateSpace::Shared),
            dynamic_shared: variables(StateSpace::Shared).any(|variable| variable.is_extern),
            local_bytes: size(StateSpace::Local),
            classes: classes(function),
            pairs: head_tail_pairs(&loads),
            cfg,
            loops,
            loads,
            functions: reached.functions.into_iter().filter(|&id| id != kernel).collect(),
            externals: reached.externals.into_iter().collect(),
        }
    }
}

fn classes(function: &Function) -> Vec<(Class, usize)> {
    let count = |class: Class| {
        function.instructions.iter().filter(|instruction| Class::of(&instruction.operation) == class).count()
    };
    Class::ALL.into_iter().map(|class| (class, count(class))).filter(|(_, count)| *count > 0).collect()
}

/// What a kernel refers to, itself or through the functions that it calls.
#[derive(Default)]
struct Reached {
    functions: BTreeSet<FunctionId>,
    externals: BTreeSet<ExternalId>,
    variables: BTreeSet<VariableId>,
}

impl Reached {
    fn new(module: &Module, kernel: FunctionId) -> Reached {
        let mut reached = Reached::default();
        let mut open = vec![kernel];
        while let Some(id) = open.pop() {
            if !reached.functions.insert(id) {
                continue;
            }
            for (number, variable) in module.variables.iter().enumerate() {
                if variable.function == Some(id) {
                    reached.variables.insert(VariableId(number as u32));
                }
            }
            for instruction in &module.functions[id.0 as usize].instructions {
                reached.visit(&instruction.operation, &mut open);
            }
        }
        reached
    }

    fn visit(&mut self, operation: &Operation, open: &mut Vec<FunctionId>) {
        if let Operation::Call(call) = operation {
            match &call.target {
                CallTarget::Function(id) => open.push(*id),
                CallTarget::External(id) => {
                    self.externals.insert(*id);
                }
                CallTarget::Indirect(_, candidates) => open.extend(candidates),
            }
        }
        for_each_source(operation, |source| {
            let symbol = match source {
                Source::Value(Operand::Symbol(symbol, _)) => *symbol,
                Source::Address(address) => match address.base {
                    AddressBase::Symbol(symbol) => symbol,
                    _ => return,
                },
                Source::Value(_) => return,
            };
            if let Symbol::Variable(id) = symbol {
                self.variables.insert(id);
            }
        });
    }
}
