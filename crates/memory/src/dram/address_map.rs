//! From addresses to places.
//!
//! A map is a list of fields `NAME:BITS` that is read from bit 0 of the address up. The names are `offset`
//! (bytes inside the atom that one request moves), `column` (atoms of a row), `bank`, `group`, `row` and
//! `channel`; a field may be split over several entries, of which the first holds its low bits. Address bits
//! above the last field are ignored.
//!
//! The banks of a channel are numbered group by group: with a `group` field, `bank` is the bank inside its
//! group; without one, `bank` is the number in all, whose high bits are the group.
//!
//! `channel:modulo` stands for a number of channels that is no power of two: the address from that bit up is
//! divided by the number of channels; the remainder is the channel, and the fields that follow are read from
//! the quotient. It may be given once.

use super::spec::DramSpec;
use crate::ids::BankId;
use crate::spec_error::SpecError;
use heddle_engine::Divisor;

/// Where a request goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The channel.
    pub channel: u32,
    /// The bank of the channel, numbered group by group.
    pub bank: BankId,
    /// The row of the bank.
    pub row: u32,
    /// The column, in atoms.
    pub column: u32,
}

/// Some bits of the address.
#[derive(Clone, Copy, Debug)]
struct Segment {
    /// The lowest of them in the address (after the channel was divided out).
    shift: u32,
    bits: u32,
    /// Where the lowest goes in the field.
    to: u32,
}

/// The bits of one field.
#[derive(Clone, Debug, Default)]
struct Field(Vec<Segment>);

impl Field {
    #[inline(always)]
    fn gather(&self, address: u64) -> u32 {
        let part = |segment: &Segment| {
            (((address >> segment.shift) & ((1 << segment.bits) - 1)) << segment.to) as u32
        };
        self.0.iter().map(part).sum()
    }

    fn scatter(&self, value: u32) -> u64 {
        let part = |segment: &Segment| {
            ((u64::from(value) >> segment.to) & ((1 << segment.bits) - 1)) << segment.shift
        };
        self.0.iter().map(part).sum()
    }

    fn bits(&self) -> u32 {
        self.0.iter().map(|segment| segment.bits).sum()
    }
}

const NAMES: [&str; 6] = ["offset", "column", "bank", "group", "row", "channel"];
const OFFSET: usize = 0;
const COLUMN: usize = 1;
const BANK: usize = 2;
const GROUP: usize = 3;
const ROW: usize = 4;
const CHANNEL: usize = 5;

/// The map.
#[derive(Clone, Debug)]
pub struct AddressMap {
    fields: [Field; 6],
    /// Divisor and lowest bit of a channel by remainder; the divisor is 1 if there is none.
    modulo: Divisor,
    modulo_shift: u32,
    /// Log2 of the banks of a group, with a `group` field.
    group_shift: u32,
}

fn wrong(problem: String) -> SpecError {
    SpecError { key: "address_map".to_string(), problem }
}

impl AddressMap {
    /// The map of a part.
    pub fn new(spec: &DramSpec) -> Result<AddressMap, SpecError> {
        let mut map = AddressMap {
            fields: Default::default(),
            modulo: Divisor::new(1),
            modulo_shift: 0,
            group_shift: 0,
        };
        let mut bit = 0;
        for entry in &spec.address_map {
            if entry == "channel:modulo" {
                if map.modulo.get() != 1 || spec.channels < 2 {
                    let problem =
                        "'channel:modulo' may be given once, and only where there are two channels or more";
                    return Err(wrong(problem.to_string()));
                }
                if bit > 48 {
                    return Err(wrong(format!("'channel:modulo' is at bit {bit}, expected 48 or below")));
                }
                (map.modulo, map.modulo_shift) = (Divisor::new(spec.channels.into()), bit);
                continue;
            }
            let (field, bits) = parse(entry)?;
            if bit + bits > 64 {
                return Err(wrong(format!("'{entry}' ends at bit {}, addresses have 64", bit + bits)));
            }
            let to = map.fields[field].bits();
            map.fields[field].0.push(Segment { shift: bit, bits, to });
            bit += bits;
        }
        map.check(spec)?;
        if map.fields[GROUP].bits() > 0 {
            map.group_shift = map.fields[BANK].bits();
        }
        Ok(map)
    }

    fn check(&self, spec: &DramSpec) -> Result<(), SpecError> {
        let log2 = |value: u64| value.checked_ilog2().unwrap_or(0);
        let groups = log2(spec.bank_groups.into());
        let with_groups = self.fields[GROUP].bits() > 0;
        let bank_bits = log2(spec.banks.into()) - if with_groups { groups } else { 0 };
        let columns = spec.row.0 / spec.atom().max(1);
        let expected = [
            (OFFSET, log2(spec.atom()), format!("an atom of {} bytes", spec.atom())),
            (COLUMN, log2(columns), format!("a row of {columns} atoms")),
            (BANK, bank_bits, format!("{} banks in {} groups", spec.banks, spec.bank_groups)),
        ];
        for (field, bits, reason) in expected {
            self.expect(field, bits, &reason)?;
        }
        if with_groups {
            self.expect(GROUP, groups, &format!("{} groups", spec.bank_groups))?;
        }
        let rows = self.fields[ROW].bits();
        if !(1..=31).contains(&rows) {
            return Err(wrong(format!("expected 1 to 31 bits of 'row', found {rows}")));
        }
        if self.modulo.get() > 1 {
            return self.expect(CHANNEL, 0, "a map with 'channel:modulo'");
        }
        if !spec.channels.is_power_of_two() {
            let problem = format!("{} channels are no power of two: use 'channel:modulo'", spec.channels);
            return Err(wrong(problem));
        }
        self.expect(CHANNEL, log2(spec.channels.into()), &format!("{} channels", spec.channels))
    }

    fn expect(&self, field: usize, bits: u32, reason: &str) -> Result<(), SpecError> {
        let found = self.fields[field].bits();
        if found == bits {
            return Ok(());
        }
        Err(wrong(format!("expected {bits} bits of '{}' for {reason}, found {found}", NAMES[field])))
    }

    /// The channel that serves an address.
    #[inline(always)]
    pub fn channel(&self, address: u64) -> u32 {
        if self.modulo.get() > 1 {
            return self.modulo.divide(address >> self.modulo_shift).1 as u32;
        }
        self.fields[CHANNEL].gather(address)
    }

    /// Where an address lies.
    #[inline(always)]
    pub fn place(&self, address: u64) -> Place {
        let channel = self.channel(address);
        let mut rest = address;
        if self.modulo.get() > 1 {
            let low = address & ((1 << self.modulo_shift) - 1);
            rest = (self.modulo.divide(address >> self.modulo_shift).0 << self.modulo_shift) | low;
        }
        let group = self.fields[GROUP].gather(rest);
        Place {
            channel,
            bank: BankId((group << self.group_shift) | self.fields[BANK].gather(rest)),
            row: self.fields[ROW].gather(rest),
            column: self.fields[COLUMN].gather(rest),
        }
    }

    /// The lowest address that lies there.
    pub fn address(&self, place: &Place) -> u64 {
        let (bank, group) = match self.fields[GROUP].bits() {
            0 => (place.bank.0, 0),
            _ => (place.bank.0 & ((1 << self.group_shift) - 1), place.bank.0 >> self.group_shift),
        };
        let rest = self.fields[BANK].scatter(bank)
            | self.fields[GROUP].scatter(group)
            | self.fields[ROW].scatter(place.row)
            | self.fields[COLUMN].scatter(place.column);
        if self.modulo.get() > 1 {
            let low = rest & ((1 << self.modulo_shift) - 1);
            let high = (rest >> self.modulo_shift)
                .wrapping_mul(self.modulo.get())
                .wrapping_add(place.channel.into());
            return (high << self.modulo_shift) | low;
        }
        rest | self.fields[CHANNEL].scatter(place.channel)
    }

    /// Rows of a bank.
    pub fn rows(&self) -> u32 {
        1 << self.fields[ROW].bits()
    }
}

fn parse(entry: &str) -> Result<(usize, u32), SpecError> {
    let bad = || {
        let names = NAMES.join(", ");
        wrong(format!("expected NAME:BITS with a name of {names}, or 'channel:modulo', found '{entry}'"))
    };
    let (name, bits) = entry.split_once(':').ok_or_else(bad)?;
    let field = NAMES.iter().position(|known| *known == name).ok_or_else(bad)?;
    let bits = bits.parse().ok().filter(|bits| (1..=31).contains(bits)).ok_or_else(bad)?;
    Ok((field, bits))
}

#[cfg(test)]
mod tests {
    use super::super::parts::{PARTS, part, read_part};
    use super::*;
    use proptest::prelude::*;

    fn map(name: &str, entries: &[&str]) -> Result<AddressMap, SpecError> {
        let mut spec = read_part(part(name).unwrap().text, &[]).unwrap();
        if !entries.is_empty() {
            spec.address_map = entries.iter().map(|entry| entry.to_string()).collect();
        }
        AddressMap::new(&spec)
    }

    #[test]
    fn the_map_of_the_gtx480_takes_the_channel_out_above_bit_8() {
        let map = map("gddr5-gtx480", &[]).unwrap();
        // Block 100 of 256 bytes: channel 100 % 6, and 100 / 6 = 16 = 0b10000 above the two column bits.
        let place = map.place(100 * 256 + 3 * 64 + 5);
        assert_eq!(place, Place { channel: 4, bank: BankId(0), row: 0, column: 0b1000 << 2 | 3 });
        // Bits 0 and 5 of the rest are the group, which makes the high bits of a bank's number here; bits 6 and 7
        // are the bank in its group, and the row is above.
        let rest = (0b1010_0101_1010 << 8) | (0b110 << 5) | (0b0110 << 1) | 1u64;
        let place = map.place((rest * 6 + 5) << 8);
        assert_eq!(
            place,
            Place { channel: 5, bank: BankId(0b01_11), row: 0b1010_0101_1010, column: 0b0110 << 2 }
        );
    }

    #[test]
    fn pages_of_a_fermi_channel_go_to_its_banks_in_turn() {
        let map = map("gddr5-fermi", &[]).unwrap();
        for page in 0..64u64 {
            let first = map.place(page * 8 * 2048);
            assert_eq!((u64::from(first.bank.0), u64::from(first.row)), (page % 16, page / 16));
            assert_eq!(map.place(page * 8 * 2048 + 256), Place { channel: 1, ..first });
        }
    }

    #[test]
    fn orders_of_other_simulators_can_be_written() {
        // RoBaRaCoCh of Ramulator and rochrababgco of DRAMsim3, for one rank and channel, by where the groups go.
        let ramulator = map("ddr4-2400", &["offset:6", "column:7", "bank:2", "group:2", "row:16"]).unwrap();
        let dramsim = map("ddr4-2400", &[]).unwrap();
        assert_eq!((ramulator.place(1 << 15).bank, dramsim.place(1 << 15).bank), (BankId(4), BankId(1)));
        // RoCoRaBaCh: neighbouring atoms in different banks.
        let spread = map("ddr4-2400", &["offset:6", "group:2", "bank:2", "column:7", "row:16"]).unwrap();
        let banks: Vec<u32> = (0..5).map(|atom| spread.place(atom * 64).bank.0).collect();
        assert_eq!(banks, [0, 4, 8, 12, 1]);
    }

    #[test]
    fn maps_that_do_not_add_up_are_refused() {
        for (entries, word) in [
            (["offset:5", "column:7", "bank:4", "row:16"].as_slice(), "6 bits of 'offset'"),
            (&["offset:6", "column:6", "bank:4", "row:16"], "7 bits of 'column'"),
            (&["offset:6", "column:7", "bank:4", "group:2", "row:16"], "2 bits of 'bank'"),
            (&["offset:6", "column:7", "bank:4"], "'row'"),
            (&["offset:6", "column:7", "bank:4", "channel:1", "row:16"], "0 bits of 'channel'"),
            (&["offset:6", "column:7", "bank:4", "channel:modulo", "row:16"], "two channels"),
            (&["offset:6", "column:7", "bank:4", "row:20", "row:20"], "'row'"),
            (&["offset:6", "column:7", "bank:4", "row:31", "row:31"], "64"),
            (&["offset:6", "column:7", "bank:4", "rwo:16"], "'rwo:16'"),
            (&["offset:6", "column:7", "bank:4", "row:0"], "'row:0'"),
            (&["offset:6", "column:7", "bank:4", "row"], "'row'"),
        ] {
            let error = map("ddr4-2400", entries).unwrap_err();
            assert!(error.key == "address_map" && error.problem.contains(word), "{entries:?}: {error}");
        }
    }

    proptest! {
        #[test]
        fn places_and_addresses_are_one_to_one(address: u64, part in 0..PARTS.len()) {
            let spec = read_part(PARTS[part].text, &[]).unwrap();
            let map = AddressMap::new(&spec).unwrap();
            let place = map.place(address);
            prop_assert!(place.channel < spec.channels && place.bank.0 < spec.banks && place.row < map.rows());
            prop_assert!(u64::from(place.column) < spec.row.0 / spec.atom());
            prop_assert_eq!(map.channel(address), place.channel);
            let lowest = map.address(&place);
            prop_assert_eq!(map.place(lowest), place);
            prop_assert_eq!(lowest % spec.atom(), 0);
        }
    }
}
