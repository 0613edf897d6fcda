//! What every simulated machine needs and no hardware: time, clocks, events, units, counters.
//!
//! - [`time`]: ticks of a machine and the cycles of its clock domains, exact for any set of frequencies;
//! - [`wheel`]: the event queue, ordered by time and then by rule;
//! - [`counters!`]: statistics that are declared once, with unit and description, and are plain integers;
//! - [`fetch_ahead()`]: a hint to the host about the memory that will be used soon;
//! - [`divisor`]: division by a number that is known beforehand;
//! - [`units`]: sizes, frequencies, bandwidths as users write them;
//! - [`nesting`]: how deep the keys of a TOML text lie;
//! - [`slab`]: numbered places for things that come and go;
//! - [`random`]: the one source of pseudo-random decisions.

pub mod counters;
pub mod divisor;
pub mod fetch_ahead;
pub mod nesting;
pub mod random;
pub mod slab;
pub mod time;
pub mod units;
pub mod wheel;

pub use counters::{Catalogue, CounterGroup, Declaration, Meaning, Statistics};
pub use divisor::Divisor;
pub use fetch_ahead::fetch_ahead;
pub use random::Random;
pub use slab::Slab;
pub use time::{Clock, Cycle, Tick, TimeBase, TimeError};
pub use wheel::{Order, Wheel};
