//! The check of a plan's result: against a file, against values, or against a reference answer.

use super::buffers::read_elements;
use super::error::Problem;
use super::model::CheckModel;
use super::names::{Names, Type, TypedBuffer};
use crate::UNREACHED;
use crate::library::{Answer, Problem as GraphProblem, judge};
use heddle_device::Device;
use heddle_graph::{Graph, Vertex};
use std::path::Path;

/// What a check needs beside the buffer.
pub(super) struct Situation<'a> {
    pub(super) names: &'a Names,
    pub(super) device: &'a Device,
    pub(super) graph: Option<&'a Graph>,
    pub(super) source: Vertex,
    pub(super) folder: &'a Path,
}

/// Judges one buffer. The inner result is the verdict, the outer one says that there can be none.
pub(super) fn check(model: &CheckModel, situation: &Situation<'_>) -> Result<Result<(), String>, Problem> {
    let buffer = situation.names.buffer(&model.buffer)?;
    if let Some(tolerance) = model.tolerance.filter(|tolerance| !(0.0..=1.0).contains(tolerance)) {
        return Err(Problem::Words(format!("tolerance is {tolerance}; expected a number from 0 to 1")));
    }
    let bytes: Vec<u8> = situation.device.read(buffer.buffer)?;
    match (&model.file, &model.values, &model.reference) {
        (Some(file), None, None) => {
            let expected = read_elements(&situation.folder.join(file), buffer.ty)?;
            Ok(compare(&model.buffer, buffer, &bytes, &expected, model.tolerance))
        }
        (None, Some(values), None) => {
            let elements = values.iter().map(|value| situation.names.element(buffer.ty, value));
            let expected = elements.collect::<Result<Vec<_>, _>>()?.concat();
            Ok(compare(&model.buffer, buffer, &bytes, &expected, model.tolerance))
        }
        (None, None, Some(reference)) => {
            let graph = situation.graph.ok_or_else(|| {
                Problem::Words("a reference answer needs a graph: add graph = \"…\"".to_owned())
            })?;
            let answer = answer(model, reference, buffer, &bytes, situation)?;
            Ok(judge(graph, situation.source, &answer))
        }
        _ => Err(Problem::Words("expected exactly one of file, values and reference".to_owned())),
    }
}

/// Element by element; the first that differs is named.
fn compare(
    name: &str,
    buffer: TypedBuffer,
    found: &[u8],
    expected: &[u8],
    tolerance: Option<f64>,
) -> Result<(), String> {
    let size = buffer.ty.bytes();
    if found.len() != expected.len() {
        let (found, expected) = (found.len() / size, expected.len() / size);
        return Err(format!("'{name}' has {found} elements, expected {expected}"));
    }
    let tolerance = tolerance.unwrap_or(0.0);
    for (index, (found, expected)) in found.chunks_exact(size).zip(expected.chunks_exact(size)).enumerate() {
        if found == expected {
            continue;
        }
        let real = |bytes| buffer.ty.decode_real(bytes).unwrap_or(f64::NAN);
        let (found, expected) = (real(found), real(expected));
        let close = expected.is_finite() && (found - expected).abs() <= tolerance * expected.abs().max(1.0);
        if !(buffer.ty.is_float() && close) {
            return Err(format!("'{name}'[{index}] is {found}, expected {expected}"));
        }
    }
    Ok(())
}

/// The buffer as the answer of a problem.
fn answer(
    model: &CheckModel,
    reference: &str,
    buffer: TypedBuffer,
    bytes: &[u8],
    situation: &Situation<'_>,
) -> Result<Answer, Problem> {
    let elements = bytes.chunks_exact(buffer.ty.bytes());
    let problem =
        GraphProblem::NAMES.iter().find(|(name, _)| *name == reference).map(|&(_, problem)| problem);
    let tolerance = model.tolerance.unwrap_or(1e-4);
    let words = || -> Result<Vec<u32>, Problem> {
        let unreached = model.unreached.as_ref().map(|value| situation.names.whole(value)).transpose()?;
        elements.clone().map(|element| word(buffer.ty, element, unreached)).collect()
    };
    let reals = || -> Vec<f64> {
        elements.clone().map(|element| buffer.ty.decode_real(element).unwrap_or(f64::NAN)).collect()
    };
    match problem {
        Some(GraphProblem::Bfs) => Ok(Answer::Depths(words()?)),
        Some(GraphProblem::Sssp) => Ok(Answer::Distances(words()?)),
        Some(GraphProblem::Colouring) => Ok(Answer::Colours(words()?)),
        Some(GraphProblem::Mis) => Ok(Answer::Set(words()?.iter().map(|&member| member != 0).collect())),
        Some(GraphProblem::Wcc | GraphProblem::Components) => Ok(Answer::Labels(words()?)),
        Some(GraphProblem::PageRank) => {
            Ok(Answer::Ranks { ranks: reals(), damping: model.damping.unwrap_or(0.85), tolerance })
        }
        Some(GraphProblem::Betweenness) => {
            Ok(Answer::Centrality { values: reals(), sources: vec![situation.source], tolerance })
        }
        Some(GraphProblem::Mst | GraphProblem::Stcon) | None => {
            let known = "bfs, sssp, colouring, mis, wcc, cc, pagerank, bc";
            Err(Problem::Words(format!("no buffer can be checked as '{reference}'; expected one of {known}")))
        }
    }
}

/// Whether an element means "not reached": the value that the plan names, or else all bits set, the largest
/// signed number of 32 bits, or infinity.
fn is_unreached(ty: Type, element: &[u8], named: Option<i64>) -> bool {
    match named {
        Some(named) => {
            ty.decode_whole(element) == Some(named) || ty.decode_real(element) == Some(named as f64)
        }
        None => {
            element.iter().all(|&byte| byte == 0xff)
                || ty.bytes() >= 4 && ty.decode_whole(element) == Some(i64::from(i32::MAX))
                || ty.is_float() && ty.decode_real(element).is_some_and(f64::is_infinite)
        }
    }
}

fn word(ty: Type, element: &[u8], unreached: Option<i64>) -> Result<u32, Problem> {
    if is_unreached(ty, element, unreached) {
        return Ok(UNREACHED);
    }
    let value = ty.decode_whole(element).or_else(|| {
        let real = ty.decode_real(element)?;
        (real.fract() == 0.0).then_some(real as i64)
    });
    let value = value.ok_or_else(|| Problem::Words("an element is not a whole number".to_owned()))?;
    // What fits no vertex, depth or colour is wrong, and stays visible as the largest value.
    Ok(u32::try_from(value).unwrap_or(UNREACHED - 1))
}
