//! `__assertfail(message, file, line, function, character size)`: what a failed `assert` calls.

use super::{External, ExternalCall, Failure, FailureKind, Reply};

/// The function.
pub(super) struct AssertFail;

impl External for AssertFail {
    fn name(&self) -> &'static str {
        "__assertfail"
    }

    fn call(&self, call: &mut ExternalCall<'_>) -> Result<Reply, Failure> {
        let Some(lane) = call.lanes().next() else { return Ok(Reply::default()) };
        let text = |position: usize| -> Result<String, Failure> {
            let address = call.arguments[position][lane];
            if address == 0 {
                return Ok("?".to_owned());
            }
            Ok(String::from_utf8_lossy(&call.string(lane, address)?).into_owned())
        };
        let (message, file, function) = (text(0)?, text(1)?, text(3)?);
        let line = call.arguments[2][lane] as u32;
        let problem = format!("{file}:{line}: {function}: assertion `{message}` failed");
        Err(Failure { lane: lane as u32, problem: FailureKind::Stopped(problem) })
    }
}
