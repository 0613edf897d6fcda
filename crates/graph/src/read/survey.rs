//! The first lines of a text, as far as they tell its format.

use super::edge_list::columns;
use super::metis::Header;
use super::scan::whole_number;
use super::triangle::below_diagonal;

/// Arcs with more attributes than this are a table of something else.
const COLUMNS_MAX: usize = 32;

/// The lines at the beginning of a text.
pub(super) struct Survey<'h> {
    /// Number and columns of every line that is no comment; empty lines before the first are left out.
    lines: Vec<(u64, Vec<&'h [u8]>)>,
    /// Columns stand apart by commas or semicolons.
    delimited: bool,
    /// A comment begins with `#`.
    hash_comments: bool,
    /// There is nothing behind these lines.
    whole: bool,
    /// Empty lines behind the last that is not.
    empty_at_end: u64,
}

impl<'h> Survey<'h> {
    pub(super) fn new(head: &'h [u8], whole: bool) -> Survey<'h> {
        let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        let complete = match memchr::memrchr(b'\n', head) {
            Some(end) if !whole => &head[..end],
            _ => head,
        };
        let mut survey =
            Survey { lines: Vec::new(), delimited: false, hash_comments: false, whole, empty_at_end: 0 };
        for (number, line) in (1..).zip(complete.split(|&byte| byte == b'\n')) {
            survey.add(number, line.trim_ascii());
        }
        while survey.lines.last().is_some_and(|(_, columns)| columns.is_empty()) {
            survey.lines.pop();
            survey.empty_at_end += 1;
        }
        // What follows the last line end is no line.
        survey.empty_at_end = survey.empty_at_end.saturating_sub(u64::from(complete.ends_with(b"\n")));
        survey
    }

    fn add(&mut self, number: u64, line: &'h [u8]) {
        match line.first() {
            None if self.lines.is_empty() => {}
            Some(b'#') => self.hash_comments = true,
            Some(b'%') => {}
            _ => {
                let (columns, delimiter) = columns(line);
                self.delimited |= delimiter.is_some();
                self.lines.push((number, columns));
            }
        }
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
    pub(super) fn is_rodinia(&self) -> bool {
        let Some([vertices]) = self.numbers(0).and_then(|numbers| <[u64; 1]>::try_from(numbers).ok()) else {
            return false;
        };
        let filled: Vec<usize> =
            (1..self.lines.len()).filter(|&line| !self.columns(line).is_empty()).collect();
        let mut sum = Some(0);
        for &line in filled.iter().take(usize::try_from(vertices).unwrap_or(usize::MAX)) {
            match self.numbers(line).as_deref() {
                Some([start, count]) if Some(*start) == sum => sum = start.checked_add(*count),
                _ => return false,
            }
        }
        !filled.is_empty()
    }

    /// A header `n m [fmt [ncon]]` above lists of neighbours.
    pub(super) fn is_metis(&self) -> bool {
        let plain = !self.delimited && !self.hash_comments;
        let Some(header) = Header::parse(&self.columns(0).join(&b' ')).filter(|_| plain) else {
            return false;
        };
        let body_fits = if self.whole { true } else { self.body_len() <= header.vertices };
        match self.width() {
            // A graph without edges has nothing but empty lines.
            None if self.body_len() == 0 => {
                let vertices = header.vertices;
                header.edges == 0 && vertices > 0 && (!self.whole || self.empty_at_end >= vertices)
            }
            Some(_) => body_fits && self.is_symmetric(&header),
            // The reader says what is wrong with a list of neighbours that does not fit the header.
            None => {
                header.vertices > 0 && (self.body_len() <= header.vertices || self.is_no_arc_list(&header))
            }
        }
    }

    /// Whether every number fits a header, and some line cannot be an arc.
    fn is_no_arc_list(&self, header: &Header) -> bool {
        let fits =
            |column: &&[u8]| whole_number(column).is_some_and(|id| (1..=header.vertices).contains(&id));
        self.body().all(|columns| columns.iter().all(fits)) && self.body().any(|columns| columns.len() == 1)
    }

    /// Whether the lines are neighbour lists in which both ends name each other, as far as they are known.
    fn is_symmetric(&self, header: &Header) -> bool {
        let skipped = header.vertex_weights + usize::from(header.vertex_sizes);
        let step = if header.edge_weights { 2 } else { 1 };
        let rows: Option<Vec<Vec<u64>>> = self
            .body()
            .map(|columns| {
                columns.iter().skip(skipped).step_by(step).map(|column| whole_number(column)).collect()
            })
            .collect();
        let Some(rows) = rows else { return false };
        let entries = rows.iter().map(|row| row.len() as u64).sum::<u64>();
        if self.whole && (rows.len() as u64 > header.vertices || entries != header.edges.saturating_mul(2)) {
            return false;
        }
        (1..).zip(&rows).all(|(vertex, row)| {
            row.iter().all(|&target| {
                let opposite =
                    target.checked_sub(1).and_then(|target| rows.get(usize::try_from(target).ok()?));
                (1..=header.vertices).contains(&target) && opposite.is_none_or(|row| row.contains(&vertex))
            })
        })
    }

    /// `rows columns entries`, then entries that fit.
    pub(super) fn is_sized_matrix(&self) -> bool {
        let Some([rows, columns, entries]) =
            self.numbers(0).and_then(|numbers| <[u64; 3]>::try_from(numbers).ok())
        else {
            return false;
        };
        let count = self.body_len();
        let fits = if self.whole { count == entries } else { count <= entries };
        fits && !self.delimited
            && matches!(self.width(), Some(2 | 3))
            && self.body().all(|line| {
                let id = |place: usize| line.get(place).and_then(|column| whole_number(column)).unwrap_or(0);
                (1..=rows).contains(&id(0)) && (1..=columns).contains(&id(1))
            })
    }

    /// Two columns below the diagonal, in the order of columns, from id 1.
    pub(super) fn is_lower_triangle(&self) -> bool {
        if self.delimited || self.hash_comments || self.lines.len() < 2 {
            return false;
        }
        let pairs: Option<Vec<_>> = self
            .lines
            .iter()
            .filter(|(_, columns)| !columns.is_empty())
            .map(|(_, columns)| below_diagonal(columns.iter().copied()))
            .collect();
        pairs.is_some_and(|pairs| {
            pairs.first().is_some_and(|first| first.0 == 1) && pairs.windows(2).all(|two| two[0] < two[1])
        })
    }

    /// At least two numbers in one of the first two lines, or promises in comments alone.
    pub(super) fn is_arc_lines(&self) -> bool {
        let pair = |line: usize| {
            let columns = self.columns(line);
            (2..=COLUMNS_MAX).contains(&columns.len())
                && columns.iter().take(2).all(|column| whole_number(column).is_some())
        };
        let names = || self.columns(0).len() >= 2 && pair(1);
        let promise = || self.lines.is_empty() && self.hash_comments;
        pair(0) || names() || promise()
    }
}
