//! Results in columns: records of an experiment become two tables, one row per run and one per launch that was
//! simulated in time, as Parquet and as tidy CSV; queries over them.
//!
//! ```text
//! records ─ build ─ Table ─┬─ parquet_file ─┬─ folder: DIR/NAME/runs.parquet, launches.csv, columns.csv …
//!                          └─ csv_file ─────┘       │
//!                                 query ◀── load ───┘
//! ```
//!
//! The same rows give the same bytes: order of columns by rule, order of rows by the experiment, no time stamps.

mod build;
mod cells;
mod csv_file;
mod error;
mod folder;
mod load;
mod meaning;
mod outline;
mod parquet_file;
pub mod query;
mod seal;
mod stream;
mod table;

pub use build::{Dictionary, Tables, TablesBuilder, tables};
pub use csv_file::write_csv;
pub use error::ResultsError;
pub use folder::{FILES, write_folder};
pub use load::{Loaded, load};
pub use meaning::Meaning;
pub use stream::{Each, write_records};
pub use table::{Column, Role, Table, TableKind, Values};

/// Version of the files' shape: what columns and metadata mean.
pub const SCHEMA: u32 = 1;

/// What an experiment says of itself in the files of its results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Its name, which is its folder's.
    pub experiment: String,
    /// The question that it answers.
    pub question: String,
}
