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
pub mod hash;
pub mod record;
