//! Saturated streams beside DRAMsim3 and a transcription of Ramulator 2's controller: bandwidths as fractions of the
//! peak, recorded.
//!
//! DRAMsim3's figures are from a driver over the sources in crate dramsim3 0.2.2 with 100,000 requests, on its own
//! files DDR4_8Gb_x8_2400, DDR4_8Gb_x8_3200 (`channel_size` 8192: one rank) and GDDR5_8Gb_x32 (transaction queue 32,
//! queues of 8 commands per bank, open pages). `scripts/validate-dram` runs such streams anew, with Heddle's tRTW.
//! The second figures are not from Ramulator 2's program but from a transcription of its generic controller with FRFCFS, refresh of
//! all banks and the constraints of its DDR4 (commit f1e9d27; buffers of 32 reads and 32 writes), with t32AW, tPPD
//! and tRCDWR added for GDDR5, which it does not have.

use heddle_memory::SpecError;
use heddle_memory::dram::trace::DramTraceRequest;
use heddle_memory::dram::{AddressMap, DramSpec, Pacing, Place, part, read_part, replay};

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

/// A stream of `validation/dram/reference.tsv` with its recorded figures.
struct Recorded {
    part: String,
    stream: Stream,
    name: String,
    writes: u64,
    /// DRAMsim3, and the transcription of Ramulator 2's controller where it has a counterpart.
    figures: Vec<f64>,
}

fn recorded(part: &str) -> Vec<Recorded> {
    let text = include_str!("../../../validation/dram/reference.tsv");
    let rows = text.lines().skip(1).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let stream = match columns[1] {
            "sequential" => Sequential,
            "random" => Random,
            "same-row" => SameRow,
            "row-conflict" => RowConflict,
            "over-banks" => OverBanks,
            "strided" => Strided,
            other => panic!("no stream is called {other}"),
        };
        let figures =
            columns[3..].iter().filter(|figure| **figure != "-").map(|figure| figure.parse().unwrap());
        Recorded {
            part: columns[0].to_owned(),
            stream,
            name: columns[1].to_owned(),
            writes: columns[2].parse().unwrap(),
            figures: figures.collect(),
        }
    });
    rows.filter(|row| row.part == part).collect()
}

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
fn bandwidth(spec: &DramSpec, arrival: Pacing, stream: Stream, writes: u64) -> f64 {
    let map = AddressMap::new(spec).unwrap();
    let columns = spec.row.0 / spec.atom();
    let banks = u64::from(spec.banks);
    let atoms = u64::from(map.rows()) * columns * banks;
    let groups = u64::from(spec.bank_groups);
    let address = |bank: u64, row: u64, column: u64| {
        map.address(&Place {
            channel: 0,
            bank: heddle_memory::BankId(bank as u32),
            row: row as u32,
            column: column as u32,
        })
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
        DramTraceRequest { address, write: numbers.below(100) < writes, cycle: Some(number) }
    });
    let summary = replay::<SpecError>(spec, arrival, || Ok(requests.next()), |_| Ok(())).unwrap();
    (REQUESTS * spec.burst_clocks()) as f64 / summary.cycles as f64
}

/// Compares a stream with recorded figures, in both ways to saturate a channel. Returns its bandwidth in cycles of
/// arrival.
fn compare_stream(spec: &DramSpec, row: &Recorded) -> f64 {
    let [by_cycle, _] = [Pacing::ByCycle, Pacing::Outstanding(128)].map(|arrival| {
        let ours = bandwidth(spec, arrival, row.stream, row.writes);
        for theirs in &row.figures {
            let off = ours / theirs - 1.0;
            assert!(off.abs() <= 0.1, "{}, {} % writes: {ours:.3}, not {theirs:.3}", row.name, row.writes);
        }
        ours
    });
    by_cycle
}

/// Compares with DRAMsim3 and the transcription, which agree on these streams.
fn compare(spec: &DramSpec, part: &str) -> String {
    let rows = recorded(part);
    assert!(!rows.is_empty(), "there are no figures for {part}");
    let mut measured = String::new();
    for row in &rows {
        if let [dramsim3, transcribed] = row.figures[..] {
            let apart = (dramsim3 / transcribed - 1.0).abs();
            assert!(apart <= 0.1, "{}, {} % writes: they disagree", row.name, row.writes);
        }
        let ours = compare_stream(spec, row);
        measured += &format!("{}\t{}\t{}\t{ours:.4}\n", row.part, row.name, row.writes);
    }
    measured
}

const DDR4_3200: &str = include_str!("../../../validation/dram/parts/ddr4-3200.toml");
const GDDR5: &str = include_str!("../../../validation/dram/parts/gddr5.toml");

/// DDR4-2400 with the queues of DRAMsim3, and with other settings.
fn like_dramsim3(more: &[(&str, &str)]) -> DramSpec {
    let queue = ("queue", "{ organisation = \"per-bank\", entries = 8, transactions = 32 }");
    let settings = more.iter().chain([&queue]).map(|(key, value)| (key.to_string(), value.to_string()));
    read_part(part("ddr4-2400").unwrap().text, &settings.collect::<Vec<_>>()).unwrap()
}

/// What is measured is committed, for the page that shows it beside the references (docs/validation.md).
#[test]
fn parts_are_within_a_tenth_of_dramsim3_and_of_ramulator_2s_controller_transcribed() {
    let shared = like_dramsim3(&[("write_queue", "{ entries = 0, high = 0, low = 0 }")]);
    let measured = [
        "part\tstream\twrites_percent\theddle\n".to_owned(),
        compare(&read_part(part("ddr4-2400").unwrap().text, &[]).unwrap(), "ddr4-2400"),
        compare(&shared, "ddr4-2400-shared"),
        compare(&read_part(DDR4_3200, &[]).unwrap(), "ddr4-3200"),
        compare(&read_part(GDDR5, &[]).unwrap(), "gddr5"),
    ]
    .concat();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../validation/dram/measured.tsv");
    if std::env::var_os("HEDDLE_RECORD").is_some() {
        std::fs::write(path, &measured).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(measured, committed, "HEDDLE_RECORD=1 records what moved");
}

#[test]
fn queues_like_those_of_dramsim3_are_within_a_tenth_of_it_and_of_the_transcription() {
    compare(&like_dramsim3(&[]), "ddr4-2400");
}
