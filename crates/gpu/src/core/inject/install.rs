//! What the hardware of a core has found joins the plan, between two cycles.

use super::{FoundLoop, InjectionPlan};
use crate::core::Core;
use crate::gpu_spec::GpuSpec;
use crate::statics::Statics;
use heddle_ptx::exec::LaunchError;
use heddle_ptx::exec::timed::Execution;

impl Core {
    /// The loop that the core has found in this cycle, if it has, becomes one that it knows. Where another core has found
    /// the same, both share its instructions, which are only a matter of the simulator: hardware has its own.
    pub(crate) fn install_found(
        &mut self,
        execution: &mut Execution<'_>,
        statics: &mut Statics,
        spec: &GpuSpec,
    ) -> Result<(), LaunchError> {
        let Some(injection) = &mut self.injection else { return Ok(()) };
        let Some(found) = injection.found.take() else { return Ok(()) };
        let number = match known(statics, &found) {
            Some(number) => number,
            None => InjectionPlan::add_found(execution, statics, spec, &found)?,
        };
        self.detected.loops += u64::from(number.is_some());
        if let (Some(number), Some(plan)) = (number, &statics.injection) {
            injection.known_loops |= 1 << number;
            injection.extend(plan);
        }
        Ok(())
    }
}

/// The number of a loop that was found before; none inside if it has nothing to prefetch.
fn known(statics: &Statics, found: &FoundLoop) -> Option<Option<usize>> {
    let plan = statics.injection.as_ref()?;
    plan.found.iter().find(|(_, other)| other == found).map(|(number, _)| *number)
}
