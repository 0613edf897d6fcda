//! The functional machine.

use super::{LaunchError, LaunchReport, LaunchRequest, Machine};

/// Names of the external functions that the machine provides.
pub const EXTERNALS: &[&str] = &["vprintf", "__assertfail", "malloc", "free"];

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

impl Machine for Functional {
    fn launch(&mut self, request: LaunchRequest<'_>) -> Result<LaunchReport, LaunchError> {
        let _ = request;
        Err(LaunchError::Refused { kernel: String::new(), problem: String::new() })
    }
}
