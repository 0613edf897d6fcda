//! The claims of the source documents beside what we measure.
//!
//! ```text
//! claims/claims.tsv ─ published ─┐
//! claims/evaluation ─ evaluation ┼─ book ─ judge ─ ledger ─ page, JSON, records/SCALE/ledger.tsv ─ summary in README
//! claims/causes.toml ────────────┘          │
//! records of an experiment ─ observations ──┘
//!   needed: which points; recorded: those of records/SCALE/points.jsonl.gz
//! ```
//!
//! A claim is an expression over the results of an experiment, in a data file; the band within which ours agrees comes
//! from the table of claims alone.

pub mod band;
pub mod book;
pub mod error;
pub mod evaluation;
pub mod expression;
pub mod judge;
pub mod ledger;
pub mod needed;
pub mod observations;
pub mod published;
pub mod recorded;
pub mod summary;
pub mod words;
