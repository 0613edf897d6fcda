//! What makes each workload itself, in counted behaviour: no two of them are one kernel under two names.

mod bc;
mod bfs;
mod colouring;
mod components;
mod counted;
mod mis;
mod mst;
mod pagerank;
mod siblings;
mod software_versions;
mod sssp;
mod stcon;
