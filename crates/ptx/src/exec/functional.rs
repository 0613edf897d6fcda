//! The functional machine.

use super::conclude::report;
use super::grid::run_grid;
use super::prepare::prepare;
use super::warp::sum_up;
use super::{LaunchError, LaunchReport, LaunchRequest, Machine};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
    /// Raised by whoever wants a launch to end where it is.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// What a launch that was interrupted had done until then.
    pub cut_off: Rc<RefCell<Option<LaunchReport>>>,
}

/// `%nsmid` of a machine without cores.
const CORES: u32 = 1;

impl Machine for Functional {
    fn launch(&mut self, request: LaunchRequest<'_>) -> Result<LaunchReport, LaunchError> {
        let (mut engine, shape) = prepare(request, CORES)?;
        engine.count_sectors = self.count_sectors;
        engine.limit = self.instruction_limit.unwrap_or(u64::MAX);
        engine.interrupt = self.interrupt.clone();
        let resident = self.resident_blocks.unwrap_or(u64::MAX).max(1);
        let interrupted = match run_grid(&mut engine, &shape, resident) {
            Ok(()) => None,
            Err(error @ LaunchError::Interrupted { .. }) => Some(error),
            Err(error) => return Err(error),
        };
        sum_up(&mut engine.counts);
        let report = report(engine, &shape);
        let Some(interrupted) = interrupted else { return Ok(report) };
        *self.cut_off.borrow_mut() = Some(report);
        Err(interrupted)
    }
}
