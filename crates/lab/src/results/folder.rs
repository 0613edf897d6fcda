//! The folder of an experiment's results: each file whole or absent, and the same bytes for the same rows.

use super::build::Tables;
use super::csv_file::{write_columns, write_rows};
use super::error::ResultsError;
use super::{About, parquet_file};
use heddle_graph::write::whole_file;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

/// The files of the folder. The first is written last: where it is, the others are.
pub const FILES: [&str; 5] = ["runs.parquet", "launches.parquet", "runs.csv", "launches.csv", "columns.csv"];

/// Writes the tables of an experiment into `folder/NAME`, which is made if need be; gives that folder.
pub fn write_folder(folder: &Path, about: &About, tables: &Tables) -> Result<PathBuf, ResultsError> {
    let folder = folder.join(&about.experiment);
    fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
    let put = |name: &str, fill: &dyn Fn(&mut BufWriter<&mut File>) -> io::Result<()>| {
        let path = folder.join(name);
        let written: io::Result<()> = whole_file(&path, |file| {
            let mut file = BufWriter::new(file);
            fill(&mut file).and_then(|()| file.flush())
        });
        written.map_err(|error| failed(&path, &error))
    };
    let Tables { runs, launches } = tables;
    put("columns.csv", &|file| file.write_all(write_columns(&[runs, launches]).as_bytes()))?;
    let in_bytes = |table| {
        parquet_file::to_bytes(table, about)
            .map_err(|error| ResultsError::at_path(&folder, error.to_string()))
    };
    // Text and columns are made side by side.
    let [of_launches, of_runs] = thread::scope(|scope| {
        let columns =
            scope.spawn(|| -> Result<_, ResultsError> { Ok([in_bytes(launches)?, in_bytes(runs)?]) });
        put("launches.csv", &|file| write_rows(launches, file))?;
        put("runs.csv", &|file| write_rows(runs, file))?;
        columns.join().unwrap_or_else(|panic| resume_unwind(panic))
    })?;
    put("launches.parquet", &|file| file.write_all(&of_launches))?;
    put("runs.parquet", &|file| file.write_all(&of_runs))?;
    Ok(folder)
}

fn failed(path: &Path, error: &io::Error) -> ResultsError {
    ResultsError::of_system(path, error)
        .with_help("free some room or name another folder and start again; nothing that was finished is lost")
}
