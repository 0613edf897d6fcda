//! Why a workload did not give a right answer.

use heddle_device::DeviceError;
use thiserror::Error;

/// Why a workload did not give a right answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WorkloadError {
    /// The device refused or failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The answer is wrong: a defect of the workload or of the machine.
    #[error("the answer of {problem} is wrong: {error}")]
    Wrong {
        /// The problem.
        problem: &'static str,
        /// What the checker found first.
        error: String,
    },
    /// The workload cannot be run on this graph.
    #[error("{workload} cannot run on this graph: {problem}")]
    Graph {
        /// The workload.
        workload: &'static str,
        /// Why.
        problem: String,
    },
    /// A setting or a vertex that the user named is not possible.
    #[error("{0}")]
    Setting(String),
    /// The driver's loop did not end in as many iterations as can be needed.
    #[error("{workload} did not finish within {iterations} iterations")]
    Endless {
        /// The workload.
        workload: &'static str,
        /// The bound.
        iterations: u64,
    },
}
