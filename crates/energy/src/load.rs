//! Finds and reads tables: those that come with the program, and files.

use crate::error::{EnergyError, nearest};
use crate::resolve::{self, Text};
use crate::table::Table;
use std::io::Read;
use std::path::{Path, PathBuf};

macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../energy-tables/", $name, ".toml")))),*]
    };
}

/// The tables that come with the program: name and text.
const EMBEDDED: &[(&str, &str)] = embedded!(
    "fermi",
    "gtx480",
    "gtx480-raw",
    "k40c",
    "gddr5",
    "gddr5-6gbps",
    "gddr5-x32",
    "gddr5-k40c",
    "gddr5-gpuwattch",
    "ddr4-2400",
);

/// Largest table file.
const BYTES_MAX: u64 = 1 << 20;
/// Files that one table may be made of.
const FILES_MAX: usize = 64;

/// The names of the tables that come with the program.
pub fn names() -> impl Iterator<Item = &'static str> {
    EMBEDDED.iter().map(|(name, _)| *name)
}

/// The text of a table that comes with the program, as its file has it.
pub fn text(name: &str) -> Option<&'static str> {
    EMBEDDED.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The table of a name, or in a file: what ends in `.toml` is a path.
pub fn find(name: &str) -> Result<Table, EnergyError> {
    let mut loader = Loader::default();
    let table = loader.find(name, Some(Path::new("")))?;
    Ok(Table { files: loader.read, ..table })
}

/// Reads a table from text; it may include tables that come with the program.
pub fn parse(file: &str, text: &str) -> Result<Table, EnergyError> {
    Loader::default().table(file, text, None)
}

/// Follows what files include.
#[derive(Default)]
struct Loader {
    /// The files that are being read, outermost first.
    open: Vec<String>,
    files: usize,
    /// The files that do not come with the program.
    read: Vec<PathBuf>,
}

impl Loader {
    /// `folder` is that of the file that names this one; without it only embedded tables can be named.
    fn find(&mut self, name: &str, folder: Option<&Path>) -> Result<Table, EnergyError> {
        match (name.ends_with(".toml"), folder) {
            (true, Some(folder)) => {
                let path = folder.join(name);
                let file = path.display().to_string();
                self.read.push(path.clone());
                self.table(&file, &read(&path)?, Some(path.parent().unwrap_or(Path::new("")).to_owned()))
            }
            _ => match text(name) {
                Some(text) => self.table(&format!("energy-tables/{name}.toml"), text, None),
                None => {
                    Err(EnergyError::UnknownTable { name: name.to_owned(), nearest: nearest(name, names()) })
                }
            },
        }
    }

    fn table(&mut self, file: &str, text: &str, folder: Option<PathBuf>) -> Result<Table, EnergyError> {
        let text = Text { file, text };
        if self.open.iter().any(|open| open == file) {
            return Err(text.error(0, format!("includes itself: {}", self.open.join(", "))));
        }
        self.files += 1;
        if self.files > FILES_MAX {
            return Err(text.error(0, format!("a table may be made of at most {FILES_MAX} files")));
        }
        self.open.push(file.to_owned());
        let table = self.complete(&text, folder.as_deref());
        self.open.pop();
        table
    }

    fn complete(&mut self, text: &Text<'_>, folder: Option<&Path>) -> Result<Table, EnergyError> {
        let model = text.model()?;
        let mut table = resolve::own_rows(text, &model)?;
        for name in &model.include {
            let included =
                self.find(name.get_ref(), folder).map_err(|error| at(text, name.span().start, error))?;
            resolve::include(&mut table, included);
        }
        if let (Some(derivation), Some(model)) = (table.derived_from.clone(), &model.derived_from) {
            let base = self.find(&derivation.table, folder);
            let base = base.map_err(|error| at(text, model.span().start, error))?;
            resolve::derive(&mut table, &derivation, base);
            if !derivation.fitted {
                resolve::drop_fitted(&mut table);
            }
        }
        let start = model.name.span().start;
        resolve::check_whole(&table).map_err(|problem| text.error(start, problem))?;
        Ok(table)
    }
}

/// Where an unknown table was named.
fn at(text: &Text<'_>, place: usize, error: EnergyError) -> EnergyError {
    match &error {
        EnergyError::UnknownTable { .. } | EnergyError::Unreadable { .. } => {
            let help = error.help("--table").map(|help| format!("; {help}")).unwrap_or_default();
            text.error(place, format!("{error}{help}"))
        }
        _ => error,
    }
}

fn read(path: &Path) -> Result<String, EnergyError> {
    let unreadable = |problem: String| EnergyError::Unreadable { file: path.display().to_string(), problem };
    let words = |error: std::io::Error| {
        unreadable(error.to_string().split(" (os error").next().unwrap_or_default().to_lowercase())
    };
    let file = std::fs::File::open(path).map_err(words)?;
    let mut text = String::new();
    file.take(BYTES_MAX + 1).read_to_string(&mut text).map_err(words)?;
    match text.len() as u64 > BYTES_MAX {
        true => Err(unreadable(format!("is larger than {} KiB, which no table is", BYTES_MAX >> 10))),
        false => Ok(text),
    }
}
