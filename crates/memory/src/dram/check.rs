//! Checks of DRAM descriptions: what no DRAM can be.

use super::address_map::AddressMap;
use super::spec::{DramSpec, TimingSpec};
use crate::spec_error::SpecError;
use heddle_engine::units::Bytes;

/// Longest timing and largest count that is taken for meant: keeps all sums far from overflow, and those of a few
/// timings within what the scheduler compares in one word.
const MOST: u32 = 1 << 20;
/// Most banks of a channel: one bit each in the scheduler.
const BANKS: u32 = 64;

fn wrong(key: &str, problem: String) -> Result<(), SpecError> {
    Err(SpecError { key: key.to_string(), problem })
}

fn within(key: &str, value: u64, least: u64, most: u64) -> Result<(), SpecError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    wrong(key, format!("expected {least} to {most}, found {value}"))
}

fn power_of_two(key: &str, value: u64) -> Result<(), SpecError> {
    if value.is_power_of_two() {
        Ok(())
    } else {
        wrong(key, format!("expected a power of two, found {value}"))
    }
}

fn not_below(key: &str, value: u32, bound: &str, least: u32) -> Result<(), SpecError> {
    if value >= least {
        return Ok(());
    }
    wrong(key, format!("expected at least {bound} = {least}, found {value}"))
}

impl DramSpec {
    /// Whether this can be a DRAM.
    pub fn check(&self) -> Result<(), SpecError> {
        self.check_organisation()?;
        self.check_queues()?;
        self.check_timing()?;
        AddressMap::new(self).map(|_| ())
    }

    fn check_organisation(&self) -> Result<(), SpecError> {
        if self.clock.hertz() == 0 {
            return wrong("clock", "expected a frequency above 0Hz".to_string());
        }
        within("channels", self.channels.into(), 1, 1024)?;
        within("banks", self.banks.into(), 1, BANKS.into())?;
        power_of_two("banks", self.banks.into())?;
        within("bank_groups", self.bank_groups.into(), 1, self.banks.into())?;
        power_of_two("bank_groups", self.bank_groups.into())?;
        within("bus", self.bus.into(), 1, 4096)?;
        power_of_two("bus", self.bus.into())?;
        within("data_rate", self.data_rate.into(), 1, 64)?;
        within("burst", self.burst.into(), 1, 4096)?;
        power_of_two("burst", self.burst.into())?;
        if !self.burst.is_multiple_of(self.data_rate) {
            let problem = format!(
                "expected a multiple of data_rate = {}, so that a burst takes whole clocks, found {}",
                self.data_rate, self.burst
            );
            return wrong("burst", problem);
        }
        power_of_two("row", self.row.0)?;
        if self.row.0 < self.atom() || self.row.0 > 1 << 30 {
            let atom = Bytes(self.atom());
            let problem = format!("expected bus × burst = {atom} to {}, found {}", Bytes(1 << 30), self.row);
            return wrong("row", problem);
        }
        Ok(())
    }

    fn check_queues(&self) -> Result<(), SpecError> {
        within("queue.entries", self.queue.entries.into(), 1, 1 << 16)?;
        within("queue.transactions", self.queue.transactions.into(), 0, 1 << 16)?;
        within("row_hit_limit", self.row_hit_limit.into(), 0, MOST.into())?;
        within("extra_latency", self.extra_latency.into(), 0, MOST.into())?;
        let writes = &self.write_queue;
        within("write_queue.entries", writes.entries.into(), 0, 1 << 16)?;
        if writes.entries == 0 {
            for (key, value) in [("write_queue.high", writes.high), ("write_queue.low", writes.low)] {
                if value != 0 {
                    return wrong(key, format!("expected 0, as write_queue.entries = 0, found {value}"));
                }
            }
            return Ok(());
        }
        within("write_queue.high", writes.high.into(), 1, writes.entries.into())?;
        within("write_queue.low", writes.low.into(), 0, u64::from(writes.high) - 1)
    }

    fn check_timing(&self) -> Result<(), SpecError> {
        let timing = &self.timing;
        for (key, value) in timing.all() {
            within(&format!("timing.{key}"), value.into(), 0, MOST.into())?;
        }
        // The others may be 0 where a source does not model them, or where another rule is stricter anyway.
        for (key, value) in [
            ("timing.tCL", timing.tCL),
            ("timing.tWL", timing.tWL),
            ("timing.tRCD", timing.tRCD),
            ("timing.tRP", timing.tRP),
        ] {
            within(key, value.into(), 1, MOST.into())?;
        }
        // A row is not closed before it can be read.
        not_below("timing.tRAS", timing.tRAS, "tRCD", timing.tRCD)?;
        not_below("timing.tRC", timing.tRC, "tRAS", timing.tRAS)?;
        if timing.tFAW != 0 {
            let bound = "the distance of two activates (or 0 for no window), tRRD_S";
            not_below("timing.tFAW", timing.tFAW, bound, timing.tRRD_S)?;
        }
        not_below("timing.tRRD_L", timing.tRRD_L, "tRRD_S", timing.tRRD_S)?;
        not_below("timing.tCCD_L", timing.tCCD_L, "tCCD_S", timing.tCCD_S)?;
        not_below("timing.tWTR_L", timing.tWTR_L, "tWTR_S", timing.tWTR_S)?;
        if let Some(turn) = timing.tRTW {
            let end = timing.tCL + self.burst / self.data_rate;
            not_below("timing.tRTW", turn, "tCL + burst clocks - tWL", end.saturating_sub(timing.tWL))?;
        }
        if timing.tREFI != 0 {
            within("timing.tRFC", timing.tRFC.into(), 1, MOST.into())?;
            // Between two refreshes there must be time for any one request, whatever came before it.
            let all: u32 =
                timing.all().iter().filter(|(key, _)| *key != "tREFI").map(|(_, value)| value).sum();
            let least = all + timing.tRP + 2 * (self.burst / self.data_rate);
            let bound = "the sum of all other timings (or 0 for no refresh)";
            not_below("timing.tREFI", timing.tREFI, bound, least)?;
        }
        Ok(())
    }
}

impl TimingSpec {
    /// All timings that are given, by name.
    pub fn all(&self) -> Vec<(&'static str, u32)> {
        let mut all = vec![
            ("tCL", self.tCL),
            ("tWL", self.tWL),
            ("tRCD", self.tRCD),
            ("tRP", self.tRP),
            ("tRAS", self.tRAS),
            ("tRC", self.tRC),
            ("tRRD_S", self.tRRD_S),
            ("tRRD_L", self.tRRD_L),
            ("tFAW", self.tFAW),
            ("tCCD_S", self.tCCD_S),
            ("tCCD_L", self.tCCD_L),
            ("tWTR_S", self.tWTR_S),
            ("tWTR_L", self.tWTR_L),
            ("tWR", self.tWR),
            ("tRTP", self.tRTP),
            ("tREFI", self.tREFI),
            ("tRFC", self.tRFC),
        ];
        all.extend(self.tRCDWR.map(|value| ("tRCDWR", value)));
        all.extend(self.t32AW.map(|value| ("t32AW", value)));
        all.extend(self.tPPD.map(|value| ("tPPD", value)));
        all.extend(self.tRTW.map(|value| ("tRTW", value)));
        all
    }
}
