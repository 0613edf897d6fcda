//! The DRAM stream of a run, replayed alone, gives every transaction the latency that it had.

use super::common::{Bench, GATHER, Gather, PRESETS, count, spec};
use heddle_gpu::RunSettings;
use heddle_memory::SpecError;
use heddle_memory::dram::trace::DramTraceRequest;
use heddle_memory::dram::{Pacing, replay};

/// Machines whose channels are still busy when a launch ends: the next launch comes to other channels before they are done.
const AHEAD: [(&str, &[&str]); 4] = [
    ("fermi", &["dram.write_queue={entries=1}", "dram.page_policy=closed"]),
    ("fermi", &["dram.write_queue={entries=8}"]),
    ("fermi", &["dram.queue.entries=1"]),
    ("gtx480", &["dram.queue.entries=1"]),
];

#[test]
fn a_captured_run_replays_with_every_latency() {
    for (preset, settings) in PRESETS.map(|preset| (preset, [].as_slice())).into_iter().chain(AHEAD) {
        let spec = spec(preset, settings);
        let capture = RunSettings { capture_dram: true, ..RunSettings::default() };
        let mut bench = Bench::new(spec.clone(), capture, GATHER);
        let gather = Gather { blocks: 60, threads: 96, words: 1 << 19, rounds: 2 };
        let buffers = gather.buffers(&mut bench);
        gather.launch(&mut bench, &buffers);
        for _ in 0..4 {
            Gather { blocks: 20, rounds: 1, ..gather }.launch(&mut bench, &buffers);
        }
        let record = bench.record.borrow();
        let stream = &record.dram_stream;
        assert!(stream.is_sorted_by_key(|captured| captured.cycle), "{preset} {settings:?}");
        let commands = |name| record.launches.iter().map(|launch| count(launch, name)).sum::<u64>();
        let all = commands("dram.reads") + commands("dram.writes");
        assert!(stream.len() as u64 > all - all / 20, "{preset}: {} of {all}", stream.len());
        assert!(
            stream.iter().any(|captured| captured.write) && stream.iter().any(|captured| !captured.write)
        );
        let mut requests = stream.iter().map(|captured| DramTraceRequest {
            address: captured.address,
            write: captured.write,
            cycle: Some(captured.cycle),
        });
        let mut latencies = Vec::new();
        replay::<SpecError>(
            &spec.memory.dram,
            Pacing::ByCycle,
            || Ok(requests.next()),
            |served| {
                latencies.push(served.latency);
                Ok(())
            },
        )
        .unwrap();
        let recorded: Vec<u64> = stream.iter().map(|captured| captured.latency).collect();
        let differ = recorded.iter().zip(&latencies).filter(|(a, b)| a != b).count();
        assert_eq!((latencies.len(), differ), (recorded.len(), 0), "{preset} {settings:?}");
        // Requests waited for each other, so that latencies say something.
        assert!(recorded.iter().max() > recorded.iter().min().map(|least| 4 * least).as_ref());
    }
}
