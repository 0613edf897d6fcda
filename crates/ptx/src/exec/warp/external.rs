//! Calls of functions that the machine provides.

use super::run::Run;
use super::{Frame, Group, Warp};
use crate::exec::access::{Fault, Problem};
use crate::exec::external::{self, ExternalCall, Failure, FailureKind, MAX_ARGUMENTS, Reply};
use crate::exec::lanes::{LANES, Mask};
use crate::exec::{CallCode, KernelCode, Passed};

impl Run<'_, '_> {
    /// Calls the function for the lanes of `active`, and gives them its reply at once.
    pub(super) fn call_external(
        &mut self,
        group: &Group,
        active: Mask,
        number: u32,
    ) -> Result<(), Box<Fault>> {
        let code = self.engine.code;
        let CallCode::External { number, arguments, result } = &code.calls[number as usize] else {
            return Ok(());
        };
        let frame = group.frame();
        let mut call = ExternalCall {
            mask: active,
            arguments: self.warp.arguments(code, arguments, frame),
            image: self.engine.image,
            shared: &self.shared.bytes,
            local: &self.warp.local,
            local_end: u64::from(frame.local_end),
            printed: &mut self.engine.printed,
        };
        let reply = external::REGISTRY[*number].call(&mut call).map_err(fault_of)?;
        if !self.engine.performs_later {
            self.engine.image.release_retired(|_| false);
        }
        self.warp.take_results(code, *result, frame, active, &reply);
        reply.write(self.shared);
        Ok(())
    }
}

/// The fault of a call that could not be done.
pub(crate) fn fault_of(failure: Failure) -> Box<Fault> {
    let problem = match failure.problem {
        FailureKind::Stopped(text) => Problem::Trap(text),
        FailureKind::Access(error) => Problem::Access(error),
        FailureKind::Undefined(text) => Problem::Undefined(text),
        FailureKind::Exhausted(text) => Problem::Exhausted(text),
    };
    Box::new(Fault { lane: failure.lane, problem })
}

impl Warp {
    /// The arguments of a call, by position and lane.
    pub(crate) fn arguments(
        &mut self,
        code: &KernelCode,
        arguments: &[(Passed, u32)],
        frame: Frame,
    ) -> [[u64; LANES]; MAX_ARGUMENTS] {
        let mut values = [[0; LANES]; MAX_ARGUMENTS];
        for (values, &(from, bytes)) in values.iter_mut().zip(arguments) {
            *values = self.passed(code, from, bytes, frame);
        }
        values
    }

    /// Passes the results of a call to its lanes.
    pub(crate) fn take_results(
        &mut self,
        code: &KernelCode,
        result: Option<(Passed, u32)>,
        frame: Frame,
        lanes: Mask,
        reply: &Reply,
    ) {
        if let Some((to, bytes)) = result {
            self.pass(code, to, bytes, frame, lanes, &reply.results);
        }
    }
}
