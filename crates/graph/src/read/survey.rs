//! The first lines of a text, as far as they tell its format.

use super::edge_list::columns;
use super::head::Head;
use super::metis::Header;
use super::scan::whole_number;
use super::triangle::below_diagonal;

/// Arcs with more attributes than this are a table of something else.
const COLUMNS_MAX: usize = 32;

/// How many lines in order make it sure what the next would be.
const SURE: usize = 64;

/// Whether lines are neighbour lists below a METIS header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    Yes,
    No,
    /// The whole file has to be looked at.
    Perhaps,
}

/// The lines at the beginning of a text.
pub(super) struct Survey<'h> {
    head: &'h Head,
    /// Number and columns of every line, but for empty ones at the end.
    lines: Vec<(u64, Vec<&'h [u8]>)>,
    /// Columns stand apart by commas or semicolons, or in quotes.
    delimited: bool,
    /// Empty lines behind the last that is not.
    empty_at_end: u64,
}

impl<'h> Survey<'h> {
    pub(super) fn new(head: &'h Head) -> Survey<'h> {
        let mut survey = Survey { head, lines: Vec::new(), delimited: false, empty_at_end: 0 };
        for (&number, line) in head.numbers.iter().zip(head.text.split(|&byte| byte == b'\n')) {
            let (columns, delimiter) = columns(line.trim_ascii());
            survey.delimited |= delimiter.is_some() || line.contains(&b'"');
            survey.lines.push((number, columns));
        }
        while survey.lines.last().is_some_and(|(_, columns)| columns.is_empty()) {
            survey.lines.pop();
            survey.empty_at_end += 1;
        }
        survey
    }

    /// Whether the file may have been cut within the last line.
    fn may_be_cut(&self) -> bool {
        self.head.whole && !self.head.text.ends_with(b"\n")
    }

    /// The first line that is not empty.
    pub(super) fn first_line(&self) -> Option<(u64, &'h [u8])> {
        self.lines.first().map(|(number, columns)| (*number, columns.first().copied().unwrap_or_default()))
    }

    fn columns(&self, line: usize) -> &[&'h [u8]] {
        self.lines.get(line).map_or(&[], |(_, columns)| columns)
    }

    fn body(&self) -> impl Iterator<Item = &[&'h [u8]]> {
        self.lines.iter().skip(1).map(|(_, columns)| &columns[..])
    }

    fn body_len(&self) -> u64 {
        self.lines.len().saturating_sub(1) as u64
    }

    /// The number of columns that all lines below the first have.
    fn width(&self) -> Option<usize> {
        let mut widths = self.body().map(<[&[u8]]>::len);
        let first = widths.next()?;
        widths.all(|width| width == first).then_some(first)
    }

    /// The numbers of a line, if it has nothing else.
    fn numbers(&self, line: usize) -> Option<Vec<u64>> {
        let columns = self.columns(line);
        if columns.is_empty() { None } else { columns.iter().map(|column| whole_number(column)).collect() }
    }

    /// Comment lines `c`, then a problem line `p`.
    pub(super) fn is_dimacs(&self) -> bool {
        let is_comment = |columns: &[&[u8]]| columns.is_empty() || columns[0] == b"c";
        let mut rest = self.lines.iter().map(|(_, columns)| &columns[..]).skip_while(|line| is_comment(line));
        match rest.next() {
            Some([b"p", ..]) => true,
            Some([b"a" | b"e", ids @ ..]) => {
                ids.len() >= 2 && ids.iter().all(|id| whole_number(id).is_some())
            }
            Some(_) => false,
            None => !self.lines.is_empty(),
        }
    }

    /// One number, then for each vertex where its edges begin and how many there are.
    ///
    /// A pair out of place does not make it another format: the reader says where it is.
    pub(super) fn is_rodinia(&self) -> bool {
        let Some([vertices]) = self.numbers(0).and_then(|numbers| <[u64; 1]>::try_from(numbers).ok()) else {
            return false;
        };
        if self.delimited {
            return false;
        }
        let filled: Vec<usize> =
            (1..self.lines.len()).filter(|&line| !self.columns(line).is_empty()).collect();
        let pairs = usize::try_from(vertices).unwrap_or(usize::MAX).min(filled.len());
        let (mut sum, mut end, mut fitting) = (0u64, 0u64, 0);
        for (place, &line) in filled[..pairs].iter().enumerate() {
            match self.numbers(line).as_deref() {
                Some([start, count]) => {
                    fitting += usize::from(*start == sum || *start == end);
                    (sum, end) = (sum.saturating_add(*count), start.saturating_add(*count));
                }
                _ if place == 0 => return false,
                _ => {}
            }
        }
        let width = |place: usize| filled.get(place).map_or(0, |&line| self.columns(line).len());
        let source_and_edges = width(pairs) == 1 && width(pairs + 1) == 1;
        pairs > 0 && (2 * fitting > pairs || source_and_edges)
    }

    /// A header `n m [fmt [ncon]]` above lists of neighbours.
    pub(super) fn metis(&self) -> Likeness {
        let plain = !self.delimited && !self.head.hash_comments;
        let Some(header) = Header::parse(&self.columns(0).join(&b' ')).filter(|_| plain) else {
            return Likeness::No;
        };
        let sure = |yes: bool| if yes { Likeness::Yes } else { Likeness::No };
        let whole = self.head.whole;
        if header.vertices == 0 {
            // `0 0` can be a self-loop as well; our own writer says what it is.
            return sure(header.edges == 0 && whole && self.body_len() == 0 && self.head.says_metis);
        }
        let mut widths: Vec<usize> = self.body().map(<[&[u8]]>::len).filter(|&width| width > 0).collect();
        if self.may_be_cut() {
            widths.pop();
        }
        match widths.first() {
            // The first lists are empty, or longer than all that was looked at.
            None if !whole => Likeness::Perhaps,
            // A graph without edges has nothing but empty lines.
            None => sure(self.body_len() == 0 && header.edges == 0 && self.empty_at_end >= header.vertices),
            // The reader says what is wrong with a list of neighbours that does not fit the header.
            Some(first) if widths.iter().any(|width| width != first) => {
                sure(self.body_len() <= header.vertices || self.is_no_arc_list())
            }
            Some(&width) if width == 1 || width > COLUMNS_MAX => Likeness::Yes,
            Some(_) if self.is_no_neighbour_list(&header) => Likeness::No,
            Some(_) => Likeness::Perhaps,
        }
    }

    /// Whether there are but numbers, and lines of one number, of which an arc list may lack its second in
    /// one place.
    fn is_no_arc_list(&self) -> bool {
        let numbers = |columns: &[&[u8]]| columns.iter().all(|column| whole_number(column).is_some());
        self.body().all(numbers) && self.body().filter(|columns| columns.len() == 1).count() > 1
    }

    /// Whether some line cannot be the neighbours of a vertex: itself, one that there is not, or one whose
    /// own line does not name it. Lines that are not known yet prove nothing.
    fn is_no_neighbour_list(&self, header: &Header) -> bool {
        let skipped = header.vertex_weights + usize::from(header.vertex_sizes);
        let step = if header.edge_weights { 2 } else { 1 };
        let rows: Option<Vec<Vec<u64>>> = self
            .body()
            .map(|columns| {
                columns.iter().skip(skipped).step_by(step).map(|column| whole_number(column)).collect()
            })
            .collect();
        let Some(rows) = rows else { return true };
        let misfit = |vertex: u64, target: u64| {
            let opposite = target.checked_sub(1).and_then(|target| rows.get(usize::try_from(target).ok()?));
            target == vertex
                || !(1..=header.vertices).contains(&target)
                || opposite.is_some_and(|row| !row.contains(&vertex))
        };
        rows.len() as u64 > header.vertices
            || (1..).zip(&rows).any(|(vertex, row)| row.iter().any(|&target| misfit(vertex, target)))
    }

    /// `rows columns entries`, then entries that fit.
    pub(super) fn is_sized_matrix(&self) -> bool {
        let Some([rows, columns, entries]) =
            self.numbers(0).and_then(|numbers| <[u64; 3]>::try_from(numbers).ok())
        else {
            return false;
        };
        let count = self.body_len();
        let fits = if self.head.whole { count == entries } else { count <= entries };
        fits && !self.delimited
            && matches!(self.width(), Some(2 | 3))
            && self.body().all(|line| {
                let id = |place: usize| line.get(place).and_then(|column| whole_number(column)).unwrap_or(0);
                (1..=rows).contains(&id(0)) && (1..=columns).contains(&id(1))
            })
    }

    /// Two columns below the diagonal, in the order of columns, from id 1.
    pub(super) fn is_lower_triangle(&self) -> bool {
        if self.delimited || self.head.hash_comments || self.lines.len() < 2 {
            return false;
        }
        let filled = self.lines.iter().filter(|(_, columns)| !columns.is_empty());
        let pairs: Vec<_> = filled.map(|(_, columns)| below_diagonal(columns.iter().copied())).collect();
        let in_order = |pairs: &[Option<(u64, u64)>]| {
            pairs.first().is_some_and(|first| first.is_some_and(|(column, _)| column == 1))
                && pairs.windows(2).all(|two| two[1].is_some() && two[0] < two[1])
        };
        let cut = self.may_be_cut() && pairs.len() > SURE;
        in_order(&pairs) || cut && in_order(&pairs[..pairs.len() - 1])
    }

    /// At least two numbers in one of the first two lines, or promises in comments alone.
    pub(super) fn is_arc_lines(&self) -> bool {
        let pair = |line: usize| {
            let columns = self.columns(line);
            (2..=COLUMNS_MAX).contains(&columns.len())
                && columns.iter().take(2).all(|column| whole_number(column).is_some())
        };
        let names = || self.columns(0).len() >= 2 && pair(1);
        let promise = || self.lines.is_empty() && self.head.hash_comments;
        pair(0) || names() || promise()
    }
}
