//! What waits for what: the memory system's part of the watchdog's report.

use super::Hierarchy;
use super::core_side::{CACHE_NAMES, REPLIES, REQUESTS};
use super::slice::Tags;
use super::transaction::{Kind, Stage, Transaction};
use heddle_engine::Tick;

impl Hierarchy {
    /// One line for every transaction under way, for every cache of a core with misses, and for every job of
    /// DRAM: where it is and what it waits for.
    pub fn describe_waiting(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (core, side) in self.cores.iter().enumerate() {
            for (which, cache) in side.caches.iter().enumerate() {
                if cache.outstanding() > 0 {
                    let (name, misses) = (CACHE_NAMES[which], cache.outstanding());
                    lines.push(format!("core {core}: {name} waits for {misses} lines from below"));
                }
            }
        }
        if self.transactions.taken() > 0 {
            for number in 0..=self.highest {
                let transaction = &self.transactions[number];
                if transaction.stage != Stage::Over {
                    lines.push(self.describe(number, transaction));
                }
            }
        }
        self.describe_jobs(&mut lines);
        lines
    }

    fn describe(&self, number: u32, transaction: &Transaction) -> String {
        let Transaction { request, slice, kind, cache, since, .. } = *transaction;
        let what = match kind {
            Kind::Fetch => format!("{} miss", CACHE_NAMES[usize::from(cache)]),
            Kind::Prefetch => format!("{} prefetch", CACHE_NAMES[usize::from(cache)]),
            Kind::Forward => format!("{:?}", request.access).to_lowercase(),
            Kind::WriteBack => "dirty line given up".to_string(),
            Kind::Victim => "line given up to L2".to_string(),
        };
        let (core, line) = (request.core, request.line.0);
        let place = match transaction.stage {
            Stage::MissQueue => format!("in the miss queue, for room at the crossbar's input {core}"),
            Stage::RequestNetwork => self.in_network(number, true, transaction),
            Stage::Ejected => format!("before slice {slice}, for room in its input queue"),
            Stage::SliceInput => format!("in the input queue of slice {slice}, {}", self.tags_wait(slice)),
            Stage::SliceMiss => format!("in slice {slice}, for its line from DRAM"),
            Stage::AtomicUnit => format!("in the atomic unit of slice {slice}"),
            Stage::ReplyQueue => {
                format!("in the reply queue of slice {slice}, for room at the crossbar's input")
            }
            Stage::ReplyNetwork => self.in_network(number, false, transaction),
            Stage::Over => "over".to_string(),
        };
        let (pc, warp) = (request.pc, request.warp);
        let waited = self.clocks.core.during(Tick(self.now.0.saturating_sub(since))).0;
        format!(
            "core {core}, warp {warp}, instruction {pc}, line {line:#x}: {what}, {place}, for {waited} core cycles"
        )
    }

    fn in_network(&self, number: u32, request: bool, transaction: &Transaction) -> String {
        let slice = self.first_slice + transaction.slice;
        let (name, port, to) = if request {
            let port = self.crossbar.port(REQUESTS, transaction.request.core);
            ("request", port, format!("slice {}", transaction.slice))
        } else {
            let port = self.crossbar.port(REPLIES, slice);
            ("reply", port, format!("core {}", transaction.request.core))
        };
        match self.crossbar.waiting_at(port).position(|payload| payload == number) {
            Some(0) => {
                format!("at the head of the {name} network's input, for the output to {to} or its credit")
            }
            Some(place) => format!("in the {name} network's input, behind {place} others"),
            None => format!("on the {name} network, on its way to {to}"),
        }
    }

    fn tags_wait(&self, slice: u16) -> String {
        match self.slices[usize::from(slice)].tags {
            Tags::Idle => "which is idle".to_string(),
            Tags::Scheduled => "for its turn".to_string(),
            Tags::ReplyQueue => "whose head waits for room in the reply queue".to_string(),
            Tags::DramQueue => "whose head waits for room in the queue to DRAM".to_string(),
            Tags::Cache(why) => format!("whose head waits for a fill ({why:?})"),
        }
    }

    fn describe_jobs(&self, lines: &mut Vec<String>) {
        if self.jobs.taken() == 0 {
            return;
        }
        for number in 0..=self.highest_job {
            let job = &self.jobs[number];
            if job.over {
                continue;
            }
            let verb = if job.write { "write" } else { "fetch" };
            let (slice, line) = (job.slice, job.line.0);
            let place = match (job.to_send, job.pending) {
                (0, 0) => "its data is on the way to the slice".to_string(),
                (0, pending) => {
                    let place = self.map.place(line);
                    format!("{pending} atoms in the queue of channel {}, bank {}", place.channel, place.bank)
                }
                (to_send, _) => format!(
                    "in the queue of the slice, {} atoms for room in channel {}",
                    to_send.count_ones(),
                    self.map.channel(line)
                ),
            };
            lines.push(format!("slice {slice}, line {line:#x}: {verb}: {place}"));
        }
    }
}
