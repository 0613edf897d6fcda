//! The state of a program before a launch, which points that differ in their machine alone begin with.
//!
//! A point that simulates one launch in time needs the launches before it for their effect on memory, and those behind
//! it for the answer, which is judged. Neither knows of the machine. So a run without time ([`FunctionalRun`]), which says
//! which launch is chosen and whose answer is judged, keeps a copy of memory before that launch and a digest of memory
//! behind it. A point simulates the launch on such a copy. If it leaves memory as the launch without time did, then the
//! rest of the program, and its answer, are those of that run. If not, because warps race, the launches behind it are
//! executed from what it left, and the answer is judged anew.

use super::kept::TakesMemory;
use crate::select::{LaunchChoice, LaunchSize};
use heddle_device::{Dimensions, LaunchError, LaunchReport, Machine, Texture};
use heddle_gpu::LaunchSet;
use heddle_image::Image;
use heddle_ptx::exec::{Functional, LaunchRequest, Program};
use heddle_ptx::ir::FunctionId;
use heddle_workloads::library::{Answer, LaunchRecord, Outcome};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::rc::Rc;

/// A run without time.
#[derive(Debug)]
pub(super) struct FunctionalRun {
    pub(super) outcome: Outcome,
    /// Of its launches.
    pub(super) sizes: Vec<LaunchSize>,
    /// Before the chosen launch, if there is one alone.
    pub(super) checkpoint: Option<Checkpoint>,
}

impl TakesMemory for FunctionalRun {
    fn bytes(&self) -> u64 {
        let image = self.checkpoint.as_ref().map(|checkpoint| &checkpoint.before);
        let regions = image.map_or(0, |image| image.regions().iter().map(|region| region.length()).sum());
        let launches: u64 = self.outcome.launches.iter().map(launch_bytes).sum();
        regions + launches + answer_bytes(&self.outcome.answer) + size_of_val(&self.sizes[..]) as u64
    }
}

/// Most of a launch is how often each of its instructions was executed.
fn launch_bytes(launch: &LaunchRecord) -> u64 {
    let counts = launch.report.instructions.iter().map(|counts| size_of_val(&counts[..]));
    (size_of::<LaunchRecord>() + counts.sum::<usize>() + launch.report.printed.len()) as u64
}

fn answer_bytes(answer: &Answer) -> u64 {
    let bytes = match answer {
        Answer::Depths(values)
        | Answer::Distances(values)
        | Answer::Colours(values)
        | Answer::Labels(values) => size_of_val(&values[..]),
        Answer::Set(values) => size_of_val(&values[..]),
        Answer::Forest(edges) => size_of_val(&edges[..]),
        Answer::Path(path) => path.as_deref().map_or(0, size_of_val),
        Answer::Ranks { ranks, .. } => size_of_val(&ranks[..]),
        Answer::Centrality { values, .. } => size_of_val(&values[..]),
    };
    bytes as u64
}

/// A launch, with memory before it.
#[derive(Debug)]
pub(super) struct Checkpoint {
    /// The launch's number, from 0.
    pub(super) number: u64,
    before: Image,
    /// Digest of memory behind the launch, executed without time.
    after: [u8; 32],
    program: Program,
    kernel: FunctionId,
    grid: Dimensions,
    block: Dimensions,
    dynamic_shared: u32,
    parameters: Vec<u8>,
    textures: Vec<(u64, Texture)>,
    grid_id: u64,
}

impl Checkpoint {
    /// Of a launch that is about to be executed.
    fn before(number: u64, request: &LaunchRequest<'_>) -> Checkpoint {
        let &LaunchRequest { kernel, grid, block, dynamic_shared, grid_id, .. } = request;
        Checkpoint {
            number,
            before: request.image.clone(),
            after: [0; 32],
            program: request.program.clone(),
            kernel,
            grid,
            block,
            dynamic_shared,
            parameters: request.parameters.to_vec(),
            textures: request.textures.to_vec(),
            grid_id,
        }
    }

    /// A copy of memory before the launch.
    pub(super) fn image(&self) -> Image {
        self.before.clone()
    }

    /// The launch, on a copy of memory.
    pub(super) fn request<'a>(&'a self, image: &'a mut Image) -> LaunchRequest<'a> {
        LaunchRequest {
            image,
            program: &self.program,
            kernel: self.kernel,
            grid: self.grid,
            block: self.block,
            dynamic_shared: self.dynamic_shared,
            parameters: &self.parameters,
            textures: &self.textures,
            grid_id: self.grid_id,
        }
    }

    /// The same, but nothing leaves memory as this one expects.
    #[cfg(test)]
    pub(super) fn followed_by_nothing(self) -> Checkpoint {
        Checkpoint { after: [0; 32], ..self }
    }

    /// Whether a launch has left memory as it does without time.
    pub(super) fn is_followed_by(&self, image: &Image) -> bool {
        digest(image) == self.after
    }
}

fn digest(image: &Image) -> [u8; 32] {
    let mut hash = Sha256::new();
    image.show(|bytes| hash.update(bytes));
    hash.finalize().into()
}

/// The checkpoint that a run leaves.
pub(super) type Left = Rc<RefCell<Option<Checkpoint>>>;

/// A machine without time that keeps a checkpoint before the launch that would be chosen if there were no more.
#[derive(Debug)]
pub(super) struct Recorder {
    functional: Functional,
    choice: LaunchChoice,
    sizes: Vec<LaunchSize>,
    left: Left,
}

impl Recorder {
    pub(super) fn new(functional: Functional, choice: &LaunchChoice) -> Recorder {
        Recorder { functional, choice: choice.clone(), sizes: Vec::new(), left: Left::default() }
    }

    /// Where it keeps the checkpoint.
    pub(super) fn left(&self) -> Left {
        Rc::clone(&self.left)
    }
}

impl Machine for Recorder {
    fn launch(&mut self, request: LaunchRequest<'_>) -> Result<LaunchReport, LaunchError> {
        let number = self.sizes.len() as u64;
        let function = request.program.module.functions.get(request.kernel.0 as usize);
        let may_be_chosen = match (self.choice.kernel(), function) {
            (Some(kernel), Some(function)) => function.name == kernel,
            _ => true,
        };
        let checkpoint = may_be_chosen.then(|| Checkpoint::before(number, &request));
        let LaunchRequest { image, program, kernel, grid, block, .. } = request;
        let LaunchRequest { dynamic_shared, parameters, textures, grid_id, .. } = request;
        let image: &mut Image = image;
        let report = self.functional.launch(LaunchRequest {
            image: &mut *image,
            program,
            kernel,
            grid,
            block,
            dynamic_shared,
            parameters,
            textures,
            grid_id,
        })?;
        let warp_instructions = report.warp_instructions;
        self.sizes.push(LaunchSize { kernel: report.kernel.clone(), warp_instructions });
        if let Some(checkpoint) = checkpoint
            && self.choice.choose(&self.sizes) == LaunchSet::from(number..number + 1)
        {
            *self.left.borrow_mut() = Some(Checkpoint { after: digest(image), ..checkpoint });
        }
        Ok(report)
    }
}

/// A machine without time for which one launch was executed elsewhere.
#[derive(Debug)]
pub(super) struct Resumed {
    functional: Functional,
    launches: u64,
    /// The launch's number, what it left of memory, and its report.
    number: u64,
    elsewhere: Option<(Image, LaunchReport)>,
}

impl Resumed {
    pub(super) fn new(functional: Functional, number: u64, image: Image, report: LaunchReport) -> Resumed {
        Resumed { functional, launches: 0, number, elsewhere: Some((image, report)) }
    }
}

impl Machine for Resumed {
    fn launch(&mut self, request: LaunchRequest<'_>) -> Result<LaunchReport, LaunchError> {
        let number = self.launches;
        self.launches += 1;
        match self.elsewhere.take_if(|_| number == self.number) {
            Some((image, report)) => {
                *request.image = image;
                Ok(report)
            }
            None => self.functional.launch(request),
        }
    }
}
