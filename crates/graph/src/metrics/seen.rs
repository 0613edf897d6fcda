//! Which vertices were met already: one bit each.

use crate::csr::Vertex;

/// A set of vertices that is emptied by naming its members, so a row costs what it holds and not `V`.
pub(crate) struct Seen {
    words: Vec<u64>,
}

impl Seen {
    /// The empty set of vertices below `vertices`.
    pub(crate) fn new(vertices: u32) -> Seen {
        Seen { words: vec![0; (vertices as usize).div_ceil(64)] }
    }

    /// Adds a vertex and says whether it is new.
    pub(crate) fn insert(&mut self, vertex: Vertex) -> bool {
        let word = &mut self.words[vertex as usize / 64];
        let bit = 1 << (vertex % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Whether the vertex is in the set.
    pub(crate) fn contains(&self, vertex: Vertex) -> bool {
        self.words[vertex as usize / 64] & 1 << (vertex % 64) != 0
    }

    /// Takes out all of these.
    pub(crate) fn remove_all(&mut self, members: &[Vertex]) {
        members.iter().for_each(|&member| self.words[member as usize / 64] &= !(1 << (member % 64)));
    }

    /// How many of a row name a vertex that an earlier one of the same row names. The set must be empty,
    /// and is empty afterwards.
    pub(crate) fn repeats(&mut self, row: &[Vertex]) -> u64 {
        // Many files are sorted, and a strictly rising row has no repeats.
        if row.windows(2).all(|pair| pair[0] < pair[1]) {
            return 0;
        }
        let repeats = row.iter().filter(|&&target| !self.insert(target)).count();
        self.remove_all(row);
        repeats as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_are_counted_row_by_row() {
        let mut seen = Seen::new(130);
        assert_eq!(seen.repeats(&[129, 0, 129, 64, 129]), 2);
        assert_eq!(seen.repeats(&[129, 64, 0]), 0);
        assert_eq!(seen.repeats(&[]), 0);
    }
}
