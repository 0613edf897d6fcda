//! A grid: blocks in the order of their numbers, some of them at once.
//!
//! Blocks run one after the other, each to its end if nothing keeps it. One that waits for others stays
//! resident while the next ones start, up to the limit of resident blocks; then the resident ones take turns.
//! When none of them can go on, nothing ever will.

use super::block::{Block, FaultIn, Shape, Turn};
use super::deadlock::deadlock;
use super::engine::Engine;
use super::place::fault_error;
use super::{KernelCode, LaunchError};
use std::sync::atomic::Ordering;

/// Runs all blocks of a launch.
pub(crate) fn run_grid(
    engine: &mut Engine<'_>,
    shape: &Shape,
    resident_limit: u64,
) -> Result<(), LaunchError> {
    let blocks = shape.grid.count();
    let code: &KernelCode = engine.code;
    let mut next = 0;
    let mut resident: Vec<Block> = Vec::new();
    let mut spare: Vec<Block> = Vec::new();
    loop {
        // Start what can be started; a block that ends at once leaves its place to the next one.
        while next < blocks && (resident.len() as u64) < resident_limit {
            let mut block = match spare.pop() {
                Some(block) => block,
                None => {
                    engine.take_stacks(shape, 1)?;
                    Block::new(shape)
                }
            };
            block.start(shape, code, next);
            next += 1;
            match take_turn(engine, &mut block)? {
                Turn::Ended => spare.push(block),
                _ => resident.push(block),
            }
        }
        if resident.is_empty() {
            return Ok(());
        }
        let mut progress = false;
        let mut position = 0;
        while position < resident.len() {
            let block = &mut resident[position];
            if block.stuck_at == Some(engine.changes(&block.shared)) {
                position += 1;
                continue;
            }
            let before = engine.executed;
            let turn = take_turn(engine, block)?;
            progress |= engine.executed != before;
            if turn == Turn::Ended {
                spare.push(resident.remove(position));
                // Its place goes to the next block before others have their turn.
                if next < blocks {
                    break;
                }
            } else {
                position += 1;
            }
        }
        let can_start = next < blocks && (resident.len() as u64) < resident_limit;
        if !progress && !can_start && !resident.is_empty() {
            return Err(deadlock(engine, shape, &resident, next));
        }
    }
}

fn take_turn(engine: &mut Engine<'_>, block: &mut Block) -> Result<Turn, LaunchError> {
    let kernel = |engine: &Engine<'_>| engine.program.module.functions[engine.kernel.0 as usize].name.clone();
    if engine.interrupt.as_ref().is_some_and(|interrupt| interrupt.load(Ordering::Relaxed)) {
        let at = format!("warp instruction {}", engine.executed);
        return Err(LaunchError::Interrupted { kernel: kernel(engine), at });
    }
    match block.turn(engine) {
        Ok(Turn::Limit) => Err(LaunchError::Limit { kernel: kernel(engine), instructions: engine.limit }),
        Ok(turn) => Ok(turn),
        Err(FaultIn { warp, at }) => Err(fault_error(engine, block, warp, at)),
    }
}
