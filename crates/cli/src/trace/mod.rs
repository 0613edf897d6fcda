//! A run as a timeline that Perfetto (ui.perfetto.dev) shows: a TrackEvent trace in its binary format.
//!
//! Every core is a process with a row per block slot; the machine is a process with a row of launches and
//! counter tracks from interval samples. Time is simulated time in nanoseconds since the machine was switched
//! on. The numbers of fields are those of Perfetto's published schema (`trace_packet.proto`,
//! `track_descriptor.proto`, `track_event.proto`).

mod protobuf;
#[cfg(test)]
mod tests;

use crate::result::{IntervalRow, RunResult};
use heddle_energy::PowerPoint;
use heddle_gpu::{Record, Span};
use heddle_memory::fabric::in_prose;
use protobuf::Message;
use std::collections::BTreeSet;

/// `Trace.packet`.
const TRACE_PACKET: u64 = 1;

/// Fields of `TracePacket`.
mod packet {
    pub(super) const TIMESTAMP: u64 = 8;
    pub(super) const SEQUENCE: u64 = 10;
    pub(super) const EVENT: u64 = 11;
    pub(super) const DESCRIPTOR: u64 = 60;
}

/// Fields of `TrackDescriptor`, with those of the descriptors in it.
mod descriptor {
    pub(super) const UUID: u64 = 1;
    pub(super) const NAME: u64 = 2;
    pub(super) const PROCESS: u64 = 3;
    pub(super) const THREAD: u64 = 4;
    pub(super) const PARENT: u64 = 5;
    pub(super) const COUNTER: u64 = 8;
    pub(super) const PROCESS_ID: u64 = 1;
    pub(super) const PROCESS_NAME: u64 = 6;
    pub(super) const THREAD_PROCESS_ID: u64 = 1;
    pub(super) const THREAD_ID: u64 = 2;
    pub(super) const THREAD_NAME: u64 = 5;
    pub(super) const COUNTER_UNIT_NAME: u64 = 6;
}

/// Fields of `TrackEvent`.
mod event {
    pub(super) const TYPE: u64 = 9;
    pub(super) const TRACK: u64 = 11;
    pub(super) const NAME: u64 = 23;
    pub(super) const VALUE: u64 = 44;
    pub(super) const BEGIN: u64 = 1;
    pub(super) const END: u64 = 2;
    pub(super) const COUNTER: u64 = 4;
}

/// The machine's process, and its row of launches.
const MACHINE: u64 = 1;
const LAUNCHES: u64 = 2;
/// Track numbers of counters begin here.
const COUNTERS: u64 = 16;
/// Track numbers of cores begin here: that of the process, then those of its rows.
const CORES: u64 = 1 << 32;
const ROWS: u64 = 1 << 16;

/// A counter track: its name, its unit, and its value in an interval.
type Counter<'a> = (String, &'static str, Box<dyn Fn(&IntervalRow) -> Option<f64> + 'a>);

fn counter_tracks(intervals: &[IntervalRow]) -> Vec<Counter<'_>> {
    let mut tracks: Vec<Counter<'_>> =
        vec![("IPC".to_owned(), "warp instructions/cycle", Box::new(|row| row.ipc))];
    for name in intervals.first().iter().flat_map(|row| row.mpki.keys()) {
        let label = format!("{} MPKI", in_prose(name.trim_end_matches("_mpki")));
        let value = move |row: &IntervalRow| row.mpki.get(name).copied().flatten();
        tracks.push((label, "misses/1000 instructions", Box::new(value)));
    }
    let bandwidth = |row: &IntervalRow| row.dram_bytes_per_second.map(|rate| rate / 1e9);
    tracks.push(("DRAM bandwidth".to_owned(), "GB/s", Box::new(bandwidth)));
    tracks
}

/// Makes the trace of a finished run.
pub(crate) fn encode(record: &Record, result: &RunResult, core_hertz: u64) -> Vec<u8> {
    let mut writer = Writer { bytes: Vec::new(), core_hertz: core_hertz.max(1), events: Vec::new() };
    writer.process(MACHINE, 1, &result.machine);
    writer.row(LAUNCHES, 1, 2, "launches");
    writer.cores(record);
    writer.launches(result);
    record.spans.iter().for_each(|span| writer.span(span));
    let intervals = result.time.as_ref().map_or(&[][..], |time| &time.intervals);
    let power = writer.counters(intervals);
    writer.power(power, result.time.as_ref().map_or(&[][..], |time| &time.power));
    writer.finish()
}

struct Writer {
    bytes: Vec<u8>,
    core_hertz: u64,
    /// Nanosecond, order among events of one nanosecond, event.
    events: Vec<(u64, u8, Message)>,
}

/// Track number of a core's row.
fn row_track(core: u32, row: u32) -> u64 {
    CORES + u64::from(core) * ROWS + 1 + u64::from(row) % (ROWS - 1)
}

impl Writer {
    /// Nanoseconds of simulated time at a core cycle.
    fn nanoseconds(&self, cycle: u64) -> u64 {
        (u128::from(cycle) * 1_000_000_000 / u128::from(self.core_hertz)) as u64
    }

    fn packet(&mut self, packet: Message) {
        let packet = packet.number(packet::SEQUENCE, 1);
        self.bytes.extend(Message::new().message(TRACE_PACKET, &packet).finish());
    }

    fn process(&mut self, track: u64, id: u64, name: &str) {
        let process = Message::new().number(descriptor::PROCESS_ID, id).text(descriptor::PROCESS_NAME, name);
        let track = Message::new().number(descriptor::UUID, track).message(descriptor::PROCESS, &process);
        self.packet(Message::new().message(packet::DESCRIPTOR, &track));
    }

    fn row(&mut self, track: u64, process: u64, id: u64, name: &str) {
        let thread = Message::new()
            .number(descriptor::THREAD_PROCESS_ID, process)
            .number(descriptor::THREAD_ID, id)
            .text(descriptor::THREAD_NAME, name);
        let track = Message::new().number(descriptor::UUID, track).message(descriptor::THREAD, &thread);
        self.packet(Message::new().message(packet::DESCRIPTOR, &track));
    }

    /// The processes and rows of all cores that did something.
    fn cores(&mut self, record: &Record) {
        let rows: BTreeSet<(u32, u32)> =
            record.spans.iter().filter_map(|span| Some((span.core?, span.row))).collect();
        let mut named = None;
        for (core, row) in rows {
            let process = 100_000 * (u64::from(core) + 1);
            if named != Some(core) {
                self.process(CORES + u64::from(core) * ROWS, process, &format!("core {core}"));
                named = Some(core);
            }
            self.row(
                row_track(core, row),
                process,
                process + 1 + u64::from(row),
                &format!("block slot {row}"),
            );
        }
    }

    fn slice(&mut self, track: u64, name: &str, start_cycle: u64, cycles: u64) {
        let begin = self.nanoseconds(start_cycle);
        // A slice of no length would end before it begins in the order of events.
        let end = self.nanoseconds(start_cycle.saturating_add(cycles)).max(begin + 1);
        let opened = Message::new()
            .number(event::TYPE, event::BEGIN)
            .number(event::TRACK, track)
            .text(event::NAME, name);
        let closed = Message::new().number(event::TYPE, event::END).number(event::TRACK, track);
        self.events.push((begin, 1, opened));
        self.events.push((end, 0, closed));
    }

    fn span(&mut self, span: &Span) {
        let track = span.core.map_or(MACHINE, |core| row_track(core, span.row));
        self.slice(track, &span.name, span.start_cycle, span.cycles);
    }

    fn launches(&mut self, result: &RunResult) {
        for row in &result.launches {
            if let Some(time) = &row.time {
                let name = format!("{} {}", row.launch, row.kernel);
                self.slice(LAUNCHES, &name, time.start_cycle, time.cycles);
            }
        }
    }

    fn counter(&mut self, track: u64, name: &str, unit: &str) {
        let counter = Message::new().text(descriptor::COUNTER_UNIT_NAME, unit);
        let described = Message::new()
            .number(descriptor::UUID, track)
            .number(descriptor::PARENT, MACHINE)
            .text(descriptor::NAME, name)
            .message(descriptor::COUNTER, &counter);
        self.packet(Message::new().message(packet::DESCRIPTOR, &described));
    }

    /// The samples of power, each with its value: two where power changes, so that the trapezoidal rule over them
    /// gives the energy up to the nanoseconds of this format.
    fn power(&mut self, track: u64, power: &[PowerPoint]) {
        if power.is_empty() {
            return;
        }
        self.counter(track, "power", "W");
        for point in power {
            self.sample_at(track, (point.seconds * 1e9).round() as u64, point.watts);
        }
    }

    /// A track for each counter that has a value anywhere; a launch's last interval is followed by 0.
    /// Gives the number of the next track.
    fn counters(&mut self, intervals: &[IntervalRow]) -> u64 {
        let tracks = counter_tracks(intervals);
        let next = COUNTERS + tracks.len() as u64;
        for (index, (name, unit, value)) in tracks.into_iter().enumerate() {
            if intervals.iter().all(|row| value(row).is_none()) {
                continue;
            }
            let track = COUNTERS + index as u64;
            self.counter(track, &name, unit);
            for (index, row) in intervals.iter().enumerate() {
                self.sample(track, row.start_cycle, value(row).unwrap_or_default());
                let end = row.start_cycle + row.cycles;
                if intervals.get(index + 1).is_none_or(|next| next.start_cycle != end) {
                    self.sample(track, end, 0.0);
                }
            }
        }
        next
    }

    fn sample(&mut self, track: u64, cycle: u64, value: f64) {
        self.sample_at(track, self.nanoseconds(cycle), value);
    }

    fn sample_at(&mut self, track: u64, nanosecond: u64, value: f64) {
        let sample = Message::new()
            .number(event::TYPE, event::COUNTER)
            .number(event::TRACK, track)
            .real(event::VALUE, value);
        self.events.push((nanosecond, 2, sample));
    }

    /// The events in the order of time; of one nanosecond, ends come before begins.
    fn finish(mut self) -> Vec<u8> {
        let mut events = std::mem::take(&mut self.events);
        events.sort_by_key(|&(time, order, _)| (time, order));
        for (time, _, event) in events {
            self.packet(Message::new().number(packet::TIMESTAMP, time).message(packet::EVENT, &event));
        }
        self.bytes
    }
}
