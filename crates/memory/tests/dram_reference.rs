//! Saturated streams beside DRAMsim3 and a transcription of Ramulator 2's controller: bandwidths as fractions of the
//! peak, recorded.
//!
//! DRAMsim3's figures are from a driver over the sources in crate dramsim3 0.2.2 with 100,000 requests, on its own
//! files DDR4_8Gb_x8_2400, DDR4_8Gb_x8_3200 (`channel_size` 8192: one rank) and GDDR5_8Gb_x32 (transaction queue 32,
//! queues of 8 commands per bank, open pages). `scripts/validate-dram` runs such streams anew, with Heddle's tRTW.
//! The second figures are not from Ramulator 2's program but from a transcription of its generic controller with FRFCFS, refresh of
//! all banks and the constraints of its DDR4 (commit f1e9d27; buffers of 32 reads and 32 writes), with t32AW, tPPD
//! and tRCDWR added for GDDR5, which it does not have.

use heddle_memory::dram::trace::TraceRequest;
use heddle_memory::dram::{AddressMap, Arrival, DramSpec, Place, SpecError, part, read_part, replay};

const REQUESTS: u64 = 20_000;

#[derive(Clone, Copy, Debug)]
enum Stream {
    Sequential,
    Random,
    SameRow,
    RowConflict,
    /// Over all banks, neighbours in different groups, a new row in every round.
    OverBanks,
    /// Every 17th atom.
    Strided,
}
use Stream::{OverBanks, Random, RowConflict, SameRow, Sequential, Strided};

/// Stream, percent of writes, DRAMsim3, the transcription of Ramulator 2's controller.
type Recorded = (Stream, u64, f64, f64);

const DDR4_2400: &[Recorded] = &[
    (Sequential, 0, 0.783, 0.752),
    (Sequential, 33, 0.786, 0.744),
    (Sequential, 50, 0.748, 0.717),
    (Sequential, 100, 0.781, 0.750),
    (Random, 0, 0.583, 0.578),
    (Random, 33, 0.566, 0.565),
    (Random, 50, 0.555, 0.556),
    (Random, 100, 0.582, 0.579),
    (SameRow, 0, 0.634, 0.634),
    (SameRow, 33, 0.610, 0.595),
    (SameRow, 50, 0.598, 0.579),
    (SameRow, 100, 0.633, 0.633),
    (RowConflict, 0, 0.0681, 0.0682),
    (RowConflict, 33, 0.0636, 0.0637),
    (RowConflict, 50, 0.0615, 0.0616),
    (RowConflict, 100, 0.0561, 0.0562),
    (OverBanks, 0, 0.571, 0.586),
    (OverBanks, 50, 0.552, 0.580),
    (Strided, 0, 0.946, 0.951),
    (Strided, 50, 0.874, 0.827),
];

/// With DRAMsim3's `unified_queue = true`, which Ramulator 2 has no counterpart of.
const DDR4_2400_SHARED: &[(Stream, u64, f64)] = &[
    (Sequential, 50, 0.692),
    (Random, 50, 0.563),
    (SameRow, 50, 0.566),
    (RowConflict, 50, 0.0615),
    (OverBanks, 50, 0.536),
    (Strided, 50, 0.900),
];

const DDR4_3200: &[Recorded] = &[
    (Sequential, 0, 0.667, 0.622),
    (Sequential, 50, 0.641, 0.611),
    (Random, 0, 0.446, 0.435),
    (Random, 50, 0.430, 0.429),
    (SameRow, 0, 0.476, 0.476),
    (SameRow, 50, 0.452, 0.439),
    (RowConflict, 0, 0.0516, 0.0516),
    (RowConflict, 50, 0.0471, 0.0472),
    (OverBanks, 50, 0.425, 0.445),
    (Strided, 50, 0.837, 0.797),
];

const GDDR5: &[Recorded] = &[
    (Sequential, 0, 0.946, 0.966),
    (Sequential, 33, 0.804, 0.743),
    (Random, 0, 0.170, 0.172),
    (Random, 50, 0.170, 0.171),
    (SameRow, 0, 0.968, 0.968),
    (SameRow, 33, 0.817, 0.747),
    (RowConflict, 0, 0.0244, 0.0245),
    (RowConflict, 50, 0.0244, 0.0245),
    (OverBanks, 0, 0.170, 0.172),
    (Strided, 33, 0.718, 0.675),
];

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

/// The fraction of the peak that a stream gets.
fn bandwidth(spec: &DramSpec, arrival: Arrival, stream: Stream, writes: u64) -> f64 {
    let map = AddressMap::new(spec).unwrap();
    let columns = spec.row.0 / spec.atom();
    let banks = u64::from(spec.banks);
    let atoms = u64::from(map.rows()) * columns * banks;
    let groups = u64::from(spec.bank_groups);
    let address = |bank: u64, row: u64, column: u64| {
        map.address(&Place { channel: 0, bank: bank as u32, row: row as u32, column: column as u32 })
    };
    let mut numbers = Numbers(77);
    let mut requests = (0..REQUESTS).map(|number| {
        let alternating = number % banks % groups * (banks / groups) + number % banks / groups;
        let address = match stream {
            Sequential => number * spec.atom(),
            Random => numbers.below(atoms) * spec.atom(),
            SameRow => address(0, 0, number % columns),
            RowConflict => address(0, number % u64::from(map.rows()), 0),
            OverBanks => address(alternating, number / banks, 0),
            Strided => number * 17 % atoms * spec.atom(),
        };
        TraceRequest { address, write: numbers.below(100) < writes, cycle: Some(number) }
    });
    let summary = replay::<SpecError>(spec, arrival, || Ok(requests.next()), |_| Ok(())).unwrap();
    (REQUESTS * spec.burst_clocks()) as f64 / summary.cycles as f64
}

/// Compares a stream with recorded figures, in both ways to saturate a channel.
fn compare_stream(spec: &DramSpec, stream: Stream, writes: u64, recorded: &[f64]) {
    for arrival in [Arrival::ByCycle, Arrival::Outstanding(128)] {
        let ours = bandwidth(spec, arrival, stream, writes);
        for theirs in recorded {
            let off = ours / theirs - 1.0;
            assert!(off.abs() <= 0.1, "{stream:?}, {writes} % writes: {ours:.3}, not {theirs:.3}");
        }
    }
}

/// Compares with DRAMsim3 and the transcription, which agree on these streams.
fn compare(spec: &DramSpec, recorded: &[Recorded]) {
    for &(stream, writes, dramsim3, transcribed) in recorded {
        assert!((dramsim3 / transcribed - 1.0).abs() <= 0.1, "{stream:?}, {writes} % writes: they disagree");
        compare_stream(spec, stream, writes, &[dramsim3, transcribed]);
    }
}

#[test]
fn ddr4_2400_is_within_a_tenth_of_dramsim3_and_of_ramulator_2s_controller_transcribed() {
    compare(&read_part(part("ddr4-2400").unwrap().text, &[]).unwrap(), DDR4_2400);
}

#[test]
fn queues_like_those_of_dramsim3_are_within_a_tenth_of_it_and_of_the_transcription() {
    let queue = "{ organisation = \"per-bank\", entries = 8, transactions = 32 }".to_string();
    let settings = [("queue".to_string(), queue)];
    compare(&read_part(part("ddr4-2400").unwrap().text, &settings).unwrap(), DDR4_2400);
}

#[test]
fn a_queue_that_reads_and_writes_share_is_within_a_tenth_of_dramsim3s() {
    let queue = "{ organisation = \"per-bank\", entries = 8, transactions = 32 }".to_string();
    let writes = "{ entries = 0, high = 0, low = 0 }".to_string();
    let settings = [("queue".to_string(), queue), ("write_queue".to_string(), writes)];
    let spec = read_part(part("ddr4-2400").unwrap().text, &settings).unwrap();
    DDR4_2400_SHARED
        .iter()
        .for_each(|&(stream, writes, dramsim3)| compare_stream(&spec, stream, writes, &[dramsim3]));
}

#[test]
fn ddr4_3200_is_within_a_tenth_of_dramsim3_and_of_ramulator_2s_controller_transcribed() {
    compare(
        &read_part(include_str!("../../../validation/dram/parts/ddr4-3200.toml"), &[]).unwrap(),
        DDR4_3200,
    );
}

#[test]
fn gddr5_is_within_a_tenth_of_dramsim3_and_of_a_transcribed_controller_given_its_rules() {
    compare(&read_part(include_str!("../../../validation/dram/parts/gddr5.toml"), &[]).unwrap(), GDDR5);
}
