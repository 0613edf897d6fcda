//! A kernel with every function that it reaches.

use super::Problems;
use super::frame::Frame;
use super::function::decode_function;
use crate::analysis::operands::{Source, for_each_source};
use crate::exec::{KernelCode, Row};
use crate::ir::{
    Address, AddressBase, CallTarget, Function, FunctionId, Module, Operand, Operation, StateSpace, Symbol,
    VariableId,
};
use std::collections::BTreeMap;

/// Dynamic shared memory is aligned to this at least.
const DYNAMIC_ALIGNMENT: u64 = 16;

/// A kernel that is being decoded.
pub(super) struct Kernel<'m> {
    pub(super) module: &'m Module,
    /// Addresses of variables in device memory.
    pub(super) addresses: &'m [u64],
    /// What has been decoded so far.
    pub(super) code: KernelCode,
    /// For each function of the module, its number in the code.
    pub(super) numbers: Vec<Option<u32>>,
    /// The frames, by number in the code.
    pub(super) frames: Vec<Frame>,
    /// Where each variable in shared memory is.
    pub(super) shared: Vec<u64>,
    pool: BTreeMap<(u64, bool), Row>,
}

/// Decodes a kernel, or any functions of which the first counts as the kernel; functions that they reach are marked.
pub(super) fn decode(
    module: &Module,
    addresses: &[u64],
    roots: &[FunctionId],
    reached: &mut [bool],
    problems: &mut Problems,
) -> KernelCode {
    let functions = reachable(module, roots);
    let mut numbers = vec![None; module.functions.len()];
    for (number, id) in functions.iter().enumerate() {
        numbers[id.0 as usize] = Some(number as u32);
        reached[id.0 as usize] = true;
    }
    let frames = frames(module, &functions);
    let code = KernelCode::default();
    let shared = vec![0; module.variables.len()];
    let mut kernel = Kernel { module, addresses, code, numbers, frames, shared, pool: BTreeMap::new() };
    kernel.lay_out_shared(&functions);
    let mut start = 0;
    let mut starts = Vec::new();
    for id in &functions {
        starts.push(start);
        // The implied return at the end has a place of its own.
        start += module.functions[id.0 as usize].instructions.len() as u32 + 1;
    }
    for (&id, &start) in functions.iter().zip(&starts) {
        decode_function(&mut kernel, id, start, problems);
    }
    kernel.code
}

/// The frames of functions, the first of which also holds the local variables of the module.
fn frames(module: &Module, functions: &[FunctionId]) -> Vec<Frame> {
    // By function, because looking through all variables for each function would take their product.
    let mut own: Vec<Vec<VariableId>> = vec![Vec::new(); module.functions.len()];
    for (number, variable) in module.variables.iter().enumerate() {
        let holder = variable.function.or(functions.first().copied());
        if let Some(own) = holder.and_then(|id| own.get_mut(id.0 as usize)) {
            own.push(VariableId(number as u32));
        }
    }
    functions.iter().map(|id| Frame::new(module, *id, &own[id.0 as usize])).collect()
}

/// The functions that some functions reach, themselves first, in the order of discovery.
fn reachable(module: &Module, roots: &[FunctionId]) -> Vec<FunctionId> {
    let mut found = roots.to_vec();
    let mut is_found = vec![false; module.functions.len()];
    for root in roots {
        is_found[root.0 as usize] = true;
    }
    let mut next = 0;
    while let Some(&id) = found.get(next) {
        next += 1;
        for instruction in &module.functions[id.0 as usize].instructions {
            let Operation::Call(call) = &instruction.operation else { continue };
            let targets = match &call.target {
                CallTarget::Function(id) => std::slice::from_ref(id),
                CallTarget::Indirect(_, candidates) => candidates,
                CallTarget::External(_) => &[],
            };
            for target in targets {
                if let Some(known) = is_found.get_mut(target.0 as usize)
                    && !std::mem::replace(known, true)
                {
                    found.push(*target);
                }
            }
        }
    }
    found
}

impl Kernel<'_> {
    /// Places the shared variables that the functions mention: static ones by number, dynamic ones together
    /// after them.
    fn lay_out_shared(&mut self, functions: &[FunctionId]) {
        let mut used = vec![false; self.module.variables.len()];
        for id in functions {
            mark_variables(&self.module.functions[id.0 as usize], &mut used);
        }
        let variables = self.module.variables.iter().enumerate();
        let shared: Vec<_> =
            variables.filter(|&(id, variable)| used[id] && variable.space == StateSpace::Shared).collect();
        let is_dynamic = |variable: &crate::ir::Variable| variable.is_extern || variable.bytes == 0;
        let mut end = 0u64;
        for &(id, variable) in shared.iter().filter(|(_, variable)| !is_dynamic(variable)) {
            let start = end.next_multiple_of(u64::from(variable.alignment.max(1)));
            self.shared[id] = start;
            end = start.saturating_add(variable.bytes);
            self.code.shared_variables.push((variable.name.clone(), start, variable.bytes));
        }
        self.code.static_shared = end;
        let dynamic = shared.iter().filter(|(_, variable)| is_dynamic(variable));
        let alignment = dynamic.clone().map(|(_, variable)| u64::from(variable.alignment)).max();
        let start = end.next_multiple_of(alignment.unwrap_or(1).max(DYNAMIC_ALIGNMENT));
        self.code.dynamic_shared_start = start;
        for &(id, variable) in dynamic {
            self.shared[id] = start;
            self.code.shared_variables.push((variable.name.clone(), start, 0));
        }
    }

    /// A constant in all lanes.
    pub(super) fn constant(&mut self, bits: u64, bytes: u32) -> Row {
        let wide = bytes > 4;
        let bits = if wide { bits } else { bits & u64::from(u32::MAX) };
        let constants = &mut self.code.constants;
        *self.pool.entry((bits, wide)).or_insert_with(|| {
            let row = Row::of_constant((constants.len() / 16) as u32);
            let (word, words) = if wide { (bits, 32) } else { (bits << 32 | bits, 16) };
            constants.extend(std::iter::repeat_n(word, words));
            row
        })
    }
}

/// Marks every variable that a function mentions.
fn mark_variables(function: &Function, used: &mut [bool]) {
    for instruction in &function.instructions {
        for_each_source(&instruction.operation, |source| {
            let symbol = match source {
                Source::Value(Operand::Symbol(symbol, _)) => *symbol,
                Source::Address(Address { base: AddressBase::Symbol(symbol), .. }) => *symbol,
                _ => return,
            };
            if let Symbol::Variable(VariableId(id)) = symbol
                && let Some(used) = used.get_mut(id as usize)
            {
                *used = true;
            }
        });
    }
}
