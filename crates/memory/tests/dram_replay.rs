//! Replays: order, latencies, open and closed loop.

use crate::dram_common::{parts, spec};
use heddle_memory::SpecError;
use heddle_memory::dram::trace::DramTraceRequest;
use heddle_memory::dram::{DramSpec, DramSummary, Pacing, Pattern, PatternRequests, Served, replay};
use proptest::prelude::*;

fn run(spec: &DramSpec, arrival: Pacing, requests: &[DramTraceRequest]) -> (DramSummary, Vec<Served>) {
    let mut served = Vec::new();
    let mut requests = requests.iter().copied();
    let each = |one: &Served| {
        served.push(*one);
        Ok(())
    };
    let summary = replay::<SpecError>(spec, arrival, || Ok(requests.next()), each).unwrap();
    (summary, served)
}

fn pattern(
    spec: &DramSpec,
    pattern: Pattern,
    writes: u32,
    every: u64,
    count: usize,
) -> Vec<DramTraceRequest> {
    PatternRequests::new(spec, pattern, writes, every, 1).unwrap().take(count).collect()
}

/// Fraction of the peak.
fn bandwidth(spec: &DramSpec, pattern_kind: Pattern, writes: u32, outstanding: u32) -> f64 {
    let requests = pattern(spec, pattern_kind, writes, 0, 20_000);
    let (summary, _) = run(spec, Pacing::Outstanding(outstanding), &requests);
    let busy = summary.counters.bus_busy_cycles as f64;
    busy / summary.cycles as f64 / f64::from(spec.channels)
}

#[test]
fn results_come_in_the_order_of_the_trace_with_idle_latencies_when_alone() {
    for (name, spec) in parts() {
        let requests = pattern(&spec, Pattern::RowConflict, 0, 500, 4);
        let (summary, served) = run(&spec, Pacing::ByCycle, &requests);
        let closed = u64::from(spec.timing.tRCD + spec.timing.tCL + spec.extra_latency) + spec.burst_clocks();
        let conflict = closed + u64::from(spec.timing.tRP);
        let latencies: Vec<u64> = served.iter().map(|one| one.latency).collect();
        assert_eq!(latencies, [closed, conflict, conflict, conflict], "{name}");
        assert_eq!(served.iter().map(|one| one.request).collect::<Vec<_>>(), requests);
        assert_eq!((summary.reads.max(), summary.cycles), (conflict, 1500 + conflict), "{name}");
    }
}

#[test]
fn a_full_queue_delays_what_is_behind_it_and_latency_counts_from_the_cycle_column() {
    let spec = spec("ddr4-2400", &[("queue.entries", "1"), ("timing.tREFI", "0")]);
    let requests = pattern(&spec, Pattern::RowConflict, 0, 0, 3);
    let (_, served) = run(&spec, Pacing::ByCycle, &requests);
    // Rows are tRC apart, and all came at 0.
    assert_eq!(served.iter().map(|one| one.latency).collect::<Vec<_>>(), [38, 38 + 56, 38 + 112]);
}

#[test]
fn a_closed_loop_of_one_waits_for_each_request() {
    let spec = spec("ddr4-2400", &[("timing.tREFI", "0")]);
    let requests = pattern(&spec, Pattern::SameRow, 0, 0, 100);
    let (summary, served) = run(&spec, Pacing::Outstanding(1), &requests);
    assert!(served[1..].iter().all(|one| one.latency == 21 && one.row_hit));
    assert_eq!(summary.cycles, 38 + 99 * 21);
}

#[test]
fn more_outstanding_requests_never_cost_bandwidth_and_saturate() {
    for (name, spec) in parts() {
        let at = |outstanding| bandwidth(&spec, Pattern::Random, 0, outstanding);
        let (one, few, many) = (at(1), at(8 * spec.channels), at(256 * spec.channels));
        assert!(one < few && few < many, "{name}: {one:.3} {few:.3} {many:.3}");
        // Every request opens a row.
        let t = &spec.timing;
        let activates = f64::from(t.tRRD_S).max(f64::from(t.tFAW) / 4.0);
        let apart = activates.max(f64::from(t.tRC) / f64::from(spec.banks));
        let bound = (spec.burst_clocks() as f64 / apart).min(1.0);
        assert!(many <= bound && many > 0.8 * bound, "{name}: {many:.3} of {bound:.3}");
    }
}

#[test]
fn writes_with_a_queue_of_their_own_are_not_waited_for() {
    let with = |settings: &[(&str, &str)]| {
        let spec = spec("ddr4-2400", settings);
        bandwidth(&spec, Pattern::Sequential, 100, 1)
    };
    assert!(with(&[]) > 0.6);
    assert!(with(&[("write_queue", "{ entries = 0, high = 0, low = 0 }")]) < 0.3);
}

#[test]
fn an_empty_trace_takes_no_time() {
    let (summary, served) = run(&spec("ddr4-2400", &[]), Pacing::ByCycle, &[]);
    assert_eq!((summary.cycles, served.len(), summary.reads.count()), (0, 0, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_request_is_served_once_in_order_whatever_the_loop(
        part in 0usize..4, seed: u64, writes in 0u32..=100, every in 0u64..9, outstanding in 0u32..40,
    ) {
        let (_, spec) = parts().swap_remove(part);
        let requests = PatternRequests::new(&spec, Pattern::Random, writes, every, seed).unwrap();
        let requests: Vec<DramTraceRequest> = requests.take(300).collect();
        let arrival = if outstanding == 0 { Pacing::ByCycle } else { Pacing::Outstanding(outstanding) };
        let (summary, served) = run(&spec, arrival, &requests);
        prop_assert!(served.iter().map(|one| one.request).eq(requests));
        prop_assert_eq!(summary.reads.count() + summary.writes.count(), 300);
        let c = &summary.counters;
        prop_assert_eq!(c.reads + c.writes + c.forwarded_reads, 300);
    }

    /// Latencies are a function of when requests enter: entering at the recorded times gives the same ones.
    #[test]
    fn replaying_the_arrivals_of_a_closed_loop_gives_the_same_latencies(
        part in 0usize..4, seed: u64, writes in 0u32..=100, outstanding in 1u32..40,
    ) {
        let (_, spec) = parts().swap_remove(part);
        let requests = PatternRequests::new(&spec, Pattern::Random, writes, 0, seed).unwrap();
        let requests: Vec<DramTraceRequest> = requests.take(300).collect();
        let (_, first) = run(&spec, Pacing::Outstanding(outstanding), &requests);
        let recorded: Vec<DramTraceRequest> =
            first.iter().map(|one| DramTraceRequest { cycle: Some(one.came), ..one.request }).collect();
        let (_, second) = run(&spec, Pacing::ByCycle, &recorded);
        prop_assert!(first.iter().map(|one| one.latency).eq(second.iter().map(|one| one.latency)));
    }
}
