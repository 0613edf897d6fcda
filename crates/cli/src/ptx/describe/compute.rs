//! From a module to its description.

use super::words;
use super::{
    ClassEntry, CountEntry, KernelEntry, LimitEntry, LoadEntry, LoopEntry, ModuleEntry, OccupancyEntry,
    PairEntry, ParameterEntry,
};
use heddle_ptx::analysis::registers::METHOD;
use heddle_ptx::analysis::{
    CoreLimits, KernelNeeds, KernelSummary, LoopLoad, Pattern, RegisterDemand, RegisterOverride,
    granted_registers, occupancy, register_demands,
};
use heddle_ptx::ir::{Function, FunctionId, Module, Operation, ParameterPlace};
use std::collections::BTreeMap;

/// Threads of a block where nothing names them.
const BLOCK: u32 = 256;

/// What to describe, and for which machine.
#[derive(Debug)]
pub(crate) struct Wanted<'a> {
    pub(crate) kernel: Option<&'a str>,
    pub(crate) machine: &'a CoreLimits,
    pub(crate) block: Option<u32>,
    pub(crate) dynamic_shared: u32,
    pub(crate) registers: &'a RegisterOverride,
}

/// Describes a module.
pub(crate) fn describe(module: &Module, wanted: &Wanted<'_>) -> ModuleEntry {
    let demands = register_demands(module);
    let functions = module.functions.iter().enumerate();
    let kernels = functions
        .filter(|(_, function)| function.is_kernel)
        .filter(|(_, function)| wanted.kernel.is_none_or(|name| name == function.name))
        .map(|(number, _)| kernel(module, FunctionId(number as u32), demands[number], wanted))
        .collect();
    ModuleEntry {
        file: module.file.clone(),
        version: format!("{}.{}", module.version.0, module.version.1),
        target: module.target.clone(),
        address_bits: 8 * module.address_bytes,
        register_method: METHOD,
        kernels,
    }
}

fn kernel(module: &Module, id: FunctionId, demand: RegisterDemand, wanted: &Wanted<'_>) -> KernelEntry {
    let function = &module.functions[id.0 as usize];
    let summary = KernelSummary::new(module, id, demand);
    let given = wanted.registers.registers(&function.name);
    let granted = granted_registers(wanted.machine, function, demand.registers, given);
    let registers = granted.registers;
    let classes = summary.classes.iter();
    let line = |instruction: usize| line(function, instruction);
    KernelEntry {
        name: function.name.clone(),
        parameters: parameters(function),
        registers,
        registers_given: given.is_some(),
        registers_allocated: demand.registers,
        registers_spilled: granted.spilled,
        registers_capped_by: granted.capped_by.map(|cap| cap.to_string()),
        registers_live: demand.live,
        predicates: demand.predicates,
        shared_bytes: summary.shared_bytes,
        dynamic_shared: summary.dynamic_shared,
        local_bytes: summary.local_bytes,
        directives: words::directives(&function.tuning),
        instructions: function.instructions.len(),
        classes: classes
            .map(|&(class, count)| ClassEntry { class: class.name(), instructions: count })
            .collect(),
        blocks: summary.cfg.blocks.len(),
        loops: loops(function, &summary),
        irreducible: summary.loops.irreducible.iter().map(|&block| line(first(&summary, block))).collect(),
        loads: summary.loads.iter().map(|load| load_entry(module, function, load)).collect(),
        pairs: summary
            .pairs
            .iter()
            .map(|&(head, tail)| PairEntry { head: line(head), tail: line(tail) })
            .collect(),
        barriers: count(function, |operation| matches!(operation, Operation::Barrier(_))),
        atomics: atomics(function),
        externals: summary.externals.iter().map(|id| module.externals[id.0 as usize].name.clone()).collect(),
        functions: summary.functions.iter().map(|id| module.functions[id.0 as usize].name.clone()).collect(),
        occupancy: occupancy_entry(function, &summary, registers, wanted),
    }
}

fn line(function: &Function, instruction: usize) -> u32 {
    function.places.get(instruction).map_or(0, |place| place.line)
}

fn first(summary: &KernelSummary, block: usize) -> usize {
    summary.cfg.blocks[block].instructions.start
}

fn count(function: &Function, wanted: fn(&Operation) -> bool) -> usize {
    function.instructions.iter().filter(|instruction| wanted(&instruction.operation)).count()
}

fn parameters(function: &Function) -> Vec<ParameterEntry> {
    let entry = |parameter: &heddle_ptx::ir::Parameter| ParameterEntry {
        name: parameter.name.clone(),
        ty: words::parameter_type(parameter),
        bytes: parameter.bytes,
        offset: match parameter.place {
            ParameterPlace::Memory(offset) => offset,
            ParameterPlace::Register(_) => 0,
        },
    };
    function.parameters.iter().map(entry).collect()
}

fn loops(function: &Function, summary: &KernelSummary) -> Vec<LoopEntry> {
    let size = |number: usize| {
        let blocks = summary.loops.blocks(number).into_iter();
        blocks.map(|block| summary.cfg.blocks[block].instructions.len()).sum()
    };
    let entry = |(number, found): (usize, &heddle_ptx::analysis::Loop)| {
        let start = first(summary, found.header);
        let label = function.labels.iter().position(|&at| at == start);
        let back = |&latch: &usize| line(function, summary.cfg.blocks[latch].last());
        LoopEntry {
            line: line(function, start),
            label: label.and_then(|label| function.label_names.get(label).cloned()),
            depth: found.depth,
            parent: found.parent,
            instructions: size(number),
            back_edges: found.latches.iter().map(back).collect(),
        }
    };
    summary.loops.loops.iter().enumerate().map(entry).collect()
}

fn load_entry(module: &Module, function: &Function, load: &LoopLoad) -> LoadEntry {
    let (pattern, stride, depends_on) = match load.pattern {
        Pattern::Invariant => ("invariant", None, None),
        Pattern::Strided(stride) => ("strided", stride, None),
        Pattern::Dependent(on) => ("dependent", None, Some(line(function, on))),
        Pattern::Other => ("other", None, None),
    };
    LoadEntry {
        line: line(function, load.instruction),
        in_loop: load.in_loop,
        instruction: words::load(&load.access),
        non_coherent: load.access.non_coherent,
        region: load.region.map(|region| words::region(module, function, region)),
        pattern,
        stride,
        depends_on,
    }
}

fn atomics(function: &Function) -> Vec<CountEntry> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for instruction in &function.instructions {
        if let Operation::Atomic { atomic, .. } = &instruction.operation {
            *counts.entry(words::atomic(atomic)).or_default() += 1;
        }
    }
    counts.into_iter().map(|(name, count)| CountEntry { name, count }).collect()
}

fn occupancy_entry(
    function: &Function,
    summary: &KernelSummary,
    registers: u32,
    wanted: &Wanted<'_>,
) -> OccupancyEntry {
    let required = function.tuning.required_threads.map(|[x, y, z]| x.saturating_mul(y).saturating_mul(z));
    let block = wanted.block.or(required).unwrap_or(BLOCK);
    let shared_bytes = summary.shared_bytes.saturating_add(u64::from(wanted.dynamic_shared));
    let needs = KernelNeeds {
        threads: block,
        registers,
        shared_bytes: u32::try_from(shared_bytes).unwrap_or(u32::MAX),
    };
    let found = occupancy(wanted.machine, needs);
    let known = found.as_ref().ok();
    let limit = |&(limit, blocks): &(heddle_ptx::analysis::Limit, Option<u32>)| LimitEntry {
        limit: limit.to_string(),
        blocks,
    };
    OccupancyEntry {
        machine: wanted.machine.name.clone(),
        source: wanted.machine.source.clone(),
        block,
        shared_bytes,
        blocks: known.map(|found| found.blocks),
        warps: known.map(|found| found.warps),
        warps_max: wanted.machine.warps,
        binding: known.map_or(Vec::new(), |found| found.binding.iter().map(ToString::to_string).collect()),
        limits: known.map_or(Vec::new(), |found| found.limits.iter().map(limit).collect()),
        registers_without_loss: known.map(|found| found.registers_without_loss),
        problem: found.as_ref().err().map(|problem| problem.of_kernel(&function.name)),
    }
}
