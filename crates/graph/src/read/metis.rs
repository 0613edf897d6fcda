//! METIS, Chaco and tenth-DIMACS-challenge files: a header, then one line of neighbours per vertex.
//!
//! The header is `vertices edges [fmt [ncon]]`. The three digits of `fmt` say, from the right: edges have
//! weights, vertices have weights (`ncon` of them), vertices have sizes. Vertex weights and sizes are
//! skipped and said. Lines that begin with `%` are comments; an empty line is a vertex without
//! neighbours. Every edge stands in the lines of both its ends, so `2m` entries are expected. Chaco's
//! first digit means a vertex number at the same place as METIS's size; both are skipped.

use super::context::{Content, Context};
use super::gather::{self, Direction, content, grant_graph};
use super::input::Input;
use super::metis_rows::{RowPiece, RowShape};
use super::scan::{Trouble, quoted, whole_number, words};
use super::text::{Lines, Text};
use super::weights::WeightRecord;
use crate::build;
use crate::csr::Csr;
use crate::error::GraphError;
use crate::graph::{Graph, Kind};
use crate::source::WeightsSeen;
use rayon::prelude::*;

/// The first line of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) vertices: u64,
    pub(super) edges: u64,
    pub(super) edge_weights: bool,
    pub(super) vertex_sizes: bool,
    /// Weights of each vertex.
    pub(super) vertex_weights: usize,
}

impl Header {
    /// The header in a line, if it is one.
    pub(super) fn parse(line: &[u8]) -> Option<Header> {
        let all: Vec<&[u8]> = words(line).collect();
        let numbers: Vec<u64> = all.iter().map(|word| whole_number(word)).collect::<Option<_>>()?;
        // Chaco's own files have a fifth number, which nothing reads.
        if !(2..=5).contains(&numbers.len()) {
            return None;
        }
        let code = all.get(2).copied().unwrap_or(b"0");
        if code.len() > 3 || code.iter().any(|digit| !b"01".contains(digit)) {
            return None;
        }
        let digit = |from_right: usize| {
            code.len().checked_sub(from_right).and_then(|place| code.get(place)) == Some(&b'1')
        };
        let ncon = numbers.get(3).copied().unwrap_or(1).max(1);
        let vertex_weights =
            if digit(2) { usize::try_from(ncon).ok().filter(|&n| n <= 1 << 16)? } else { 0 };
        Some(Header {
            vertices: numbers[0],
            edges: numbers[1],
            edge_weights: digit(1),
            vertex_sizes: digit(3),
            vertex_weights,
        })
    }

    /// The shape of the lines below.
    pub(super) fn rows(&self, context: &Context<'_>) -> RowShape {
        RowShape {
            vertices: self.vertices,
            skipped: self.vertex_weights + usize::from(self.vertex_sizes),
            weighted: self.edge_weights,
            policy: context.weights,
        }
    }
}

/// Rows in the order of the text.
#[derive(Default)]
struct Rows {
    pieces: Vec<RowPiece>,
    count: u64,
    entries: u64,
    weights: WeightRecord,
}

/// Reads the graph.
pub(super) fn read(input: &Input, context: &Context<'_>) -> Result<Content, GraphError> {
    let mut text = Text::open(input, context)?;
    let (header, header_line) = header(&mut text)?;
    let at_header = |error: GraphError| error.at_line(header_line);
    header.check(&text, context).map_err(at_header)?;
    let shape = header.rows(context);
    let mut rows = Rows::default();
    text.parse(|piece| shape.parse(piece), |piece, lines| rows.take(piece, lines, &header, context))?;
    let mut notes = header.notes();
    rows.check_count(&header, &mut notes).map_err(|problem| at_header(context.error(problem)))?;
    let (seen, note) =
        if header.edge_weights { rows.weights.outcome(context.weights) } else { (WeightsSeen::None, None) };
    notes.extend(note);
    let held = matches!(seen, WeightsSeen::Held | WeightsSeen::Converted);
    let csr = rows.into_csr(header.vertices, held, context)?;
    let graph = checked(csr, &header, &mut notes).map_err(|problem| at_header(context.error(problem)))?;
    Ok(content(graph, seen, notes))
}

/// Reads up to the header, which must be there, and gives its line.
pub(super) fn header(text: &mut Text<'_>) -> Result<(Header, u64), GraphError> {
    while let Some(line) = text.peek()? {
        if line.trim_ascii().is_empty() || line.trim_ascii_start().starts_with(b"%") {
            text.skip()?;
            continue;
        }
        let Some(header) = Header::parse(line) else {
            let problem =
                format!("a header `vertices edges [fmt [ncon]]` was expected, found {}", quoted(line));
            return Err(text.error(problem));
        };
        let number = text.line();
        text.skip()?;
        return Ok((header, number));
    }
    Err(text.error("the file ends before its header `vertices edges [fmt [ncon]]`"))
}

impl Header {
    fn check(&self, text: &Text<'_>, context: &Context<'_>) -> Result<(), GraphError> {
        // A vertex takes a line end at least, an edge two entries of a digit and a blank each.
        let left = text.bytes_left_max();
        if self.vertices > left.saturating_add(1) || self.edges > left / 4 + 1 {
            let (vertices, edges) = (self.vertices, self.edges);
            let problem = format!(
                "{vertices} vertices and {edges} edges are promised; the rest of the file is too short for them"
            );
            return Err(context.error(problem));
        }
        let entries = self.edges.saturating_mul(2);
        grant_graph(entries, self.vertices, Direction::BothStored, self.edge_weights, context)
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.vertex_weights > 0 {
            notes.push(format!("{} weights of every vertex are skipped", self.vertex_weights));
        }
        if self.vertex_sizes {
            notes.push("the size of every vertex is skipped".to_owned());
        }
        notes
    }
}

impl Rows {
    fn take(
        &mut self,
        mut piece: RowPiece,
        lines: &Lines<'_>,
        header: &Header,
        context: &Context<'_>,
    ) -> Result<(), Trouble> {
        let room = header.vertices - self.count;
        let rows = piece.ends.len() as u64;
        if rows > room {
            // Empty lines at the end of a file are no vertices.
            let kept = room.checked_sub(1).map_or(0, |last| piece.ends[last as usize]);
            if piece.targets.len() as u64 > u64::from(kept) {
                let at = RowShape::row_start(lines.piece, room);
                let problem =
                    format!("only {} vertices are promised; this line is one more", header.vertices);
                return Err(Trouble::new(at, problem));
            }
            piece.ends.truncate(room as usize);
        }
        self.count += piece.ends.len() as u64;
        self.entries += piece.targets.len() as u64;
        if let Some((at, word)) = piece.unfit.take()
            && self.weights.unfit.is_none()
        {
            self.weights.unfit = Some((lines.at(at), word));
            self.pieces.iter_mut().for_each(|piece| piece.weights = Vec::new());
        }
        if self.weights.unfit.is_some() {
            piece.weights = Vec::new();
        }
        self.weights.converted |= piece.converted;
        piece.targets.shrink_to_fit();
        piece.weights.shrink_to_fit();
        self.pieces.push(piece);
        let granted = context.grant(self.entries.saturating_mul(8), "the neighbours");
        granted.map_err(|error| Trouble { at: 0, problem: error.problem, help: error.help })
    }

    fn check_count(&self, header: &Header, notes: &mut Vec<String>) -> Result<(), String> {
        let (found, promised) = (self.count, header.vertices);
        if found == promised {
            return Ok(());
        }
        if self.entries == header.edges.saturating_mul(2) {
            notes
                .push(format!("the file ends after {found} of {promised} vertices; the others have no edge"));
            return Ok(());
        }
        Err(format!("{promised} vertices are promised, but only {found} lines follow"))
    }

    fn into_csr(self, vertices: u64, weighted: bool, context: &Context<'_>) -> Result<Csr, GraphError> {
        let mut offsets = Vec::with_capacity(vertices as usize + 1);
        offsets.push(0u64);
        let mut targets = Vec::with_capacity(self.entries as usize);
        let mut weights = Vec::with_capacity(if weighted { self.entries as usize } else { 0 });
        for piece in self.pieces {
            let before = targets.len() as u64;
            offsets.extend(piece.ends.iter().map(|&end| before + u64::from(end)));
            targets.extend_from_slice(&piece.targets);
            weights.extend_from_slice(&piece.weights);
        }
        offsets.resize(vertices as usize + 1, targets.len() as u64);
        Csr::new(offsets, targets, weighted.then_some(weights))
            .map_err(|error| context.error(error.to_string()))
    }
}

/// Holds the number of entries against the header, and says so if the graph is not what METIS defines.
fn checked(csr: Csr, header: &Header, notes: &mut Vec<String>) -> Result<Graph, String> {
    let (found, edges) = (csr.num_arcs(), header.edges);
    let promised = edges.saturating_mul(2);
    let loops = csr.arcs().filter(|(source, target)| source == target).count() as u64;
    if loops > 0 {
        notes.push(format!("{loops} self-loops, which METIS does not allow"));
    }
    if found != promised && found + loops != promised {
        return Err(format!("{edges} edges are promised, which is {promised} entries; found {found}"));
    }
    let vertices: Vec<u32> = csr.vertices().collect();
    let symmetric =
        vertices.par_chunks(1 << 16).map(|part| asymmetry(&csr, part)).reduce(|| [0; 2], gather::sum)
            == [0; 2];
    if symmetric {
        return Ok(Graph::new(Kind::Undirected, csr));
    }
    let back = build::transposed(&csr);
    let lonely = csr.vertices().find(|&v| sorted(csr.neighbours(v)) != sorted(back.neighbours(v)));
    let vertex = lonely.map_or(0, |vertex| u64::from(vertex) + 1);
    notes.push(format!(
        "not symmetric, as METIS demands (vertex {vertex} is the first whose edges lack their opposites): \
         held as a directed graph"
    ));
    Ok(Graph::new(Kind::Directed, csr))
}

fn asymmetry(csr: &Csr, vertices: &[u32]) -> [u64; 2] {
    let arcs = vertices.iter().flat_map(|&v| csr.neighbours(v).iter().map(move |&target| (v, target)));
    gather::asymmetry(arcs)
}

fn sorted(neighbours: &[u32]) -> Vec<u32> {
    let mut neighbours = neighbours.to_vec();
    neighbours.sort_unstable();
    neighbours
}
