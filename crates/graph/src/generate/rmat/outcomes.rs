//! Several levels of an R-MAT in one draw.

use crate::generate::random::Random;

/// Levels that share a table: 4^5 outcomes of 8 bytes stay in the first-level cache.
const LEVELS_PER_TABLE: u32 = 5;

/// The chances of the four quadrants; they sum to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quadrants {
    a: f64,
    b: f64,
    c: f64,
    d: f64,
}

impl Quadrants {
    /// The fourth chance is the rest.
    pub(super) fn new(a: f64, b: f64, c: f64) -> Result<Quadrants, String> {
        let d = 1.0 - a - b - c;
        // The sum of three decimal fractions may be off by a few units in the last place.
        if d < -1e-12 {
            return Err(format!("`a`, `b` and `c` sum to {}, above 1", a + b + c));
        }
        Ok(Quadrants { a, b, c, d: d.max(0.0) })
    }

    /// Refuses noise that could make a chance negative.
    pub(super) fn checked_noise(self, noise: f64) -> Result<f64, String> {
        let most = self.b.min(self.c).min((self.a + self.d) / 2.0);
        if noise > most {
            return Err(format!("`noise={noise}`: at most {most} with these quadrants"));
        }
        Ok(noise)
    }

    /// `shift` more for the two mixed quadrants, taken from the others in proportion.
    fn shifted(self, shift: f64) -> Quadrants {
        if shift == 0.0 {
            return self;
        }
        let kept = 1.0 - 2.0 * shift / (self.a + self.d);
        Quadrants { a: self.a * kept, b: self.b + shift, c: self.c + shift, d: self.d * kept }
    }

    /// The chance of quadrant `row`, `column` (0 or 1).
    fn chance(self, row: usize, column: usize) -> f64 {
        [self.a, self.b, self.c, self.d][2 * row + column]
    }
}

/// All levels of an R-MAT, as few tables.
pub(super) struct Levels {
    tables: Vec<Table>,
    /// Which table serves which levels, from the highest on. Without noise one serves nearly all, and the
    /// fewer there are the better they stay in the cache.
    order: Vec<usize>,
}

impl Levels {
    /// `scale` levels, each with its own noise.
    pub(super) fn new(quadrants: Quadrants, noise: f64, scale: u32, random: &mut Random) -> Levels {
        let noisy = |_| {
            let shift = if noise == 0.0 { 0.0 } else { noise * (2.0 * random.unit() - 1.0) };
            quadrants.shifted(shift)
        };
        let levels: Vec<Quadrants> = (0..scale).map(noisy).collect();
        let mut distinct: Vec<&[Quadrants]> = Vec::new();
        let mut order = Vec::new();
        for chunk in levels.chunks(LEVELS_PER_TABLE as usize) {
            let known = distinct.iter().position(|&known| known == chunk);
            order.push(known.unwrap_or(distinct.len()));
            if known.is_none() {
                distinct.push(chunk);
            }
        }
        Levels { tables: distinct.into_iter().map(Table::new).collect(), order }
    }

    /// An arc of the whole matrix.
    #[inline]
    fn draw(&self, random: &mut Random) -> (u64, u64) {
        let (mut source, mut target) = (0, 0);
        // A draw of 64 bits serves two tables.
        for pair in self.order.chunks(2) {
            let bits = random.bits();
            for (&table, half) in pair.iter().zip([bits >> 32, bits & 0xFFFF_FFFF]) {
                let table = &self.tables[table];
                let (row, column) = table.look_up(half as u32);
                source = source << table.levels | row;
                target = target << table.levels | column;
            }
        }
        (source, target)
    }

    /// An arc between vertices below `vertices`: where that is no power of two, arcs that fall outside are
    /// drawn again.
    #[inline]
    pub(super) fn draw_below(&self, random: &mut Random, vertices: u64) -> (u64, u64) {
        loop {
            let (source, target) = self.draw(random);
            if source < vertices && target < vertices {
                return (source, target);
            }
        }
    }
}

/// Walker's alias table over the outcomes of a few levels. An outcome's number is its row bits followed by
/// its column bits.
struct Table {
    levels: u32,
    slots: Vec<Slot>,
}

/// The outcome of the slot's own number below `threshold` (as a fraction of 2^32), else `other`.
#[derive(Clone, Copy)]
struct Slot {
    threshold: u32,
    other: u32,
}

impl Table {
    fn new(levels: &[Quadrants]) -> Table {
        let count = levels.len();
        let outcomes = 1usize << (2 * count);
        let chance = |outcome: usize| -> f64 {
            let bit = |place: usize| (outcome >> place) & 1;
            // The first level decides the highest bits.
            let chances = levels.iter().zip((0..count).rev());
            chances.map(|(level, place)| level.chance(bit(count + place), bit(place))).product()
        };
        let shares: Vec<f64> = (0..outcomes).map(|outcome| chance(outcome) * outcomes as f64).collect();
        Table { levels: count as u32, slots: alias_slots(shares) }
    }

    #[inline]
    fn look_up(&self, bits: u32) -> (u64, u64) {
        // The highest bits choose the slot, the others are compared with its threshold.
        let index_bits = 2 * self.levels;
        let index = bits >> (32 - index_bits);
        let slot = self.slots[index as usize];
        // A branch would be mispredicted every few arcs, which costs more than all the rest.
        let outcome = std::hint::select_unpredictable(bits << index_bits < slot.threshold, index, slot.other);
        (u64::from(outcome >> self.levels), u64::from(outcome & ((1 << self.levels) - 1)))
    }
}

/// `shares` average to one: what a slot lacks of one is filled by an outcome that has more.
fn alias_slots(mut shares: Vec<f64>) -> Vec<Slot> {
    let own = |index: usize| Slot { threshold: u32::MAX, other: index as u32 };
    let mut slots: Vec<Slot> = (0..shares.len()).map(own).collect();
    let (mut small, mut large): (Vec<usize>, Vec<usize>) =
        (0..shares.len()).partition(|&index| shares[index] < 1.0);
    while let (Some(&rich), Some(poor)) = (large.last(), small.pop()) {
        let threshold = (shares[poor] * 4_294_967_296.0) as u32;
        slots[poor] = Slot { threshold, other: rich as u32 };
        shares[rich] -= 1.0 - shares[poor];
        if shares[rich] < 1.0 {
            large.pop();
            small.push(rich);
        }
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_gives_every_outcome_its_chance() {
        let quadrants = Quadrants::new(0.57, 0.19, 0.19).unwrap();
        let table = Table::new(&[quadrants, quadrants]);
        let mut chances = [0.0; 16];
        for (index, slot) in table.slots.iter().enumerate() {
            let own = f64::from(slot.threshold) / 4_294_967_296.0;
            chances[index] += own / 16.0;
            chances[slot.other as usize] += (1.0 - own) / 16.0;
        }
        // Row bits 00 and column bits 01: `a` on the first level, `b` on the second.
        assert!((chances[0b0001] - 0.57 * 0.19).abs() < 1e-8);
        assert!((chances[0b1000] - 0.19 * 0.57).abs() < 1e-8);
        assert!((chances[0b1111] - 0.05 * 0.05).abs() < 1e-8);
    }

    #[test]
    fn impossible_quadrants_are_refused() {
        assert!(Quadrants::new(0.6, 0.3, 0.2).is_err());
        assert!(Quadrants::new(0.45, 0.22, 0.33).is_ok());
        assert!(Quadrants::new(0.57, 0.19, 0.19).unwrap().checked_noise(0.2).is_err());
    }

    #[test]
    fn noise_keeps_the_sum() {
        let shifted = Quadrants::new(0.57, 0.19, 0.19).unwrap().shifted(0.1);
        assert!((shifted.a + shifted.b + shifted.c + shifted.d - 1.0).abs() < 1e-12);
    }
}
