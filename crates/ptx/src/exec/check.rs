//! Whether a launch is possible at all.

use super::{Dimensions, KernelCode, LaunchRequest};
use crate::ir::{Function, Tuning};

/// Threads of the largest block.
const MAX_THREADS: u64 = 1024;
/// Largest block along each axis.
const MAX_BLOCK: [u32; 3] = [1024, 1024, 64];
/// Shared memory of the largest block, in bytes.
const MAX_SHARED: u64 = 228 << 10;

/// Shared memory of the launch in bytes, or why it is impossible.
pub(crate) fn check(
    request: &LaunchRequest<'_>,
    code: &KernelCode,
    kernel: &Function,
) -> Result<u64, String> {
    let Dimensions { x, y, z } = request.block;
    if request.grid.count() == 0 {
        return Err(format!("a grid of {} has no blocks", text(request.grid)));
    }
    if request.block.count() == 0 {
        return Err(format!("a block of {} has no threads", text(request.block)));
    }
    let threads = request.block.count();
    if threads > MAX_THREADS || [x, y, z].iter().zip(MAX_BLOCK).any(|(size, most)| *size > most) {
        return Err(format!(
            "a block of {} has {threads} threads; {MAX_THREADS} are possible, at most {} × {} × {}",
            text(request.block),
            MAX_BLOCK[0],
            MAX_BLOCK[1],
            MAX_BLOCK[2]
        ));
    }
    check_tuning(request.block, &kernel.tuning)?;
    let shared = match request.dynamic_shared {
        0 => code.static_shared,
        dynamic => code.dynamic_shared_start.saturating_add(u64::from(dynamic)),
    };
    if shared > MAX_SHARED {
        return Err(format!(
            "it needs {shared} bytes of shared memory ({} static and {} dynamic); a block can have {MAX_SHARED}",
            code.static_shared, request.dynamic_shared
        ));
    }
    let frame = code.functions.first().map_or(0, |function| u64::from(function.frame_bytes));
    if frame > super::warp::LOCAL_LIMIT {
        return Err(format!(
            "it needs {frame} bytes of local memory; a thread has {}",
            super::warp::LOCAL_LIMIT
        ));
    }
    Ok(shared)
}

fn check_tuning(block: Dimensions, tuning: &Tuning) -> Result<(), String> {
    let given = [block.x, block.y, block.z];
    if let Some(required) = tuning.required_threads
        && required != given
    {
        let [x, y, z] = required;
        return Err(format!("a block of {}, where .reqntid requires {x} × {y} × {z}", text(block)));
    }
    let product = |sizes: [u32; 3]| sizes.iter().map(|&size| u64::from(size.max(1))).product::<u64>();
    if let Some(most) = tuning.max_threads
        && block.count() > product(most)
    {
        let (given, most) = (block.count(), product(most));
        return Err(format!("a block of {given} threads, where .maxntid allows {most}"));
    }
    Ok(())
}

fn text(dimensions: Dimensions) -> String {
    let Dimensions { x, y, z } = dimensions;
    format!("{x} × {y} × {z}")
}
