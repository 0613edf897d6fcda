//! Writes a graph where the user wants it, and says what was done on the way.

use crate::arguments::{CommonArguments, Compress};
use crate::failure::Failure;
use crate::output;
use crate::target::Target;
use crate::view::text::{bytes, thousands};
use heddle_graph::source::{Loaded, Origin};
use heddle_graph::write::{self, Compression, WriteError};
use serde::Serialize;
use std::io::{self, BufWriter, Write};

/// What was written, for `--json`.
#[derive(Debug, Serialize)]
struct Export {
    input: String,
    recipe: Option<String>,
    output: String,
    format: &'static str,
    compression: &'static str,
    vertices: u32,
    arcs: u64,
    directed: bool,
    weighted: bool,
    bytes: u64,
    notes: Vec<String>,
}

/// Writes the graph, and tells about it on standard error or, with `json`, on standard output.
pub(crate) fn export(
    input: &str,
    loaded: Loaded,
    target: &Target,
    json: bool,
    common: CommonArguments,
) -> Result<(), Failure> {
    target.suits(&loaded.graph)?;
    let mut notes = loaded.notes.clone();
    notes.extend(write_to(&loaded, target)?);
    let written = target.path.as_ref().and_then(|path| path.metadata().ok());
    let graph = &loaded.graph;
    let export = Export {
        input: input.to_string(),
        recipe: match &loaded.origin {
            Origin::Generated { recipe } => Some(recipe.clone()),
            Origin::File { .. } => None,
        },
        output: target.name(),
        format: target.format.name(),
        compression: compression_name(target.compress),
        vertices: graph.num_vertices(),
        arcs: graph.num_arcs(),
        directed: graph.is_directed(),
        weighted: graph.is_weighted(),
        bytes: written.map_or(0, |metadata| metadata.len()),
        notes,
    };
    if json {
        return output::json(&export);
    }
    if !common.quiet {
        tell(&export);
    }
    Ok(())
}

fn write_to(loaded: &Loaded, target: &Target) -> Result<Vec<String>, Failure> {
    match &target.path {
        None => {
            let mut sink = BufWriter::new(io::stdout().lock());
            let notes = write::write(&loaded.graph, target.format, &mut sink)
                .map_err(|error| failed(error, Failure::at_stdout))?;
            sink.flush().map_err(|error| Failure::at_stdout(&error))?;
            Ok(notes)
        }
        Some(path) => write::to_path(&loaded.graph, target.format, path, compression(target.compress))
            .map_err(|error| failed(error, |error| Failure::at_path(path, error))),
    }
}

/// What the writer says, or the system where `of_system` words it.
fn failed(error: WriteError, of_system: impl FnOnce(&io::Error) -> Failure) -> Failure {
    match error {
        WriteError::Io(error) => of_system(&error),
        WriteError::Unsupported { ref help, .. } => Failure::new(error.to_string()).with_help(help.clone()),
    }
}

fn compression(compress: Compress) -> Compression {
    match compress {
        Compress::None => Compression::None,
        Compress::Gzip => Compression::Gzip,
        Compress::Zstd => Compression::Zstd,
    }
}

fn compression_name(compress: Compress) -> &'static str {
    match compress {
        Compress::None => "none",
        Compress::Gzip => "gzip",
        Compress::Zstd => "zstd",
    }
}

fn tell(export: &Export) {
    for note in &export.notes {
        output::note(&format!("note: {note}"));
    }
    if export.output != "-" {
        let (vertices, arcs) = (thousands(u64::from(export.vertices)), thousands(export.arcs));
        let size = bytes(export.bytes);
        output::note(&format!(
            "wrote {}: {}, {vertices} vertices, {arcs} arcs, {size}",
            export.output, export.format
        ));
    }
}
