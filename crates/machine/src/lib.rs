//! Machine files: text → inheritance → mechanisms → settings → a checked description of a machine.
//!
//! ```text
//! machines/fermi.toml ─┐ inherits    --with obm     --set l1.size=16KiB
//! my-machine.toml ─────┴─ tree ───────┴─ patch ──────┴──────── decode ─ check ─▶ Resolved
//! ```
//!
//! - [`Machine::named`] takes a preset of `machines/` or the path of a file, [`Machine::with`] mechanisms,
//!   [`Machine::set`] single keys; [`Machine::resolve`] gives the [`Resolved`] GPU, [`Machine::resolve_any`] the
//!   machine of whatever [`MachineKind`] it is;
//! - every value knows the file, line and column (or the `--set`) that it comes from, and every complaint names
//!   them, with the key and the nearest known one;
//! - [`named_dram`] reads DRAM parts in the same way, or takes the DRAM of a machine;
//! - [`Resolved::to_toml`] is the whole machine as a file, with a hash for provenance.
//!
//! `docs/machines.md` is the users' page.

mod blame;
mod check;
mod common;
mod cost;
mod decode;
mod derived;
mod emit;
mod error;
mod explain;
mod fit;
mod hash;
mod kind;
mod layer;
mod limits;
mod lists;
mod machine;
mod mechanism;
mod nearest;
mod origin;
mod pairs;
mod part;
mod presets;
mod roles;
mod setting;
mod tree;
mod zero_load;

pub use check::check_likes;
pub use cost::{HARDWARE_DETECTED, LevelCost, MechanismCost, added_bits, cache_bits, mechanism_cost};
pub use derived::{Derived, LevelFigures, MemoryFigures, derived, memory_figures};
pub use error::MachineError;
pub use explain::{Parameter, ParameterOrigin, parameters};
pub use hash::fnv1a;
pub use kind::{MachineKind, MachineSpec, MemorySpec, RequesterSpec};
pub use machine::{Machine, Resolved, presets};
pub use mechanism::{Conflict, Mechanism, mechanisms};
pub use nearest::nearest_path;
pub use origin::Origin;
pub use pairs::{Pair, Pairs, pairs};
pub use part::{NamedDram, named_dram};
pub use zero_load::{zero_load, zero_load_of};
