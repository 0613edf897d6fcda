//! The DRAM stream of a run, replayed open loop through fresh channels, has the same latencies.

use super::driver::{drive, mixed};
use super::machines::{clocks, fermi, gtx480, tiny};
use heddle_engine::{Cycle, Tick};
use heddle_memory::dram::{AddressMap, Channel, Completion, DramSpec, Transaction};
use heddle_memory::fabric::{Captured, Fabric};

/// Latencies of a stream, each transaction pushed at its own cycle.
fn replay(spec: &DramSpec, stream: &[Captured]) -> Vec<u64> {
    let map = AddressMap::new(spec).unwrap();
    let mut latencies = vec![0; stream.len()];
    for number in 0..spec.channels {
        let mut channel = Channel::new(spec);
        let mut done: Vec<Completion> = Vec::new();
        for (id, captured) in stream.iter().enumerate() {
            let place = map.place(captured.address);
            if place.channel != number {
                continue;
            }
            while let Some(wake) = channel.wake()
                && wake.0 < captured.cycle
            {
                channel.advance(wake, &mut done);
            }
            let transaction = Transaction { id: id as u32, place, write: captured.write };
            assert!(channel.can_accept(&place, captured.write));
            channel.push(Cycle(captured.cycle), transaction);
        }
        while let Some(wake) = channel.wake() {
            channel.advance(wake, &mut done);
        }
        for completion in done {
            assert_eq!(completion.arrived.0, stream[completion.id as usize].cycle);
            latencies[completion.id as usize] = completion.at - completion.arrived;
        }
    }
    latencies
}

#[test]
fn a_captured_stream_replays_with_every_latency() {
    for (spec, lines) in [(fermi(), 100_000), (gtx480(), 100_000), (gtx480(), 3_000), (tiny(gtx480()), 500)] {
        let clocks = clocks(&spec, 700, 700, 700);
        let mut fabric = Fabric::new(&spec.fabric(), &clocks, 15).unwrap();
        fabric.capture_dram(true);
        drive(&mut fabric, &clocks, mixed(15, 500, lines, 11));
        let end = Tick(u64::MAX);
        let stream = fabric.take_captured(end);
        assert!(stream.len() > 1_000 && fabric.take_captured(end).is_empty());
        assert!(fabric.rest_of_capture().is_empty());
        assert!(stream.is_sorted_by_key(|captured| captured.cycle));
        let latencies: Vec<u64> = stream.iter().map(|captured| captured.latency).collect();
        assert_eq!(replay(&spec.dram, &stream), latencies);
    }
}

#[test]
fn capturing_changes_nothing() {
    let run = |capture| {
        let clocks = clocks(&gtx480(), 700, 700, 700);
        let mut fabric = Fabric::new(&gtx480().fabric(), &clocks, 15).unwrap();
        fabric.capture_dram(capture);
        drive(&mut fabric, &clocks, mixed(15, 300, 100_000, 11))
    };
    assert_eq!(run(true), run(false));
}
