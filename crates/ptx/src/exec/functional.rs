//! The functional machine.

use super::conclude::report;
use super::grid::run_grid;
use super::prepare::prepare;
use super::warp::sum_up;
use super::{LaunchError, LaunchReport, LaunchRequest, Machine};

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
        let (mut engine, shape) = prepare(request, CORES)?;
        engine.count_sectors = self.count_sectors;
        engine.limit = self.instruction_limit.unwrap_or(u64::MAX);
        run_grid(&mut engine, &shape, self.resident_blocks.unwrap_or(u64::MAX).max(1))?;
        sum_up(&mut engine.counts);
        Ok(report(engine, &shape))
    }
}
