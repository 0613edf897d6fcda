//! Who executed an instruction, in words.

use super::access::Problem;
use super::block::Block;
use super::decode::mnemonic;
use super::engine::Engine;
use super::warp::FaultAt;
use super::{LaunchError, ThreadPlace};
use crate::ir::{Function, Module};

/// The error of a fault in a warp.
pub(crate) fn fault_error(engine: &Engine<'_>, block: &Block, warp: usize, at: FaultAt) -> LaunchError {
    let lane = at.fault.lane as usize & 31;
    let context = &block.warps[warp].context;
    let thread = [0, 1, 2].map(|axis| context.thread_index[axis][lane]);
    let at_place = Box::new(thread_place(engine, at.pc, block.index, thread));
    match at.fault.problem {
        Problem::Access(error) => LaunchError::Access { at: at_place, error },
        Problem::Trap(problem) => LaunchError::Trap { at: at_place, problem },
        Problem::Undefined(problem) => LaunchError::Undefined { at: at_place, problem },
        Problem::Exhausted(problem) => LaunchError::Exhausted { at: at_place, problem },
    }
}

/// A thread at an instruction.
pub(crate) fn thread_place(engine: &Engine<'_>, pc: u32, block: [u32; 3], thread: [u32; 3]) -> ThreadPlace {
    let module = &engine.program.module;
    let kernel = &module.functions[engine.kernel.0 as usize];
    let (function, instruction) = static_place(engine, pc);
    let text = function.instructions.get(instruction).map_or("ret".to_owned(), |i| mnemonic(&i.operation));
    ThreadPlace {
        kernel: kernel.name.clone(),
        function: (function.name != kernel.name).then(|| function.name.clone()),
        block,
        thread,
        file: module.file.clone(),
        place: function.places.get(instruction).copied().unwrap_or_default(),
        source: source_line(module, function, instruction),
        instruction: text,
    }
}

/// The function of an instruction, and its number there.
pub(crate) fn static_place<'a>(engine: &Engine<'a>, pc: u32) -> (&'a Function, usize) {
    let code = &engine.code.functions[engine.code.function_at(pc)];
    let function = &engine.program.module.functions[code.id.0 as usize];
    (function, (pc - code.start) as usize)
}

/// `file:line` of the original program.
fn source_line(module: &Module, function: &Function, instruction: usize) -> Option<String> {
    let line = function.source_lines.get(instruction).copied().flatten()?;
    let file = module.source_files.iter().find(|(number, _)| *number == line.file);
    Some(format!("{}:{}", file.map_or("?", |(_, name)| name.as_str()), line.line))
}

/// Where an instruction is, for reports that speak of no single thread.
pub(crate) fn describe(engine: &Engine<'_>, pc: u32) -> String {
    let (function, instruction) = static_place(engine, pc);
    let module = &engine.program.module;
    let place = function.places.get(instruction).copied().unwrap_or_default();
    let text = function.instructions.get(instruction).map_or("ret".to_owned(), |i| mnemonic(&i.operation));
    let source =
        source_line(module, function, instruction).map_or(String::new(), |line| format!(" (from {line})"));
    format!("{}:{}:{}{source}: {text}", module.file, place.line, place.column)
}
