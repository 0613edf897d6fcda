//! Numbered places for things that come and go; a number is given out again once its thing is gone.

/// A slab.
#[derive(Clone, Debug)]
pub struct Slab<T> {
    places: Vec<T>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Slab<T> {
        Slab { places: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slab<T> {
    /// Puts a thing into a free place. The last place that became free is taken first, so that numbers depend
    /// on nothing but the order of calls.
    #[inline(always)]
    pub fn insert(&mut self, value: T) -> u32 {
        match self.free.pop() {
            Some(number) => {
                self.places[number as usize] = value;
                number
            }
            None => {
                self.places.push(value);
                (self.places.len() - 1) as u32
            }
        }
    }

    /// Frees a place. What lies there stays until the place is given out again.
    #[inline(always)]
    pub fn release(&mut self, number: u32) {
        debug_assert!(!self.free.contains(&number), "place {number} was freed twice");
        self.free.push(number);
    }

    /// How many places are taken.
    pub fn taken(&self) -> usize {
        self.places.len() - self.free.len()
    }

    /// What lies in the places that are taken, in the order of their numbers. Looks at all places.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let mut is_free = vec![false; self.places.len()];
        for &number in &self.free {
            is_free[number as usize] = true;
        }
        self.places.iter().zip(is_free).filter(|(_, is_free)| !is_free).map(|(place, _)| place)
    }

    /// Takes a free place without touching what lies there, if there is one, so that its allocations are
    /// used again.
    #[inline(always)]
    pub fn reuse(&mut self) -> Option<u32> {
        self.free.pop()
    }
}

impl<T> std::ops::Index<u32> for Slab<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, number: u32) -> &T {
        &self.places[number as usize]
    }
}

impl<T> std::ops::IndexMut<u32> for Slab<T> {
    #[inline(always)]
    fn index_mut(&mut self, number: u32) -> &mut T {
        &mut self.places[number as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::Slab;

    #[test]
    fn places_are_given_out_again() {
        let mut slab = Slab::default();
        let (a, b) = (slab.insert('a'), slab.insert('b'));
        slab.release(a);
        assert_eq!(slab.taken(), 1);
        assert!(slab.iter().eq(&['b']));
        assert_eq!(slab.insert('c'), a);
        assert_eq!((slab[a], slab[b]), ('c', 'b'));
    }
}
