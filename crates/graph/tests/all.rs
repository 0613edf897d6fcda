//! Graphs: readers, generators, transforms, metrics. One binary, because each further one costs the time of a link.

mod common;
mod generators;
mod generators_structured;
mod hostile_binary;
mod hostile_text;
mod metrics;
mod read_ambiguous;
mod read_text;
mod real_graphs;
mod round_trip;
mod rows;
mod surrogates;
mod taxonomy;
mod transforms;
mod web_graphs;
