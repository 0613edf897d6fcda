//! Values of experiment files with their places, and settings made of them.

use super::point::{Measure, Point};
use crate::error::LabError;
use crate::select::LaunchChoice;
use heddle_graph::error::nearest;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Keys that a row of an axis may have.
pub(super) const KEYS: [&str; 19] = [
    "measure",
    "workload",
    "kernel",
    "graph",
    "transform",
    "machine",
    "with",
    "set",
    "param",
    "source",
    "target",
    "block",
    "registers",
    "launches",
    "cold",
    "max_cycles",
    "mechanism",
    "label",
    "called",
];

/// A value of a setting.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Text(String),
    Number(u64),
    Truth(bool),
    List(Vec<String>),
}

impl Value {
    /// As it stands in a label.
    pub(super) fn label(&self) -> String {
        match self {
            Value::Text(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Truth(truth) => truth.to_string(),
            Value::List(items) => items.join(" "),
        }
    }
}

/// A setting: its key, its value and where it was written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Setting {
    pub(super) key: String,
    pub(super) value: Value,
    pub(super) place: String,
}

/// Reads a file whose size has a bound.
pub(super) fn read(path: &Path, bytes_max: u64) -> Result<String, LabError> {
    let place = path.display().to_string();
    // A pipe that nobody writes to would be waited for, and it can be read once alone.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        let help = "write the experiment into a file";
        return Err(LabError::new("it is a pipe or a device, and no file").with_help(help).at(place));
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(bytes_max + 1).read_to_end(&mut bytes));
    read.map_err(|error| {
        let words = error.to_string();
        LabError::new(words.split(" (os error").next().unwrap_or_default().to_lowercase()).at(place.clone())
    })?;
    if bytes.len() as u64 > bytes_max {
        return Err(LabError::new("larger than any experiment file").at(place));
    }
    String::from_utf8(bytes).map_err(|_| LabError::new("not UTF-8 text").at(place))
}

/// A point of settings; later ones take the place of earlier ones.
pub(super) fn point(settings: &[Setting]) -> Result<Point, LabError> {
    let mut point = Point { machine: "fermi".to_owned(), ..Point::default() };
    let (called, others): (Vec<_>, Vec<_>) = settings.iter().partition(|setting| setting.key == "called");
    for setting in others.into_iter().chain(called) {
        apply(&mut point, setting).map_err(|error| error.at(setting.place.clone()))?;
        let label = match setting.key.as_str() {
            // A graph may be called otherwise than it is made, so that a surrogate and its original have one name.
            "called" => "graph",
            // How many launches there were is a figure.
            "launches" => "chosen",
            key => key,
        };
        point.labels.insert(label.to_owned(), setting.value.label());
        point.places.insert(setting.key.clone(), setting.place.clone());
    }
    point.labels.entry("machine".to_owned()).or_insert_with(|| "fermi".to_owned());
    refuse_nonsense(&point)?;
    if let Some(kernel) = &point.kernel {
        point.launches = Some(point.launches.take().unwrap_or_default().of_kernel(kernel));
    }
    Ok(point)
}

/// Settings that would be ignored, or that no run can have.
fn refuse_nonsense(point: &Point) -> Result<(), LabError> {
    let refuse = |key: &str, problem: String| {
        let error = LabError::new(format!("{key}: {problem}"));
        Err(match point.place_of(&[key]) {
            Some(place) => error.at(place),
            None => error,
        })
    };
    let has_mechanism = point.labels.contains_key("mechanism");
    match point.measure {
        Measure::Cost if !has_mechanism => {
            return refuse("measure", "a cost is that of a `mechanism`".to_owned());
        }
        Measure::Cost => {}
        _ if has_mechanism => {
            return refuse(
                "mechanism",
                "it is measured by `measure = \"cost\"`; runs have `with`".to_owned(),
            );
        }
        _ => {}
    }
    if let Some(block) = point.block.filter(|block| !(1..=1024).contains(block)) {
        return refuse("block", format!("{block} threads; a block has 1 to 1024"));
    }
    match (point.registers, point.max_cycles) {
        (Some(0), _) => refuse("registers", "a thread has at least one".to_owned()),
        (_, Some(0)) => refuse("max_cycles", "expected a number above 0".to_owned()),
        _ => Ok(()),
    }
}

fn apply(point: &mut Point, setting: &Setting) -> Result<(), LabError> {
    let text = || expect_text(setting);
    let number = || expect_number(setting);
    let small = || expect_number(setting).and_then(|number| narrow(setting, number));
    match setting.key.as_str() {
        "measure" => point.measure = measure(setting)?,
        "workload" => point.workload = text()?,
        "kernel" => point.kernel = Some(text()?),
        "graph" => point.graph = Some(text()?),
        "transform" => point.transforms = list(setting, ' ')?,
        "machine" => point.machine = text()?,
        "with" => point.with = list(setting, '+')?.into_iter().filter(|name| name != "none").collect(),
        "set" => point.set = list(setting, ' ')?,
        "param" => point.params = list(setting, ' ')?,
        "source" => point.source = Some(small()?),
        "target" => point.target = Some(small()?),
        "block" => point.block = Some(small()?),
        "registers" => point.registers = Some(small()?),
        "launches" => point.launches = Some(LaunchChoice::parse(&text()?).map_err(LabError::new)?),
        "cold" => point.cold = truth(setting)?,
        "max_cycles" => point.max_cycles = Some(number()?),
        "mechanism" => point.with = vec![text()?],
        "label" | "called" => drop(text()?),
        other => return Err(unknown_key(other)),
    }
    Ok(())
}

pub(super) fn unknown_key(key: &str) -> LabError {
    let help = match nearest(key, KEYS) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("settings of points are {}", KEYS.join(", ")),
    };
    LabError::new(format!("`{key}`: no such setting of a point")).with_help(help)
}

fn wrong(setting: &Setting, expected: &str) -> LabError {
    LabError::new(format!("{} = {}: expected {expected}", setting.key, setting.value.label()))
}

fn expect_text(setting: &Setting) -> Result<String, LabError> {
    match &setting.value {
        Value::Text(text) if !text.trim().is_empty() => Ok(text.clone()),
        _ => Err(wrong(setting, "a text")),
    }
}

fn expect_number(setting: &Setting) -> Result<u64, LabError> {
    match setting.value {
        Value::Number(number) => Ok(number),
        _ => Err(wrong(setting, "a whole number of 0 or more")),
    }
}

fn narrow(setting: &Setting, number: u64) -> Result<u32, LabError> {
    u32::try_from(number).map_err(|_| wrong(setting, "a number below 2^32"))
}

fn truth(setting: &Setting) -> Result<bool, LabError> {
    match setting.value {
        Value::Truth(truth) => Ok(truth),
        _ => Err(wrong(setting, "true or false")),
    }
}

/// A list, or a text whose items are separated by `separator`.
fn list(setting: &Setting, separator: char) -> Result<Vec<String>, LabError> {
    let items: Vec<String> = match &setting.value {
        Value::List(items) => items.clone(),
        Value::Text(text) => text.split(separator).map(|item| item.trim().to_owned()).collect(),
        _ => return Err(wrong(setting, "a text or a list of texts")),
    };
    Ok(items.into_iter().filter(|item| !item.is_empty()).collect())
}

fn measure(setting: &Setting) -> Result<Measure, LabError> {
    let name = expect_text(setting)?;
    let found = Measure::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, measure)| measure);
    found.ok_or_else(|| {
        let names: Vec<&str> = Measure::NAMES.iter().map(|&(name, _)| name).collect();
        wrong(setting, &format!("one of {}", names.join(", ")))
    })
}
