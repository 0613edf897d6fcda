//! The memory system in time, driven by cores that only ask.

mod conservation;
mod driver;
mod machines;
