//! A launch before its first instruction.

use super::access::WarpAccess;
use super::block::Shape;
use super::check::check;
use super::engine::{Engine, Printed};
use super::stacks::Stacks;
use super::{InstructionCount, LaunchError, LaunchRequest};
use heddle_image::Hint;

/// Checks a launch and puts together what its warps share. `cores` is what programs are told of.
pub(crate) fn prepare(request: LaunchRequest<'_>, cores: u32) -> Result<(Engine<'_>, Shape), LaunchError> {
    let module = &request.program.module;
    let number = request.kernel.0 as usize;
    let refused = |kernel: &str, problem: String| LaunchError::Refused { kernel: kernel.to_owned(), problem };
    let code = request.program.kernels.get(number).and_then(Option::as_ref);
    let (Some(code), Some(kernel)) = (code, module.functions.get(number)) else {
        return Err(refused("?", "it is not a kernel".to_owned()));
    };
    let shared_bytes = check(&request, code, kernel).map_err(|problem| refused(&kernel.name, problem))?;
    let shape = Shape {
        grid: request.grid,
        block: request.block,
        grid_id: request.grid_id,
        shared_bytes,
        dynamic_shared: request.dynamic_shared,
        spare_rows: 0,
        cores,
    };
    // A launch that failed may have left some.
    request.image.release_retired(|_| false);
    let stacks = Stacks::new(request.image.free_bytes());
    let uninitialised_before = request.image.uninitialised_reads();
    let engine = Engine {
        program: request.program,
        kernel: request.kernel,
        code,
        image: request.image,
        parameters: request.parameters,
        textures: request.textures,
        hints: vec![Hint::default(); code.accesses.len()],
        counts: vec![InstructionCount::default(); code.operations.len() + 1],
        generic_counts: vec![Default::default(); code.accesses.len()],
        uninitialised: None,
        uninitialised_before,
        access: WarpAccess::default(),
        printed: Printed::default(),
        count_sectors: false,
        performs_later: false,
        stacks,
        executed: 0,
        limit: u64::MAX,
        interrupt: None,
        clock: None,
    };
    Ok((engine, shape))
}
