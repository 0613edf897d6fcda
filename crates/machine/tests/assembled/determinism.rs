//! The same run gives the same counts, whatever is looked at.

use crate::common::{Bench, GATHER, Gather, PRESETS, spec};
use heddle_gpu::{LoadWait, RunSettings};

/// Everything of a launch that must be the same.
#[derive(PartialEq, Debug)]
struct Same {
    place: (u64, String, u64, u64),
    counts: Vec<(String, u64)>,
    loads: Vec<LoadWait>,
    resident: (u32, u32, String, u32, u64),
}

const GATHERING: Gather = Gather { blocks: 33, threads: 96, words: 1 << 16, rounds: 1 };

/// Three launches; the answers are checked.
fn run(preset: &str, settings: RunSettings) -> (Vec<Same>, Bench) {
    let mut bench = Bench::new(spec(preset, &[]), settings, GATHER);
    let buffers = GATHERING.buffers(&mut bench);
    for _ in 0..3 {
        GATHERING.launch(&mut bench, &buffers);
    }
    GATHERING.check(&bench, &buffers);
    let record = bench.record.borrow();
    let same = record.launches.iter().map(|timing| Same {
        place: (timing.launch, timing.kernel.clone(), timing.start_cycle, timing.cycles),
        counts: timing.statistics.iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        loads: timing.loads.clone(),
        resident: (
            timing.resident_blocks,
            timing.resident_warps,
            timing.limited_by.clone(),
            timing.registers,
            timing.l1_bytes,
        ),
    });
    let same = same.collect();
    drop(record);
    (same, bench)
}

#[test]
fn two_runs_have_the_same_counts_cycles_and_answers() {
    for preset in PRESETS {
        let (first, _) = run(preset, RunSettings::default());
        assert_eq!(first.len(), 3);
        assert!(first == run(preset, RunSettings::default()).0, "{preset}");
        // Launches differ from each other, so that the comparison can fail.
        assert!(first[0] != first[1], "{preset}");
    }
}

#[test]
fn looking_changes_nothing() {
    for preset in PRESETS {
        let (plain, _) = run(preset, RunSettings::default());
        let looks = [
            RunSettings { interval: Some(97), ..RunSettings::default() },
            RunSettings { trace: true, ..RunSettings::default() },
            RunSettings { capture_dram: true, ..RunSettings::default() },
            RunSettings { watchdog: 1_000_000, max_cycles: Some(1 << 40), ..RunSettings::default() },
            RunSettings { interval: Some(50), trace: true, capture_dram: true, ..RunSettings::default() },
        ];
        for (number, look) in looks.into_iter().enumerate() {
            let (same, bench) = run(preset, look.clone());
            assert!(same == plain, "{preset}, look {number}");
            let record = bench.record.borrow();
            assert_eq!(look.interval.is_some(), !record.launches[0].intervals.is_empty());
            assert_eq!(look.trace, !record.spans.is_empty());
            assert_eq!(look.capture_dram, !record.dram_stream.is_empty());
        }
    }
}

#[test]
fn samples_grow_to_the_counts_of_the_launch() {
    let (_, bench) = run("fermi", RunSettings { interval: Some(500), ..RunSettings::default() });
    for launch in &bench.record.borrow().launches {
        let samples = &launch.intervals;
        assert!(samples.len() as u64 >= launch.cycles / 500);
        for pair in samples.windows(2) {
            assert!(pair[0].cycle < pair[1].cycle || pair[1].cycle == launch.cycles);
            let earlier = pair[0].statistics.iter().zip(pair[1].statistics.iter());
            for ((name, before), (_, after)) in earlier {
                assert!(before <= after, "{name} fell from {before} to {after}");
            }
        }
        assert_eq!(samples.last().unwrap().statistics, launch.statistics);
    }
}
