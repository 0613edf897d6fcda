//! The description of a DRAM part with its controller, as part files and machine files have it.

use crate::choices::choices;
use heddle_engine::units::{Bandwidth, Bytes, Frequency};
use serde::{Deserialize, Serialize};

/// A DRAM part, how many channels of it there are, and their controllers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DramSpec {
    /// The command clock; every timing is in its cycles.
    pub clock: Frequency,
    /// Independent channels.
    pub channels: u32,
    /// Bank groups of a channel; 1 for parts without.
    pub bank_groups: u32,
    /// Banks of a channel, in all groups together.
    pub banks: u32,
    /// A row of one bank, over all devices of the channel.
    pub row: Bytes,
    /// Bytes that the data bus of a channel moves per beat.
    pub bus: u32,
    /// Beats per command clock: 2 for DDR, 4 for GDDR5.
    pub data_rate: u32,
    /// Beats of one column command. `bus × burst` is the atom: what one request moves.
    pub burst: u32,
    /// What address bits mean, from bit 0 up; see [`AddressMap`](super::AddressMap).
    pub address_map: Vec<String>,
    /// What happens to a row after an access.
    pub page_policy: PagePolicy,
    /// Which request is served next.
    pub scheduler: SchedulerKind,
    /// Column commands that an open row serves before an older request for another row of its bank may close
    /// it, as soon as that is legal; 0 for no limit.
    #[serde(default)]
    pub row_hit_limit: u32,
    /// Cycles after which the oldest request of a bank goes before younger row hits; 0 for never.
    #[serde(default)]
    pub age_limit: u32,
    /// Read replies that may wait for their receiver; 0 for any number. The owner of the channel keeps this
    /// limit, by not advancing the channel while the queue is full.
    #[serde(default)]
    pub return_queue: u32,
    /// Cycles that every read takes outside of the channel, on top of the part's own.
    #[serde(default)]
    pub extra_latency: u32,
    /// The energy table that prices what the part does, by name or path: a note for the pricing of a run, not looked at
    /// here. Without it the part's energy is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<String>,
    /// Where requests wait.
    pub queue: QueueSpec,
    /// Where writes wait, if not with the reads.
    #[serde(default)]
    pub write_queue: WriteQueueSpec,
    /// The timings.
    pub timing: TimingSpec,
}

/// Where requests wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueueSpec {
    /// One queue for the channel, or one for each bank.
    pub organisation: QueueOrganisation,
    /// Requests that each queue holds.
    pub entries: u32,
    /// Requests of the channel that wait, unseen by the scheduler, for room in their queue; 0 for none. What
    /// DRAMsim3 calls the transaction queue.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub transactions: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(value: &u32) -> bool {
    *value == 0
}

/// Where writes wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "WriteQueueKeys")]
pub struct WriteQueueSpec {
    /// Writes of a channel that wait apart from reads; 0 for one queue for both.
    pub entries: u32,
    /// This many writes start a drain.
    pub high: u32,
    /// A drain ends when this many writes are left and reads wait.
    pub low: u32,
}

/// The keys of a write queue, as files have them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WriteQueueKeys {
    entries: u32,
    high: Option<u32>,
    low: Option<u32>,
}

impl From<WriteQueueKeys> for WriteQueueSpec {
    /// Watermarks that are left out are those of Ramulator 2's write buffer, 0.8 and 0.2 of its entries, rounded
    /// as in `parts/ddr4-2400.toml`. A queue without entries has none, whatever was inherited for them.
    fn from(keys: WriteQueueKeys) -> WriteQueueSpec {
        let WriteQueueKeys { entries, high, low } = keys;
        if entries == 0 {
            return WriteQueueSpec::default();
        }
        let high = high.unwrap_or(entries - entries / 5);
        WriteQueueSpec { entries, high, low: low.unwrap_or(entries / 5) }
    }
}

/// The timings, in command clocks. `_S` holds between different bank groups, `_L` within one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case, reason = "these are the names that data sheets use")]
pub struct TimingSpec {
    /// Read command to its first beat.
    pub tCL: u32,
    /// Write command to its first beat (CWL).
    pub tWL: u32,
    /// Activate to read or write.
    pub tRCD: u32,
    /// Activate to write, where it is shorter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tRCDWR: Option<u32>,
    /// Precharge to activate.
    pub tRP: u32,
    /// Activate to precharge.
    pub tRAS: u32,
    /// Activate to activate of the same bank.
    pub tRC: u32,
    /// Activate to activate, other group.
    pub tRRD_S: u32,
    /// Activate to activate, same group.
    pub tRRD_L: u32,
    /// Window that holds at most four activates; 0 for none.
    pub tFAW: u32,
    /// Window that holds at most 32 activates; without it, or 0, none. GDDR5 has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub t32AW: Option<u32>,
    /// Read to read and write to write, other group.
    pub tCCD_S: u32,
    /// Read to read and write to write, same group.
    pub tCCD_L: u32,
    /// End of write data to read, other group.
    pub tWTR_S: u32,
    /// End of write data to read, same group.
    pub tWTR_L: u32,
    /// End of write data to precharge.
    pub tWR: u32,
    /// Read to precharge.
    pub tRTP: u32,
    /// Read to write; without it `tCL + burst clocks + 2 - tWL`: two clocks to turn the bus round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tRTW: Option<u32>,
    /// Precharge to precharge of another bank; without it any two clocks will do. GDDR5 and LPDDR4 have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tPPD: Option<u32>,
    /// Average time between refreshes; 0 for no refresh.
    pub tREFI: u32,
    /// A refresh of all banks.
    pub tRFC: u32,
}

choices! {
    /// One queue for the channel, or one for each bank.
    QueueOrganisation {
        /// One for the channel.
        PerChannel = "per-channel",
        /// One for each bank.
        PerBank = "per-bank",
    }
}
choices! {
    /// What happens to a row after an access.
    PagePolicy {
        /// It stays open until another row of its bank is needed, or a refresh.
        Open = "open",
        /// Every column command precharges its bank when it is done.
        Closed = "closed",
    }
}
choices! {
    /// Which request is served next.
    SchedulerKind {
        /// Row hits first, oldest first; then what the oldest request of each bank needs. Where reads and writes
        /// share a queue, a hit that need not wait for the bus to turn goes before an older one that must.
        FrFcfs = "fr-fcfs",
        /// The same, but hits of one bank keep their order, whether they read or write, as in GPGPU-Sim.
        FrFcfsByAge = "fr-fcfs-by-age",
        /// Strictly the oldest: of the channel with one queue, of each bank with a queue per bank.
        Fcfs = "fcfs",
    }
}

impl DramSpec {
    /// Bytes that one request moves.
    pub fn atom(&self) -> u64 {
        u64::from(self.bus) * u64::from(self.burst)
    }

    /// Command clocks that one request keeps the data bus busy.
    pub fn burst_clocks(&self) -> u64 {
        u64::from(self.burst / self.data_rate.max(1))
    }

    /// Bytes per second of all channels at their best.
    pub fn peak_bandwidth(&self) -> Bandwidth {
        let beats = self.clock.hertz().saturating_mul(u64::from(self.data_rate));
        let bytes = beats.saturating_mul(u64::from(self.bus)).saturating_mul(u64::from(self.channels));
        Bandwidth::from_bytes_per_second(bytes)
    }
}
