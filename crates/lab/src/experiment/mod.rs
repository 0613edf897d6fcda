//! Experiments as data: a file of axes becomes points.
//!
//! ```toml
//! name = "granularity"
//! source = "[Lakshminarayana14] figure 40"
//! question = "Does fetching single sectors help graph kernels?"
//! refuted_by = "A mean IPC ratio of the sector cache at or below one."
//!
//! [fixed]
//! machine = "fermi"
//! cold = true
//!
//! [axes]
//! program = [{ workload = "h-bfs", kernel = "Kernel" }, { workload = "h-sssp", kernel = "DijkstraKernel1" }]
//! graph = ["surrogate:graph1M", "surrogate:rmat20"]
//! with = ["none", "sector"]
//!
//! [scale.quick.axes]
//! graph = ["uniform:scale=12,degree=6"]
//! ```
//!
//! Axes are crossed in the order of the file; the settings of one row of an axis vary together. What stands in a scale
//! takes the place of what stands outside. `lists` names a file of axes that several experiments share.

mod axes;
mod file;
mod point;
mod values;

pub use point::{Measure, Point};

use crate::error::LabError;
use crate::hash::hexadecimal;
use crate::scale::Scale;
use file::Source;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Largest experiment file.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// Digits of the hash of what an experiment says.
const CONTENT_DIGITS: usize = 16;

/// An experiment, read and checked as far as its file alone allows.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// Its name, which its tables are stored under.
    pub name: String,
    /// What it reproduces, by citation; empty if it reproduces nothing.
    pub source: String,
    /// What it is for.
    pub question: String,
    /// What would answer the question in the negative.
    pub refuted_by: String,
    /// The scales that its file names; none if it has one size alone.
    pub scales: Vec<Scale>,
    /// The scale of the points; none if it has one size alone.
    pub scale: Option<Scale>,
    /// The points at the scale that was asked for, in the order of the file.
    pub points: Vec<Point>,
    /// Every file that was read for it.
    pub files: Vec<PathBuf>,
}

impl Experiment {
    /// Reads an experiment: one that comes with the program by its name, or a file by its path.
    pub fn named(name_or_path: &str, scale: Option<Scale>) -> Result<Experiment, LabError> {
        if let Some(embedded) = crate::embedded::EXPERIMENTS.iter().find(|file| file.stem() == name_or_path) {
            return Experiment::embedded(embedded, scale);
        }
        let path = Path::new(name_or_path);
        if path.extension().is_none_or(|extension| extension != "toml") {
            return Err(unknown(name_or_path));
        }
        let text = values::read(path, FILE_BYTES_MAX)?;
        let lists = |name: &str| {
            let beside = path.parent().unwrap_or(Path::new("")).join(name);
            values::read(&beside, FILE_BYTES_MAX).map(|text| (beside.display().to_string(), text))
        };
        let source = Source { name: path.display().to_string(), text };
        let (mut experiment, list) = file::experiment(&source, scale, &lists)?;
        experiment.files.push(path.to_path_buf());
        experiment.files.extend(list.map(PathBuf::from));
        Ok(experiment)
    }

    fn embedded(
        embedded: &crate::embedded::EmbeddedFile,
        scale: Option<Scale>,
    ) -> Result<Experiment, LabError> {
        let lists = |name: &str| {
            let found = crate::embedded::EXPERIMENTS.iter().find(|file| file.name == name);
            let found = found.ok_or_else(|| LabError::new(format!("there is no list file `{name}`")))?;
            Ok((found.path(), found.text.to_owned()))
        };
        let source = Source { name: embedded.path(), text: embedded.text.to_owned() };
        file::experiment(&source, scale, &lists).map(|(experiment, _)| experiment)
    }

    /// The folder of its tables: each scale has one of its own.
    pub fn folder_name(&self) -> String {
        match self.scale {
            Some(scale) => format!("{}-{scale}", self.name),
            None => self.name.clone(),
        }
    }

    /// Whether another has the same points, whatever file it is from.
    pub fn is_same_as(&self, other: &Experiment) -> bool {
        let pairs = || self.points.iter().zip(&other.points);
        self.points.len() == other.points.len() && pairs().all(|(one, other)| one.is_same_as(other))
    }

    /// A hash of what it says: its question and its points, whatever file it is from and whatever is written around
    /// them there.
    pub fn content(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(format!("{:?}\n", (&self.name, &self.scale, &self.question)));
        for point in &self.points {
            hash.update(format!("{:?}\n", Point { places: BTreeMap::new(), ..point.clone() }));
        }
        let mut digits = hexadecimal(hash.finalize().as_slice());
        digits.truncate(CONTENT_DIGITS);
        digits
    }

    /// The names of the experiments that come with the program.
    pub fn names() -> impl Iterator<Item = &'static str> {
        crate::embedded::EXPERIMENTS.iter().map(|file| file.stem()).filter(|name| *name != "lists")
    }
}

fn unknown(name: &str) -> LabError {
    let names: Vec<&str> = Experiment::names().collect();
    let help = match heddle_graph::error::nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? A file ends in .toml"),
        None => format!("there are {}; a file of your own ends in .toml", names.join(", ")),
    };
    LabError::new(format!("`{name}`: no such experiment")).with_help(help)
}
