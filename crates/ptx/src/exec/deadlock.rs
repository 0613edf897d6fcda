//! Who waits for what, when nothing can go on.

use super::LaunchError;
use super::block::{Block, Shape};
use super::engine::Engine;
use super::place::describe;
use super::warp::{Group, State};

/// Lines of the report; further waiting groups are only counted.
const LINES: usize = 24;

/// The error for a launch in which no resident block can go on.
pub(crate) fn deadlock(engine: &Engine<'_>, shape: &Shape, resident: &[Block], started: u64) -> LaunchError {
    let mut lines: Vec<String> = Vec::new();
    let mut more = 0u64;
    for block in resident {
        for (number, warp) in block.warps.iter().enumerate() {
            for group in &warp.groups {
                if lines.len() < LINES {
                    lines.push(line(engine, block, number, group));
                } else {
                    more += 1;
                }
            }
        }
    }
    if more > 0 {
        lines.push(format!("  and {more} more groups of threads"));
    }
    let blocks = shape.grid.count();
    if started < blocks {
        let (resident, waiting) = (resident.len(), blocks - started);
        lines.push(format!(
            "  {waiting} of {blocks} blocks have not started, because only {resident} blocks are resident at \
             once: a barrier among all blocks of a grid completes only if all of them are resident"
        ));
    }
    let kernel = engine.program.module.functions[engine.kernel.0 as usize].name.clone();
    LaunchError::Deadlock { kernel, waiting: lines.join("\n") }
}

fn line(engine: &Engine<'_>, block: &Block, warp: usize, group: &Group) -> String {
    let place = group.place();
    let [x, y, z] = block.index;
    let lanes = if place.mask.count_ones() == 32 {
        "all lanes".to_owned()
    } else {
        format!("lanes {:#010x}", place.mask)
    };
    let what = match group.state {
        State::Barrier(number) => {
            let barrier = block.barriers.in_use().find(|(known, _)| *known == number);
            let live = block.warps.iter().map(|warp| warp.live);
            let (arrived, expected) = barrier.map_or((0, 0), |(_, barrier)| barrier.progress(live));
            format!("wait at barrier {number}, where {arrived} of {expected} threads have arrived")
        }
        State::Collective => {
            let lane = place.mask.trailing_zeros() as usize & 31;
            let missing = group.members[lane] & block.warps[warp].live & !place.mask;
            format!("wait for lanes {missing:#010x} of their warp")
        }
        State::Spinning(_) | State::Ready => {
            format!("repeat the same loop{}", group.polled.map_or(String::new(), |at| polled(engine, at)))
        }
    };
    format!("  block ({x}, {y}, {z}), warp {warp}, {lanes}: {what}, at {}", describe(engine, place.pc))
}

/// What a loop reads again and again.
fn polled(engine: &Engine<'_>, address: u64) -> String {
    let region = engine.image.region_at(address).map(|id| engine.image.region(id));
    let place = region.map_or(String::new(), |region| {
        format!(", byte {} of '{}'", address.wrapping_sub(region.start()), region.name())
    });
    format!(", which reads {address:#x}{place}")
}
