//! The best commands, remembered from one plan to the next.
//!
//! Most commands of a busy channel are column commands, and those change neither when other banks may be activated or
//! precharged nor for whom. So the banks that offer to prepare a row are looked through again only when one of them has
//! changed, when a row was opened or closed (which moves the times of all), or when the time of another one has come,
//! whose request may be older. Likewise commands that prepare rows change nothing for column commands: the best of these
//! stays the best until one is issued, or a better one is offered.

use super::channel::Channel;
use super::plan::{Choice, Remembered};
use crate::ids::BankId;

impl Channel {
    /// A row was opened or closed.
    #[inline(always)]
    pub(super) fn forget_preparations(&mut self) {
        self.preparations = [Remembered::UNKNOWN; 2];
    }

    /// A column command was issued.
    #[inline(always)]
    pub(super) fn forget_columns(&mut self) {
        self.best_columns = [Remembered::UNKNOWN; 2];
    }

    /// The best command of a side.
    #[inline(always)]
    pub(super) fn best_of_side(&mut self, side: usize) -> Choice {
        let banks = self.queues.busy[side] & !self.yields[side];
        let columns = banks & self.columns[side];
        let column = self.best_column(columns, side);
        let others = banks & !columns;
        if others == 0 {
            return column;
        }
        if self.floor >= self.preparations[side].until {
            self.preparations[side] = self.look_for_preparation(others, side);
        }
        column.or(self.recalled(&self.preparations[side], side))
    }

    #[inline(always)]
    fn recalled(&self, known: &Remembered, side: usize) -> Choice {
        Choice { key: self.key(known.at, known.rank), bank: known.bank, side: side as u32 }
    }

    /// The best of the banks that offer a column command. Before its time comes no other can take precedence.
    #[inline(always)]
    fn best_column(&mut self, banks: u64, side: usize) -> Choice {
        if banks == 0 {
            return Choice::NONE;
        }
        if self.floor < self.best_columns[side].until {
            return self.recalled(&self.best_columns[side], side);
        }
        let best = self.best_of(banks, side);
        if !self.may_close(banks, side) {
            let (at, rank) = self.time_and_rank(best.key);
            self.best_columns[side] = Remembered { at, rank, bank: best.bank, until: at + 1 };
        }
        best
    }

    /// Looks through the banks that offer to prepare a row.
    fn look_for_preparation(&self, mut banks: u64, side: usize) -> Remembered {
        let mut best = Choice::NONE;
        // The first time, and the next one, from which on another may take precedence.
        let (mut first, mut until) = (u64::MAX, u64::MAX);
        while banks != 0 {
            let bank = BankId::first_of(banks);
            let (time, rank) = self.time_and_rank_of(bank, side);
            best = best.or(Choice { key: self.key(time, rank), bank, side: side as u32 });
            if time < first {
                (first, until) = (time, first);
            } else if time > first {
                until = until.min(time);
            }
            banks &= banks - 1;
        }
        let (at, rank) = self.time_and_rank(best.key);
        Remembered { at, rank, bank: best.bank, until }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Channel, DramSpec, Place, SchedulerKind, Transaction, part, read_part};
    use crate::dram::spec::QueueOrganisation;
    use crate::ids::BankId;
    use heddle_engine::Cycle;

    /// The same sequence of numbers everywhere.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % bound
        }

        fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
            all[self.below(all.len() as u64) as usize]
        }
    }

    fn any_spec(numbers: &mut Numbers) -> DramSpec {
        let name = numbers.one_of(&["gddr5-gtx480", "gddr5-k40c", "ddr4-2400"]);
        let mut spec = read_part(part(name).unwrap().text, &[]).unwrap();
        let schedulers = [SchedulerKind::FrFcfs, SchedulerKind::Fcfs, SchedulerKind::FrFcfsByAge];
        spec.scheduler = numbers.one_of(&schedulers);
        spec.queue.organisation =
            numbers.one_of(&[QueueOrganisation::PerBank, QueueOrganisation::PerChannel]);
        spec.queue.entries = numbers.one_of(&[2, 8, 64]);
        spec.row_hit_limit = numbers.one_of(&[0, 1, 4]);
        spec.age_limit = numbers.one_of(&[0, 60, 500]);
        if numbers.below(2) == 0 {
            spec.write_queue.entries = 0;
        }
        spec
    }

    /// A copy that has forgotten everything makes the same plan.
    fn assert_remembers(channel: &Channel, spec: &DramSpec) {
        let mut fresh = channel.clone();
        fresh.stale = [u64::MAX; 2];
        fresh.forget_preparations();
        fresh.forget_columns();
        fresh.plan_anew();
        let [known, found] = [channel, &fresh].map(|channel| (channel.plan.at, channel.plan.action));
        assert_eq!(known, found, "{spec:#?}");
    }

    #[test]
    fn what_is_remembered_is_what_a_new_look_finds() {
        let mut numbers = Numbers(1);
        for _ in 0..150 {
            let spec = any_spec(&mut numbers);
            let mut channel = Channel::new(&spec);
            let (mut now, mut done) = (Cycle(0), Vec::new());
            for id in 0..400 {
                let place = Place {
                    bank: BankId(numbers.below(spec.banks.min(6).into()) as u32),
                    row: numbers.below(3) as u32,
                    column: numbers.below(8) as u32,
                    ..Place::default()
                };
                let write = numbers.below(3) == 0;
                while !channel.can_accept(&place, write) || numbers.below(2) == 0 {
                    let Some(wake) = channel.wake() else { break };
                    now = now.max(wake);
                    channel.advance(now, &mut done);
                    assert_remembers(&channel, &spec);
                }
                channel.push(now, Transaction { id, place, write });
                // That a request starves is noticed with the next command.
                if spec.age_limit == 0 {
                    assert_remembers(&channel, &spec);
                }
            }
        }
    }
}
