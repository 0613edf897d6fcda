//! Without load, latencies are sums of parameters.

use super::driver::{drive, request};
use super::machines::{Figures, clocks, fermi, gtx480, one_clock};
use heddle_engine::Statistics;
use heddle_engine::units::{Bytes, Frequency};
use heddle_memory::cache::{GranularityKind, InclusionKind};
use heddle_memory::fabric::{Fabric, ZeroLoad};
use heddle_memory::request::{Access, Answerer, Notice, Request, Token};

/// Cycles from a slice's tags to L2 and back, with one clock for everything.
fn round_trip(spec: &Figures, request: u64, reply: u64) -> u64 {
    let flits = |bytes| u64::from(spec.interconnect.flits(bytes));
    flits(request) + flits(reply) + 2 * u64::from(spec.interconnect.latency) + u64::from(spec.l2.latency)
}

/// Cycles of a closed bank, for a line of consecutive atoms in one row.
fn closed_row(spec: &Figures) -> u64 {
    let timing = &spec.dram.timing;
    let atoms = 128 / spec.dram.atom();
    let burst = spec.dram.burst_clocks();
    u64::from(timing.tRCD + timing.tCL + spec.dram.extra_latency)
        + burst
        + (atoms - 1) * burst.max(timing.tCCD_L.into())
}

#[test]
fn zero_load_latencies_are_sums_of_parameters_to_the_cycle() {
    for spec in [fermi(), gtx480()] {
        for (latency, l2_latency) in [(0, 1), (8, 78), (3, 120)] {
            let mut spec = spec.clone();
            spec.interconnect.latency = latency;
            spec.l2.latency = l2_latency;
            let measured = ZeroLoad::measure(&spec.fabric(), &one_clock()).unwrap();
            let l2 = round_trip(&spec, 0, 128);
            assert_eq!(measured.core, u64::from(spec.l1.latency));
            assert_eq!(measured.last_level(), Some(l2));
            assert_eq!(measured.dram, l2 + closed_row(&spec));
        }
    }
}

#[test]
fn a_slower_clock_stretches_its_part_alone() {
    let mut spec = fermi();
    spec.dram.clock = Frequency::from_hertz(1_200_000_000);
    let at = |core, interconnect, l2| {
        ZeroLoad::measure(&spec.fabric(), &clocks(&spec, core, interconnect, l2))
            .unwrap()
            .last_level()
            .unwrap()
    };
    let (flits, wire, pipeline) = (6, 2 * u64::from(spec.interconnect.latency), u64::from(spec.l2.latency));
    assert_eq!(at(1200, 1200, 1200), flits + wire + pipeline);
    assert_eq!(at(1200, 600, 1200), 2 * (flits + wire) + pipeline);
    assert_eq!(at(1200, 1200, 400), {
        // The request arrives at an edge of L2's clock, the reply leaves from one.
        let arrival = (1 + wire / 2u64).next_multiple_of(3);
        arrival + 3 * pipeline + 5 + wire / 2
    });
}

#[test]
fn sectors_make_packets_short() {
    let mut spec = fermi();
    (spec.l1.sector, spec.l1.granularity) = (Bytes(32), GranularityKind::Sector);
    (spec.l2.sector, spec.l2.granularity) = (Bytes(32), GranularityKind::Sector);
    let mut fabric = Fabric::new(&spec.fabric(), &one_clock(), 1).unwrap();
    drive(&mut fabric, &one_clock(), vec![vec![request(0, 0, 1, Access::Read)]]);
    let mut statistics = Statistics::default();
    fabric.add_statistics(heddle_engine::Tick(10_000), &mut statistics);
    let count = |name: &str| statistics.get(name).unwrap();
    assert_eq!(count("traffic.l1_l2_address_flits"), 1);
    assert_eq!(count("traffic.l1_l2_data_flits"), 2);
    assert_eq!(count("traffic.l2_dram_address_flits"), 1);
    assert_eq!(count("traffic.l2_dram_data_flits"), 2);
    assert_eq!(count("latency.dram_reads"), 1);
}

/// Section 4.6: what is not fetched costs neither flits, nor bursts, nor turns in queues.
#[test]
fn a_fetch_of_n_sectors_is_a_packet_of_one_and_n_flits_and_n_bursts() {
    for sectors in 1..=4 {
        let mut spec = fermi();
        (spec.l1.sector, spec.l1.granularity) = (Bytes(32), GranularityKind::Sector);
        (spec.l2.sector, spec.l2.granularity) = (Bytes(32), GranularityKind::Sector);
        let mut fabric = Fabric::new(&spec.fabric(), &one_clock(), 1).unwrap();
        // A word of each sector.
        let words = (0..sectors).fold(0, |words, sector| words | 1 << (8 * sector));
        drive(&mut fabric, &one_clock(), vec![vec![request(0, 0, words, Access::Read)]]);
        let mut statistics = Statistics::default();
        fabric.add_statistics(heddle_engine::Tick(10_000), &mut statistics);
        let count = |name: &str| statistics.get(name).unwrap();
        assert_eq!(count("interconnect.replies.data_flits"), 1 + sectors);
        assert_eq!(count("traffic.l2_dram_data_flits"), 1 + sectors);
        assert_eq!((count("dram.reads"), count("dram.bytes_read")), (sectors, 32 * sectors));
        assert_eq!(count("l1.sectors_filled"), sectors);
    }
}

#[test]
fn a_sector_that_is_missing_of_a_line_that_is_here_is_counted_as_such() {
    let mut spec = fermi();
    (spec.l1.sector, spec.l1.granularity) = (Bytes(32), GranularityKind::Sector);
    (spec.l2.sector, spec.l2.granularity) = (Bytes(32), GranularityKind::Sector);
    let mut fabric = Fabric::new(&spec.fabric(), &one_clock(), 1).unwrap();
    for words in [1, 1 << 8, 1 << 8] {
        drive(&mut fabric, &one_clock(), vec![vec![request(0, 0, words, Access::Read)]]);
    }
    let mut statistics = Statistics::default();
    fabric.add_statistics(heddle_engine::Tick(10_000), &mut statistics);
    let count = |name: &str| statistics.get(name).unwrap();
    assert_eq!((count("l1.read_misses"), count("l1.sector_misses"), count("l1.read_hits")), (2, 1, 1));
    assert_eq!((count("l2.read_misses"), count("l2.sector_misses")), (2, 1));
}

#[test]
fn monitors_of_flexclusion_need_sets_and_a_level_of_their_own() {
    let mut spec = fermi();
    spec.l2.inclusion = InclusionKind::Flexclusion;
    assert!(spec.fabric().check(1).is_ok());
    spec.policies.flexclusion.monitor_sets = 385;
    let error = spec.fabric().check(1).unwrap_err();
    assert_eq!(error.key, "policies.flexclusion.monitor_sets");
    assert!(error.to_string().contains("half of the 768 sets of l2"), "{error}");
}

#[test]
fn traffic_of_whole_lines_is_that_of_the_source_document() {
    let spec = fermi();
    let mut fabric = Fabric::new(&spec.fabric(), &one_clock(), 2).unwrap();
    let read = |core| vec![request(core, 512, 1, Access::Read)];
    drive(&mut fabric, &one_clock(), vec![read(0)]);
    drive(&mut fabric, &one_clock(), vec![vec![], read(1)]);
    drive(&mut fabric, &one_clock(), vec![vec![request(0, 1024, 1, Access::Write)]]);
    let mut statistics = Statistics::default();
    fabric.add_statistics(heddle_engine::Tick(100_000), &mut statistics);
    let count = |name: &str| statistics.get(name).unwrap();
    // Two fetches and an acknowledgement; two lines up and one down; one fetch and one write of DRAM.
    assert_eq!(count("traffic.l1_l2_address_flits"), 2 + 1);
    assert_eq!(count("traffic.l1_l2_data_flits"), 5 + 5 + 5);
    assert_eq!(count("traffic.l2_dram_address_flits"), 1);
    assert_eq!(count("traffic.l2_dram_data_flits"), 5 + 5);
    assert_eq!((count("latency.l2_reads"), count("latency.dram_reads")), (1, 1));
    assert_eq!(count("latency.l2_read_cycles"), round_trip(&spec, 0, 128));
    assert_eq!(count("latency.write_cycles"), round_trip(&spec, 128, 0));
    assert_eq!(count("dram.bytes_read") + count("dram.bytes_written"), 256);
}

#[test]
fn atomics_of_one_line_take_the_unit_one_after_another() {
    let cycles = |atomic_cycles| {
        let mut spec = fermi();
        spec.l2.atomic_cycles = atomic_cycles;
        let mut fabric = Fabric::new(&spec.fabric(), &one_clock(), 4).unwrap();
        drive(&mut fabric, &one_clock(), vec![vec![request(0, 0, 1, Access::Read)]]);
        // Three lanes on one word.
        let atomic = |core| Request { lanes: 3, ..request(core, 0, 1, Access::Atomic) };
        let streams = (0..4).map(|core| vec![atomic(core); 8]).collect();
        drive(&mut fabric, &one_clock(), streams).cycles
    };
    let work = 4 * 8 * 3;
    assert!(cycles(20) - cycles(10) >= 10 * work - 10, "{} {}", cycles(20), cycles(10));
}

#[test]
fn notices_tell_who_answered() {
    let mut fabric = Fabric::new(&fermi().fabric(), &one_clock(), 2).unwrap();
    let read = |core| vec![request(core, 0, 1, Access::Read), request(core, 0, 2, Access::Read)];
    let told =
        |outcome: super::driver::Outcome| outcome.notices.into_iter().map(|(_, n)| n).collect::<Vec<_>>();
    let (a, b) = (Token(0), Token(1));
    assert_eq!(
        told(drive(&mut fabric, &one_clock(), vec![read(0)])),
        [
            Notice::Serviced(a, Answerer::MEMORY),
            Notice::Replied(a, Answerer::MEMORY),
            Notice::Replied(b, Answerer::MEMORY)
        ]
    );
    assert_eq!(
        told(drive(&mut fabric, &one_clock(), vec![vec![], read(1)])),
        [
            Notice::Serviced(a, Answerer::shared(0)),
            Notice::Replied(a, Answerer::shared(0)),
            Notice::Replied(b, Answerer::shared(0))
        ]
    );
    let write = vec![request(0, 0, 1, Access::Write)];
    assert_eq!(
        told(drive(&mut fabric, &one_clock(), vec![write])),
        [Notice::Serviced(a, Answerer::shared(0)), Notice::Replied(a, Answerer::shared(0))]
    );
}

#[test]
fn an_exclusive_l2_answers_what_l1_has_given_up_and_then_has_it_no_more() {
    exclusive_l2_answers(fermi());
    // The lines of L1 are whole here, too.
    let mut sectors = fermi();
    (sectors.l2.sector, sectors.l2.granularity) = (Bytes(32), GranularityKind::Sector);
    exclusive_l2_answers(sectors);
}

fn exclusive_l2_answers(mut spec: Figures) {
    spec.l2.inclusion = InclusionKind::Exclusive;
    spec.l1.size = Bytes(6 * 128);
    let mut fabric = Fabric::new(&spec.fabric(), &one_clock(), 2).unwrap();
    let read = |core: usize, line: u64| {
        let mut streams = vec![vec![]; core];
        streams.push(vec![request(core as u16, line * 128, 1, Access::Read)]);
        streams
    };
    let mut level = |core, line| match drive(&mut fabric, &one_clock(), read(core, line)).notices.first() {
        Some((_, Notice::Serviced(_, level))) => *level,
        _ => Answerer::CORE,
    };
    assert_eq!(level(0, 0), Answerer::MEMORY);
    assert_eq!(level(0, 0), Answerer::CORE);
    // L2 did not keep it.
    assert_eq!(level(1, 0), Answerer::MEMORY);
    // Six more lines drive it out of the first core's L1.
    assert!((1..7).all(|line| level(0, line) == Answerer::MEMORY));
    assert_eq!(level(0, 0), Answerer::shared(0));
    // What a launch clears from L1 moves to L2, so that the next launch finds it there.
    let exclusive = ZeroLoad::measure(&spec.fabric(), &one_clock()).unwrap().last_level();
    spec.l2.inclusion = InclusionKind::NonInclusive;
    assert!(exclusive.is_some());
    assert_eq!(exclusive, ZeroLoad::measure(&spec.fabric(), &one_clock()).unwrap().last_level());
}
