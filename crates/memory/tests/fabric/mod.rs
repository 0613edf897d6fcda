//! The memory system in time, driven by cores that only ask.

mod agents;
mod capture;
mod classes;
mod conservation;
mod driver;
mod latency;
mod launches;
mod links;
mod machines;
mod replay;
mod saturation;
mod shapes;
