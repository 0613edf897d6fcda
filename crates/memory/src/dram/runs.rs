//! Column commands of a run that are issued in one go.
//!
//! A line is some consecutive columns of a row, whose requests come together. Once the first of them is served, the others
//! mostly follow as closely as column commands may, and planning each anew finds that again and again. Nothing comes between
//! as long as
//! - no older request of the same kind finds its row open: one that waits for tRCD takes its turn when it may go;
//! - no command that prepares a row is legal before, of either kind; in the same cycle a column command goes first;
//! - the bank has no requests of the other kind, which might be for another row;
//! - no refresh is due.
//!
//! Column commands of the other kind are legal later in any case ([`super::timing::Rules::columns_go_on`]).

use super::channel::Channel;
use super::queue::QueueEntry;
use crate::ids::BankId;

impl Channel {
    /// How many column commands of a run follow each other from this cycle on, the first included, before the cycle `before`.
    #[inline(always)]
    pub(super) fn length_of_run(&self, number: u32, bank: BankId, first: u64, before: u64) -> u32 {
        let &QueueEntry { age, bursts, write, .. } = &self.queues.entries[number as usize];
        let side = usize::from(write);
        let gap = self.timing.rules.columns[0];
        // Commands of this cycle or later would not follow.
        let mut end = before.min(self.refresh_due).min(self.first_preparation().saturating_add(1));
        if first + gap >= end || self.queues.busy[1 - side] & bank.bit() != 0 || self.log.is_some() {
            return 1;
        }
        let mut others = self.queues.busy[side] & self.columns[side] & !bank.bit();
        let offers = &*self.offers[side];
        while others != 0 {
            let other = others.trailing_zeros() as usize & 63;
            if offers.rank[other] < age {
                end = end.min(offers.at[other]);
            }
            others &= others - 1;
        }
        let follow = end.saturating_sub(first + 1) / gap;
        bursts.min(1 + follow.min(u64::from(bursts)) as u32)
    }

    /// Before this cycle no row can be opened or closed, of either kind.
    #[inline(always)]
    fn first_preparation(&self) -> u64 {
        let of_side = |side: usize| {
            let others = self.queues.busy[side] & !self.yields[side] & !self.columns[side];
            let known = &self.preparations[side];
            if others == 0 {
                return u64::MAX;
            }
            if self.floor < known.until { known.at } else { 0 }
        };
        of_side(0).min(of_side(1))
    }

    /// Counts the requests of a run that were served before its last one, which is counted like any other, but for what the
    /// first of them needed. Each of them was served a gap earlier than the next.
    pub(super) fn count_run(&mut self, entry: &QueueEntry, before_last: u32) {
        let commands = u64::from(before_last);
        let now = self.floor - 1;
        let earlier = self.timing.rules.columns[0] * commands * (commands + 1) / 2;
        let counters = &mut self.counters;
        counters.row_hits += commands;
        if entry.write {
            counters.writes += commands;
        } else {
            let latency = self.timing.rules.read_latency + self.extra_latency;
            counters.reads += commands;
            counters.read_latency_cycles += commands * (now + latency - entry.arrived) - earlier;
        }
        counters.queue_wait_cycles += commands * (now - entry.arrived) - earlier;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Channel, Completion, Place, Transaction, part, read_part};
    use crate::ids::BankId;
    use heddle_engine::Cycle;

    /// The same sequence of numbers everywhere.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % bound
        }
    }

    /// When each request is done, by its name.
    fn note(done: &mut Vec<Completion>, times: &mut [u64]) {
        for completion in done.drain(..) {
            for name in completion.id..completion.id + completion.bursts {
                times[name as usize / 8] = times[name as usize / 8].max(completion.at.0);
            }
        }
    }

    #[test]
    fn runs_are_served_like_requests_that_come_one_by_one() {
        let mut numbers = Numbers(1);
        let mut joined = 0;
        for round in 0..120 {
            let name = ["gddr5-fermi", "gddr5-gtx480", "ddr4-2400"][round % 3];
            let spec = read_part(part(name).unwrap().text, &[]).unwrap();
            let mut channels = [Channel::new(&spec), Channel::new(&spec)];
            let (mut now, mut done) = (Cycle(0), [Vec::new(), Vec::new()]);
            let mut times = [vec![0; 400], vec![0; 400]];
            let pause = [4, 12, 60][numbers.below(3) as usize];
            for id in 0..400 {
                now = now + numbers.below(pause);
                let place = Place {
                    bank: BankId(numbers.below(6) as u32),
                    row: numbers.below(4) as u32,
                    column: 4 * numbers.below(4) as u32,
                    ..Place::default()
                };
                let (write, bursts) = (numbers.below(8) == 0, 1 + numbers.below(4) as u32);
                for (channel, done) in channels.iter_mut().zip(&mut done) {
                    channel.catch_up(now, done);
                }
                let first = Transaction { id: 8 * id, place, write };
                let run = match channels[0].can_accept(&place, write) {
                    true => channels[0].room_for_run(&place, write).min(bursts),
                    false => continue,
                };
                channels[0].enter_run(now, first, run);
                for burst in 0..run {
                    let place = Place { column: place.column + burst, ..place };
                    channels[1].enter(now, Transaction { id: 8 * id + burst, place, write });
                }
                assert_eq!(channels[0].wake(), channels[1].wake(), "{name}");
            }
            for ((channel, done), times) in channels.iter_mut().zip(&mut done).zip(&mut times) {
                channel.catch_up(now + 100_000, done);
                joined += done.iter().filter(|done| done.bursts > 1).count();
                note(done, times);
                channel.settle(now + 100_000);
                assert!(channel.is_idle());
            }
            assert_eq!(times[0], times[1], "{name}");
            assert_eq!(
                format!("{:?}", channels[0].counters),
                format!("{:?}", channels[1].counters),
                "{name}"
            );
        }
        assert!(joined > 1000, "{joined} runs were issued in one go");
    }
}
