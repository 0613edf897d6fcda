//! The folder of an experiment's results: each file whole or absent, and the same bytes for the same rows.

use super::build::Tables;
use super::csv_file::{write_columns, write_csv};
use super::error::ResultsError;
use super::{About, parquet_file};
use heddle_graph::write::whole_file;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The files of the folder. The first is written last: where it is, the others are.
pub const FILES: [&str; 5] = ["runs.parquet", "launches.parquet", "runs.csv", "launches.csv", "columns.csv"];

/// Writes the tables of an experiment into `folder/NAME`, which is made if need be; gives that folder.
pub fn write_folder(folder: &Path, about: &About, tables: &Tables) -> Result<PathBuf, ResultsError> {
    let folder = folder.join(&about.experiment);
    fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
    let parquet = |table| {
        parquet_file::to_bytes(table, about)
            .map_err(|error| ResultsError::at_path(&folder, error.to_string()))
    };
    let files = [
        ("columns.csv", write_columns(&[&tables.runs, &tables.launches]).into_bytes()),
        ("launches.csv", write_csv(&tables.launches).into_bytes()),
        ("runs.csv", write_csv(&tables.runs).into_bytes()),
        ("launches.parquet", parquet(&tables.launches)?),
        ("runs.parquet", parquet(&tables.runs)?),
    ];
    for (name, bytes) in files {
        let path = folder.join(name);
        let written: io::Result<()> = whole_file(&path, |file| file.write_all(&bytes));
        written.map_err(|error| failed(&path, &error))?;
    }
    Ok(folder)
}

fn failed(path: &Path, error: &io::Error) -> ResultsError {
    ResultsError::of_system(path, error)
        .with_help("free some room or name another folder and start again; nothing that was finished is lost")
}
