//! Lines that hold one arc each: the body of edge lists, Matrix Market and DIMACS files.
//!
//! Most lines are two or three plain numbers; those take the fast way. A line that is anything else
//! (comment, blank, real weight, mistake) is looked at again by the slow way, which understands all of
//! them and words the errors.

use super::WeightPolicy;
use super::edge_list::unquoted;
use super::scan::{Trouble, line_end, not_a_number, quoted, skip_blanks, trimmed, unsigned};
use super::text::Lines;
use super::weights::{self, Fate};
use crate::arcs::ArcSegment;
use crate::csr::Vertex;

/// What the lines look like.
#[derive(Clone, Copy)]
pub(super) struct ArcLines<'a> {
    /// A letter that begins every arc, as in DIMACS files.
    pub(super) keyword: Option<u8>,
    /// What begins a line that is no arc.
    pub(super) comments: &'static [u8],
    /// What else than blanks may stand between columns.
    pub(super) delimiter: Option<u8>,
    /// The id of the first vertex.
    pub(super) base: u64,
    /// How many sources and targets there are: ids go from `base` to below `base` plus this.
    pub(super) ids: (u64, u64),
    /// Original ids of sparse inputs that do not fit 32 bits, ascending: a vertex is its position here.
    pub(super) table: Option<&'a [u64]>,
    /// Whether the third column is a weight.
    pub(super) weighted: bool,
    /// Whether columns beyond those may be there (and are ignored).
    pub(super) more_columns: bool,
    /// Whether a column may stand in double quotes.
    pub(super) quotes: bool,
    pub(super) policy: WeightPolicy,
}

/// The arcs of a piece of text, and what was noticed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ArcPiece {
    pub(super) segment: ArcSegment,
    /// The first weight that cannot be held: where, and how it is written.
    pub(super) unfit: Option<(usize, String)>,
    pub(super) converted: bool,
    /// The first id that does not fit 32 bits: parsing stopped there.
    pub(super) wide: Option<usize>,
}

/// One arc as it is written.
struct Line {
    source: u64,
    target: u64,
    /// Where the second id ends.
    end: usize,
}

impl ArcLines<'_> {
    /// Parses whole lines.
    pub(super) fn parse(&self, text: &[u8]) -> Result<ArcPiece, Trouble> {
        let lines = memchr::memchr_iter(b'\n', text).count() + 1;
        let mut piece = ArcPiece::default();
        piece.segment.pairs.reserve_exact(lines);
        let hold = self.weighted && weights::wanted(self.policy);
        if hold {
            piece.segment.weights.reserve_exact(lines);
        }
        let mut at = 0;
        while at < text.len() && piece.wide.is_none() {
            match self.fast(text, at) {
                Some((pair, weight, next)) => {
                    piece.segment.pairs.push(pair);
                    if hold {
                        piece.segment.weights.push(weight);
                    }
                    at = next;
                }
                None => at = self.slow(text, at, &mut piece)?,
            }
        }
        if piece.unfit.is_some() {
            piece.segment.weights = Vec::new();
        }
        Ok(piece)
    }

    /// A line of plain numbers in range: the arc, its weight and where the next line begins.
    #[inline(always)]
    fn fast(&self, text: &[u8], mut at: usize) -> Option<((Vertex, Vertex), u32, usize)> {
        if let Some(keyword) = self.keyword {
            if *text.get(at)? != keyword || *text.get(at + 1)? != b' ' {
                return None;
            }
            at += 2;
        }
        let (source, end) = unsigned(text, at)?;
        let (target, mut end) = unsigned(text, self.separator(text, end)?)?;
        let source = source.wrapping_sub(self.base);
        let target = target.wrapping_sub(self.base);
        let narrow = source.max(target) <= u64::from(u32::MAX);
        if source >= self.ids.0 || target >= self.ids.1 || !narrow || self.table.is_some() {
            return None;
        }
        let mut weight = 1;
        if self.weighted {
            let (value, weight_end) = unsigned(text, self.separator(text, end)?)?;
            let Some(Fate::Exact(held)) = weights::of_integer(value, self.policy) else { return None };
            (weight, end) = (held, weight_end);
        }
        let next = match *text.get(end)? {
            b'\n' => end + 1,
            b'\r' if text.get(end + 1) == Some(&b'\n') => end + 2,
            _ => return None,
        };
        Some(((source as u32, target as u32), weight, next))
    }

    /// Where the next column begins.
    #[inline(always)]
    fn separator(&self, text: &[u8], at: usize) -> Option<usize> {
        let byte = *text.get(at)?;
        let separates = byte == b'\t' || byte == b' ' || Some(byte) == self.delimiter;
        separates.then(|| skip_blanks(text, at + 1))
    }

    /// Any line: appends its arc, if it has one, and gives the beginning of the next line.
    fn slow(&self, text: &[u8], start: usize, piece: &mut ArcPiece) -> Result<usize, Trouble> {
        let end = line_end(text, start);
        let line = trimmed(&text[start..end]);
        let next = (end + 1).min(text.len());
        let shifted = |trouble: Trouble| Trouble { at: trouble.at + start, ..trouble };
        let Some(found) = self.line(line).map_err(shifted)? else { return Ok(next) };
        let pair = match self.table {
            Some(table) => (position(table, found.source), position(table, found.target)),
            None => {
                (self.vertex(found.source, self.ids.0, line), self.vertex(found.target, self.ids.1, line))
            }
        };
        let (source, target) = (pair.0.map_err(shifted)?, pair.1.map_err(shifted)?);
        let (Ok(source), Ok(target)) = (u32::try_from(source), u32::try_from(target)) else {
            piece.wide = Some(start);
            return Ok(next);
        };
        let rest = self.weight(line, found.end, start, piece)?;
        if !self.more_columns && rest < line.len() {
            let wanted = if self.weighted { "three" } else { "two" };
            let problem = format!("{wanted} columns expected, found more: {}", quoted(line));
            return Err(Trouble::new(start, problem));
        }
        piece.segment.pairs.push((source, target));
        Ok(next)
    }

    /// The ids of a line that holds an arc.
    fn line(&self, line: &[u8]) -> Result<Option<Line>, Trouble> {
        let mut at = skip_blanks(line, 0);
        if line.get(at).is_none_or(|first| self.comments.contains(first)) {
            return Ok(None);
        }
        if let Some(keyword) = self.keyword {
            if line[at] != keyword || !matches!(line.get(at + 1), Some(b' ' | b'\t')) {
                let letter = char::from(keyword);
                let problem =
                    format!("a line `{letter} source target …` was expected, found {}", quoted(line));
                return Err(Trouble::new(at, problem));
            }
            at = skip_blanks(line, at + 1);
        }
        let id = |at: usize, name: &str| {
            self.id(line, at).ok_or_else(|| Trouble::new(at, not_a_number(line, at, name)))
        };
        let (source, end) = id(at, "the source")?;
        let at = self.column(line, end, "the source", "the target")?;
        let (target, end) = id(at, "the target")?;
        Ok(Some(Line { source, target, end }))
    }

    /// The id at `at`, and where its column ends.
    fn id(&self, line: &[u8], at: usize) -> Option<(u64, usize)> {
        if !self.quotes || line.get(at) != Some(&b'"') {
            return unsigned(line, at);
        }
        let (value, end) = unsigned(line, at + 1)?;
        (line.get(end) == Some(&b'"')).then_some((value, end + 1))
    }

    /// Where the next column begins, which must be there; blanks may stand before the delimiter too.
    fn column(&self, line: &[u8], at: usize, before: &str, name: &str) -> Result<usize, Trouble> {
        let gap = skip_blanks(line, at);
        match line.get(gap) {
            None => Err(Trouble::new(at, format!("{name} is missing in {}", quoted(line)))),
            Some(&byte) if Some(byte) == self.delimiter => Ok(skip_blanks(line, gap + 1)),
            Some(_) if gap > at => Ok(gap),
            Some(_) => Err(Trouble::new(
                at,
                format!("{before} should be a whole number, found {}", quoted(column_around(line, at))),
            )),
        }
    }

    /// The vertex of an id, counted from 0.
    fn vertex(&self, id: u64, count: u64, line: &[u8]) -> Result<u64, Trouble> {
        match id.checked_sub(self.base) {
            Some(vertex) if vertex < count => Ok(vertex),
            _ => {
                let (first, last) = (self.base, (self.base + count).saturating_sub(1));
                let problem = format!("id {id} in {} is outside {first}..{last}", quoted(line));
                Err(Trouble::new(0, problem))
            }
        }
    }

    /// Reads the weight, where there is one, and gives the end of the columns that have a meaning.
    fn weight(&self, line: &[u8], end: usize, start: usize, piece: &mut ArcPiece) -> Result<usize, Trouble> {
        if !self.weighted {
            let glued = line.get(end).is_some_and(|&byte| !self.separates(byte));
            return match glued {
                true => Err(Trouble::new(start, not_a_number(line, word_start(line, end), "the target"))),
                false => Ok(skip_blanks(line, end)),
            };
        }
        let shifted = |trouble: Trouble| Trouble { at: trouble.at + start, ..trouble };
        let at = self.column(line, end, "the target", "the weight").map_err(shifted)?;
        let rest = &line[at..];
        let length = rest.iter().position(|&byte| self.separates(byte)).unwrap_or(rest.len());
        let word = if self.quotes { unquoted(&rest[..length]) } else { &rest[..length] };
        let wanted = weights::wanted(self.policy) && piece.unfit.is_none();
        match weights::of_word(word, start + at, self.policy)? {
            Fate::Exact(weight) if wanted => piece.segment.weights.push(weight),
            Fate::Converted(weight) if wanted => {
                piece.segment.weights.push(weight);
                piece.converted = true;
            }
            Fate::Unfit if wanted => piece.unfit = Some((start + at, quoted(word))),
            _ => {}
        }
        Ok(skip_blanks(line, at + length))
    }

    fn separates(&self, byte: u8) -> bool {
        byte == b' ' || byte == b'\t' || Some(byte) == self.delimiter
    }

    /// Refuses the first arc beyond those promised. `before` arcs stand before this piece, `after` with it.
    pub(super) fn at_most(
        &self,
        promised: u64,
        before: u64,
        after: u64,
        lines: &Lines<'_>,
    ) -> Result<(), Trouble> {
        if after <= promised {
            return Ok(());
        }
        let mut left = promised - before;
        let mut start = 0;
        while start < lines.piece.len() {
            let end = line_end(lines.piece, start);
            match self.line(trimmed(&lines.piece[start..end])) {
                Ok(Some(_)) if left == 0 => break,
                Ok(Some(_)) => left -= 1,
                _ => {}
            }
            start = end + 1;
        }
        Err(Trouble::new(start, format!("only {promised} entries are promised; this is one more")))
    }

    /// Every id of whole lines, ascending and each once.
    pub(super) fn distinct_ids(&self, text: &[u8]) -> Result<Vec<u64>, Trouble> {
        let mut ids = Vec::new();
        let mut start = 0;
        while start < text.len() {
            let end = line_end(text, start);
            let found = self
                .line(trimmed(&text[start..end]))
                .map_err(|trouble| Trouble { at: trouble.at + start, ..trouble })?;
            ids.extend(found.into_iter().flat_map(|line| [line.source, line.target]));
            start = end + 1;
        }
        ids.sort_unstable();
        ids.dedup();
        Ok(ids)
    }
}

fn position(table: &[u64], id: u64) -> Result<u64, Trouble> {
    // The table was made from this very text; it can lack an id only if the file changed meanwhile.
    let place = table.binary_search(&id);
    place.map(|place| place as u64).map_err(|_| Trouble::new(0, "the file changed while it was read"))
}

fn word_start(line: &[u8], mut at: usize) -> usize {
    while at > 0 && !b" \t,;".contains(&line[at - 1]) {
        at -= 1;
    }
    at
}

/// The column that `at` is in or behind.
fn column_around(line: &[u8], at: usize) -> &[u8] {
    let start = word_start(line, at);
    let rest = &line[start..];
    &rest[..rest.iter().position(|byte| b" \t,;".contains(byte)).unwrap_or(rest.len())]
}
