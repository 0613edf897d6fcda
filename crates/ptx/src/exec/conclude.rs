//! The report of a launch that has ended.

use super::block::Shape;
use super::classes::class_counts;
use super::engine::Engine;
use super::place::thread_place;
use super::{InstructionCount, Kind, LaunchReport, Notice};

/// What the launch did; its counts are complete.
pub(crate) fn report(engine: Engine<'_>, shape: &Shape) -> LaunchReport {
    engine.image.release_retired(|_| false);
    let uninitialised = engine.image.uninitialised_reads() - engine.uninitialised_before;
    let module = &engine.program.module;
    let mut instructions = vec![Vec::new(); module.functions.len()];
    for function in &engine.code.functions {
        let start = function.start as usize;
        let count = module.functions[function.id.0 as usize].instructions.len();
        instructions[function.id.0 as usize] = engine.counts[start..start + count].to_vec();
    }
    let total = |count: fn(&InstructionCount) -> u64| instructions.iter().flatten().map(count).sum();
    LaunchReport {
        kernel: module.functions[engine.kernel.0 as usize].name.clone(),
        grid: shape.grid,
        block: shape.block,
        warp_instructions: total(|count| count.warps),
        lane_instructions: total(|count| count.lanes),
        classes: class_counts(&engine),
        notices: notices(&engine, uninitialised),
        instructions,
        printed: engine.printed.text,
    }
}

fn notices(engine: &Engine<'_>, uninitialised: u64) -> Vec<Notice> {
    let mut notices = Vec::new();
    if let Some(first) = &engine.uninitialised {
        let is_it = |kind: &Kind| matches!(kind, Kind::Access(number) if *number == first.access);
        let pc =
            engine.code.operations.iter().position(|operation| is_it(&operation.kind)).unwrap_or_default();
        let at = thread_place(engine, pc as u32, first.block, first.thread);
        let name = engine.image.region(first.region).name();
        let text = format!("bytes of '{name}' were read that nobody had written; first by {at}");
        notices.push(Notice { text, count: uninitialised });
    }
    if engine.printed.dropped > 0 {
        let text = "bytes of output were dropped, as the program printed too much".to_owned();
        notices.push(Notice { text, count: engine.printed.dropped });
    }
    notices
}
