//! What a crossbar does to packets, to the cycle.

use super::*;
use crate::ids::EndpointId;
use heddle_engine::units::Bytes;
use heddle_engine::{Clock, Tick, Wheel};
use proptest::prelude::*;

/// Requests are on trial.
const PLANE: Class = Class(0);

fn spec(latency: u32, input_queue: u32, output_queue: u32) -> CrossbarSpec {
    CrossbarSpec {
        clock: None,
        classes: Vec::new(),
        flit: Bytes(32),
        header: Bytes(32),
        latency,
        input_queue,
        output_queue,
        interleave: 0,
        interleave_requests: 0,
        request_speedup: 1,
        width: 1,
    }
}

/// A crossbar with sources that inject as soon as there is room and receivers that keep a packet for a while.
struct Bench {
    crossbar: Crossbar,
    wheel: Wheel<CrossbarEvent>,
    /// What each source still has to send, last first.
    sources: Vec<Vec<Packet>>,
    arrivals: Vec<(u64, u16, u32)>,
}

impl Bench {
    fn new(spec: &CrossbarSpec, period: u64, sources: Vec<Vec<Packet>>) -> Bench {
        let clocks = vec![Clock::with_period(1); sources.len()];
        let crossbar = Crossbar::new(spec, Clock::with_period(period), clocks, &spec.planes());
        Bench { crossbar, wheel: Wheel::new(1), sources, arrivals: Vec::new() }
    }

    fn refill(&mut self, now: Tick, endpoint: usize) {
        let port = self.crossbar.port(PLANE, EndpointId(endpoint as u16));
        while self.crossbar.has_room(port)
            && let Some(packet) = self.sources[endpoint].pop()
        {
            self.crossbar.inject(now, port, packet, &mut self.wheel);
        }
    }

    /// Runs until nothing is left; receivers take a packet `hold` ticks after its arrival.
    fn run(&mut self, hold: u64) -> u64 {
        for endpoint in 0..self.sources.len() {
            self.refill(Tick(0), endpoint);
        }
        let mut last = 0;
        let mut held: std::collections::VecDeque<(u64, Port)> = Default::default();
        loop {
            let due = held.front().map(|&(at, _)| Tick(at));
            let departed = match (self.wheel.next_time(), due) {
                (None, None) => break,
                (next, Some(due)) if next.is_none_or(|next| due < next) => {
                    let (_, port) = held.pop_front().unwrap();
                    last = due.0;
                    self.crossbar.take(due, port, &mut self.wheel)
                }
                _ => {
                    let (now, event) = self.wheel.pop().unwrap();
                    last = now.0;
                    if let CrossbarEvent::Arrival(_, port, payload) = event {
                        self.arrivals.push((now.0, self.crossbar.place(port).1.0, payload));
                        held.push_back((now.0 + hold, port));
                    }
                    self.crossbar.handle(now, event, &mut self.wheel)
                }
            };
            if let Some(port) = departed {
                let endpoint = self.crossbar.place(port).1.index();
                self.refill(Tick(last), endpoint);
            }
        }
        self.crossbar.assert_empty();
        last
    }
}

fn packet(payload: u32, to: u16, data: u16) -> Packet {
    Packet { payload, to: EndpointId(to), flits: 1 + data / 32, data }
}

/// Links of `width` flits: a packet holds them for its flits divided by that, rounded up, and is counted in flits as ever.
#[test]
fn wide_links_move_several_flits_of_a_packet_in_a_cycle() {
    for (width, data, cycles) in [(1, 128, 5), (2, 128, 3), (5, 128, 1), (5, 0, 1), (64, 96, 1)] {
        let spec = CrossbarSpec { width, ..spec(7, 4, 4) };
        let two = vec![packet(9, 1, data), packet(8, 1, data)];
        let mut bench = Bench::new(&spec, 1, vec![two, vec![]]);
        bench.run(0);
        assert_eq!(bench.arrivals, [(cycles + 7, 1, 8), (2 * cycles + 7, 1, 9)], "{width} flits wide");
        let counters = bench.crossbar.counters(PLANE);
        assert_eq!(counters.busy, 2 * cycles);
        assert_eq!(counters.data_flits + counters.address_flits, 2 * u64::from(1 + data / 32));
    }
}

#[test]
fn a_lone_packet_takes_its_flits_and_the_latency() {
    for (period, data) in [(1, 0), (1, 128), (3, 64)] {
        let mut bench = Bench::new(&spec(7, 2, 2), period, vec![vec![packet(9, 1, data)], vec![]]);
        bench.run(0);
        let flits = u64::from(1 + data / 32);
        assert_eq!(bench.arrivals, [((flits + 7) * period, 1, 9)]);
        let counters = bench.crossbar.counters(PLANE);
        assert_eq!((counters.waited, counters.busy, counters.bytes), (0, flits, 32 + u64::from(data)));
    }
}

#[test]
fn an_output_serves_its_inputs_in_turn() {
    let source = |n: u32| (0..3).rev().map(|k| packet(10 * n + k, 3, 0)).collect();
    let mut bench = Bench::new(&spec(0, 4, 8), 1, vec![source(0), source(1), source(2), vec![]]);
    bench.run(0);
    let order: Vec<u32> = bench.arrivals.iter().map(|&(_, _, payload)| payload).collect();
    assert_eq!(order, [0, 10, 20, 1, 11, 21, 2, 12, 22]);
    let times: Vec<u64> = bench.arrivals.iter().map(|&(at, ..)| at).collect();
    assert_eq!(times, (1..=9).collect::<Vec<_>>());
}

#[test]
fn a_blocked_head_holds_up_those_behind_it() {
    // Endpoint 0 sends to 2 (busy with the long packets of 1) and then to 3, which nobody else wants.
    let long = vec![packet(2, 2, 128), packet(1, 2, 128)];
    let mut bench =
        Bench::new(&spec(0, 4, 8), 1, vec![vec![packet(11, 3, 0), packet(10, 2, 0)], long, vec![], vec![]]);
    bench.run(0);
    assert_eq!(bench.arrivals.iter().find(|a| a.2 == 10).unwrap().0, 1);
    // Now the long ones come first: 10 waits for 5 cycles, and 11 with it although its output is idle.
    let mut bench = Bench::new(
        &spec(0, 4, 8),
        1,
        vec![vec![packet(1, 2, 128)], vec![packet(11, 3, 0), packet(10, 2, 0)], vec![], vec![]],
    );
    bench.run(0);
    assert_eq!(bench.arrivals, [(5, 2, 1), (6, 2, 10), (7, 3, 11)]);
}

#[test]
fn packets_share_an_output_flit_by_flit_where_they_are_interleaved() {
    let sources =
        || vec![vec![packet(1, 2, 128)], vec![packet(11, 3, 0), packet(10, 2, 128)], vec![], vec![]];
    let mut whole = Bench::new(&spec(0, 4, 8), 1, sources());
    whole.run(0);
    assert_eq!(whole.arrivals, [(5, 2, 1), (10, 2, 10), (11, 3, 11)]);
    // What is said of replies moves no request.
    let mut replies = Bench::new(&CrossbarSpec { interleave: 1, ..spec(0, 4, 8) }, 1, sources());
    replies.run(0);
    assert_eq!(replies.arrivals, whole.arrivals);
    for (interleave_requests, first) in [(1, 9), (2, 9), (4, 9), (5, 5)] {
        let mut bench = Bench::new(&CrossbarSpec { interleave_requests, ..spec(0, 4, 8) }, 1, sources());
        bench.run(0);
        // The output is never idle, so that the second ends when it would; the first ends later.
        assert_eq!(bench.arrivals, [(first, 2, 1), (10, 2, 10), (11, 3, 11)], "{interleave_requests}");
        assert_eq!(bench.crossbar.counters(PLANE).busy, 11);
    }
    // A packet that nobody disturbs takes as long as ever.
    let spec = CrossbarSpec { interleave_requests: 1, ..spec(7, 4, 8) };
    let mut lone = Bench::new(&spec, 3, vec![vec![packet(9, 1, 64)], vec![]]);
    lone.run(0);
    assert_eq!(lone.arrivals, [(30, 1, 9)]);
}

/// Two inputs with a packet of four flits each for one output; the second has another for an idle one behind it.
#[test]
fn a_switch_with_speed_up_frees_inputs_and_outputs_before_their_links() {
    let sources = || vec![vec![packet(1, 2, 96)], vec![packet(11, 3, 96), packet(10, 2, 96)], vec![], vec![]];
    let arrivals = |request_speedup| {
        let mut bench = Bench::new(&CrossbarSpec { request_speedup, ..spec(0, 4, 8) }, 1, sources());
        bench.run(0);
        assert_eq!(bench.crossbar.counters(PLANE).busy, 12);
        bench.arrivals
    };
    // Links alone: 10 begins when 1 has ended, and 11 when 10 has.
    assert_eq!(arrivals(1), [(4, 2, 1), (8, 2, 10), (12, 3, 11)]);
    // 1 comes in until cycle 4 whatever the speed-up. 10 is there whole by then, and crosses in 3 cycles (5 of its flits'
    // times, at 2 a cycle), but leaves in 4. 11 begins at 7.
    assert_eq!(arrivals(2), [(4, 2, 1), (8, 2, 10), (11, 3, 11)]);
    // Two cycles with three.
    assert_eq!(arrivals(3), [(4, 2, 1), (8, 2, 10), (10, 3, 11)]);
}

#[test]
fn links_bound_what_a_switch_with_speed_up_sends_and_takes() {
    let spec = CrossbarSpec { request_speedup: 2, ..spec(7, 8, 8) };
    // A lone stream crosses no faster than its link brings it.
    let stream: Vec<Packet> = (0..4).rev().map(|k| packet(k, 1, 96)).collect();
    let mut bench = Bench::new(&spec, 3, vec![stream, vec![]]);
    bench.run(0);
    assert_eq!(bench.arrivals, [(33, 1, 0), (45, 1, 1), (57, 1, 2), (69, 1, 3)]);
    // Nor does an output send faster than one flit per cycle, however many inputs have packets for it.
    let source = |n: u32| vec![packet(10 * n + 1, 4, 96), packet(10 * n, 4, 96)];
    let mut bench = Bench::new(&spec, 1, vec![source(0), source(1), source(2), source(3), vec![]]);
    bench.run(0);
    let times: Vec<u64> = bench.arrivals.iter().map(|&(at, ..)| at).collect();
    assert_eq!(times, (1..=8).map(|n| 4 * n + 7).collect::<Vec<_>>());
}

#[test]
fn without_credit_nothing_starts() {
    let source = (0..4).rev().map(|k| packet(k, 1, 0)).collect();
    let mut bench = Bench::new(&spec(2, 4, 1), 1, vec![source, vec![]]);
    bench.run(10);
    // One flit, two cycles, ten in the receiver's hands: a packet every 13 cycles.
    let times: Vec<u64> = bench.arrivals.iter().map(|&(at, ..)| at).collect();
    assert_eq!(times, [3, 16, 29, 42]);
    assert_eq!(bench.crossbar.counters(PLANE).waited, 13 + 26 + 39);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_packet_arrives_once_in_order_of_its_source_and_destination(
        sends in prop::collection::vec((0usize..5, 0u16..5, 0u16..5), 1..200),
        queues in (1u32..4, 1u32..4), hold in 0u64..20, period in 1u64..4, latency in 0u32..9,
        interleave_requests in 0u32..4, speedup in 1u32..4,
    ) {
        let mut sources = vec![Vec::new(); 5];
        for (payload, &(from, to, sectors)) in sends.iter().enumerate() {
            sources[from].push(packet(payload as u32, to, 32 * sectors));
        }
        sources.iter_mut().for_each(|source| source.reverse());
        let request_speedup = if interleave_requests == 0 { speedup } else { 1 };
        let spec =
            CrossbarSpec { interleave_requests, request_speedup, ..spec(latency, queues.0, queues.1) };
        let mut bench = Bench::new(&spec, period, sources);
        bench.run(hold);
        let mut seen: Vec<u32> = bench.arrivals.iter().map(|a| a.2).collect();
        for from in 0..5 {
            for to in 0..5 {
                let pair: Vec<u32> = seen.iter().copied()
                    .filter(|&p| (sends[p as usize].0, sends[p as usize].1) == (from, to)).collect();
                prop_assert!(pair.is_sorted());
            }
        }
        seen.sort_unstable();
        prop_assert!(seen.into_iter().eq(0..sends.len() as u32));
        let counters = bench.crossbar.counters(PLANE);
        let flits: u64 = sends.iter().map(|&(_, _, sectors)| u64::from(1 + sectors)).sum();
        prop_assert_eq!(counters.busy, flits);
        prop_assert_eq!(counters.address_flits + counters.data_flits, flits);
    }
}
