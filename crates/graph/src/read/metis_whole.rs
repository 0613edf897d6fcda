//! Whether all lines of a file are the neighbour lists of a METIS graph.
//!
//! A header `n m` above lines of two numbers can begin an edge list as well as a graph in which every vertex
//! has two neighbours. The whole file tells: in a METIS file no line names its own vertex, each edge stands
//! in the lines of both its ends, and there are `2m` entries in at most `n` lines.

use super::context::Context;
use super::gather;
use super::input::Input;
use super::metis::{self, Header};
use super::metis_rows::RowPiece;
use super::scan::{Trouble, line_end, words};
use super::text::Text;
use crate::csr::{VERTICES_MAX, Vertex};
use crate::error::GraphError;

/// No arc has so many columns.
const ARC_COLUMNS_MAX: usize = 32;

/// What a piece of the text looks like.
struct Piece {
    /// The neighbours; `None` if it holds something else.
    rows: Option<RowPiece>,
    /// Some line cannot be an arc.
    no_arcs: bool,
}

/// What is known of the lines so far.
#[derive(Default)]
struct Lists {
    rows: u64,
    entries: u64,
    asymmetry: [u64; 2],
}

/// Looks at the whole file, which begins with a header, or at as much of it as proves the contrary. Lines
/// that cannot be arcs make it METIS too: its reader says what is wrong with them.
pub(super) fn is_metis_throughout(input: &Input, context: &Context<'_>) -> Result<bool, GraphError> {
    let mut text = Text::open(input, context)?;
    let (header, _) = metis::header(&mut text)?;
    if header.vertices > VERTICES_MAX {
        return Ok(false);
    }
    let shape = header.rows(context);
    let (mut lists, mut refuted, mut no_arcs) = (Lists::default(), false, false);
    let outcome = text.parse(
        |text| Ok(Piece { rows: shape.parse(text).ok(), no_arcs: has_no_arcs(text) }),
        |piece, _| {
            no_arcs |= piece.no_arcs;
            refuted = !piece.rows.is_some_and(|rows| lists.add(&rows, &header));
            if refuted { Err(Trouble::new(0, "no neighbour lists")) } else { Ok(()) }
        },
    );
    if refuted {
        return Ok(no_arcs);
    }
    outcome.map(|()| no_arcs || lists.fit(&header))
}

/// Whether a line is longer than any arc, or several are shorter.
fn has_no_arcs(text: &[u8]) -> bool {
    let (mut start, mut short) = (0, 0);
    while start < text.len() {
        let end = line_end(text, start);
        let line = &text[start..end];
        match words(line).take(ARC_COLUMNS_MAX + 1).count() {
            width if line.starts_with(b"%") || width == 0 => {}
            1 => short += 1,
            width if width > ARC_COLUMNS_MAX => return true,
            _ => {}
        }
        start = end + 1;
    }
    short > 1
}

impl Lists {
    /// Takes the next lines; false if they cannot be there.
    fn add(&mut self, piece: &RowPiece, header: &Header) -> bool {
        let mut begin = 0;
        for &end in &piece.ends {
            let row = piece.targets.get(begin as usize..end as usize).unwrap_or_default();
            begin = end;
            // Empty lines at the end of a file are no vertices.
            if row.is_empty() {
                self.rows += 1;
                continue;
            }
            let Ok(vertex) = Vertex::try_from(self.rows) else { return false };
            if self.rows >= header.vertices || row.contains(&vertex) {
                return false;
            }
            let arcs = row.iter().map(|&target| (vertex, target));
            self.asymmetry = gather::sum(self.asymmetry, gather::asymmetry(arcs));
            self.rows += 1;
            self.entries += row.len() as u64;
        }
        true
    }

    /// Whether all lines together are what the header promises.
    fn fit(&self, header: &Header) -> bool {
        self.entries == header.edges.saturating_mul(2) && self.asymmetry == [0; 2]
    }
}
