//! What holds for every part, every policy and every stream of requests.

use crate::dram_common::checker::violation;
use crate::dram_common::{Coming, Numbers, place, serve, spec};
use heddle_engine::Cycle;
use heddle_memory::dram::{Channel, Command, Completion, DramSpec, PARTS, Transaction};
use proptest::prelude::*;

/// A part with another policy for everything that can be chosen.
fn variant(part: usize, choice: u32) -> DramSpec {
    let mut settings = vec![];
    for (bit, key, value) in [
        (0, "page_policy", "closed"),
        (1, "scheduler", "fcfs"),
        (2, "row_hit_limit", "2"),
        (3, "age_limit", "200"),
        (4, "queue", "{ organisation = \"per-bank\", entries = 4 }"),
        (5, "write_queue", "{ entries = 12, high = 9, low = 2 }"),
        (6, "timing.tREFI", "1800"),
        (6, "timing.tRFC", "300"),
        (7, "timing.tRCDWR", "6"),
        (8, "timing.tPPD", "7"),
        (9, "timing.t32AW", "600"),
        (10, "queue.transactions", "10"),
        (11, "scheduler", "fr-fcfs"),
    ] {
        if choice >> bit & 1 == 1 {
            settings.push((key, value));
        }
    }
    spec(PARTS[part].name, &settings)
}

/// Requests with some locality: few rows, bursts of arrivals, pauses that span refreshes.
fn stream(seed: u64, length: usize, rows: u64, writes: u64) -> Vec<Coming> {
    let mut numbers = Numbers(seed | 1);
    let mut now = 0;
    (0..length)
        .map(|_| {
            now += match numbers.below(40) {
                0 => numbers.below(3000),
                1..20 => 0,
                _ => numbers.below(6),
            };
            let (bank, row, column) = (numbers.below(16), numbers.below(rows), numbers.below(8));
            (now, place(bank as u32, row as u32, column as u32), numbers.below(100) < writes)
        })
        .collect()
}

/// Serves the same requests as [`serve`], but calls `advance` in every single cycle, several times.
fn serve_by_polling(channel: &mut Channel, requests: &[Coming]) -> Vec<Completion> {
    let mut done = Vec::new();
    let mut next = 0;
    let mut now = 0;
    while next < requests.len() || !channel.is_idle() {
        while let Some(&(at, place, write)) = requests.get(next)
            && at <= now
            && channel.can_accept(&place, write)
        {
            channel.push(Cycle(now), Transaction { id: next as u32, place, write });
            next += 1;
        }
        channel.advance(Cycle(now), &mut done);
        now += 1;
    }
    done
}

/// The first place where two lists differ.
fn difference<T: PartialEq + Clone>(left: &[T], right: &[T]) -> Option<(usize, Option<T>, Option<T>)> {
    let longer = left.len().max(right.len());
    let place = (0..longer).find(|&place| left.get(place) != right.get(place))?;
    Some((place, left.get(place).cloned(), right.get(place).cloned()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn no_command_breaks_a_rule_and_every_request_is_served_once(
        part in 0..PARTS.len(), choice in 0u32..4096, seed: u64, rows in 1u64..40, writes in 0u64..100,
    ) {
        let spec = variant(part, choice);
        let requests = stream(seed, 400, rows, writes);
        let mut channel = Channel::new(&spec);
        channel.keep_log();
        let done = serve(&mut channel, &requests);
        prop_assert_eq!(violation(&spec, channel.log()), None);

        let mut ids: Vec<u32> = done.iter().map(|completion| completion.id).collect();
        ids.sort_unstable();
        prop_assert!(ids.into_iter().eq(0..requests.len() as u32));
        let t = &spec.timing;
        for completion in &done {
            let (came, _, write) = requests[completion.id as usize];
            prop_assert_eq!(completion.write, write);
            let least = if write { t.tWL } else { t.tCL + spec.extra_latency };
            let forwarded = !write && completion.at.0 == completion.arrived.0 + 1;
            prop_assert!(forwarded || completion.at.0 >= came + u64::from(least) + spec.burst_clocks());
        }
    }

    #[test]
    fn waking_on_time_and_polling_do_the_same(
        part in 0..PARTS.len(), choice in 0u32..4096, seed: u64, rows in 1u64..40, writes in 0u64..100,
    ) {
        let spec = variant(part, choice);
        let requests = stream(seed, 120, rows, writes);
        let mut channels = [Channel::new(&spec), Channel::new(&spec)];
        channels.iter_mut().for_each(Channel::keep_log);
        let done = serve(&mut channels[0], &requests);
        prop_assert_eq!(difference(&done, &serve_by_polling(&mut channels[1], &requests)), None);
        let end = Cycle(done.iter().map(|completion| completion.at.0).max().unwrap() + 10_000);
        channels.iter_mut().for_each(|channel| channel.settle(end));
        prop_assert_eq!(difference(channels[0].log(), channels[1].log()), None);
        prop_assert_eq!(&channels[0].counters, &channels[1].counters);
    }

    #[test]
    fn counters_agree_with_the_log(
        part in 0..PARTS.len(), choice in 0u32..4096, seed: u64, rows in 1u64..40, writes in 0u64..100,
    ) {
        let spec = variant(part, choice);
        let requests = stream(seed, 200, rows, writes);
        let (mut logged, mut silent) = (Channel::new(&spec), Channel::new(&spec));
        logged.keep_log();
        let done = serve(&mut logged, &requests);
        serve(&mut silent, &requests);
        let end = done.iter().map(|completion| completion.at.0).max().unwrap() + 1_000_000;
        logged.settle(Cycle(end));
        silent.settle(Cycle(end));
        // The log keeps idle refreshes from being counted at once: both ways must agree.
        prop_assert_eq!(&logged.counters, &silent.counters);
        let count = |wanted: &[Command]| {
            logged.log().iter().filter(|issued| wanted.contains(&issued.command)).count() as u64
        };
        let c = &logged.counters;
        prop_assert_eq!(c.reads, count(&[Command::Read, Command::ReadAuto]));
        prop_assert_eq!(c.writes, count(&[Command::Write, Command::WriteAuto]));
        prop_assert_eq!(c.activates, count(&[Command::Activate]));
        prop_assert_eq!(c.refreshes, count(&[Command::Refresh]));
        prop_assert_eq!(c.reads + c.forwarded_reads + c.writes, requests.len() as u64);
        prop_assert_eq!(c.row_hits + c.row_misses + c.row_conflicts, c.reads + c.writes);
        prop_assert_eq!(c.active_standby_cycles + c.precharged_standby_cycles, end);
        prop_assert!(c.activates >= c.precharges && c.activates - c.precharges <= u64::from(spec.banks));
        prop_assert_eq!(c.bytes_read + c.bytes_written, (c.reads + c.writes) * spec.atom());
        if spec.timing.tREFI != 0 {
            let due = (end - 1) / u64::from(spec.timing.tREFI);
            prop_assert!(c.refreshes.abs_diff(due) <= 1, "{} refreshes of {due}", c.refreshes);
        }
    }

    #[test]
    fn catching_up_late_and_advancing_on_time_do_the_same(
        part in 0..PARTS.len(), choice in 0u32..4096, seed: u64, rows in 1u64..40, writes in 0u64..100,
    ) {
        // An owner who looks after the channel before he pushes, when something is due to be noticed, and now and
        // then without a reason.
        let spec = variant(part, choice);
        let requests = stream(seed, 200, rows, writes);
        let (mut lazy, mut late, mut came) = (Channel::new(&spec), Vec::new(), Vec::new());
        let mut numbers = Numbers(seed | 1);
        let mut now = 0;
        for (id, &(at, place, write)) in requests.iter().enumerate() {
            now = now.max(at);
            lazy.catch_up(Cycle(now), &mut late);
            while !lazy.can_accept(&place, write) {
                now = lazy.wake().unwrap().0 + 1;
                lazy.catch_up(Cycle(now), &mut late);
            }
            lazy.push(Cycle(now), Transaction { id: id as u32, place, write });
            came.push((now, place, write));
            while numbers.below(3) == 0
                && let Some(notable) = lazy.notable()
                && requests.get(id + 1).is_some_and(|next| notable.0 <= next.0)
            {
                let known = late.len();
                lazy.catch_up(notable, &mut late);
                prop_assert!(late[known..].iter().all(|done| done.write || done.at >= notable));
                now = notable.0;
            }
        }
        lazy.catch_up(Cycle(u64::MAX), &mut late);
        let on_time = serve(&mut Channel::new(&spec), &came);
        prop_assert_eq!(difference(&late, &on_time), None);
    }
}
