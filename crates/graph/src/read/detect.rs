//! Which format a file has, told from its content.
//!
//! Banners and binary headers speak for themselves. Plain numbers need judgement, on the first 64 KiB of
//! lines that are no comments, and where those do not settle it, on the whole file:
//!
//! 1. One number, then pairs most of which begin where the last ended: Rodinia.
//! 2. Lines of differing length below a header `n m`: METIS.
//! 3. Lines of equal length (empty ones apart): METIS only if the whole file consists of symmetric neighbour
//!    lists without self-loops that fit the header (a regular graph); Matrix Market without banner if the
//!    first line is `rows columns entries` and all ids fit it, or if every line of the whole file is below
//!    the diagonal, in the order of columns, from id 1 (the body of a symmetric matrix); otherwise an edge
//!    list, whose reader decides whether the first line is `V E`.
//!
//! WebGraph's bit streams have no structure that could be recognised: the `.properties` file beside decides.

use super::context::Context;
use super::head::Head;
use super::input::Input;
use super::matrix_market::{BANNER, Shape};
use super::survey::{Likeness, Survey};
use super::{companions, metis_whole, triangle};
use crate::error::GraphError;
use crate::format::Format;
use std::path::PathBuf;

/// A reader, with what it must be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    MatrixMarket(Shape),
    EdgeList,
    Dimacs,
    Metis,
    Galois,
    Gap,
    Rodinia,
    /// With the file of the bit stream.
    WebGraph(PathBuf),
}

impl Reader {
    /// The format that it reads.
    pub(super) fn format(&self) -> Format {
        match self {
            Reader::MatrixMarket(_) => Format::MatrixMarket,
            Reader::EdgeList => Format::EdgeList,
            Reader::Dimacs => Format::Dimacs,
            Reader::Metis => Format::Metis,
            Reader::Galois => Format::Galois,
            Reader::Gap => Format::Gap,
            Reader::Rodinia => Format::Rodinia,
            Reader::WebGraph(_) => Format::WebGraph,
        }
    }
}

/// The reader for a format that the user names.
pub(super) fn forced(format: Format, input: &Input, context: &Context<'_>) -> Result<Reader, GraphError> {
    Ok(match format {
        Format::MatrixMarket => Reader::MatrixMarket(if starts_with_banner(&input.head()?.0) {
            Shape::Banner
        } else if Survey::new(&Head::read(input)?).is_sized_matrix() {
            Shape::SizeLine
        } else {
            Shape::Body
        }),
        Format::EdgeList => Reader::EdgeList,
        Format::Dimacs => Reader::Dimacs,
        Format::Metis => Reader::Metis,
        Format::Galois => Reader::Galois,
        Format::Gap => Reader::Gap,
        Format::Rodinia => Reader::Rodinia,
        Format::WebGraph => Reader::WebGraph(companions::bit_stream(context.path)?),
    })
}

/// The reader for the content.
pub(super) fn recognise(input: &Input, context: &Context<'_>) -> Result<Reader, GraphError> {
    if companions::has_properties(context.path, &context.limits) {
        return Ok(Reader::WebGraph(companions::bit_stream(context.path)?));
    }
    let (head, _) = input.head()?;
    if starts_with_banner(&head) {
        return Ok(Reader::MatrixMarket(Shape::Banner));
    }
    if is_galois(&head) {
        return Ok(Reader::Galois);
    }
    if is_gap(&head) {
        return Ok(Reader::Gap);
    }
    let lines = Head::read(input)?;
    let survey = Survey::new(&lines);
    if let Some(reader) = of_text(&survey, input, context)? {
        return Ok(reader);
    }
    if !is_text(&head)
        && let Some(reader) = damaged(&head, context)?
    {
        return Ok(reader);
    }
    Err(unrecognised(&head, &survey, context))
}

fn of_text(survey: &Survey<'_>, input: &Input, context: &Context<'_>) -> Result<Option<Reader>, GraphError> {
    if survey.is_dimacs() {
        return Ok(Some(Reader::Dimacs));
    }
    if survey.is_rodinia() {
        return Ok(Some(Reader::Rodinia));
    }
    let metis = match survey.metis() {
        Likeness::Yes => true,
        Likeness::No => false,
        Likeness::Perhaps => metis_whole::is_metis_throughout(input, context)?,
    };
    if metis {
        return Ok(Some(Reader::Metis));
    }
    if survey.is_sized_matrix() {
        return Ok(Some(Reader::MatrixMarket(Shape::SizeLine)));
    }
    if survey.is_arc_lines() {
        let lower = survey.is_lower_triangle() && triangle::is_lower_throughout(input, context)?;
        return Ok(Some(if lower { Reader::MatrixMarket(Shape::Body) } else { Reader::EdgeList }));
    }
    Ok(None)
}

/// The reader that can say what is wrong with binary data which is of its format almost.
fn damaged(head: &[u8], context: &Context<'_>) -> Result<Option<Reader>, GraphError> {
    if companions::is_named_graph(context.path) && companions::properties(context.path).is_some() {
        return Ok(Some(Reader::WebGraph(companions::bit_stream(context.path)?)));
    }
    let gap_flag = matches!(head.first(), Some(0 | 1));
    if gap_flag && (word_at(head, 17) == Some(0) || companions::is_named_gap(context.path)) {
        return Ok(Some(Reader::Gap));
    }
    let edge_data_is_small = word_at(head, 8).is_some_and(|bytes| bytes <= 1 << 16);
    let is_galois = matches!(word_at(head, 0), Some(1 | 2)) && edge_data_is_small;
    Ok(is_galois.then_some(Reader::Galois))
}

fn unrecognised(head: &[u8], survey: &Survey<'_>, context: &Context<'_>) -> GraphError {
    if !is_text(head) && companions::is_named_graph(context.path) {
        let problem = format!(
            "this looks like a WebGraph bit stream, but its companion {} is missing",
            companions::properties_name(context.path).display()
        );
        return context.error(problem);
    }
    let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
    let what = match survey.first_line() {
        Some((number, line)) if is_text(head) => {
            return context
                .error(format!("no known graph format begins with {}", super::scan::quoted(line)))
                .at_line(number)
                .with_help(format!("known formats: {}; --format names one", names.join(", ")));
        }
        Some(_) => "binary data of no known graph format",
        None => "there is nothing but comments and empty lines",
    };
    context.error(what).with_help(format!("known formats: {}; --format names one", names.join(", ")))
}

fn starts_with_banner(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    head.get(..BANNER.len()).is_some_and(|start| start.eq_ignore_ascii_case(BANNER))
}

fn is_text(head: &[u8]) -> bool {
    let odd = head.iter().filter(|byte| **byte < b' ' && !byte.is_ascii_whitespace() || **byte >= 0x7F);
    odd.count() * 10 < head.len()
}

fn word_at(head: &[u8], at: usize) -> Option<u64> {
    head.get(at..).and_then(|rest| rest.first_chunk()).map(|bytes| u64::from_le_bytes(*bytes))
}

/// Version 1 or 2, bytes per edge value, vertices, edges; all little-endian. Where more follows a graph
/// without vertices it is one of GAP's, which begins with the same bytes.
fn is_galois(head: &[u8]) -> bool {
    let field = |place: usize| word_at(head, 8 * place);
    let empty = field(2) == Some(0) && field(3) == Some(0);
    matches!(field(0), Some(1 | 2)) && matches!(field(1), Some(0 | 4 | 8)) && (!empty || head.len() == 32)
}

/// Whether directed, arcs, vertices; then the offsets, from 0 and never backwards.
fn is_gap(head: &[u8]) -> bool {
    let (Some(0 | 1), Some(arcs), Some(vertices)) = (head.first(), word_at(head, 1), word_at(head, 9)) else {
        return false;
    };
    let offsets = (0..=vertices).map_while(|vertex| word_at(head, 17 + 8 * usize::try_from(vertex).ok()?));
    let mut before = 0;
    let mut plausible = arcs <= i64::MAX as u64 && vertices <= i64::MAX as u64;
    for (index, offset) in offsets.enumerate() {
        plausible &= (index > 0 || offset == 0) && offset >= before && offset <= arcs;
        before = offset;
    }
    plausible && word_at(head, 17).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_headers_are_told_apart() {
        let words = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        assert!(is_galois(&words(&[1, 4, 2, 1])));
        assert!(is_galois(&words(&[2, 0, 2, 1])));
        assert!(!is_galois(&words(&[3, 0, 2, 1])));
        let gap = |offsets: &[u64]| [vec![0], words(&[2, 2]), words(offsets)].concat();
        assert!(is_gap(&gap(&[0, 1, 2])));
        assert!(!is_gap(&gap(&[1, 1, 2])));
        assert!(!is_gap(&gap(&[0, 2, 1])));
        assert!(!is_gap(&gap(&[0, 1, 3])));
        assert!(!is_gap(b"0 1\n1 2\n"));
        let empty = [vec![1], words(&[0, 0, 0, 0])].concat();
        assert!(is_gap(&empty) && !is_galois(&empty) && is_galois(&words(&[1, 0, 0, 0])));
    }
}
