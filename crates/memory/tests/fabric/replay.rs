//! Memory systems driven by traces: every request is answered, in the time that the memory system takes for it.

use super::driver::Numbers;
use super::machines::{Figures, clocks, fermi, gtx480, one_clock, tiny};
use super::shapes::with_middle;
use heddle_engine::units::Bytes;
use heddle_memory::cache::IndexKind;
use heddle_memory::fabric::{FabricSpec, ZeroLoad};
use heddle_memory::replay::trace::TraceRequest;
use heddle_memory::replay::{Arrival, Stop, Summary, replay};
use heddle_memory::request::{Access, Answerer, Path};
use heddle_memory::{CoreId, Pc};
use proptest::prelude::*;

fn read(cycle: u64, requester: u16, address: u64, bytes: u32) -> TraceRequest {
    TraceRequest {
        cycle: Some(cycle),
        requester: CoreId(requester),
        access: Access::Read,
        address,
        bytes,
        pc: Pc(0),
    }
}

fn replayed(spec: &FabricSpec, count: u32, arrival: Arrival, trace: &[TraceRequest]) -> Summary {
    let mut rest = trace.iter().copied();
    let summary = replay::<Stop>(spec, &one_clock(), count, arrival, || Ok(rest.next()));
    summary.unwrap_or_else(|stop| panic!("{stop:?}"))
}

/// Requests of all kinds and sizes from so many requesters, over so many lines, in the order of their cycles.
fn mixed(count: u16, requests: usize, lines: u64, seed: u64) -> Vec<TraceRequest> {
    let mut numbers = Numbers(seed);
    let mut cycle = numbers.below(1000);
    let one = |_| {
        cycle += numbers.below(3);
        let access = [Access::Read, Access::Read, Access::Write, Access::Atomic][numbers.below(4) as usize];
        let (address, bytes) = match access {
            Access::Atomic => (numbers.below(lines) * 128 + 8 * numbers.below(16), 8),
            _ => (numbers.below(lines * 128), 1 + numbers.below(300) as u32),
        };
        let pc = Pc(numbers.below(5) as u32);
        TraceRequest { access, pc, ..read(cycle, numbers.below(count.into()) as u16, address, bytes) }
    };
    (0..requests).map(one).collect()
}

/// Pieces that requests are cut into, by what they do.
fn pieces(trace: &[TraceRequest], access: Access, line: u64) -> u64 {
    let lines = |request: &TraceRequest| {
        (request.address + u64::from(request.bytes) - 1) / line - request.address / line + 1
    };
    trace.iter().filter(|request| request.access == access).map(lines).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// That all are answered and nothing is lost, the replay asserts itself.
    #[test]
    fn random_traces_over_random_shapes_are_all_answered(
        machine in 0usize..2, requesters in 1u16..7, shared_by in 1u32..4, upper in 0usize..3, by_network: bool,
        alone: bool, outstanding in 0u32..5, lines in 1u64..300, seed in 0u64..1000,
    ) {
        let mut figures = tiny([fermi, gtx480][machine]());
        figures.l1.sector = figures.l2.sector;
        (figures.l1.banks, figures.l1.ports) = (1 + seed as u32 % 3, 1 + seed as u32 % 2);
        let line = figures.l1.line.0;
        let mut spec = with_middle(figures, shared_by, ["direct", "interconnect", "cluster"][upper], by_network);
        spec.cache_mut("l2").unwrap().shared_by = shared_by * 2;
        if alone {
            // Nothing but the data path.
            spec.caches.retain(|level| !level.is_private() || level.serves.contains(&Path::Global));
            let links: Vec<String> = spec.caches.iter().map(|level| level.link.clone()).collect();
            spec.networks.retain(|network| links.contains(&network.name));
        }
        let trace = mixed(requesters, 200, lines, seed);
        let arrival = match outstanding {
            0 => Arrival::ByCycle,
            1 => Arrival::InOrder(None),
            most => Arrival::InOrder(Some(most - 1)),
        };
        let summary = replayed(&spec, requesters.into(), arrival, &trace);
        prop_assert_eq!(summary.requests, 200);
        let count = |name: &str| summary.statistics.get(name).unwrap();
        prop_assert_eq!(count("l1.reads"), pieces(&trace, Access::Read, line));
        prop_assert_eq!(count("l1.writes"), pieces(&trace, Access::Write, line));
        prop_assert_eq!(count("l1.atomics"), pieces(&trace, Access::Atomic, line));
        prop_assert_eq!(count("l1.reads"), count("l1.read_hits") + count("l1.merges") + count("l1.read_misses"));
        let by_level: u64 = summary.answered.reads_by_answerer.iter().map(|reads| reads.count()).sum();
        prop_assert_eq!(by_level, summary.answered.reads.count());
        prop_assert_eq!(&replayed(&spec, requesters.into(), arrival, &trace).statistics, &summary.statistics);
    }
}

/// A read of nothing but its own, far from others, takes the time of a lone read.
#[test]
fn lone_reads_take_the_latencies_without_load() {
    for figures in [fermi(), gtx480()] {
        let clocks = clocks(&figures, 700, 700, 700);
        let spec = figures.fabric();
        let zero = ZeroLoad::measure(&spec, &clocks).unwrap();
        // Cold, again, and from another requester, whose own cache does not have it.
        let trace = [read(5, 0, 0, 128), read(100_005, 0, 0, 128), read(200_005, 1, 0, 128)];
        let mut rest = trace.into_iter();
        let summary = replay::<Stop>(&spec, &clocks, 2, Arrival::ByCycle, || Ok(rest.next())).unwrap();
        let by = |answerer: Answerer| &summary.answered.reads_by_answerer[answerer.index()];
        let (own, shared, dram) = (by(Answerer::CORE), by(Answerer::shared(0)), by(Answerer::MEMORY));
        assert_eq!((own.count(), own.max()), (1, zero.core));
        assert_eq!((dram.count(), dram.max()), (1, zero.dram));
        assert_eq!(shared.count(), 1);
        // Clocks have no edge in common at that time, so that a crossing may take a cycle more or less.
        assert!(
            shared.max().abs_diff(zero.last_level().unwrap()) <= 1,
            "{} {:?}",
            shared.max(),
            zero.last_level()
        );
        assert_eq!(summary.cycles, 200_000 + shared.max());
    }
}

fn one_requester() -> (Figures, u64) {
    let figures = gtx480();
    let hit = u64::from(figures.l1.latency);
    (figures, hit)
}

/// Hits to one line, after it has come: the time between them is that of the port, or of the bound.
#[test]
fn ports_banks_and_the_bound_on_unanswered_requests_limit_hits() {
    let run = |banks: u32, ports: u32, arrival: Arrival| {
        let (mut figures, _) = one_requester();
        (figures.l1.banks, figures.l1.ports) = (banks, ports);
        let warm = [read(0, 0, 0, 256)];
        let hits = (0..1000).map(|number| read(10_000, 0, number % 2 * 128, 4));
        let trace: Vec<TraceRequest> = warm.into_iter().chain(hits).collect();
        let summary = replayed(&figures.fabric(), 1, arrival, &trace);
        assert_eq!(summary.statistics.get("dram.reads").unwrap() * 64, 256);
        summary
    };
    let (_, hit) = one_requester();
    assert_eq!(run(1, 1, Arrival::ByCycle).cycles, 10_000 + 999 + hit);
    assert_eq!(run(1, 4, Arrival::ByCycle).cycles, 10_000 + 249 + hit);
    assert_eq!(run(2, 1, Arrival::ByCycle).cycles, 10_000 + 499 + hit);
    // In order, a request comes when its port is free: whatever is behind it does not wait by itself.
    let own = &run(1, 1, Arrival::InOrder(None)).answered.reads_by_answerer[Answerer::CORE.index()];
    assert_eq!((own.percentile(1), own.percentile(90)), (hit, hit), "but one that was refused");
    // One after the other: the second begins when the data of the first is there.
    let alone = run(1, 1, Arrival::InOrder(Some(1)));
    let first = alone.answered.reads.max();
    assert_eq!(alone.cycles, first + 1000 * hit);
    let four = run(1, 1, Arrival::InOrder(Some(4))).cycles;
    assert!(four < first + 1000 * hit / 4 + 2 * hit && four > 1000 * hit / 4, "{four}");
}

#[test]
fn a_request_across_lines_is_answered_with_its_last_piece() {
    let (mut figures, _) = one_requester();
    figures.l1.index = IndexKind::Plain;
    figures.l1.line = Bytes(32);
    figures.l1.sector = Bytes(32);
    figures.l1.size = Bytes(32 * 32 * 4);
    // The second line is there already; the other two are not.
    let trace = [read(0, 0, 36, 4), read(10_000, 0, 30, 40)];
    let summary = replayed(&figures.fabric(), 1, Arrival::ByCycle, &trace);
    let count = |name: &str| summary.statistics.get(name).unwrap();
    assert_eq!((count("l1.reads"), count("l1.read_hits"), count("l1.read_misses")), (4, 1, 3));
    assert_eq!(
        summary.answered.reads_by_answerer[Answerer::CORE.index()].count(),
        0,
        "the request waited for a piece from below"
    );
}

#[test]
fn cycles_that_go_back_and_cycles_that_are_missing_stop_a_replay() {
    let spec = gtx480().fabric();
    for second in [read(4, 0, 0, 4), TraceRequest { cycle: None, ..read(0, 0, 0, 4) }] {
        let mut rest = [read(5, 0, 0, 4), second].into_iter();
        let stopped = replay::<Stop>(&spec, &one_clock(), 1, Arrival::ByCycle, || Ok(rest.next()));
        assert!(matches!(stopped, Err(Stop::Cycle(request)) if request == second));
    }
}

#[test]
fn a_trace_of_nothing_takes_no_time() {
    let summary = replayed(&gtx480().fabric(), 3, Arrival::ByCycle, &[]);
    assert_eq!((summary.requests, summary.cycles), (0, 0));
}
