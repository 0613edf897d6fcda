//! Whether a list of pairs is the body of a symmetric Matrix Market file that lost its header.
//!
//! Such a body has one triangle alone: every row id is above its column id, columns ascend, rows ascend
//! within a column, and ids begin at 1. No edge list tool writes that; every Matrix Market writer does.

use super::context::Context;
use super::input::Input;
use super::scan::{Trouble, line_end, trimmed, whole_number, words};
use super::text::Text;
use crate::error::GraphError;

/// `(column, row)` of the first and last line of a run that is in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    first: (u64, u64),
    last: (u64, u64),
}

/// The pair in a line as `(column, row)`; `None` unless it is below the diagonal.
pub(super) fn below_diagonal<'a>(mut words: impl Iterator<Item = &'a [u8]>) -> Option<(u64, u64)> {
    let (row, column) = (whole_number(words.next()?)?, whole_number(words.next()?)?);
    (row > column && column >= 1 && words.next().is_none()).then_some((column, row))
}

/// The run in whole lines; `Some(None)` if there is no pair, `None` if they are in another order. A last line
/// without line end, where it does not fit, is one in which the file was cut.
fn run(text: &[u8]) -> Option<Option<Run>> {
    let mut run: Option<Run> = None;
    let mut start = 0;
    while start < text.len() {
        let end = line_end(text, start);
        let line = trimmed(&text[start..end]);
        start = end + 1;
        if line.is_empty() || line.starts_with(b"%") {
            continue;
        }
        let cut = end == text.len();
        match (&mut run, below_diagonal(words(line))) {
            (Some(run), Some(pair)) if run.last < pair => run.last = pair,
            (None, Some(pair)) if !cut => run = Some(Run { first: pair, last: pair }),
            _ if cut => {}
            _ => return None,
        }
    }
    Some(run)
}

/// Looks at the whole file.
pub(super) fn is_lower_throughout(input: &Input, context: &Context<'_>) -> Result<bool, GraphError> {
    let mut last = None;
    let mut lower = true;
    let outcome = Text::open(input, context)?.parse(
        |piece| Ok(run(piece)),
        |piece, _| {
            let follows = match (piece, last) {
                (None, _) => false,
                (Some(None), _) => return Ok(()),
                (Some(Some(run)), None) => run.first.0 == 1,
                (Some(Some(run)), Some(last)) => last < run.first,
            };
            last = piece.flatten().map(|run| run.last);
            lower &= follows;
            if follows { Ok(()) } else { Err(Trouble::new(0, "another order")) }
        },
    );
    if lower { outcome.map(|()| true) } else { Ok(false) }
}
