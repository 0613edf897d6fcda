//! What makes each workload itself, in counted behaviour: no two of them are one kernel under two names.

mod bfs;
mod counted;
mod siblings;
mod software_versions;
mod sssp;
mod stcon;
