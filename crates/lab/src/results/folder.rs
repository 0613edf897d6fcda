//! The folder of an experiment's results: each file whole or absent, and the same bytes for the same rows.

use super::About;
use super::build::Tables;
use super::csv_file::{head, write_columns, write_rows};
use super::error::ResultsError;
use super::outline::Outline;
use super::parquet_file::{Writing, seal_file};
use super::table::{Table, TableKind, Values};
use heddle_graph::write::whole_file;
use parquet::errors::ParquetError;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

/// The files of the folder. The first is there last: where it is, the others are.
pub const FILES: [&str; 5] = ["runs.parquet", "launches.parquet", "runs.csv", "launches.csv", "columns.csv"];

/// What is known of both tables before their rows.
pub(super) struct Heads<'a> {
    /// Their columns; rows are not looked at.
    columns: &'a Tables,
    /// Names of columns with counts that no signed number holds.
    large: [BTreeSet<String>; 2],
}

impl<'a> Heads<'a> {
    pub(super) fn new(columns: &'a Tables, outline: &Outline) -> Heads<'a> {
        Heads { columns, large: TableKind::ALL.map(|kind| outline.large(kind).clone()) }
    }

    /// Of tables that are whole.
    fn of(tables: &'a Tables) -> Heads<'a> {
        let is_large = |values: &Values| match values {
            Values::Count(values) => values.iter().flatten().any(|&count| i64::try_from(count).is_err()),
            Values::Text(_) | Values::Real(_) => false,
        };
        let large = |table: &Table| {
            let columns = table.columns.iter().filter(|column| is_large(&column.values));
            columns.map(|column| column.name.clone()).collect()
        };
        Heads { columns: tables, large: [large(&tables.runs), large(&tables.launches)] }
    }
}

/// Writes the tables of an experiment into `folder/NAME`, which is made if need be; gives that folder.
pub fn write_folder(folder: &Path, about: &About, tables: &Tables) -> Result<PathBuf, ResultsError> {
    fill(folder, about, &Heads::of(tables), |write| write(tables))
}

/// Writes tables of which `blocks` gives the rows. No file is there before all are written.
pub(super) fn fill<E: From<ResultsError>>(
    folder: &Path,
    about: &About,
    heads: &Heads<'_>,
    blocks: impl FnOnce(&mut dyn FnMut(&Tables) -> Result<(), E>) -> Result<(), E>,
) -> Result<PathBuf, E> {
    let folder = folder.join(&about.experiment);
    fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
    let columns = write_columns(&[&heads.columns.runs, &heads.columns.launches]);
    whole(&folder.join("columns.csv"), |file| {
        file.write_all(columns.as_bytes()).map_err(|error| failed(&folder.join("columns.csv"), &error))
    })?;
    let paths = FILES.map(|name| folder.join(name));
    // A file has its name when what is inside of it is done: the first of them last.
    whole(&paths[0], |runs| {
        whole(&paths[1], |launches| {
            whole(&paths[2], |runs_text| {
                whole(&paths[3], |launches_text| {
                    let texts = [runs_text, launches_text].map(BufWriter::new);
                    write_files([runs, launches], texts, &paths, about, heads, blocks)
                })
            })
        })
    })?;
    Ok(folder)
}

/// Fills the four files of the tables side by side.
fn write_files<E: From<ResultsError>>(
    [runs, launches]: [&mut File; 2],
    mut texts: [BufWriter<&mut File>; 2],
    paths: &[PathBuf; 5],
    about: &About,
    heads: &Heads<'_>,
    blocks: impl FnOnce(&mut dyn FnMut(&Tables) -> Result<(), E>) -> Result<(), E>,
) -> Result<(), E> {
    let in_columns = |error: ParquetError| of_parquet(&paths[0], &error);
    let in_text = |error: io::Error| failed(&paths[2], &error);
    let both = [&heads.columns.runs, &heads.columns.launches];
    for (text, table) in texts.iter_mut().zip(both) {
        text.write_all(head(table).as_bytes()).map_err(in_text)?;
    }
    let mut columns = [
        Writing::begin(runs, both[0], &heads.large[0], about).map_err(in_columns)?,
        Writing::begin(launches, both[1], &heads.large[1], about).map_err(in_columns)?,
    ];
    blocks(&mut |tables: &Tables| {
        let both = [&tables.runs, &tables.launches];
        // Text and columns are made side by side.
        thread::scope(|scope| {
            let files = columns.iter_mut().zip(both);
            let writing = scope.spawn(|| {
                let mut files = files;
                files.try_for_each(|(file, table)| file.add(table))
            });
            let written = texts.iter_mut().zip(both).try_for_each(|(text, table)| write_rows(table, text));
            let in_file = writing.join().unwrap_or_else(|panic| resume_unwind(panic));
            written.map_err(in_text).and(in_file.map_err(in_columns))
        })?;
        Ok(())
    })?;
    texts.iter_mut().try_for_each(BufWriter::flush).map_err(in_text)?;
    let [of_runs, of_launches] = columns.map(Writing::finish);
    let (of_runs, of_launches) = (of_runs.map_err(in_columns)?, of_launches.map_err(in_columns)?);
    seal_file(runs, of_runs).and_then(|()| seal_file(launches, of_launches)).map_err(in_text)?;
    Ok(())
}

/// What [`whole_file`] and whoever fills the file can say.
enum Trouble<E> {
    Io(io::Error),
    Told(E),
}

impl<E> From<io::Error> for Trouble<E> {
    fn from(error: io::Error) -> Trouble<E> {
        Trouble::Io(error)
    }
}

/// A file that is there whole or not at all.
fn whole<E: From<ResultsError>>(path: &Path, fill: impl FnOnce(&mut File) -> Result<(), E>) -> Result<(), E> {
    whole_file(path, |file| fill(file).map_err(Trouble::Told)).map_err(|trouble| match trouble {
        Trouble::Io(error) => failed(path, &error).into(),
        Trouble::Told(error) => error,
    })
}

fn of_parquet(path: &Path, error: &ParquetError) -> ResultsError {
    ResultsError::at_path(path, error).with_help(HELP)
}

/// What can be done where a file cannot be written.
const HELP: &str = "free some room or name another folder and start again; nothing that was finished is lost";

fn failed(path: &Path, error: &io::Error) -> ResultsError {
    let help = match error.kind() {
        io::ErrorKind::IsADirectory | io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "heddle writes a file or a folder there: move away what is in its place and start again; nothing that was \
             finished is lost"
        }
        _ => HELP,
    };
    ResultsError::of_system(path, error).with_help(help)
}
