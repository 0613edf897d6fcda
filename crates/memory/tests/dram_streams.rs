//! Saturated streams: bandwidth against the bounds that the timings set.

use crate::dram_common::{Coming, Numbers, parts, place, serve, spec};
use heddle_engine::Cycle;
use heddle_memory::dram::{AddressMap, Channel, Command, DramSpec, Transaction};

/// Fraction of the data bus that is busy while these requests are served, all at hand from the start.
fn utilisation(spec: &DramSpec, requests: &[Coming]) -> f64 {
    let mut channel = Channel::new(spec);
    let done = serve(&mut channel, requests);
    let end = done.iter().map(|completion| completion.at.0).max().unwrap();
    requests.len() as f64 * spec.burst_clocks() as f64 / end as f64
}

/// Consecutive addresses that fall to channel 0.
fn sequential(spec: &DramSpec, count: usize, write: impl Fn(usize) -> bool) -> Vec<Coming> {
    let map = AddressMap::new(spec).unwrap();
    let places = (0u64..).map(|atom| map.place(atom * spec.atom())).filter(|place| place.channel == 0);
    places.take(count).enumerate().map(|(index, place)| (0, place, write(index))).collect()
}

fn random(count: usize, rows: u64, write: impl Fn(usize) -> bool) -> Vec<Coming> {
    let mut numbers = Numbers(77);
    let mut draw = |bound| numbers.below(bound) as u32;
    (0..count).map(|index| (0, place(draw(16), draw(rows), draw(32)), write(index))).collect()
}

#[test]
fn a_sequential_stream_reaches_nine_tenths_of_the_peak_where_groups_alternate() {
    for (name, mut spec) in parts() {
        // Columns of one group are tCCD_L apart; the peak of parts with groups needs neighbours in different ones.
        let alternating: &[&str] = match name {
            "ddr4-2400" => &["offset:6", "group:2", "column:7", "bank:2", "row:16"],
            "gddr5-gtx480" => &["offset:6", "group:2", "channel:modulo", "column:6", "bank:2", "row:12"],
            _ => &[],
        };
        if !alternating.is_empty() {
            spec.address_map = alternating.iter().map(|entry| entry.to_string()).collect();
        }
        for write in [false, true] {
            let used = utilisation(&spec, &sequential(&spec, 20_000, |_| write));
            assert!(used >= 0.9, "{name}, write {write}: {used:.3}");
        }
    }
}

#[test]
fn a_sequential_stream_is_bound_by_the_long_column_distance_unless_its_map_changes_groups() {
    let used = |name| {
        let spec = spec(name, &[("timing.tREFI", "0")]);
        utilisation(&spec, &sequential(&spec, 20_000, |_| false))
    };
    // Where the queue reaches into the next group, its columns fill some of the gaps.
    let ddr4 = used("ddr4-2400");
    assert!((0.98 * 4.0 / 6.0..1.2 * 4.0 / 6.0).contains(&ddr4), "{ddr4:.3}");
    // Every 256 bytes of a channel lie in another group than those before.
    let gtx480 = used("gddr5-gtx480");
    assert!(gtx480 > 0.98, "{gtx480:.3}");
}

#[test]
fn a_stream_that_stays_in_one_group_is_bound_by_the_long_column_distance() {
    let spec = spec("ddr4-2400", &[("timing.tREFI", "0")]);
    let same_row: Vec<Coming> = (0..4000).map(|column| (0, place(0, 5, column % 128), false)).collect();
    let used = utilisation(&spec, &same_row);
    assert!((used - 4.0 / 6.0).abs() < 0.005, "{used:.4}");
}

#[test]
fn row_conflicts_of_one_bank_are_bound_by_the_row_cycle() {
    for (name, spec) in parts() {
        let t = &spec.timing;
        let count = 3000;
        let conflicts: Vec<Coming> = (0..count).map(|row| (0, place(2, row, 0), false)).collect();
        let mut channel = Channel::new(&spec);
        let done = serve(&mut channel, &conflicts);
        let end = done.iter().map(|completion| completion.at.0).max().unwrap();
        let cycle = t.tRC.max((t.tRCD + t.tRTP).max(t.tRAS) + t.tRP);
        // A refresh may cut a row short that has to be opened again.
        let refreshes = channel.counters.refreshes * u64::from(t.tRFC + t.tRP + t.tRC);
        let bound = u64::from(count) * u64::from(cycle);
        assert!(end >= bound - u64::from(cycle), "{name}: {end} cycles, bound {bound}");
        assert!(end <= bound + refreshes + 200, "{name}: {end} cycles, bound {bound} and {refreshes}");
        assert_eq!(channel.counters.row_hits, 0);
    }
}

#[test]
fn random_reads_are_bound_by_the_window_of_four_activates() {
    let spec = spec("ddr4-2400", &[("timing.tREFI", "0")]);
    let used = utilisation(&spec, &random(20_000, 60_000, |_| false));
    let bound = 4.0 * 4.0 / 26.0;
    assert!(used <= bound && used >= 0.93 * bound, "{used:.4} of {bound:.4}");
}

#[test]
fn refresh_takes_its_share_of_a_saturated_stream() {
    let busy = |interval: &str| {
        let spec = spec("ddr4-2400", &[("timing.tREFI", interval)]);
        utilisation(&spec, &random(20_000, 60_000, |_| false))
    };
    let share = 1.0 - busy("9360") / busy("0");
    // tRFC and what it takes to close all rows and open them again, once in tREFI.
    assert!((420.0 / 9360.0..500.0 / 9360.0).contains(&share), "{share:.4}");
}

#[test]
fn draining_writes_in_batches_beats_turning_the_bus_for_every_write() {
    let alternate = |index: usize| index % 2 == 1;
    let drained = spec("ddr4-2400", &[]);
    let mixed = random(20_000, 60_000, alternate);
    let mut channel = Channel::new(&drained);
    serve(&mut channel, &mixed);
    // Each drain takes the writes from the high to the low watermark, and some that come meanwhile.
    let per_drain = channel.counters.writes as f64 / channel.counters.write_drains as f64;
    assert!((20.0..26.0).contains(&per_drain), "{per_drain}");
    let tight = spec("ddr4-2400", &[("write_queue", "{ entries = 32, high = 2, low = 1 }")]);
    let (batched, turned) = (utilisation(&drained, &mixed), utilisation(&tight, &mixed));
    assert!(batched > 1.2 * turned, "{batched:.3} against {turned:.3}");
}

#[test]
fn first_ready_beats_first_come_and_open_pages_beat_closed_ones_on_rows_with_locality() {
    let mut numbers = Numbers(5);
    let streams: Vec<Coming> = (0..8000u32)
        .map(|index| (0, place(numbers.below(8) as u32 * 2, index / 512, index % 128), false))
        .collect();
    let used = |settings: &[(&str, &str)]| utilisation(&spec("ddr4-2400", settings), &streams);
    let usual = used(&[]);
    assert!(usual > 1.2 * used(&[("scheduler", "fcfs")]), "{usual:.3}");
    assert!(usual > 1.2 * used(&[("page_policy", "closed")]), "{usual:.3}");
}

#[test]
fn longer_queues_and_queues_per_bank_never_cost_bandwidth_of_random_reads() {
    let requests = random(8_000, 60_000, |_| false);
    let used = |queue: &str| utilisation(&spec("ddr4-2400", &[("queue", queue)]), &requests);
    let channel = |entries| used(&format!("{{ organisation = \"per-channel\", entries = {entries} }}"));
    let (one, four, sixteen, all) = (channel(1), channel(4), channel(16), channel(64));
    assert!(one < four && four < sixteen, "{one:.3} {four:.3} {sixteen:.3}");
    assert!(all > 0.99 * sixteen, "{sixteen:.3} {all:.3}");
    // One at a time: precharge, activate, read, and the place is free in the next cycle.
    assert!((one - 4.0 / 35.0).abs() < 0.01, "{one:.4}");
    assert!(used("{ organisation = \"per-bank\", entries = 8 }") > 0.95 * all);
}

#[test]
fn a_transaction_queue_keeps_a_full_bank_from_stopping_the_others() {
    let requests = sequential(&spec("ddr4-2400", &[]), 20_000, |_| false);
    let used = |settings: &[(&str, &str)]| utilisation(&spec("ddr4-2400", settings), &requests);
    let banks = ("queue", "{ organisation = \"per-bank\", entries = 8 }");
    let alone = used(&[banks]);
    let behind = used(&[banks, ("queue.transactions", "32")]);
    assert!(behind > 1.1 * alone, "{alone:.3} {behind:.3}");
    // One place beyond a queue of the channel is one more place, and no more is seen by the scheduler.
    let shared = |entries: &str, transactions: &str| {
        used(&[("queue.entries", entries), ("queue.transactions", transactions), ("timing.tREFI", "0")])
    };
    assert!(shared("8", "64") < 1.02 * shared("8", "0"));
    assert!(shared("72", "0") > 1.1 * shared("8", "64"));
}

#[test]
fn a_transaction_queue_takes_as_many_requests_as_it_has_places() {
    let spec = spec("ddr4-2400", &[("queue.entries", "4"), ("queue.transactions", "3")]);
    let mut channel = Channel::new(&spec);
    let mut taken = 0;
    while channel.can_accept(&place(0, taken, 0), false) {
        channel.push(Cycle(0), Transaction { id: taken, place: place(0, taken, 0), write: false });
        taken += 1;
    }
    assert_eq!(taken, 7);
}

#[test]
fn a_drain_opens_rows_for_reads_in_banks_without_writes_and_reads_after_it() {
    let mut channel = Channel::new(&spec("ddr4-2400", &[]));
    channel.keep_log();
    let mut requests: Vec<Coming> = (0..32).map(|row| (0, place(0, row, 0), true)).collect();
    requests.push((10, place(4, 1, 0), false));
    serve(&mut channel, &requests);
    let first = |command, bank| {
        channel.log().iter().position(|issued| issued.command == command && issued.bank.0 == bank).unwrap()
    };
    let writes_before = |place: usize| {
        channel.log()[..place].iter().filter(|issued| issued.command == Command::Write).count()
    };
    assert!(channel.log()[first(Command::Activate, 4)].at < 20);
    // From 32 writes down to the low watermark, 6.
    assert_eq!(writes_before(first(Command::Read, 4)), 26);
}

#[test]
fn two_rows_of_a_bank_with_mixed_reads_and_writes_keep_their_hits() {
    let spec = spec("ddr4-2400", &[]);
    let mut numbers = Numbers(9);
    let requests: Vec<Coming> = (0..20_000u32)
        .map(|index| (0, place(0, index & 1, (index >> 1) % 128), numbers.below(2) == 0))
        .collect();
    let used = utilisation(&spec, &requests);
    assert!(used > 0.38, "{used:.3}");
}

#[test]
fn a_row_is_closed_for_an_older_request_after_the_limit_of_hits_or_when_it_starves() {
    // A request for another row of the bank, between an endless stream of hits.
    let mut requests: Vec<Coming> = (0..600).map(|index| (0, place(1, 5, index % 128), false)).collect();
    requests[2] = (0, place(1, 6, 0), false);
    let waited =
        |settings: &[(&str, &str)]| crate::dram_common::latencies(&spec("ddr4-2400", settings), &requests)[2];
    let endless = waited(&[("row_hit_limit", "0"), ("age_limit", "0"), ("timing.tREFI", "0")]);
    // With columns closer than tRTP the precharge would never be legal before the next hit.
    let limited =
        waited(&[("row_hit_limit", "8"), ("age_limit", "0"), ("timing.tREFI", "0"), ("timing.tRTP", "4")]);
    let aged = waited(&[("row_hit_limit", "0"), ("age_limit", "500"), ("timing.tREFI", "0")]);
    assert!(endless > 600 * 6, "{endless}");
    assert!(limited < 150, "{limited}");
    assert!((500..650).contains(&aged), "{aged}");
}

#[test]
fn a_read_of_a_waiting_write_is_answered_at_once() {
    let spec = spec("ddr4-2400", &[]);
    let mut requests: Vec<Coming> = (0..8).map(|row| (0, place(0, row, 0), false)).collect();
    requests.push((3, place(4, 9, 1), true));
    requests.push((20, place(4, 9, 1), false));
    requests.push((20, place(4, 9, 2), false));
    let latencies = crate::dram_common::latencies(&spec, &requests);
    assert_eq!(latencies[9], 1);
    assert!(latencies[10] > 20);
}

#[test]
fn refreshes_of_an_idle_channel_close_its_row_and_are_counted() {
    let spec = spec("ddr4-2400", &[]);
    let mut channel = Channel::new(&spec);
    let done =
        serve(&mut channel, &[(0, place(0, 1, 0), false), (9360 * 1000 + 2000, place(0, 1, 1), false)]);
    assert_eq!(channel.counters.refreshes, 1000);
    assert_eq!((done[1].row_hit, done[1].at.0 - done[1].arrived.0), (false, 17 + 17 + 4));
    // A request that comes during a refresh waits for its end.
    let late = serve(&mut Channel::new(&spec), &[(9360 * 7 + 20, place(0, 1, 1), false)]);
    assert_eq!(late[0].at.0, 9360 * 7 + 420 + 17 + 17 + 4);
}
