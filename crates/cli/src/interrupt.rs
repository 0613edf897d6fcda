//! An interrupt ends a simulation where it is, so that what was measured can still be told; a second one ends the
//! command.

use crate::failure::Failure;
use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the user wants the simulation to end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on an interrupt is noted instead of ending the command.
    pub(crate) fn watch(&self) -> Result<(), Failure> {
        let failed = |error| Failure::new(format!("interrupts cannot be watched: {error}"));
        // In this order: the first interrupt finds the flag down, and raises it.
        flag::register_conditional_default(SIGINT, self.0.clone()).map_err(failed)?;
        flag::register(SIGINT, self.0.clone()).map_err(failed)?;
        Ok(())
    }

    /// The flag that an interrupt raises.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }

    /// Whether to go on.
    pub(crate) fn flow(&self) -> ControlFlow<()> {
        if self.0.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
