//! The lines of METIS files: the neighbours of one vertex each.

use super::WeightPolicy;
use super::scan::{Trouble, line_end, not_a_number, quoted, skip_blanks, trimmed, unsigned};
use super::weights::{self, Fate};
use crate::csr::{Vertex, Weight};

/// What the lines look like.
#[derive(Clone, Copy)]
pub(super) struct RowShape {
    pub(super) vertices: u64,
    /// Numbers before the first neighbour: size and weights of the vertex.
    pub(super) skipped: usize,
    pub(super) weighted: bool,
    pub(super) policy: WeightPolicy,
}

/// The neighbours in a piece of text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct RowPiece {
    /// Where the neighbours of each vertex end.
    pub(super) ends: Vec<u32>,
    pub(super) targets: Vec<Vertex>,
    pub(super) weights: Vec<Weight>,
    /// The first weight that cannot be held: where, and how it is written.
    pub(super) unfit: Option<(usize, String)>,
    pub(super) converted: bool,
}

impl RowShape {
    /// Parses whole lines.
    pub(super) fn parse(&self, text: &[u8]) -> Result<RowPiece, Trouble> {
        let mut piece = RowPiece::default();
        // Files average five to eight bytes a neighbour; the rest is given back when the piece is taken.
        piece.targets.reserve(text.len() / if self.weighted { 6 } else { 4 });
        let mut start = 0;
        while start < text.len() {
            let end = line_end(text, start);
            let line = trimmed(&text[start..end]);
            if line.first() != Some(&b'%') {
                self.row(line, start, &mut piece)?;
            }
            start = end + 1;
        }
        if piece.unfit.is_some() || !weights::wanted(self.policy) {
            piece.weights = Vec::new();
        }
        Ok(piece)
    }

    fn row(&self, line: &[u8], start: usize, piece: &mut RowPiece) -> Result<(), Trouble> {
        let mut at = skip_blanks(line, 0);
        if !line.is_empty() {
            for _ in 0..self.skipped {
                at = self.skip_number(line, at, start)?;
            }
        }
        while at < line.len() {
            let target = unsigned(line, at).filter(|&(_, end)| ends_here(line, end));
            let Some((target, end)) = target else {
                return Err(Trouble::new(start + at, not_a_number(line, at, "the neighbour")));
            };
            let vertex = target.wrapping_sub(1);
            if vertex >= self.vertices {
                let problem = format!("neighbour {target} is outside 1..{}", self.vertices);
                return Err(Trouble::new(start + at, problem));
            }
            piece.targets.push(vertex as Vertex);
            at = skip_blanks(line, end);
            if self.weighted {
                at = self.weight(line, at, start, piece)?;
            }
        }
        let end = u32::try_from(piece.targets.len());
        piece.ends.push(end.map_err(|_| Trouble::new(start, "more than 2^32 neighbours in a line"))?);
        Ok(())
    }

    fn weight(&self, line: &[u8], at: usize, start: usize, piece: &mut RowPiece) -> Result<usize, Trouble> {
        let rest = &line[at..];
        if rest.is_empty() {
            let problem = format!("the weight of the last neighbour is missing in {}", quoted(line));
            return Err(Trouble::new(start, problem));
        }
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        match weights::of_word(&rest[..length], start + at, self.policy)? {
            Fate::Exact(weight) => piece.weights.push(weight),
            Fate::Converted(weight) => {
                piece.weights.push(weight);
                piece.converted = true;
            }
            Fate::Unfit if piece.unfit.is_none() && weights::wanted(self.policy) => {
                piece.unfit = Some((start + at, quoted(&rest[..length])));
            }
            Fate::Unfit => {}
        }
        Ok(skip_blanks(line, at + length))
    }

    /// Passes a weight or the size of the vertex, which may be a real number.
    fn skip_number(&self, line: &[u8], at: usize, start: usize) -> Result<usize, Trouble> {
        let rest = &line[at..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let number = std::str::from_utf8(&rest[..length]).is_ok_and(|word| word.parse::<f64>().is_ok());
        if !number {
            return Err(Trouble::new(start + at, not_a_number(line, at, "the weight of the vertex")));
        }
        Ok(skip_blanks(line, at + length))
    }

    /// Where the row with `before` rows before it begins.
    pub(super) fn row_start(text: &[u8], before: u64) -> usize {
        let (mut start, mut rows) = (0, 0);
        while start < text.len() {
            if text[start] != b'%' {
                // Empty lines behind the last vertex are not what is wrong.
                let end = line_end(text, start);
                if rows >= before && !trimmed(&text[start..end]).is_empty() {
                    break;
                }
                rows += 1;
            }
            start = line_end(text, start) + 1;
        }
        start
    }
}

fn ends_here(line: &[u8], at: usize) -> bool {
    line.get(at).is_none_or(u8::is_ascii_whitespace)
}
