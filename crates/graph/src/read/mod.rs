//! Readers: a file of any known format to a graph.

mod arc_lines;
mod binary;
mod companions;
mod context;
mod detect;
mod dimacs;
mod edge_list;
mod expanded;
mod frames;
mod galois;
mod gap;
mod gather;
mod head;
mod ids;
mod input;
mod integer_weights;
mod matrix_market;
mod metis;
mod metis_rows;
mod metis_whole;
mod rodinia;
mod scan;
mod stream;
mod survey;
mod text;
mod triangle;
mod webgraph;
mod weights;

pub use expanded::expanded;

use context::{Content, Context};
use detect::Reader;
use input::Input;

use crate::error::GraphError;
use crate::format::Format;
use crate::limits::Limits;
use crate::progress::{Progress, Silent};
use crate::source::{Loaded, Origin};
use std::path::{Path, PathBuf};

/// How to read a file.
pub struct ReadOptions<'a> {
    /// The format, where content alone should not decide.
    pub format: Option<Format>,
    /// Hold both directions of every arc of an edge list.
    pub undirected: bool,
    /// What to do with weights that are not unsigned 32-bit integers.
    pub weights: WeightPolicy,
    /// Bounds on memory; by default those for the file's size.
    pub limits: Option<Limits>,
    /// Who wants to know how far we are.
    pub progress: &'a dyn Progress,
}

impl Default for ReadOptions<'_> {
    fn default() -> Self {
        ReadOptions {
            format: None,
            undirected: false,
            weights: WeightPolicy::Refuse,
            limits: None,
            progress: &Silent,
        }
    }
}

/// What to do with real or negative weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WeightPolicy {
    /// An error that lists the conversions.
    Refuse,
    /// Keep weights that fit, and read the structure alone where they do not (said in the notes).
    Describe,
    /// Read the structure alone, whatever the weights.
    Drop,
    /// To the nearest integer; negative ones are still refused.
    Round,
    /// The absolute value, to the nearest integer.
    Absolute,
    /// Multiply by this, then to the nearest integer; negative ones are still refused.
    Scale(f64),
}

/// The files that [`read`] opens for `path`, as far as they are there: itself, and what belongs to a WebGraph.
pub fn files(path: &Path) -> Vec<PathBuf> {
    let given = companions::resolve(path);
    let companions = [companions::properties(&given), companions::bit_stream(&given).ok()];
    std::iter::once(given).chain(companions.into_iter().flatten()).collect()
}

/// Reads `path`, whatever it is.
pub fn read(path: &Path, options: &ReadOptions<'_>) -> Result<Loaded, GraphError> {
    let path = companions::resolve(path);
    let on_disk = std::fs::metadata(&path).map_or(0, |metadata| metadata.len());
    let to_open = options.limits.unwrap_or_else(|| Limits::for_stored_bytes(on_disk));
    let input = Input::open(&path, &to_open)?;
    // A pipe tells its size only once it has been read.
    let context = Context::new(&path, input.stored_bytes(), options);
    let reader = match options.format {
        Some(format) => detect::forced(format, &input, &context)?,
        None => detect::recognise(&input, &context)?,
    };
    let stored_bytes = input.stored_bytes();
    let content = dispatch(&reader, &input, &context)?;
    let format = reader.format();
    Ok(Loaded {
        graph: content.graph,
        origin: Origin::File { path, format, stored_bytes },
        weights: content.weights,
        notes: content.notes,
    })
}

fn dispatch(reader: &Reader, input: &Input, context: &Context<'_>) -> Result<Content, GraphError> {
    match reader {
        Reader::MatrixMarket(shape) => matrix_market::read(input, *shape, context),
        Reader::EdgeList => edge_list::read(input, context),
        Reader::Dimacs => dimacs::read(input, context),
        Reader::Metis => metis::read(input, context),
        Reader::Rodinia => rodinia::read(input, context),
        Reader::Galois => galois::read(&mut *input.reader()?, context),
        Reader::Gap => gap::read(&mut *input.reader()?, context),
        Reader::WebGraph(bit_stream) => webgraph::read(bit_stream, context),
    }
}
