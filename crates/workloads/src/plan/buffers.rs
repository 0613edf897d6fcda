//! The contents of a plan's buffers.

use super::error::Problem;
use super::files;
use super::model::{BufferModel, ElementModel};
use super::names::{Names, Type};
use heddle_graph::error::nearest;
use heddle_graph::{Csr, Graph};
use std::path::Path;

/// Largest buffer of a plan: what the device has.
const BYTES_MAX: u64 = 12 << 30;

/// Makes an array from a graph.
type MakeArray = fn(&Graph) -> Result<Vec<u32>, Problem>;

/// The arrays of a graph that a buffer can hold, all of 32-bit numbers.
const ARRAYS: &[(&str, MakeArray)] = &[
    ("offsets", |graph| offsets(graph.out_edges())),
    ("targets", |graph| Ok(graph.out_edges().targets().to_vec())),
    ("sources", |graph| Ok(graph.out_edges().arcs().map(|(source, _)| source).collect())),
    ("weights", |graph| weights(graph.out_edges())),
    ("degrees", |graph| Ok(degrees(graph.out_edges()))),
    ("nodes", |graph| nodes(graph.out_edges())),
    ("in_offsets", |graph| offsets(graph.in_edges())),
    ("in_sources", |graph| Ok(graph.in_edges().targets().to_vec())),
    ("in_weights", |graph| weights(graph.in_edges())),
    ("in_degrees", |graph| Ok(degrees(graph.in_edges()))),
];

fn offsets(rows: &Csr) -> Result<Vec<u32>, Problem> {
    let narrow = rows.offsets().iter().map(|&offset| u32::try_from(offset).ok());
    narrow
        .collect::<Option<_>>()
        .ok_or_else(|| Problem::Words(format!("{} arcs need offsets of more than 32 bits", rows.num_arcs())))
}

fn weights(rows: &Csr) -> Result<Vec<u32>, Problem> {
    rows.weights().map(<[u32]>::to_vec).ok_or_else(|| {
        Problem::Words("the graph has no weights; add transforms = [\"weights=1..100\"]".to_owned())
    })
}

fn degrees(rows: &Csr) -> Vec<u32> {
    rows.vertices().map(|vertex| rows.degree(vertex) as u32).collect()
}

/// First arc and degree of each vertex, in pairs, as Rodinia's programs hold them.
fn nodes(rows: &Csr) -> Result<Vec<u32>, Problem> {
    let starts = offsets(rows)?;
    Ok(starts.iter().zip(degrees(rows)).flat_map(|(&start, degree)| [start, degree]).collect())
}

/// What a buffer holds at first.
pub(super) enum Content {
    /// These bytes.
    Bytes(Vec<u8>),
    /// So many times this element.
    Fill(u64, Vec<u8>),
}

impl Content {
    /// Its length in bytes.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Content::Bytes(bytes) => bytes.len() as u64,
            Content::Fill(count, element) => count.saturating_mul(element.len() as u64),
        }
    }
}

/// The type and the content of a buffer.
pub(super) fn content(
    model: &BufferModel,
    names: &Names,
    graph: Option<&Graph>,
    folder: &Path,
) -> Result<(Type, Content), Problem> {
    let ty = Type::named(model.ty.as_deref().unwrap_or("u32"))?;
    let given = [model.length.is_some(), model.values.is_some(), model.file.is_some(), model.graph.is_some()];
    if given.iter().filter(|&&given| given).count() != 1 {
        let problem = "expected exactly one of length, values, file and graph";
        return Err(Problem::Words(problem.to_owned()));
    }
    if model.fill.is_some() && model.length.is_none() {
        return Err(Problem::Words("fill goes with length".to_owned()));
    }
    let content = match (&model.length, &model.values, &model.file, &model.graph) {
        (Some(length), ..) => {
            let length = names.size(length, BYTES_MAX / ty.bytes() as u64)?;
            let element = model.fill.as_ref().map(|fill| names.element(ty, fill)).transpose()?;
            Content::Fill(length, element.unwrap_or_else(|| vec![0; ty.bytes()]))
        }
        (_, Some(values), ..) => {
            let elements = values.iter().map(|value| names.element(ty, value));
            Content::Bytes(elements.collect::<Result<Vec<_>, _>>()?.concat())
        }
        (_, _, Some(file), _) => Content::Bytes(read_elements(&folder.join(file), ty)?),
        (.., Some(array)) => Content::Bytes(bytemuck::cast_slice(&graph_array(array, ty, graph)?).to_vec()),
        _ => Content::Bytes(Vec::new()),
    };
    Ok((ty, content))
}

/// The single elements of a buffer that are set: offset and bytes of each.
pub(super) fn elements(
    model: &BufferModel,
    names: &Names,
    ty: Type,
    bytes: u64,
) -> Result<Vec<(u64, Vec<u8>)>, Problem> {
    let one = |element: &ElementModel| {
        let value = names.element(ty, &element.value)?;
        let index = names.size(&element.index, BYTES_MAX)?;
        let length = bytes / ty.bytes() as u64;
        if index >= length {
            return Err(Problem::Words(format!("set: there is no element {index}; the buffer has {length}")));
        }
        Ok((index * ty.bytes() as u64, value))
    };
    model.set.iter().map(one).collect()
}

fn graph_array(array: &str, ty: Type, graph: Option<&Graph>) -> Result<Vec<u32>, Problem> {
    let Some((_, make)) = ARRAYS.iter().find(|(name, _)| *name == array) else {
        let near = nearest(array, ARRAYS.iter().map(|(name, _)| *name));
        let help = near.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
        return Err(Problem::Words(format!("a graph has no array '{array}'{help}")));
    };
    if !matches!(ty, Type::U32 | Type::S32) {
        return Err(Problem::Words("arrays of a graph have type u32 or s32".to_owned()));
    }
    let graph = graph.ok_or_else(|| {
        Problem::Words("the plan has no graph: add graph = \"…\", or --graph to the command".to_owned())
    })?;
    make(graph)
}

/// A file of little-endian elements.
pub(super) fn read_elements(path: &Path, ty: Type) -> Result<Vec<u8>, Problem> {
    let problem = |words: String| Problem::Words(format!("{}: {words}", path.display()));
    let bytes = files::read(path, BYTES_MAX).map_err(Problem::Words)?;
    let length = bytes.len();
    match bytes.len() % ty.bytes() {
        0 => Ok(bytes),
        _ => {
            Err(problem(format!("{length} bytes are not a whole number of elements of {} bytes", ty.bytes())))
        }
    }
}
