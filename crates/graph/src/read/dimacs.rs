//! DIMACS files: the ninth challenge's shortest-path graphs, and colouring instances.
//!
//! `p sp V E` is followed by arcs `a source target weight`. `p edge V E` (or `p col`) is followed by edges
//! `e u v`, which are held in both directions. Ids count from 1, `c` lines are comments. Some colouring
//! instances count or list every edge twice: both are accepted and said.

use super::arc_lines::ArcLines;
use super::context::{Content, Context};
use super::gather::{Direction, Gathered, build_graph, content, grant_graph};
use super::input::Input;
use super::scan::{quoted, whole_number, words};
use super::text::Text;
use crate::error::GraphError;

/// The shortest arc is `e 1 2` and a line end.
const ARC_BYTES_MIN: u64 = 6;

struct Problem {
    shortest_paths: bool,
    vertices: u64,
    arcs: u64,
    line: u64,
}

/// Reads the graph.
pub(super) fn read(input: &Input, context: &Context<'_>) -> Result<Content, GraphError> {
    let mut text = Text::open(input, context)?;
    let problem = problem(&mut text)?;
    problem.check(&text, context)?;
    let mut notes = Vec::new();
    let lines = problem.lines(context);
    let mut gathered = Gathered::default();
    text.parse(
        |piece| lines.parse(piece),
        |piece, place| {
            let before = gathered.count;
            gathered.take(piece, place, context)?;
            lines.at_most(problem.arcs, before, gathered.count, place)
        },
    )?;
    let found = gathered.count;
    let counted_twice = !problem.shortest_paths && found.checked_mul(2) == Some(problem.arcs);
    if counted_twice {
        notes.push(format!("the problem line counts {} arcs for {found} edges", problem.arcs));
    } else if found < problem.arcs {
        let promised = problem.arcs;
        let error = context.error(format!("{promised} arcs are promised, but only {found} follow"));
        return Err(error.at_line(problem.line).with_help("the file may be truncated"));
    }
    let direction = problem.direction(&gathered, &mut notes);
    let (arcs, seen) = gathered.into_arcs(problem.shortest_paths, context.weights, &mut notes);
    let graph = build_graph(arcs, problem.vertices, direction, context)?;
    Ok(content(graph, seen, notes))
}

/// Reads up to the problem line and past it.
fn problem(text: &mut Text<'_>) -> Result<Problem, GraphError> {
    loop {
        let Some(line) = text.peek()? else {
            return Err(text.error("the file ends before its problem line `p sp vertices arcs`"));
        };
        let line = line.to_vec();
        let all: Vec<_> = words(&line).collect();
        match &all[..] {
            [] => text.skip()?,
            [first, ..] if first.starts_with(b"c") => text.skip()?,
            [b"p", b"aux", ..] => {
                return Err(text
                    .error("`p aux` files hold coordinates or queries, not a graph")
                    .with_help("name the .gr file that they belong to"));
            }
            [b"p", kind, vertices, arcs] => {
                let shortest_paths = match *kind {
                    b"sp" => true,
                    b"edge" | b"col" => false,
                    other => {
                        let problem =
                            format!("problem {} is unknown; `sp`, `edge` or `col` expected", quoted(other));
                        return Err(text.error(problem));
                    }
                };
                let (Some(vertices), Some(arcs)) = (whole_number(vertices), whole_number(arcs)) else {
                    break;
                };
                let line = text.line();
                text.skip()?;
                return Ok(Problem { shortest_paths, vertices, arcs, line });
            }
            _ => break,
        }
    }
    let line = quoted(text.peek()?.unwrap_or_default());
    Err(text.error(format!("a problem line `p sp vertices arcs` was expected, found {line}")))
}

impl Problem {
    fn check(&self, text: &Text<'_>, context: &Context<'_>) -> Result<(), GraphError> {
        let at_line = |error: GraphError| error.at_line(self.line);
        if self.arcs > (text.bytes_left_max() / ARC_BYTES_MIN + 1).saturating_mul(2) {
            let problem =
                format!("{} arcs are promised; the rest of the file is too short for them", self.arcs);
            return Err(at_line(context.error(problem)));
        }
        let direction = if self.shortest_paths { Direction::Directed } else { Direction::Mirror };
        grant_graph(self.arcs, self.vertices, direction, self.shortest_paths, context).map_err(at_line)
    }

    fn lines(&self, context: &Context<'_>) -> ArcLines<'static> {
        ArcLines {
            keyword: Some(if self.shortest_paths { b'a' } else { b'e' }),
            // Colouring instances may give vertices a value in `n` lines, and a few more kinds.
            comments: if self.shortest_paths { b"c" } else { b"cndvx" },
            delimiter: None,
            base: 1,
            ids: (self.vertices, self.vertices),
            table: None,
            weighted: self.shortest_paths,
            quotes: false,
            more_columns: false,
            policy: context.weights,
        }
    }

    fn direction(&self, gathered: &Gathered, notes: &mut Vec<String>) -> Direction {
        if self.shortest_paths {
            return Direction::Directed;
        }
        if gathered.count > 0 && gathered.is_symmetric() {
            notes.push("both directions of every edge are stored, and held as they are".to_owned());
            return Direction::BothStored;
        }
        notes.push("undirected by its format: both directions of every edge are held".to_owned());
        Direction::Mirror
    }
}
