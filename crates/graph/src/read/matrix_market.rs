//! Matrix Market coordinate files, with their banner or without.
//!
//! Entry `(i, j)` is the arc from `i` to `j`. `symmetric` files store the lower triangle and are held in
//! both directions. Files without a banner are found in the wild, in two shapes. With a size line
//! `rows columns entries`: symmetric if all entries are on or below the diagonal and some below. With
//! entries alone: symmetric if all are below the diagonal in the order of columns, else a general matrix
//! as large as its largest id. Not read: dense `array` files, which are no graphs, and complex values.

use super::arc_lines::ArcLines;
use super::context::{Content, Context};
use super::gather::{Direction, Gathered, build_graph, content, grant_graph};
use super::input::Input;
use super::scan::{quoted, whole_number, words};
use super::text::Text;
use super::{WeightPolicy, weights};
use crate::arcs::ArcSegment;
use crate::error::GraphError;
use crate::source::WeightsSeen;

/// How a banner begins.
pub(super) const BANNER: &[u8] = b"%%MatrixMarket";

/// The shortest entry is `1 1` and a line end.
const ENTRY_BYTES_MIN: u64 = 4;

/// Which lines stand before the entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Banner and size line.
    Banner,
    /// The size line alone.
    SizeLine,
    /// Nothing.
    Body,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symmetry {
    General,
    Symmetric,
    SkewSymmetric,
    /// Not stated: the entries tell.
    Unstated,
}

struct Header {
    pattern: bool,
    symmetry: Symmetry,
    rows: u64,
    columns: u64,
    entries: Option<u64>,
    /// Where the size line stands.
    line: u64,
    /// Columns of the first entry.
    width: usize,
    /// The last line has no line end.
    unended: bool,
}

/// Reads the matrix as a graph.
pub(super) fn read(input: &Input, shape: Shape, context: &Context<'_>) -> Result<Content, GraphError> {
    let mut text = Text::open(input, context)?;
    let mut notes = Vec::new();
    let banner = if shape == Shape::Banner { Some(banner(&mut text)?) } else { None };
    skip_comments(&mut text)?;
    let (pattern, symmetry) = banner.unwrap_or((false, Symmetry::Unstated));
    let mut header =
        Header { pattern, symmetry, rows: 0, columns: 0, entries: None, line: 0, width: 0, unended: false };
    match shape {
        Shape::Body => (header.rows, header.columns) = (u32::MAX.into(), u32::MAX.into()),
        _ => size(&mut text, &mut header)?,
    }
    header.check(&text, context)?;
    let weighted = columns(&mut text, &mut header, &mut notes)?;
    let policy = header.policy(context, weighted, &mut notes)?;
    let gathered = entries(text, &mut header, weighted, policy, context)?;
    finish(header, gathered, shape, (weighted, policy), notes, context)
}

/// The first line: what kind of matrix this is.
fn banner(text: &mut Text<'_>) -> Result<(bool, Symmetry), GraphError> {
    let line = text.peek()?.unwrap_or_default().to_ascii_lowercase();
    let words: Vec<_> = words(&line).map(|word| String::from_utf8_lossy(word).into_owned()).collect();
    let word = |place: usize| words.get(place).map_or("", String::as_str);
    let unknown = |what: &str, word: &str, known: &str| {
        let problem = format!("the banner's {what} `{word}` is unknown; {known} expected");
        Err(text.error(problem))
    };
    match (word(1), word(2)) {
        ("matrix", "coordinate") => {}
        ("matrix", "array") => {
            let problem = "an `array` file is a dense matrix, not a graph; only `coordinate` files are read";
            return Err(text.error(problem));
        }
        ("matrix", other) => return unknown("format", other, "`coordinate`"),
        (other, _) => return unknown("object", other, "`matrix`"),
    }
    let pattern = match word(3) {
        "pattern" => true,
        "integer" | "real" | "double" => false,
        "complex" => return Err(text.error("complex values are not read: a weight is one number")),
        other => return unknown("field", other, "`pattern`, `integer` or `real`"),
    };
    let symmetry = match word(4) {
        "general" => Symmetry::General,
        "symmetric" => Symmetry::Symmetric,
        "skew-symmetric" => Symmetry::SkewSymmetric,
        "hermitian" => return Err(text.error("hermitian matrices are complex, which is not read")),
        other => return unknown("symmetry", other, "`general`, `symmetric` or `skew-symmetric`"),
    };
    text.skip()?;
    Ok((pattern, symmetry))
}

fn skip_comments(text: &mut Text<'_>) -> Result<(), GraphError> {
    while let Some(line) = text.peek()? {
        match line.trim_ascii().first() {
            None | Some(b'%' | b'#') => text.skip()?,
            Some(_) => break,
        }
    }
    Ok(())
}

/// The size line: rows, columns, entries.
fn size(text: &mut Text<'_>, header: &mut Header) -> Result<(), GraphError> {
    let Some(line) = text.peek()? else {
        return Err(text.error("the file ends before its size line `rows columns entries`"));
    };
    let line = line.to_vec();
    let numbers: Option<Vec<u64>> = words(&line).map(whole_number).collect();
    let Some([rows, columns, entries]) = numbers.as_deref() else {
        let problem = format!("a size line `rows columns entries` was expected, found {}", quoted(&line));
        return Err(text.error(problem));
    };
    (header.rows, header.columns, header.entries) = (*rows, *columns, Some(*entries));
    header.line = text.line();
    Ok(())
}

impl Header {
    fn vertices(&self) -> u64 {
        self.rows.max(self.columns)
    }

    fn direction(&self) -> Direction {
        match self.symmetry {
            Symmetry::General | Symmetry::Unstated => Direction::Directed,
            Symmetry::Symmetric | Symmetry::SkewSymmetric => Direction::Mirror,
        }
    }

    /// Holds what the size line promises against what can be there, before anything is allocated.
    fn check(&self, text: &Text<'_>, context: &Context<'_>) -> Result<(), GraphError> {
        let Some(entries) = self.entries else { return Ok(()) };
        let (rows, columns) = (self.rows, self.columns);
        if self.direction() == Direction::Mirror && rows != columns {
            return Err(text.error(format!("a symmetric matrix must be square, not {rows} by {columns}")));
        }
        if entries > text.bytes_left_max() / ENTRY_BYTES_MIN + 1 {
            let problem =
                format!("{entries} entries are promised; the rest of the file is too short for them");
            return Err(text.error(problem));
        }
        grant_graph(entries, self.vertices(), self.direction(), !self.pattern, context)
            .map_err(|error| error.at_line(self.line))
    }

    /// What to do with weights, given that skew symmetry turns their sign.
    fn policy(
        &self,
        context: &Context<'_>,
        weighted: bool,
        notes: &mut Vec<String>,
    ) -> Result<WeightPolicy, GraphError> {
        if self.symmetry != Symmetry::SkewSymmetric || !weighted {
            return Ok(context.weights);
        }
        match context.weights {
            WeightPolicy::Drop | WeightPolicy::Absolute => Ok(context.weights),
            WeightPolicy::Describe => {
                let reason = "read without its weights, of which a skew-symmetric matrix has a negative one for \
                              every positive one (--weights names a conversion)";
                notes.push(reason.to_owned());
                Ok(WeightPolicy::Drop)
            }
            _ => Err(context
                .error("a skew-symmetric matrix has a negative weight for every positive one")
                .at_line(1)
                .with_help(weights::CONVERSIONS)),
        }
    }
}

/// Leaves the size line and looks at the first entry: whether there is a weight column.
fn columns(text: &mut Text<'_>, header: &mut Header, notes: &mut Vec<String>) -> Result<bool, GraphError> {
    if header.entries.is_some() {
        text.skip()?;
        skip_comments(text)?;
    }
    let width = text.peek()?.map_or(0, |line| words(line).count());
    header.width = width;
    if header.symmetry == Symmetry::Unstated {
        header.pattern = width < 3;
    }
    if header.pattern && width > 2 {
        notes.push("a pattern matrix has no values; the third column is ignored".to_owned());
    }
    Ok(!header.pattern)
}

fn entries(
    text: Text<'_>,
    header: &mut Header,
    weighted: bool,
    policy: WeightPolicy,
    context: &Context<'_>,
) -> Result<Gathered, GraphError> {
    // Some pattern files have a value in every line nevertheless. A line that is not like the first is wrong.
    let valued = header.pattern && header.entries.is_some();
    let lines = ArcLines {
        keyword: None,
        comments: b"%#",
        delimiter: None,
        base: 1,
        ids: (header.rows, header.columns),
        table: None,
        weighted: weighted || valued && header.width == 3,
        more_columns: valued && header.width > 3,
        quotes: false,
        policy: if weighted { policy } else { WeightPolicy::Drop },
    };
    let mut gathered = Gathered::default();
    text.parse(
        |piece| lines.parse(piece),
        |piece, place| {
            let before = gathered.count;
            header.unended = !place.piece.ends_with(b"\n");
            gathered.take(piece, place, context)?;
            lines.at_most(header.entries.unwrap_or(u64::MAX), before, gathered.count, place)
        },
    )?;
    match header.entries {
        Some(promised) if gathered.count < promised => {
            let found = gathered.count;
            let problem = format!("{promised} entries are promised, but only {found} follow");
            Err(context.error(problem).at_line(header.line).with_help("the file may be truncated"))
        }
        _ => Ok(gathered),
    }
}

fn finish(
    mut header: Header,
    gathered: Gathered,
    shape: Shape,
    (weighted, policy): (bool, WeightPolicy),
    mut notes: Vec<String>,
    context: &Context<'_>,
) -> Result<Content, GraphError> {
    if shape == Shape::Body {
        let last = gathered.segments.iter().filter_map(ArcSegment::vertex_max).max();
        let vertices = last.map_or(0, |last| u64::from(last) + 1);
        (header.rows, header.columns) = (vertices, vertices);
        notes.push(format!("no banner and no size line: {vertices} vertices, the largest id"));
        if header.unended {
            notes.push("the last line has no line end: the file may be truncated".to_owned());
        }
    }
    if header.symmetry == Symmetry::Unstated {
        let lower = is_lower(&gathered.segments) && header.rows == header.columns;
        header.symmetry = if lower { Symmetry::Symmetric } else { Symmetry::General };
        let reason = if lower { "all entries are below the diagonal" } else { "entries are on both sides" };
        let kind = if lower { "symmetric" } else { "general" };
        notes.push(format!("no Matrix Market banner: read as a {kind} matrix, since {reason}"));
    }
    if header.rows != header.columns {
        let (rows, columns, vertices) = (header.rows, header.columns, header.vertices());
        notes.push(format!(
            "a matrix of {rows} by {columns}: rows and columns name the same {vertices} vertices"
        ));
    }
    // Where the matrix itself is the reason to drop its weights, that has been said.
    let dropped = weighted && policy == WeightPolicy::Drop && context.weights != WeightPolicy::Drop;
    let (arcs, seen) = gathered.into_arcs(weighted && !dropped, policy, &mut notes);
    let seen = if dropped { WeightsSeen::Dropped } else { seen };
    let graph = build_graph(arcs, header.vertices(), header.direction(), context)?;
    Ok(content(graph, seen, notes))
}

/// Whether all entries are on or below the diagonal, and one is below.
fn is_lower(segments: &[ArcSegment]) -> bool {
    let mut pairs = segments.iter().flat_map(|segment| &segment.pairs);
    pairs.clone().all(|&(row, column)| row >= column) && pairs.any(|&(row, column)| row > column)
}
