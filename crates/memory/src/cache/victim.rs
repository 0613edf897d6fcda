//! The victim cache: a few lines beside the sets, fully associative, first in first out. A hit moves the line
//! back among the sets, so that the order of arrival is also that of use.

use super::tags::Line;
use crate::request::LineAddress;

#[derive(Clone, Debug)]
pub(super) struct VictimCache {
    /// Oldest first.
    lines: Vec<(LineAddress, Line)>,
    capacity: usize,
}

impl VictimCache {
    pub(super) fn new(capacity: u32) -> VictimCache {
        VictimCache { lines: Vec::with_capacity(capacity as usize), capacity: capacity as usize }
    }

    #[inline(always)]
    fn position(&self, line: LineAddress) -> Option<usize> {
        self.lines.iter().position(|&(address, _)| address == line)
    }

    /// What is known about a line; nothing if it is not here.
    #[inline(always)]
    pub(super) fn get(&self, line: LineAddress) -> Line {
        self.position(line).map_or(Line::default(), |at| self.lines[at].1)
    }

    /// The line where it is, to be changed.
    #[inline(always)]
    pub(super) fn get_mut(&mut self, line: LineAddress) -> Option<&mut Line> {
        self.position(line).map(|at| &mut self.lines[at].1)
    }

    /// Takes a line out.
    #[inline(always)]
    pub(super) fn take(&mut self, line: LineAddress) -> Option<Line> {
        self.position(line).map(|at| self.lines.remove(at).1)
    }

    /// Whether there is room for any line.
    #[inline(always)]
    pub(super) fn exists(&self) -> bool {
        self.capacity != 0
    }

    /// Puts a line in; there must be room for one. The line that is evicted for it is returned.
    pub(super) fn put(&mut self, address: LineAddress, line: Line) -> Option<(LineAddress, Line)> {
        let oldest = (self.lines.len() == self.capacity).then(|| self.lines.remove(0));
        self.lines.push((address, line));
        oldest
    }

    /// Takes any line out.
    pub(super) fn pop(&mut self) -> Option<(LineAddress, Line)> {
        self.lines.pop()
    }
}
