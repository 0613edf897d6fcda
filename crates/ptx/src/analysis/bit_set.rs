//! A set of small numbers, one bit each.

/// A set of numbers below a bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set of numbers below `bound`.
    pub(crate) fn new(bound: usize) -> BitSet {
        BitSet { words: vec![0; bound.div_ceil(64)] }
    }

    /// Adds a number; whether it was new.
    pub(crate) fn insert(&mut self, number: usize) -> bool {
        let (word, bit) = (&mut self.words[number / 64], 1 << (number % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Removes a number.
    pub(crate) fn remove(&mut self, number: usize) {
        self.words[number / 64] &= !(1 << (number % 64));
    }

    /// Adds what is in `of` and not in `without`; whether anything was new.
    pub(crate) fn absorb(&mut self, of: &BitSet, without: &BitSet) -> bool {
        let mut changed = false;
        for (word, (of, without)) in self.words.iter_mut().zip(of.words.iter().zip(&without.words)) {
            let grown = *word | (of & !without);
            changed |= grown != *word;
            *word = grown;
        }
        changed
    }

    /// Adds all of another set.
    pub(crate) fn union(&mut self, other: &BitSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// The numbers, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let rest = std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
            rest.take_while(|&word| word != 0).map(move |word| 64 * index + word.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_in_ascending_order() {
        let mut set = BitSet::new(200);
        for number in [199, 0, 64, 63, 64] {
            set.insert(number);
        }
        set.remove(0);
        assert_eq!(set.iter().collect::<Vec<_>>(), [63, 64, 199]);
        assert!(!set.insert(63) && set.insert(0));
    }
}
