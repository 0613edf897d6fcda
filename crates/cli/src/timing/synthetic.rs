//! A stand-in for a machine with time: it executes functionally and makes counts up, so that reports can be
//! tested on figures that a test knows.
//!
//! A launch takes ten cycles per warp instruction, five with the mechanism `fast`; the counts below follow from
//! them. The mechanism `broken` does not exist.

use super::{Built, Hook, MachineChoice};
use crate::failure::Failure;
use crate::ratio::{Levels, MachineFigures, Ratios};
use heddle_device::{LaunchError, LaunchReport, Machine};
use heddle_energy::{ComponentEnergy, Energy, EnergyError};
use heddle_engine::{Statistics, counters};
use heddle_gpu::{
    IntervalSample, LaunchTiming, LoadWait, PairWaits, Record, RunProgress, RunSettings, SharedRecord, Span,
};
use heddle_memory::fabric::Captured;
use heddle_ptx::exec::{Functional, LaunchRequest};
use std::cell::RefCell;
use std::rc::Rc;

/// The clock of its cores.
pub(crate) const CORE_HERTZ: u64 = 1_000_000_000;

counters! {
    /// Issue slots.
    pub(crate) struct Slots {
        busy: "slots", "Busy: a warp instruction issued.";
        dram: "slots", "Data: waited for a load that DRAM answered.";
        fetch: "slots", "Idle: warps had no instruction.";
    }
}

counters! {
    /// Cores.
    pub(crate) struct Core {
        warp_instructions: "instructions", "Instructions executed by warps.";
        thread_instructions: "instructions", "Instructions executed by lanes.";
    }
}

counters! {
    /// A cache.
    pub(crate) struct Cache {
        accesses: "accesses", "Requests taken.";
        reads: "accesses", "Reads taken.";
        writes: "accesses", "Writes taken.";
        atomics: "accesses", "Atomics taken.";
        read_hits: "accesses", "Reads whose data was there.";
        read_misses: "accesses", "Reads for which something was fetched.";
        write_misses: "accesses", "Writes whose line was not there.";
        atomic_misses: "accesses", "Atomics that waited for data.";
        merges: "accesses", "Reads that were merged into an outstanding miss.";
        passed_reads: "requests", "Reads that passed.";
        sectors_used: "sectors", "Sectors of lines that were touched.";
        lines_used_counted: "lines", "Lines whose used sectors were counted.";
    }
}

counters! {
    /// DRAM.
    pub(crate) struct Dram {
        reads: "commands", "Read commands.";
        forwarded_reads: "requests", "Reads that were answered from a write.";
        bytes_read: "bytes", "Bytes that read commands moved.";
        bytes_written: "bytes", "Bytes that write commands moved.";
        row_hits: "requests", "Requests that found their row open.";
        row_misses: "requests", "Requests that found their bank closed.";
        row_conflicts: "requests", "Requests for which another row was closed first.";
        queue_wait_cycles: "cycles", "Clocks until column commands.";
        read_latency_cycles: "cycles", "Clocks until the last beats of reads.";
    }
}

#[derive(Debug)]
struct Synthetic {
    functional: Functional,
    settings: RunSettings,
    record: SharedRecord,
    cycles_per_instruction: u64,
    launches: u64,
    now: u64,
}

/// Makes one, as [`super::build`] does.
pub(crate) fn build(choice: &MachineChoice, settings: RunSettings, mut hook: Hook) -> Result<Built, Failure> {
    if choice.with.iter().any(|name| name == "broken") {
        return Err(Failure::new("there is no mechanism 'broken'"));
    }
    let begun = RunProgress { launch: 0, kernel: "", cycle: 0, warp_instructions: 0 };
    assert!(hook(&begun).is_continue(), "nobody has interrupted it");
    let record = Rc::new(RefCell::new(Record::default()));
    {
        record.borrow_mut().answerers = ["l1", "l2", "dram"].map(str::to_owned).into();
        let catalogue = &mut record.borrow_mut().catalogue;
        catalogue.declare::<Slots>("slots");
        catalogue.declare::<Core>("core");
        catalogue.declare::<Cache>("l1");
        catalogue.declare::<Cache>("l2");
        ["instruction", "constant", "texture"].iter().for_each(|group| catalogue.declare::<Cache>(group));
        catalogue.declare::<Dram>("dram");
    }
    let machine = Synthetic {
        functional: Functional::default(),
        settings,
        record: record.clone(),
        cycles_per_instruction: if choice.with.iter().any(|name| name == "fast") { 5 } else { 10 },
        launches: 0,
        now: 100,
    };
    let levels = Levels {
        data_cache: "l1".to_owned(),
        other_caches: ["constant", "texture", "instruction"].map(str::to_owned).into(),
        shared_caches: vec!["l2".to_owned()],
        ..Levels::default()
    };
    Ok(Built {
        machine: Box::new(machine),
        record,
        name: choice.machine.clone(),
        resolved: format!("name = {:?}\n[core]\nwith = {:?}\n", choice.machine, choice.with),
        mechanisms: choice.with.clone(),
        notes: Vec::new(),
        files: Vec::new(),
        figures: MachineFigures {
            ratios: Ratios::new(&levels),
            levels,
            cores: 2,
            warps_per_core: 48,
            schedulers_per_core: 1,
            core_hertz: CORE_HERTZ,
            dram_bytes_per_second: 64_000_000_000,
        },
        pricer: Some(Box::new(price)),
        rehearses: false,
    })
}

/// A nanojoule per instruction and a watt for being there.
fn price(statistics: &Statistics, seconds: f64) -> Result<Energy, EnergyError> {
    let dynamic_joules = statistics.get("core.warp_instructions").unwrap_or_default() as f64 * 1e-9;
    let total_joules = dynamic_joules + seconds;
    Ok(Energy {
        table: "synthetic".to_owned(),
        total_joules,
        dynamic_joules,
        static_joules: seconds,
        average_watts: if seconds > 0.0 { total_joules / seconds } else { 0.0 },
        seconds,
        energy_delay: total_joules * seconds,
        components: vec![ComponentEnergy {
            component: "cores".to_owned(),
            dynamic_joules,
            static_joules: seconds,
        }],
        rows: Vec::new(),
    })
}

impl Machine for Synthetic {
    fn launch(&mut self, request: LaunchRequest<'_>) -> Result<LaunchReport, LaunchError> {
        let report = self.functional.launch(request)?;
        let launch = self.launches;
        self.launches += 1;
        let mut record = self.record.borrow_mut();
        if self.settings.launches.as_ref().is_some_and(|wanted| !wanted.contains(launch)) {
            record.skipped_launches += 1;
            return Ok(report);
        }
        let cycles = report.warp_instructions * self.cycles_per_instruction;
        let timing = self.timing(launch, &report, cycles);
        if self.settings.trace {
            for core in 0..2 {
                let name = format!("{} block {core}", report.kernel);
                let span = Span { core: Some(core), row: 0, name, start_cycle: self.now, cycles };
                record.spans.push(span);
            }
        }
        if self.settings.capture_dram {
            record.dram_stream.push(Captured {
                channel: 0,
                address: 0x80,
                write: launch % 2 == 1,
                cycle: launch,
                latency: 9,
            });
        }
        record.launches.push(timing);
        self.now += cycles + 50;
        Ok(report)
    }
}

impl Synthetic {
    fn timing(&self, launch: u64, report: &LaunchReport, cycles: u64) -> LaunchTiming {
        let statistics = counted(report.warp_instructions, report.lane_instructions, cycles);
        let half = counted(report.warp_instructions / 2, report.lane_instructions / 2, cycles / 2);
        let samples = [(cycles / 2, half), (cycles, statistics.clone())];
        let sample = |(cycle, statistics)| IntervalSample { cycle, statistics };
        LaunchTiming {
            launch,
            kernel: report.kernel.clone(),
            start_cycle: self.now,
            cycles,
            seconds: cycles as f64 / CORE_HERTZ as f64,
            statistics,
            loads: vec![
                access("kernel.ptx:9:5 (from bfs.cu:12): ld.global.s32", cycles),
                access("kernel.ptx:11:5: st.global.s32", 2 * cycles),
            ],
            pairs: PairWaits::default(),
            resident_blocks: 3,
            resident_warps: 24,
            limited_by: "registers".to_owned(),
            registers: 20,
            spilled_registers: 0,
            registers_capped_by: None,
            l1_bytes: 16 << 10,
            intervals: self.settings.interval.map_or(Vec::new(), |_| samples.map(sample).into()),
        }
    }
}

fn access(place: &str, wait_cycles: u64) -> LoadWait {
    let pc = place.len() as u32;
    let (count, transactions, answered) = (10, 40, vec![10, 10, 20]);
    LoadWait { pc, place: place.to_owned(), count, transactions, wait_cycles, answered }
}

/// The counts of so many instructions.
fn counted(warps: u64, lanes: u64, cycles: u64) -> Statistics {
    let mut statistics = Statistics::default();
    let waited = (2 * cycles).saturating_sub(warps);
    statistics.add_group("slots", &Slots { busy: warps, dram: waited / 3, fetch: waited - waited / 3 });
    statistics.add_group("core", &Core { warp_instructions: warps, thread_instructions: lanes });
    let cache = |share: u64| Cache {
        accesses: warps / share,
        reads: warps / share,
        read_hits: warps / share / 2,
        read_misses: warps / share - warps / share / 2,
        sectors_used: 3 * warps,
        lines_used_counted: 2 * warps,
        ..Cache::default()
    };
    statistics.add_group("l1", &cache(2));
    statistics.add_group("l2", &cache(4));
    let others = ["instruction", "constant", "texture"];
    others.iter().for_each(|group| statistics.add_group(group, &Cache::default()));
    let dram = Dram {
        reads: warps / 8,
        bytes_read: 32 * (warps / 8),
        row_hits: warps / 16,
        row_misses: warps / 8 - warps / 16,
        queue_wait_cycles: warps,
        read_latency_cycles: 2 * warps,
        ..Dram::default()
    };
    statistics.add_group("dram", &dram);
    statistics
}
