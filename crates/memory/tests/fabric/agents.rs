//! Agents: every command is answered once, beside the requests of cores, and nothing is lost.

use super::driver::{Numbers, mixed};
use super::machines::{Figures, clocks, fermi, gtx480, tiny};
use heddle_engine::units::Bytes;
use heddle_engine::{Statistics, Tick};
use heddle_memory::fabric::{
    AgentCommand, AgentKind, AgentSpec, ClockDomains, Fabric, FabricSpec, Offer, draw,
};
use heddle_memory::request::{Notice, Request, Token};
use heddle_memory::{CoreId, Pc, WarpId};
use proptest::prelude::*;
use std::ops::Range;

/// Tokens of requests begin here, those of commands at 0.
const REQUESTS: u32 = 1 << 20;

fn with_copier(figures: &Figures, queue: u32, outstanding: u32) -> FabricSpec {
    let agent = AgentSpec {
        name: "copier".to_owned(),
        kind: AgentKind::Copy,
        below: "l2".to_owned(),
        link: "interconnect".to_owned(),
        commands: "direct".to_owned(),
        command_latency: 0,
        command_size: Bytes(0),
        queue,
        outstanding,
    };
    FabricSpec { agents: vec![agent], ..figures.fabric() }
}

/// The same, with commands over the network in packets of so many bytes beside the header.
fn by_network(figures: &Figures, bytes: u64) -> FabricSpec {
    let mut spec = with_copier(figures, 8, 64);
    let agent = &mut spec.agents[0];
    (agent.commands, agent.command_size) = (agent.link.clone(), Bytes(bytes));
    spec
}

/// Gives a command every so many core cycles, and a request of core 0 in every cycle in between; returns the core cycles
/// from each command to its answer, and checks that all were answered once.
fn copy(
    fabric: &mut Fabric,
    clocks: &ClockDomains,
    commands: &[Vec<Range<u64>>],
    every: u64,
    requests: &[Request],
) -> Vec<u64> {
    let agent = fabric.agent(AgentKind::Copy).unwrap();
    let mut latencies = vec![None; commands.len()];
    let (mut notices, mut open) = (Vec::new(), 0usize);
    let (mut next, mut offered) = (0, 0);
    for cycle in 0u64.. {
        let now = Tick(cycle * clocks.core.period());
        fabric.run_until(now, &mut notices);
        for notice in notices.drain(..) {
            match notice {
                Notice::Answered(Token(number)) => {
                    let given = number as u64 * every;
                    let latency = latencies[number as usize].replace(cycle - given);
                    assert_eq!(latency, None, "command {number} was answered twice");
                }
                Notice::Replied(Token(number), _) => {
                    assert!(number >= REQUESTS, "a command is not answered like a request");
                    open -= 1;
                }
                Notice::Serviced(Token(number), _) => assert!(number >= REQUESTS),
                Notice::Ready(..) => {}
            }
        }
        if let Some(bytes) = commands.get(next).filter(|_| cycle == next as u64 * every) {
            let command = AgentCommand {
                token: Token(next as u32),
                core: CoreId(0),
                warp: WarpId(0),
                pc: Pc(0),
                bytes,
            };
            fabric.command(now, agent, &command);
            next += 1;
        }
        if let Some(&request) = requests.get(offered) {
            match fabric.offer(now, Request { token: Token(REQUESTS + offered as u32), ..request }) {
                Offer::Refused(_) => {}
                Offer::Hit { .. } => offered += 1,
                Offer::Accepted => (offered, open) = (offered + 1, open + 1),
            }
        }
        if next == commands.len() && offered == requests.len() && fabric.is_idle() {
            break;
        }
        assert!(cycle < 1 << 20, "nothing moves any more: {:#?}", fabric.describe_waiting());
    }
    assert_eq!(open, 0);
    fabric.assert_drained();
    assert!(fabric.describe_waiting().is_empty());
    latencies.into_iter().map(|latency| latency.expect("a command was lost")).collect()
}

fn counts(fabric: &mut Fabric) -> Statistics {
    let mut counts = Statistics::default();
    fabric.add_statistics(fabric.now(), &mut counts);
    counts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_command_is_answered_once_and_nothing_is_lost(
        machine in 0usize..2, small: bool, network: bool, queue in 1u32..5, outstanding in 1u32..9, count in 1usize..20,
        parts in 0u64..33, lines in 1u64..200, every in 1u64..50, busy: bool, seed in 0u64..1000,
    ) {
        let figures = [fermi, gtx480][machine]();
        let figures = if small { tiny(figures) } else { figures };
        let clocks = clocks(&figures, 700, 650, 600);
        let mut spec = with_copier(&figures, queue, outstanding);
        if network {
            spec.agents[0].commands = spec.agents[0].link.clone();
        }
        let mut fabric = Fabric::new(&spec, &clocks, 2).unwrap();
        let mut numbers = Numbers(seed);
        let mut part = |_| {
            let start = numbers.below(lines * 32) * 4;
            start..start + numbers.below(33) * 4
        };
        let commands: Vec<Vec<_>> = (0..count).map(|_| (0..parts).map(&mut part).collect()).collect();
        let requests = if busy { mixed(1, 100, lines, seed).remove(0) } else { Vec::new() };
        let latencies = copy(&mut fabric, &clocks, &commands, every, &requests);
        prop_assert!(latencies.iter().all(|&latency| latency > 0));
        let line_of = |bytes: &Range<u64>| (bytes.start / 128..bytes.end.div_ceil(128)).collect::<Vec<_>>();
        let distinct = |command: &Vec<Range<u64>>| {
            let mut lines: Vec<u64> =
                command.iter().filter(|bytes| !bytes.is_empty()).flat_map(line_of).collect();
            lines.sort();
            lines.dedup();
            lines.len() as u64
        };
        let counts = counts(&mut fabric);
        prop_assert_eq!(counts.get("copier.commands"), Some(count as u64));
        prop_assert_eq!(counts.get("copier.lines"), Some(commands.iter().map(distinct).sum()));
    }
}

#[test]
fn an_agent_asks_for_a_line_a_cycle_as_long_as_it_may() {
    let figures = fermi();
    let clocks = clocks(&figures, 700, 700, 700);
    let run = |queue: u32, outstanding: u32| {
        let mut fabric = Fabric::new(&with_copier(&figures, queue, outstanding), &clocks, 1).unwrap();
        let one = copy(&mut fabric, &clocks, &[vec![0..64, 64..128]], 1, &[])[0];
        let mut fresh = Fabric::new(&with_copier(&figures, queue, outstanding), &clocks, 1).unwrap();
        let lines: Vec<_> = (0..32u64).map(|line| line * 128..line * 128 + 4).collect();
        let all = copy(&mut fresh, &clocks, &[lines], 1, &[])[0];
        (one, all, counts(&mut fresh))
    };
    let (one, many, counts) = run(8, 64);
    assert!(many > one + 15 && many < 4 * one, "{many} cycles for 32 lines, {one} for one");
    assert_eq!(
        (counts.get("copier.waited_queue"), counts.get("copier.waited_outstanding")),
        (Some(0), Some(0))
    );
    assert_eq!(counts.get("l2.reads"), Some(32));
    let (one, in_turn, counts) = run(8, 1);
    assert!(in_turn > 10 * one, "{in_turn} cycles for 32 lines in turn, {one} for one");
    assert_eq!(counts.get("copier.waited_outstanding"), Some(31));
}

#[test]
fn an_agent_finds_its_lines_again_in_an_exclusive_cache() {
    use heddle_memory::cache::InclusionKind::{Exclusive, NonInclusive, RegionExclusive};
    for figures in [fermi(), gtx480()] {
        let clocks = clocks(&figures, 700, 700, 700);
        let hits = |inclusion| {
            let mut figures = figures.clone();
            figures.l1.sector = figures.l2.sector;
            figures.l2.inclusion = inclusion;
            let mut fabric = Fabric::new(&with_copier(&figures, 8, 64), &clocks, 1).unwrap();
            let bytes = std::iter::once(0..256).collect::<Vec<_>>();
            copy(&mut fabric, &clocks, &[bytes.clone(), bytes.clone(), bytes], 2000, &[]);
            let counts = counts(&mut fabric);
            ["read_hits", "read_misses", "moved_up"].map(|name| counts.get(&format!("l2.{name}")).unwrap())
        };
        // Two lines, which are fetched once: the agent holds none, so that none moves up to it.
        assert_eq!(hits(NonInclusive), [4, 2, 0]);
        assert_eq!((hits(Exclusive), hits(RegionExclusive)), ([4, 2, 0], [4, 2, 0]));
    }
}

#[test]
fn a_direct_way_costs_a_command_its_latency_there_and_back() {
    let figures = fermi();
    let clocks = clocks(&figures, 700, 700, 700);
    let run = |latency: u32| {
        let mut spec = with_copier(&figures, 8, 64);
        spec.agents[0].command_latency = latency;
        let mut fabric = Fabric::new(&spec, &clocks, 1).unwrap();
        // The second finds its line in L2, so that the phase of the clock of DRAM does not matter.
        copy(&mut fabric, &clocks, &[vec![0..4, 4..8], vec![0..4, 4..8]], 1000, &[])[1]
    };
    assert_eq!([run(1), run(40)], [run(0) + 2, run(0) + 80]);
}

#[test]
fn over_a_network_a_command_is_a_packet_of_its_size_and_its_answer_carries_the_words() {
    let figures = fermi();
    let clocks = clocks(&figures, 700, 700, 700);
    let run = |spec: &FabricSpec, bytes: Range<u64>| {
        let mut fabric = Fabric::new(spec, &clocks, 1).unwrap();
        let cycles = copy(&mut fabric, &clocks, &[vec![bytes]], 1, &[])[0];
        (cycles, counts(&mut fabric))
    };
    let count = |counts: &Statistics, name: &str| counts.get(&format!("interconnect.{name}")).unwrap();
    let (direct, alone) = run(&with_copier(&figures, 8, 64), 0..4);
    let (small, counted) = run(&by_network(&figures, 0), 0..4);
    // Each way: the latency of the network, and a flit for the header; the answer has one more, of data.
    let latency = u64::from(figures.interconnect.latency);
    assert!(small >= direct + 2 * latency + 3, "{small} cycles, {direct} without a way");
    assert_eq!(count(&counted, "requests.busy"), count(&alone, "requests.busy") + 1);
    assert_eq!(count(&counted, "replies.busy"), count(&alone, "replies.busy") + 2);
    // 128 bytes are 4 flits of 32.
    let (large, counted) = run(&by_network(&figures, 128), 0..4);
    assert_eq!(large, small + 4);
    assert_eq!(count(&counted, "requests.busy"), count(&alone, "requests.busy") + 5);
    // Three lines come back in three packets of 4 flits and a header.
    let (_, alone) = run(&with_copier(&figures, 8, 64), 0..384);
    let (_, counted) = run(&by_network(&figures, 0), 0..384);
    assert_eq!(count(&counted, "replies.busy"), count(&alone, "replies.busy") + 15);
    assert_eq!(count(&counted, "replies.bytes"), count(&alone, "replies.bytes") + 32 + 384);
}

#[test]
fn a_full_queue_makes_the_agent_wait() {
    let figures = tiny(fermi());
    let clocks = clocks(&figures, 700, 700, 700);
    let mut fabric = Fabric::new(&with_copier(&figures, 1, 64), &clocks, 1).unwrap();
    let one_slice: Vec<_> = (0..32u64).map(|line| line * 6 * 256..line * 6 * 256 + 4).collect();
    copy(&mut fabric, &clocks, &[one_slice], 1, &[]);
    assert!(counts(&mut fabric).get("copier.waited_queue") > Some(0));
}

#[test]
fn what_an_agent_waits_for_is_said() {
    let figures = fermi();
    let clocks = clocks(&figures, 700, 700, 700);
    let mut fabric = Fabric::new(&with_copier(&figures, 8, 1), &clocks, 1).unwrap();
    let agent = fabric.agent(AgentKind::Copy).unwrap();
    let bytes = [0..128, 128..256];
    let command =
        AgentCommand { token: Token(0), core: CoreId(0), warp: WarpId(3), pc: Pc(7), bytes: &bytes };
    fabric.command(Tick(0), agent, &command);
    fabric.run_until(Tick(clocks.core.period() * 20), &mut Vec::new());
    assert!(!fabric.is_idle());
    let lines = fabric.describe_waiting();
    let expected = "copier: 1 commands under way, 1 lines outstanding; waits for a line to come back";
    assert!(lines.iter().any(|line| line == expected), "{lines:#?}");
    assert!(
        lines.iter().any(|line| line.starts_with("core 0, warp 3, instruction 7, line 0x0")),
        "{lines:#?}"
    );
}

#[test]
fn agents_that_cannot_be_are_refused_by_key() {
    let refused = |change: &dyn Fn(&mut FabricSpec)| {
        let mut spec = with_copier(&fermi(), 8, 8);
        change(&mut spec);
        spec.check(4).unwrap_err().to_string()
    };
    let l1 = refused(&|spec| spec.agents[0].below = "l1".to_owned());
    assert_eq!(l1, "copier.below: expected a level that all cores share, one of [\"l2\"], found \"l1\"");
    let halves = refused(&|spec| spec.cache_mut("l2").unwrap().shared_by = 2);
    assert!(halves.starts_with("copier.below: expected a level that all cores share"), "{halves}");
    let link = refused(&|spec| spec.agents[0].link = "direct".to_owned());
    assert_eq!(link, "copier.link: expected one of networks = [\"interconnect\"], found \"direct\"");
    let commands = refused(&|spec| spec.agents[0].commands = "mesh".to_owned());
    let expected =
        "expected \"direct\" or \"interconnect\", which cores and the agent are on, found \"mesh\"";
    assert_eq!(commands, format!("copier.commands: {expected}"));
    let size = refused(&|spec| spec.agents[0].command_size = Bytes(8));
    assert!(size.starts_with("copier.command_size: has no effect"), "{size}");
    let of_network = |change: &dyn Fn(&mut AgentSpec)| {
        refused(&|spec| {
            spec.agents[0].commands = "interconnect".to_owned();
            change(&mut spec.agents[0]);
        })
    };
    let latency = of_network(&|agent| agent.command_latency = 5);
    assert!(latency.starts_with("copier.command_latency: has no effect"), "{latency}");
    let size = of_network(&|agent| agent.command_size = Bytes(132));
    assert_eq!(size, "copier.command_size: expected a multiple of 4B up to 128B, found 132B");
    assert!(refused(&|spec| spec.agents[0].queue = 0).starts_with("copier.queue: expected 1 to"));
    assert!(refused(&|spec| spec.agents[0].outstanding = 0).starts_with("copier.outstanding: expected 1"));
    let twice = refused(&|spec| {
        let second = AgentSpec { name: "other".to_owned(), ..spec.agents[0].clone() };
        spec.agents.push(second);
    });
    assert_eq!(twice, "other.kind: \"copier\" is one already, and takes all commands");
}

#[test]
fn an_agent_is_drawn_beside_the_caches_that_ask_the_same_level() {
    let lines = draw(&with_copier(&fermi(), 8, 16), 4);
    assert_eq!(
        lines.last().unwrap(),
        "   └─ copier  copy agent of all cores, 16 lines outstanding, commands by a direct link, 0 cycles  (by interconnect)"
    );
    assert!(lines[lines.len() - 2].starts_with("   ├─ instruction"), "{lines:#?}");
}
