//! Graphs for simulated graph analytics.
//!
//! The folders read as the data flow:
//!
//! - [`read`] and [`generate`] produce arcs (and [`surrogate`] names the recipes that stand in for the
//!   published inputs);
//! - [`build`] turns arcs into compressed sparse rows ([`Csr`], held by a [`Graph`]);
//! - [`transform`] makes a graph into another one, and says what it did;
//! - [`metrics`] describes the structure: degrees, components, depth, diameter, taxonomy;
//! - [`write`](mod@write) puts a graph into a file of another format.
//!
//! Nothing here prints, reads the clock or draws unseeded random numbers: the same input gives the same
//! graph to the bit, on any host and with any number of threads.

pub mod arcs;
pub mod build;
pub mod csr;
pub mod error;
pub mod format;
pub mod generate;
pub mod graph;
mod lazy;
pub mod limits;
pub mod metrics;
pub mod progress;
pub mod read;
pub mod source;
pub mod surrogate;
pub mod transform;
pub mod write;

pub use arcs::{ArcList, ArcSegment};
pub use csr::{Csr, Vertex, Weight};
pub use error::GraphError;
pub use format::Format;
pub use graph::Graph;
