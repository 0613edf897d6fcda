//! Finds and reads a table: in a file, in the folder of an experiment, or in the folder of a sweep.

use super::error::ResultsError;
use super::meaning::IDENTITY;
use super::table::{Role, Table, TableKind, Values};
use super::{About, csv_file, parquet_file};
use std::fs;
use std::path::{Path, PathBuf};

/// A cell of a text file: absent, or what stands there.
pub(super) type Kept = Option<String>;

/// The largest CSV file that is read whole: far beyond any table of runs.
const CSV_BYTES_MAX: u64 = 4 << 30;

/// A table that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The table.
    pub table: Table,
    /// The experiment that it is of; of a CSV file, its folder's name.
    pub about: About,
    /// The file.
    pub path: PathBuf,
}

/// Reads the table that a path means: a file, an experiment's folder, or a sweep's folder with one experiment in it.
/// A file is what it is; `kind` chooses in a folder (`runs` if absent).
pub fn load(path: &Path, kind: Option<TableKind>) -> Result<Loaded, ResultsError> {
    let file = match path.is_dir() {
        true => in_folder(path, kind.unwrap_or(TableKind::Runs))?,
        false => path.to_path_buf(),
    };
    // A device or a pipe may have no end.
    if !fs::metadata(&file).map_err(|error| ResultsError::of_system(&file, &error))?.is_file() {
        return Err(ResultsError::at_path(&file, "it is neither a file nor a folder of results"));
    }
    let (table, about) = match file.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => read_csv(&file)?,
        _ => parquet_file::read(&file)?,
    };
    if let Some(kind) = kind.filter(|&kind| kind != table.kind) {
        let problem = format!("it holds {}, not {kind}", table.kind);
        return Err(ResultsError::at_path(&file, problem).with_help("leave out --table, or name the folder"));
    }
    Ok(Loaded { table, about, path: file })
}

fn read_csv(path: &Path) -> Result<(Table, About), ResultsError> {
    let failed = |error| ResultsError::of_system(path, &error);
    if fs::metadata(path).map_err(failed)?.len() > CSV_BYTES_MAX {
        return Err(ResultsError::at_path(path, "it is larger than any table of results"));
    }
    let text = fs::read_to_string(path).map_err(failed)?;
    let columns = path.with_file_name("columns.csv");
    let columns = match columns.is_file() {
        true => {
            Some(fs::read_to_string(&columns).map_err(|error| ResultsError::of_system(&columns, &error))?)
        }
        false => None,
    };
    let table = csv_file::read(path, &text, columns.as_deref())?;
    let folder = path.parent().and_then(Path::file_name);
    let experiment = folder.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok((table, About { experiment, question: String::new() }))
}

/// The file of a table in a folder.
fn in_folder(folder: &Path, kind: TableKind) -> Result<PathBuf, ResultsError> {
    if let Some(file) = table_file(folder, kind) {
        return Ok(file);
    }
    let entries = fs::read_dir(folder).map_err(|error| ResultsError::of_system(folder, &error))?;
    let mut found: Vec<(PathBuf, PathBuf)> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter_map(|path| table_file(&path, kind).map(|file| (path, file)))
        .collect();
    found.sort();
    match &found[..] {
        [(_, file)] => Ok(file.clone()),
        [] => Err(ResultsError::at_path(
            folder,
            format!("it is no folder of results: there is no {kind}.parquet in it"),
        )
        .with_help("name the folder of a sweep that has finished, or that of one of its experiments")),
        [first, ..] => {
            let names: Vec<String> = found
                .iter()
                .filter_map(|(path, _)| path.file_name())
                .map(|name| name.to_string_lossy().into_owned())
                .collect();
            let problem = format!("it has the results of {} experiments: {}", names.len(), names.join(", "));
            let help = format!("name one of them, such as {}", first.0.display());
            Err(ResultsError::at_path(folder, problem).with_help(help))
        }
    }
}

fn table_file(folder: &Path, kind: TableKind) -> Option<PathBuf> {
    let files = ["parquet", "csv"].map(|end| folder.join(format!("{kind}.{end}")));
    files.into_iter().find(|file| file.is_file())
}

/// What a column is for where no file says it: words are labels, unless their names are known.
pub(super) fn likely_role(name: &str, values: &Values) -> Role {
    match values {
        _ if IDENTITY.iter().any(|(known, _)| *known == name) => Role::Identity,
        Values::Text(_) => Role::Label,
        _ => Role::Figure,
    }
}
