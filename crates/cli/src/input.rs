//! From the GRAPH argument to a graph in memory, with everything that must be said about it.

use crate::arguments::ReadArguments;
use crate::failure::Failure;
use heddle_graph::error::nearest;
use heddle_graph::generate;
use heddle_graph::limits::Limits;
use heddle_graph::progress::Progress;
use heddle_graph::read::{self, ReadOptions, WeightPolicy};
use heddle_graph::source::{self, Loaded};
use heddle_graph::transform::{self, Transform};
use std::ffi::OsStr;
use std::path::Path;

/// How many entries of a folder are looked at to find what a mistyped name may have meant.
const FOLDER_ENTRIES_MAX: usize = 10_000;

/// Loads `graph`, whose real or negative weights meet `default_policy` unless the user named another.
pub(crate) fn load(
    graph: &OsStr,
    reading: &ReadArguments,
    default_policy: WeightPolicy,
    progress: &dyn Progress,
) -> Result<Loaded, Failure> {
    let path = Path::new(graph);
    if graph == "-" {
        let help = "save it to a file first, so that it can be read by several threads at once";
        return Err(Failure::usage("a graph cannot be read from standard input", help));
    }
    // A recipe is text; what is not can only be the name of a file.
    let recipe = graph.to_str();
    let exists = path.try_exists().map_err(|error| Failure::at_path(path, &error))?;
    if !exists && recipe.is_some_and(is_recipe) {
        refuse_file_options(reading)?;
    } else if !exists {
        return Err(no_such_file(path));
    }
    let options = ReadOptions {
        format: reading.format,
        undirected: reading.undirected,
        weights: reading.weights.unwrap_or(default_policy),
        limits: limits(path, reading),
        progress,
    };
    Ok(match recipe {
        Some(recipe) => source::load(recipe, &options)?,
        None => read::read(path, &options)?,
    })
}

/// Applies transforms in order; each adds its sentence to the notes.
pub(crate) fn apply(mut loaded: Loaded, transforms: &[Transform], progress: &dyn Progress) -> Loaded {
    for step in transforms {
        progress.begin("transforming", 1);
        let done = transform::apply(loaded.graph, step);
        progress.advance(1);
        loaded.graph = done.graph;
        loaded.notes.push(done.note);
    }
    loaded
}

/// Whether what is no file reads like a generator or a surrogate.
fn is_recipe(graph: &str) -> bool {
    graph.contains(':') || generate::by_name(graph).is_some()
}

/// An option that would be ignored is a misunderstanding, so it is not.
fn refuse_file_options(read: &ReadArguments) -> Result<(), Failure> {
    let refuse = |option: &str, help: &str| {
        Err(Failure::usage(format!("{option} concerns files; this graph is generated"), help))
    };
    if read.format.is_some() {
        return refuse("--format", "leave it out");
    }
    if read.undirected {
        return refuse("--undirected", "use --transform symmetrise");
    }
    if read.weights.is_some() {
        return refuse("--weights", "use --transform weights=1..100 for a graph with weights");
    }
    Ok(())
}

/// The limits that the user named; the one left out is that for the file's size.
fn limits(path: &Path, read: &ReadArguments) -> Option<Limits> {
    if read.memory_limit.is_none() && read.decompressed_limit.is_none() {
        return None;
    }
    let stored_bytes = path.metadata().map_or(0, |metadata| metadata.len());
    let usual = Limits::for_stored_bytes(stored_bytes);
    Some(Limits {
        memory_bytes: read.memory_limit.map_or(usual.memory_bytes, |size| size.0),
        decompressed_bytes: read.decompressed_limit.map_or(usual.decompressed_bytes, |size| size.0),
    })
}

fn no_such_file(path: &Path) -> Failure {
    let failure = Failure::new(format!("{}: no such file", path.display()));
    match meant(path) {
        Some(near) => failure.with_help(format!("did you mean `{near}`?")),
        None => failure.with_help("`heddle graph list` shows what can be generated without a file"),
    }
}

/// The file beside, or the generator, that a mistyped name may have meant.
fn meant(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent()?;
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let beside: Vec<String> = std::fs::read_dir(listed)
        .into_iter()
        .flatten()
        .take(FOLDER_ENTRIES_MAX)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    if let Some(near) = nearest(name, beside.iter().map(String::as_str)) {
        return Some(folder.join(near).display().to_string());
    }
    let generators = generate::GENERATORS.iter().map(|generator| generator.name);
    nearest(path.to_str()?, generators).map(str::to_string)
}
