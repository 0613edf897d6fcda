//! Energy, power and area: counts of actions × a table of sourced figures, after the run.
//!
//! - [`Table`]: a file of figures, each with its source ([`load`] finds and reads them);
//! - [`price`]: the energy of a run from its statistics and its time alone, so that a finished run can be
//!   priced again with another table and without simulation;
//! - [`cover`]: the rule that says which statistics must have a price, so that nothing is forgotten silently;
//! - [`power_trace`]: power over time, whose integral by the trapezoidal rule is the counted energy;
//! - [`area`]: the cost of structures in bits, and in square millimetres by interpolation.
//!
//! Statistics are known by name only; no hardware is known here. Voltage and frequency scaling, temperature
//! over time and the power supply's losses are left out. docs/energy.md describes the files.

pub mod area;
pub mod cover;
mod error;
pub mod load;
mod model;
mod price;
mod quantity;
mod resolve;
mod table;
mod trace;

pub use error::EnergyError;
pub use price::{ComponentEnergy, Energy, EnergyRow, RowKind, Run, price};
pub use quantity::{Picojoules, Watts};
pub use table::{Action, Derivation, Fitted, Free, Share, Static, Table, component_of, fits};
pub use trace::{Agreement, PowerInterval, PowerPoint, PowerTrace, power_trace};
