//! How a fetch or a write of a slice is cut into DRAM transactions, each of one burst.

use super::job::ATOMS;
use crate::dram::{AddressMap, Place};

/// The bursts of a line.
#[derive(Clone, Debug)]
pub(super) struct Bursts {
    /// Bytes between the addresses of two bursts.
    unit: u64,
    /// Log2 of the bursts of one atom.
    per_atom: u32,
    /// Whether the atoms of a line are consecutive columns of one row.
    columns: bool,
    /// By the sectors that are wanted: a bit for each burst.
    of_sectors: Vec<u32>,
}

impl Bursts {
    /// Of a line with these sectors, in units of at most an atom.
    pub(super) fn new(map: &AddressMap, line: u64, sector: u64, atom: u64, unit: u64) -> Bursts {
        Bursts {
            unit,
            per_atom: (atom / unit).ilog2(),
            columns: atoms_are_columns(map, line, atom),
            of_sectors: units_of(line, sector, unit),
        }
    }

    /// A bit for each burst of these sectors.
    #[inline(always)]
    pub(super) fn of(&self, sectors: u8) -> u32 {
        self.of_sectors[usize::from(sectors)]
    }

    /// Whether the atoms of a line are consecutive columns of one row.
    #[inline(always)]
    pub(super) fn are_columns(&self) -> bool {
        self.columns
    }

    /// The address of a burst of a line.
    pub(super) fn address(&self, line: u64, burst: u32) -> u64 {
        line + u64::from(burst) * self.unit
    }

    /// The place of a burst of a line.
    #[inline(always)]
    pub(super) fn place(&self, map: &AddressMap, line: u64, first: Place, burst: u32) -> Place {
        match self.columns {
            true => Place { column: first.column + (burst >> self.per_atom), ..first },
            false => self.look_up(map, line, burst),
        }
    }

    #[cold]
    fn look_up(&self, map: &AddressMap, line: u64, burst: u32) -> Place {
        map.place(self.address(line, burst))
    }
}

/// Whether the atoms of every line are consecutive columns of one row. Address bits below the line's are never
/// mixed with others, so that the first line stands for all.
fn atoms_are_columns(map: &AddressMap, line: u64, atom: u64) -> bool {
    let expected = |number: u64| Place { column: number as u32, ..Place::default() };
    (0..line.div_ceil(atom)).all(|number| map.place(number * atom) == expected(number))
}

/// The units of a line that hold its sectors, for every set of sectors.
fn units_of(line: u64, sector: u64, unit: u64) -> Vec<u32> {
    let sectors = line / sector;
    let one = |number: u64| {
        let (first, last) = (number * sector / unit, ((number + 1) * sector - 1) / unit);
        (first..=last).fold(0u32, |units, unit| units | 1 << (unit % u64::from(ATOMS)))
    };
    let all = |set: u64| (0..sectors).filter(|n| set >> n & 1 == 1).fold(0, |units, n| units | one(n));
    (0..256).map(all).collect()
}

#[cfg(test)]
mod tests {
    use super::units_of;

    #[test]
    fn sectors_are_covered_by_units_of_any_size() {
        let sectors = units_of(128, 32, 64);
        assert_eq!((sectors[0b0001], sectors[0b0011], sectors[0b0110], sectors[0b1111]), (1, 1, 3, 3));
        assert_eq!(units_of(128, 32, 32)[0b1010], 0b1010);
        assert_eq!(units_of(128, 128, 32)[1], 0b1111);
        assert_eq!(units_of(128, 32, 256)[0b1000], 1);
    }
}
