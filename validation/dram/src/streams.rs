//! Streams of requests with a known shape.

use heddle_memory::dram::{AddressMap, Place};

/// A byte address, and whether it is written.
pub type Request = (u64, bool);

/// A shape and the shares of writes (in percent) with which it is measured.
#[derive(Debug)]
pub struct Stream {
    pub name: &'static str,
    pub writes: &'static [u32],
    /// Whether the places themselves are drawn.
    pub seeded: bool,
    /// DRAMsim3 and the transcription of Ramulator 2's controller are more than 10 % apart here, or some of these.
    pub disputed: bool,
    place: fn(&Shape, u64, &mut Numbers) -> u64,
}

/// What a stream needs to know of the part.
#[derive(Debug)]
pub struct Shape {
    pub map: AddressMap,
    pub atom: u64,
    pub atoms: u64,
    pub columns: u64,
    pub banks: u64,
    pub bank_groups: u64,
}

impl Shape {
    fn address(&self, bank: u64, row: u64, column: u64) -> u64 {
        let row = row % u64::from(self.map.rows());
        self.map.address(&Place {
            channel: 0,
            bank: heddle_memory::BankId(bank as u32),
            row: row as u32,
            column: column as u32,
        })
    }

    /// The n-th bank in an order in which neighbours are in different groups.
    fn alternating_bank(&self, number: u64) -> u64 {
        let per_group = self.banks / self.bank_groups;
        let number = number % self.banks;
        number % self.bank_groups * per_group + number / self.bank_groups
    }
}

const MIXED: &[u32] = &[0, 33, 50];

/// All streams.
pub const STREAMS: &[Stream] = &[
    Stream {
        name: "sequential",
        writes: &[0, 33, 50, 100],
        seeded: false,
        disputed: false,
        place: |shape, number, _| number % shape.atoms * shape.atom,
    },
    Stream {
        name: "random",
        writes: &[0, 33, 50, 100],
        seeded: true,
        disputed: false,
        place: |shape, _, numbers| numbers.below(shape.atoms) * shape.atom,
    },
    Stream {
        name: "same row",
        writes: &[0, 33, 50, 100],
        seeded: false,
        disputed: false,
        place: |shape, number, _| shape.address(0, 0, number % shape.columns),
    },
    Stream {
        name: "row conflict",
        writes: &[0, 33, 50, 100],
        seeded: false,
        disputed: false,
        place: |shape, number, _| shape.address(0, number, 0),
    },
    Stream {
        name: "two rows of a bank",
        writes: MIXED,
        seeded: false,
        disputed: true,
        place: |shape, number, _| shape.address(0, number % 2, number / 2 % shape.columns),
    },
    Stream {
        name: "over banks, new rows",
        writes: MIXED,
        seeded: false,
        disputed: false,
        place: |shape, number, _| shape.address(shape.alternating_bank(number), number / shape.banks, 0),
    },
    Stream {
        name: "over banks, four columns a row",
        writes: MIXED,
        seeded: false,
        disputed: false,
        place: |shape, number, _| {
            let round = number / shape.banks;
            shape.address(shape.alternating_bank(number), round / 4, round % 4)
        },
    },
    Stream {
        name: "every 17th atom",
        writes: MIXED,
        seeded: false,
        disputed: false,
        place: |shape, number, _| number * 17 % shape.atoms * shape.atom,
    },
];

impl Stream {
    /// The first requests of the stream.
    pub fn requests(&self, shape: &Shape, length: usize, writes: u32, seed: u64) -> Vec<Request> {
        let mut numbers = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        (0..length as u64)
            .map(|number| {
                let address = (self.place)(shape, number, &mut numbers);
                (address, numbers.below(100) < u64::from(writes))
            })
            .collect()
    }
}

/// xorshift64*.
#[derive(Debug)]
pub struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D);
        ((u128::from(bits) * u128::from(bound)) >> 64) as u64
    }
}
