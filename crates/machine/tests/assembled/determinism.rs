//! The same run gives the same counts, whatever is looked at.

use super::common::{Bench, GATHER, Gather, PRESETS, spec};
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

/// A machine whose DRAM is saturated by what its L2 does not hold: its channels lag behind with full queues.
const SATURATED: (&str, &[&str]) = ("gtx480", &["l2.size=96KiB", "dram.queue.entries=8"]);

/// Three launches; the answers are checked.
fn run(preset: &str, settings: RunSettings) -> (Vec<Same>, Bench) {
    run_on((preset, &[]), settings)
}

fn run_on((preset, set): (&str, &[&str]), settings: RunSettings) -> (Vec<Same>, Bench) {
    let mut bench = Bench::new(spec(preset, set), settings, GATHER);
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
    let presets = PRESETS.map(|preset| (preset, &[][..]));
    for machine in presets.into_iter().chain([SATURATED]) {
        let (plain, _) = run_on(machine, RunSettings::default());
        let looks = [
            RunSettings { interval: Some(97), ..RunSettings::default() },
            RunSettings { trace: true, ..RunSettings::default() },
            RunSettings { capture_dram: true, ..RunSettings::default() },
            RunSettings { watchdog: 1_000_000, max_cycles: Some(1 << 40), ..RunSettings::default() },
            RunSettings { interval: Some(50), trace: true, capture_dram: true, ..RunSettings::default() },
        ];
        for (number, look) in looks.into_iter().enumerate() {
            let (same, bench) = run_on(machine, look.clone());
            assert!(same == plain, "{machine:?}, look {number}");
            let record = bench.record.borrow();
            assert_eq!(look.interval.is_some(), !record.launches[0].intervals.is_empty());
            assert_eq!(look.trace, !record.spans.is_empty());
            assert_eq!(look.capture_dram, !record.dram_stream.is_empty());
        }
    }
}

#[test]
fn no_sample_counts_what_comes_after_it() {
    let (_, bench) = run_on(SATURATED, RunSettings { interval: Some(40), ..RunSettings::default() });
    let (mut most, mut samples) = (0, 0);
    for launch in &bench.record.borrow().launches {
        let mut before = (0, 0);
        for sample in &launch.intervals {
            let busy = sample.statistics.get("dram.bus_busy_cycles").unwrap();
            // Six channels at 924 MHz, cores at 700; a burst of two clocks may be under way in each.
            let possible = (sample.cycle - before.0) * 924 * 6 / 700 + 6 * 3;
            assert!(
                busy - before.1 <= possible,
                "{} of {possible} by cycle {}",
                busy - before.1,
                sample.cycle
            );
            most = most.max((busy - before.1) * 100 / possible);
            before = (sample.cycle, busy);
            samples += 1;
        }
    }
    assert!(samples > 100 && most > 90, "{samples} samples, the fullest of which has {most} %");
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
