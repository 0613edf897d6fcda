//! Reference answers, workloads, launch plans. One binary, because each further one costs the time of a link.

mod answers;
mod defining_properties;
mod matrix;
mod plan;
mod real_graphs;
