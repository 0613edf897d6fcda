//! What a channel counts.

heddle_engine::counters! {
    /// What a channel did.
    pub struct DramCounters {
        reads: "commands", "Read commands, each of one burst.";
        writes: "commands", "Write commands, each of one burst.";
        forwarded_reads: "requests", "Reads that were answered from a write that still waited.";
        activates: "commands", "Rows opened.";
        precharges: "banks", "Rows closed, by command, by auto-precharge or before a refresh.";
        refreshes: "commands", "Refreshes of all banks of the channel.";
        row_hits: "requests", "Requests that found their row open.";
        row_misses: "requests", "Requests that found their bank closed.";
        row_conflicts: "requests", "Requests for which another row was closed first.";
        bytes_read: "bytes", "Bytes that read commands moved.";
        bytes_written: "bytes", "Bytes that write commands moved.";
        bus_busy_cycles: "cycles", "Command clocks in which the data bus moved data.";
        queue_wait_cycles: "cycles", "Command clocks from the arrival of requests to their column commands.";
        read_latency_cycles: "cycles", "Command clocks from the arrival of reads to their last beat, with extra_latency.";
        write_drains: "times", "How often the channel turned from reads to writes.";
        active_standby_cycles: "cycles", "Command clocks in which some bank was open.";
        precharged_standby_cycles: "cycles", "Command clocks in which all banks were closed.";
    }
}

/// Splits time by whether some bank is open.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Standby {
    open: u32,
    /// Up to when the split is done.
    since: u64,
    /// Banks that close by themselves are open until here.
    closing_until: u64,
}

impl Standby {
    /// Splits the time up to `now`.
    #[inline(always)]
    pub(super) fn account(&mut self, now: u64, counters: &mut DramCounters) {
        let span = now.saturating_sub(self.since);
        let active = match self.open {
            0 => self.closing_until.min(now).saturating_sub(self.since),
            _ => span,
        };
        counters.active_standby_cycles += active;
        counters.precharged_standby_cycles += span - active;
        self.since = self.since.max(now);
    }

    /// A bank opens.
    #[inline(always)]
    pub(super) fn opened(&mut self, now: u64, counters: &mut DramCounters) {
        if self.open == 0 {
            self.account(now, counters);
        }
        self.open += 1;
    }

    /// Banks close, by `until` at the latest.
    #[inline(always)]
    pub(super) fn closed(&mut self, now: u64, banks: u32, until: u64, counters: &mut DramCounters) {
        if self.open == banks {
            self.account(now, counters);
        }
        self.open -= banks;
        self.closing_until = self.closing_until.max(until);
    }
}
