//! Calls of functions that the machine provides.

use super::Group;
use super::run::Run;
use crate::exec::CallCode;
use crate::exec::access::{Fault, Problem};
use crate::exec::external::{self, ExternalCall, MAX_ARGUMENTS};
use crate::exec::lanes::{LANES, Mask};

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
        let mut values = [[0; LANES]; MAX_ARGUMENTS];
        for (values, &(from, bytes)) in values.iter_mut().zip(arguments) {
            *values = self.warp.passed(code, from, bytes, frame);
        }
        let mut call = ExternalCall {
            mask: active,
            arguments: values,
            image: self.engine.image,
            shared: &self.shared.bytes,
            local: &self.warp.local,
            local_end: u64::from(frame.local_end),
            printed: &mut self.engine.printed,
        };
        let reply = external::REGISTRY[*number].call(&mut call).map_err(|failure| {
            let problem = match failure.problem {
                external::FailureKind::Stopped(text) => Problem::Trap(text),
                external::FailureKind::Access(error) => Problem::Access(error),
                external::FailureKind::Undefined(text) => Problem::Undefined(text),
                external::FailureKind::Exhausted(text) => Problem::Exhausted(text),
            };
            Box::new(Fault { lane: failure.lane, problem })
        })?;
        if !self.engine.performs_later {
            self.engine.image.release_retired(|_| false);
        }
        if let Some((to, bytes)) = *result {
            self.warp.pass(code, to, bytes, frame, active, &reply.results);
        }
        for write in &reply.shared {
            let start = write.offset as usize;
            if let Some(part) = self.shared.bytes.get_mut(start..start.saturating_add(write.bytes.len())) {
                self.shared.changes += u64::from(part != &write.bytes[..]);
                part.copy_from_slice(&write.bytes);
            }
        }
        Ok(())
    }
}
