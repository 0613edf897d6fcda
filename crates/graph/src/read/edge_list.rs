//! Edge lists: one arc a line, as SNAP, KONECT and spreadsheets write them.
//!
//! Columns stand apart by blanks, tabs, commas or semicolons, each in double quotes or not; the third, where
//! it is a number, is the weight. Lines that begin with `#` or `%` are comments. Before the arcs there may be
//! a line of column names, or a line `V E`. What is held is what is stored: both directions only where a
//! comment (`# Undirected graph`, `% sym`) or the user says so, and not again if all are there already.
//! What is decided about ids stands in [`ids`](super::ids).

use super::arc_lines::ArcLines;
use super::context::{Content, Context};
use super::gather::{Direction, Gathered, build_graph, content};
use super::ids::{self, Union};
use super::input::Input;
use super::scan::{Trouble, quoted, trimmed, whole_number};
use super::text::Text;
use crate::arcs::ArcSegment;
use crate::error::GraphError;

const COMMENTS: &[u8] = b"#%";

/// Reads the edge list.
pub(super) fn read(input: &Input, context: &Context<'_>) -> Result<Content, GraphError> {
    let mut text = Text::open(input, context)?;
    let mut preamble = Preamble::read(&mut text)?;
    let shape = preamble.shape(context);
    let mut gathered = Gathered::default();
    let mut wide = None;
    let parsed = text.parse(
        |piece| shape.parse(piece),
        |piece, lines| {
            wide = wide.or(piece.wide);
            if wide.is_some() {
                return Err(Trouble::new(0, "ids of more than 32 bits"));
            }
            gathered.take(piece, lines, context)
        },
    );
    if wide.is_none() {
        parsed?;
    }
    let mut table = Vec::new();
    if wide.is_some() || preamble.begins_with_wide_arc(&gathered) {
        (gathered, preamble) = (Gathered::default(), Preamble::default());
        table = read_wide(input, context, &mut preamble, &mut gathered)?;
    }
    finish(preamble, gathered, table, context)
}

/// Reads twice: once for the ids there are, once for the arcs between them.
fn read_wide(
    input: &Input,
    context: &Context<'_>,
    preamble: &mut Preamble,
    gathered: &mut Gathered,
) -> Result<Vec<u64>, GraphError> {
    let mut text = Text::open(input, context)?;
    *preamble = Preamble::read(&mut text)?;
    let shape = preamble.shape(context);
    let mut all = Union::default();
    // A first line of two numbers is an arc here: nobody writes so many vertices into a header.
    preamble.wide_first = preamble.first_line.take();
    if let Some((source, target)) = preamble.wide_first {
        all.add(ids::union(&[source], &[target]));
    }
    text.parse(
        |piece| shape.distinct_ids(piece),
        |ids, _| {
            all.add(ids);
            Ok(())
        },
    )?;
    let table = all.finish();
    let mut text = Text::open(input, context)?;
    Preamble::read(&mut text)?;
    let shape = ArcLines { table: Some(&table), ..shape };
    text.parse(|piece| shape.parse(piece), |piece, lines| gathered.take(piece, lines, context))?;
    Ok(table)
}

fn finish(
    mut preamble: Preamble,
    mut gathered: Gathered,
    table: Vec<u64>,
    context: &Context<'_>,
) -> Result<Content, GraphError> {
    let mut notes = std::mem::take(&mut preamble.notes);
    let mut promised = None;
    let vertices = if let (Some(&first), Some(&last)) = (table.first(), table.last()) {
        let place = |id: u64| table.partition_point(|&other| other < id) as u32;
        if let Some((source, target)) = preamble.wide_first {
            if preamble.weighted || preamble.more_columns {
                let problem = format!("`{source} {target}` has two columns; the lines below have more");
                return Err(context.error(problem).at_line(preamble.first_line_number));
            }
            prepend(&mut gathered, (place(source), place(target)));
        }
        let vertices = table.len() as u64;
        notes.push(format!(
            "ids {first}..{last} are sparse: renumbered to 0..{} in ascending order",
            vertices - 1
        ));
        vertices
    } else {
        promised = preamble.promise(&mut gathered, &mut notes, context)?;
        let settled = ids::settle(&mut gathered.segments, promised.map(|(vertices, _)| vertices));
        notes.extend(settled.note);
        settled.vertices
    };
    preamble.check_edges(gathered.count, context)?;
    let direction = preamble.direction(&gathered, context, &mut notes);
    let (arcs, seen) = gathered.into_arcs(preamble.weighted, context.weights, &mut notes);
    if vertices == 0 && promised.is_none() {
        return Err(context.error("no arc and no vertex: there are only comments"));
    }
    // Where a line names the vertices, it is to blame if they are too many.
    let blamed = promised.filter(|&(stated, _)| stated == vertices);
    let graph = build_graph(arcs, vertices, direction, context)
        .map_err(|error| blamed.map_or(error.clone(), |(_, line)| error.at_line(line)))?;
    Ok(content(graph, seen, notes))
}

fn prepend(gathered: &mut Gathered, pair: (u32, u32)) {
    gathered.segments.insert(0, ArcSegment { pairs: vec![pair], weights: Vec::new() });
    gathered.count += 1;
}

/// What stands before the arcs, and what the first of them look like.
#[derive(Default)]
struct Preamble {
    /// `# Nodes: N Edges: M`, each with the line.
    nodes: Option<(u64, u64)>,
    edges: Option<(u64, u64)>,
    /// A comment says that each line is an edge.
    undirected: bool,
    /// A first line of two numbers, which may be `V E` or an arc.
    first_line: Option<(u64, u64)>,
    wide_first: Option<(u64, u64)>,
    first_line_number: u64,
    delimiter: Option<u8>,
    weighted: bool,
    more_columns: bool,
    notes: Vec<String>,
}

impl Preamble {
    /// Reads up to the first line that is surely an arc.
    fn read(text: &mut Text<'_>) -> Result<Preamble, GraphError> {
        let mut preamble = Preamble::default();
        let mut names_seen = false;
        loop {
            let number = text.line();
            let Some(line) = text.peek()? else { return Ok(preamble) };
            let line = line.trim_ascii().to_vec();
            if line.is_empty() {
                text.skip()?;
                continue;
            }
            if COMMENTS.contains(&line[0]) {
                preamble.comment(&line, number).map_err(|problem| text.error(problem))?;
                text.skip()?;
                continue;
            }
            let (columns, delimiter) = columns(&line);
            let numbers: Vec<u64> = columns.iter().map_while(|column| whole_number(column)).collect();
            if numbers.len() < 2 && !names_seen && columns.len() >= 2 && is_name(columns[0]) {
                names_seen = true;
                preamble.notes.push(format!("line {number} is taken as column names: {}", quoted(&line)));
                text.skip()?;
                continue;
            }
            if let ([v, e], 2, None, false) = (&numbers[..], columns.len(), preamble.first_line, names_seen) {
                preamble.first_line = Some((*v, *e));
                preamble.first_line_number = number;
                preamble.delimiter = delimiter;
                text.skip()?;
                continue;
            }
            preamble.columns_of(&columns, delimiter);
            return Ok(preamble);
        }
    }

    /// What a comment promises.
    fn comment(&mut self, line: &[u8], number: u64) -> Result<(), String> {
        let text = String::from_utf8_lossy(&line[1..]).to_lowercase();
        let words: Vec<&str> = text.split_whitespace().collect();
        let after = |name: &str| {
            let place = words.iter().position(|word| *word == name)?;
            words.get(place + 1)?.parse::<u64>().ok()
        };
        if let (Some(nodes), Some(edges)) = (after("nodes:"), after("edges:")) {
            self.nodes = Some((nodes, number));
            self.edges = Some((edges, number));
        }
        // KONECT's first line: the kind of graph and the kind of weights.
        let konect = line[0] == b'%' && words.len() == 2;
        match words.first() {
            Some(&"undirected") if words.get(1).is_some_and(|word| word.starts_with("graph")) => {
                self.undirected = true;
            }
            Some(&"sym") if konect => self.undirected = true,
            Some(&"bip") if konect => {
                return Err("a bipartite KONECT list, whose two columns number different vertices".to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    /// What the first arc tells about all others.
    fn columns_of(&mut self, columns: &[&[u8]], delimiter: Option<u8>) {
        self.delimiter = delimiter.or(self.delimiter);
        let number =
            |column: &&[u8]| std::str::from_utf8(column).is_ok_and(|text| text.parse::<f64>().is_ok());
        self.weighted = columns.get(2).is_some_and(number);
        let meant = if self.weighted { 3 } else { 2 };
        self.more_columns = columns.len() > meant;
        if self.more_columns {
            self.notes.push(format!("columns after the first {meant} are ignored"));
        }
    }

    fn shape(&self, context: &Context<'_>) -> ArcLines<'static> {
        ArcLines {
            keyword: None,
            comments: COMMENTS,
            delimiter: self.delimiter,
            base: 0,
            ids: (u64::MAX, u64::MAX),
            table: None,
            weighted: self.weighted,
            more_columns: self.more_columns,
            quotes: true,
            policy: context.weights,
        }
    }

    /// Whether the first line of two numbers is an arc with an id that does not fit 32 bits, though none of
    /// the others has one.
    fn begins_with_wide_arc(&self, gathered: &Gathered) -> bool {
        let Some((v, e)) = self.first_line else { return false };
        let widest = u64::from(u32::MAX);
        if v.max(e) <= widest {
            return false;
        }
        let stated = self.nodes.is_some() || self.edges.is_some();
        // `V E` with a small V is a header still, of which the edges are missing.
        let header = e == gathered.count || v <= widest && gathered.id_max().is_none_or(|last| last <= v);
        stated || !header
    }

    /// Decides whether the first line of two numbers is `V E` or an arc; gives the vertices promised, and
    /// the line that does.
    fn promise(
        &mut self,
        gathered: &mut Gathered,
        notes: &mut Vec<String>,
        context: &Context<'_>,
    ) -> Result<Option<(u64, u64)>, GraphError> {
        let Some((v, e)) = self.first_line else { return Ok(self.nodes) };
        let line = self.first_line_number;
        let as_arc = u32::try_from(v).ok().zip(u32::try_from(e).ok());
        let like_the_others = !self.weighted && !self.more_columns;
        // Where a comment has said how many there are, a second header would be strange.
        let counted = self.nodes.is_some() || self.edges.is_some();
        if let (true, true, Some(arc)) = (counted, like_the_others, as_arc) {
            prepend(gathered, arc);
            return Ok(self.nodes);
        }
        let ids_max = gathered.id_max();
        let fits = ids_max.is_none_or(|last| last <= v);
        if fits && e == gathered.count && e > 0 {
            notes.push(format!("line {line} is taken as the header: {v} vertices, {e} edges"));
            return Ok(Some((v, line)));
        }
        if fits && e > 0 && e.checked_mul(2) == Some(gathered.count) && gathered.is_symmetric() {
            notes.push(format!(
                "line {line} is taken as the header: {v} vertices, {e} edges in both directions"
            ));
            return Ok(Some((v, line)));
        }
        let bad_header = |reason: String| Err(context.error(reason).at_line(line));
        if !like_the_others {
            return bad_header(format!(
                "`{v} {e}` is neither an arc like the others nor a header: {} arcs follow",
                gathered.count
            ));
        }
        let Some(arc) = as_arc else {
            return bad_header(format!("`{v} {e}` promises {e} edges, but {} follow", gathered.count));
        };
        // Two large numbers that no other line repeats, before ids that nearly fill 0..V: a header whose
        // file has lost lines. In a small file that can well be an arc of a small component.
        const SURE: u64 = 64;
        if ids_max.is_some_and(|last| last < v && last < e && v >= SURE && last >= v / 4 * 3) {
            return bad_header(format!(
                "`{v} {e}` promises {v} vertices and {e} edges, but {} follow",
                gathered.count
            ));
        }
        prepend(gathered, arc);
        Ok(self.nodes)
    }

    /// Holds the number of lines against the comment that promises it.
    fn check_edges(&self, found: u64, context: &Context<'_>) -> Result<(), GraphError> {
        match self.edges {
            Some((promised, line)) if found < promised => {
                let problem = format!("this comment promises {promised} edges, but only {found} follow");
                let help = "the file may be truncated; correct or remove the comment if it is not";
                Err(context.error(problem).at_line(line).with_help(help))
            }
            _ => Ok(()),
        }
    }

    fn direction(&self, gathered: &Gathered, context: &Context<'_>, notes: &mut Vec<String>) -> Direction {
        let says = match (context.undirected, self.undirected) {
            (true, _) => "undirected as asked for",
            (false, true) => "undirected by its header",
            (false, false) => {
                notes.push("arcs are held as stored, one per line".to_owned());
                return Direction::Directed;
            }
        };
        if gathered.is_symmetric() {
            notes.push(format!("{says}: both directions of every edge are stored, and held as they are"));
            return Direction::BothStored;
        }
        notes.push(format!("{says}: both directions of every line are held"));
        Direction::Mirror
    }
}

fn is_name(column: &[u8]) -> bool {
    column.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
}

/// A column without the double quotes around it.
pub(super) fn unquoted(column: &[u8]) -> &[u8] {
    column.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")).unwrap_or(column)
}

/// The columns of a line, without quotes, and what sets them apart if it is not blanks.
pub(super) fn columns(line: &[u8]) -> (Vec<&[u8]>, Option<u8>) {
    let line = trimmed(line);
    let delimiter = line.iter().copied().find(|byte| b",;".contains(byte));
    let blank = |byte: &u8| *byte == b' ' || *byte == b'\t';
    let columns = match delimiter {
        Some(delimiter) => {
            line.split(|&byte| byte == delimiter).map(|column| unquoted(column.trim_ascii())).collect()
        }
        None => line.split(blank).filter(|column| !column.is_empty()).map(unquoted).collect(),
    };
    (columns, delimiter)
}
