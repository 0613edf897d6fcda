//! The library: every algorithm × implementation, as kernels and a host driver.
//!
//! A [`Workload`] is data: its name, the problem it solves, where it comes from, its PTX files, its settings
//! and its *driver*, a function that allocates buffers, launches kernels until the work is done and gives the
//! [`Answer`] it reads back. [`run`] prepares the graph, calls the driver on any
//! [`Device`](heddle_device::Device), and judges the answer against the reference on every run: no driver can
//! forget to.
//!
//! # Adding a workload
//!
//! One file with a `WORKLOAD` constant and its driver in the problem's folder, one line in
//! [`registry::WORKLOADS`], and a test of its defining property in counted behaviour
//! (`tests/defining_properties/`, one file per problem: what the launches of a run counted, compared with those
//! of its siblings on the same graph). The test over all workloads and graphs finds it by itself.

mod answer;
mod arguments;
pub mod bc;
pub mod bfs;
mod bit_vector;
pub mod cc;
pub mod colouring;
mod error;
mod flags;
mod lonestar;
pub mod matrix;
pub mod mis;
pub mod mst;
mod outcome;
pub mod pagerank;
mod prepare;
pub mod registry;
mod run;
mod session;
mod settings;
pub mod sssp;
pub mod stcon;
mod warp_centric;
pub mod wcc;
mod workload;

pub use answer::{Answer, judge};
pub use error::WorkloadError;
pub use outcome::{Done, Iteration, LaunchRecord, Outcome, RegionRecord, Unfinished};
pub use run::{RunOptions, attempt, run};
pub use session::Session;
pub use settings::{Setting, Settings};
pub use workload::{KernelFile, Problem, Workload};

/// A PTX file of `kernels/`, embedded.
macro_rules! kernel_file {
    ($path:literal) => {
        $crate::library::KernelFile {
            file: concat!("kernels/", $path),
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../kernels/", $path)),
        }
    };
}
pub(crate) use kernel_file;
