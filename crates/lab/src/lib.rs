//! The lab: an experiment file becomes points, points become records, records become tables, and tables judge the
//! published claims.
//!
//! ```text
//! experiment (TOML) ─ expand ─ points ─ runner ─ simulate ─ record ─ store ─┬─ results: Parquet, CSV, query
//!                                                                          └─ claims: expressions over results, ledger
//! ```
//!
//! Nothing here prints or reads the clock: the command gives the runner its clock and hears what happens.

pub mod claims;
mod embedded;
mod error;
pub mod experiment;
pub mod hash;
pub mod record;
pub mod results;
pub mod runner;
pub mod scale;
pub mod select;
pub mod simulate;
pub mod store;
pub mod sweep;

pub use error::LabError;
