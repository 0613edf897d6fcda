//! The functional machine.

use super::access::WarpAccess;
use super::block::Shape;
use super::check::check;
use super::classes::class_counts;
use super::engine::{Engine, Printed};
use super::grid::run_grid;
use super::place::thread_place;
use super::warp::sum_up;
use super::{InstructionCount, Kind, LaunchError, LaunchReport, LaunchRequest, Machine, Notice};
use heddle_image::Hint;

/// Executes launches without any notion of time.
#[derive(Clone, Debug, Default)]
pub struct Functional {
    /// How many blocks are resident at once; all of them if absent. A program whose blocks wait for each other
    /// needs all of them resident.
    pub resident_blocks: Option<u64>,
    /// Warp instructions after which a launch is stopped.
    pub instruction_limit: Option<u64>,
    /// Count the sectors that global accesses touch.
    pub count_sectors: bool,
}

/// `%nsmid` of a machine without cores.
const CORES: u32 = 1;

impl Machine for Functional {
    fn launch(&mut self, request: LaunchRequest<'_>) -> Result<LaunchReport, LaunchError> {
        let module = &request.program.module;
        let number = request.kernel.0 as usize;
        let refused =
            |kernel: &str, problem: String| LaunchError::Refused { kernel: kernel.to_owned(), problem };
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
            cores: CORES,
        };
        let uninitialised_before = request.image.uninitialised_reads();
        let mut engine = Engine {
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
            access: WarpAccess::default(),
            printed: Printed::default(),
            count_sectors: self.count_sectors,
            executed: 0,
            limit: self.instruction_limit.unwrap_or(u64::MAX),
        };
        run_grid(&mut engine, &shape, self.resident_blocks.unwrap_or(u64::MAX).max(1))?;
        sum_up(&mut engine.counts);
        let uninitialised = engine.image.uninitialised_reads() - uninitialised_before;
        Ok(report(engine, &shape, uninitialised))
    }
}

fn report(engine: Engine<'_>, shape: &Shape, uninitialised: u64) -> LaunchReport {
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
