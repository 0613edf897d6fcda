//! Rodinia's BFS input: numbers set apart by blanks and line ends.
//!
//! The number of vertices; for each vertex where its edges begin and how many they are; the source of the
//! search; the number of edges; for each edge its target and its weight. Ids count from 0. The edges of the
//! vertices must follow each other without gap or overlap, as Rodinia's own generator writes them.

use super::WeightPolicy;
use super::context::{Content, Context};
use super::gather::{Direction, content, grant_graph};
use super::input::Input;
use super::scan::{Trouble, not_a_number, unsigned};
use super::text::Text;
use crate::csr::Csr;
use crate::error::GraphError;
use crate::graph::Graph;
use crate::source::WeightsSeen;

/// All numbers of the file in pieces.
#[derive(Default)]
struct Numbers {
    pieces: Vec<Vec<u32>>,
    count: u64,
}

/// A number that is not what it must be.
struct Wrong {
    /// Which number of the file, counted from 0.
    number: u64,
    problem: String,
}

/// Reads the graph.
pub(super) fn read(input: &Input, context: &Context<'_>) -> Result<Content, GraphError> {
    let numbers = numbers(input, context)?;
    let held = context.weights != WeightPolicy::Drop;
    let (csr, source) = match numbers.graph(held, context) {
        Ok(graph) => graph?,
        Err(wrong) => return Err(at_number(input, context, wrong)),
    };
    let seen = if held { WeightsSeen::Held } else { WeightsSeen::Dropped };
    let note = format!("the file names vertex {source} as the source of its search");
    Ok(content(Graph::directed(csr), seen, vec![note]))
}

fn numbers(input: &Input, context: &Context<'_>) -> Result<Numbers, GraphError> {
    let mut all = Numbers::default();
    Text::open(input, context)?.parse(parse, |piece, _| {
        all.count += piece.len() as u64;
        all.pieces.push(piece);
        let granted = context.grant(all.count.saturating_mul(4), "the numbers");
        granted.map_err(|error| Trouble { at: 0, problem: error.problem, help: error.help })
    })?;
    Ok(all)
}

fn parse(text: &[u8]) -> Result<Vec<u32>, Trouble> {
    let mut numbers = Vec::with_capacity(text.len() / 4);
    let mut at = skip_space(text, 0);
    while at < text.len() {
        let number = unsigned(text, at).filter(|&(_, end)| text.get(end).is_none_or(u8::is_ascii_whitespace));
        let Some((value, end)) = number else {
            return Err(Trouble::new(at, not_a_number(text, at, "an entry")));
        };
        let value = u32::try_from(value);
        numbers.push(value.map_err(|_| Trouble::new(at, "the number does not fit 32 bits"))?);
        at = skip_space(text, end);
    }
    numbers.shrink_to_fit();
    Ok(numbers)
}

fn skip_space(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

impl Numbers {
    /// The graph and the source of the search.
    fn graph(self, held: bool, context: &Context<'_>) -> Result<Result<(Csr, u32), GraphError>, Wrong> {
        let mut rest = self.pieces.iter().flatten().copied().enumerate();
        let mut next = |what: &str| {
            let missing = || Wrong { number: self.count, problem: format!("the file ends before {what}") };
            rest.next().ok_or_else(missing).map(|(number, value)| (number as u64, value))
        };
        let (_, vertices) = next("the number of vertices")?;
        if let Err(error) = grant_graph(0, vertices.into(), Direction::Directed, held, context) {
            return Ok(Err(error.at_line(1)));
        }
        if u64::from(vertices) > self.count / 2 {
            let problem = format!("{vertices} vertices are promised; the file is too short for them");
            return Err(Wrong { number: 0, problem });
        }
        let mut offsets = Vec::with_capacity(vertices as usize + 1);
        let mut sum = 0u64;
        offsets.push(sum);
        for vertex in 0..vertices {
            let (number, start) = next("the last vertex")?;
            if u64::from(start) != sum {
                let problem = format!("the edges of vertex {vertex} begin at {start}; {sum} are before them");
                return Err(Wrong { number, problem });
            }
            sum += u64::from(next("the last vertex")?.1);
            offsets.push(sum);
        }
        let (number, source) = next("the source")?;
        if source >= vertices {
            let problem = format!("the source is {source}, but there are only {vertices} vertices");
            return Err(Wrong { number, problem });
        }
        let (number, edges) = next("the number of edges")?;
        if u64::from(edges) != sum {
            let problem = format!("{edges} edges are promised, but the vertices count {sum}");
            return Err(Wrong { number, problem });
        }
        let read = number + 1;
        let expected = read + 2 * sum;
        if self.count != expected {
            let problem = format!("{edges} edges are promised, but {} numbers follow", self.count - read);
            return Err(Wrong { number: self.count.min(expected), problem });
        }
        let (targets, weights) =
            edges_of(rest.map(|(number, value)| (number as u64, value)), vertices, sum, held)?;
        let csr = Csr::new(offsets, targets, held.then_some(weights));
        Ok(csr.map(|csr| (csr, source)).map_err(|error| context.error(error.to_string())))
    }
}

fn edges_of(
    mut rest: impl Iterator<Item = (u64, u32)>,
    vertices: u32,
    edges: u64,
    held: bool,
) -> Result<(Vec<u32>, Vec<u32>), Wrong> {
    let mut targets = Vec::with_capacity(edges as usize);
    let mut weights = Vec::with_capacity(if held { edges as usize } else { 0 });
    while let (Some((number, target)), Some((_, weight))) = (rest.next(), rest.next()) {
        if target >= vertices {
            let problem = format!("an edge leads to {target}, but there are only {vertices} vertices");
            return Err(Wrong { number, problem });
        }
        targets.push(target);
        if held {
            weights.push(weight);
        }
    }
    Ok((targets, weights))
}

/// The error, at the line of the number: found by reading the file once more.
fn at_number(input: &Input, context: &Context<'_>, wrong: Wrong) -> GraphError {
    let mut before = 0;
    let mut last_line = 1;
    let starts = |text: &[u8]| {
        let space = |at: usize| text[at].is_ascii_whitespace();
        let starts = (0..text.len()).filter(|&at| !space(at) && (at == 0 || space(at - 1)));
        Ok(starts.collect::<Vec<usize>>())
    };
    let found = Text::open(input, context).and_then(|text| {
        text.parse(starts, |starts, lines| {
            let place = usize::try_from(wrong.number - before).ok().and_then(|place| starts.get(place));
            before += starts.len() as u64;
            last_line = starts.last().map_or(last_line, |&at| lines.at(at));
            place.map_or(Ok(()), |&at| Err(Trouble::new(at, wrong.problem.clone())))
        })
    });
    found.err().unwrap_or_else(|| context.error(wrong.problem).at_line(last_line))
}
