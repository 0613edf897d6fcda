//! Memory systems to test with.

use heddle_engine::units::{Bytes, Frequency};
use heddle_engine::{Clock, TimeBase};
use heddle_memory::cache::*;
use heddle_memory::crossbar::CrossbarSpec;
use heddle_memory::dram::{DramSpec, part, read_part};
use heddle_memory::fabric::{
    Acknowledge, ClockDomains, FabricSpec, FetchUnit, LevelSpec, NetworkSpec, SliceMap,
};
use heddle_memory::request::Path;

/// A memory system of the usual shape: four caches of a core, a crossbar, L2, DRAM.
#[derive(Clone)]
pub(crate) struct Figures {
    pub(crate) interconnect: CrossbarSpec,
    pub(crate) l1: LevelSpec,
    pub(crate) constant: LevelSpec,
    pub(crate) texture: LevelSpec,
    pub(crate) instruction: LevelSpec,
    pub(crate) l2: LevelSpec,
    pub(crate) policies: PolicySpec,
    pub(crate) dram: DramSpec,
}

impl Figures {
    /// The description that a machine file would give.
    pub(crate) fn fabric(&self) -> FabricSpec {
        let Figures { interconnect, l1, constant, texture, instruction, l2, policies, dram } = self.clone();
        FabricSpec {
            caches: vec![l1, constant, texture, instruction, l2],
            networks: vec![NetworkSpec { name: "interconnect".to_owned(), crossbar: interconnect }],
            agents: Vec::new(),
            policies,
            dram,
        }
    }
}

/// A level.
fn level(name: &str, below: &str, size: u64, ways: u32) -> LevelSpec {
    LevelSpec {
        clock: None,
        name: name.to_owned(),
        below: below.to_owned(),
        link: "direct".to_owned(),
        link_latency: 0,
        serves: Vec::new(),
        shared_by: 0,
        slices: 1,
        map: SliceMap::Interleaved,
        interleave: Bytes(0),
        input_queue: 0,
        reply_queue: 0,
        dram_queue: 0,
        fetch: FetchUnit::default(),
        count_sharing: false,
        acknowledge: Acknowledge::default(),
        atomic_cycles: 0,
        size: Bytes(size),
        ways,
        line: Bytes(128),
        sector: Bytes(128),
        index: IndexKind::Plain,
        replacement: ReplacementKind::Lru,
        allocate: Allocate::OnFill,
        write_hit: WriteHit::Evict,
        write_miss: WriteMiss::NoAllocate,
        mshrs: 64,
        merges: 8,
        miss_queue: 0,
        latency: 4,
        banks: 1,
        ports: 1,
        victim_lines: 0,
        inclusion: InclusionKind::NonInclusive,
        bypass: BypassKind::Never,
        granularity: GranularityKind::Line,
        prefetch: PrefetchKind::None,
    }
}

/// A cache of a core.
fn cache(name: &str, serves: &[Path], size: u64, ways: u32) -> LevelSpec {
    let link = "interconnect".to_owned();
    LevelSpec { serves: serves.to_vec(), link, miss_queue: 8, ..level(name, "l2", size, ways) }
}

/// A DRAM part that comes with the program.
pub(crate) fn dram(name: &str) -> DramSpec {
    read_part(part(name).unwrap().text, &[]).unwrap()
}

/// Like the machine of \[Lakshminarayana14\]: 6 slices over 8 channels, L2 writes through.
pub(crate) fn fermi() -> Figures {
    Figures {
        interconnect: CrossbarSpec {
            clock: None,
            classes: Vec::new(),
            flit: Bytes(32),
            header: Bytes(32),
            latency: 8,
            input_queue: 8,
            output_queue: 16,
            interleave: 0,
            interleave_requests: 0,
            request_speedup: 1,
            width: 1,
        },
        l1: cache("l1", &[Path::Global, Path::Local], 48 << 10, 6),
        constant: cache("constant", &[Path::Constant], 8 << 10, 2),
        texture: cache("texture", &[Path::Texture], 8 << 10, 2),
        instruction: cache("instruction", &[Path::Instruction], 4 << 10, 4),
        l2: LevelSpec {
            slices: 6,
            interleave: Bytes(256),
            input_queue: 16,
            reply_queue: 16,
            dram_queue: 16,
            atomic_cycles: 1,
            latency: 78,
            ..level("l2", "dram", 768 << 10, 8)
        },
        policies: PolicySpec::default(),
        dram: dram("gddr5-fermi"),
    }
}

/// Like a GTX 480: 12 slices of 32-byte sectors, two to a channel, L2 writes back.
pub(crate) fn gtx480() -> Figures {
    let mut spec = fermi();
    spec.interconnect = CrossbarSpec {
        clock: None,
        classes: Vec::new(),
        flit: Bytes(40),
        header: Bytes(8),
        latency: 4,
        input_queue: 8,
        output_queue: 32,
        interleave: 0,
        interleave_requests: 0,
        request_speedup: 1,
        width: 1,
    };
    spec.l1 = LevelSpec {
        index: IndexKind::Fermi,
        allocate: Allocate::OnMiss,
        latency: 35,
        size: Bytes(16 << 10),
        ways: 4,
        ..spec.l1
    };
    spec.l2 = LevelSpec {
        slices: 12,
        map: SliceMap::ByChannel,
        interleave: Bytes(0),
        input_queue: 64,
        reply_queue: 64,
        dram_queue: 64,
        sector: Bytes(32),
        index: IndexKind::Plain,
        allocate: Allocate::OnMiss,
        write_hit: WriteHit::Back,
        write_miss: WriteMiss::Allocate,
        mshrs: 256,
        merges: 4,
        latency: 120,
        granularity: GranularityKind::Sector,
        ..spec.l2
    };
    spec.dram = dram("gddr5-gtx480");
    spec
}

/// The same with queues, MSHRs and caches so small that everything fills up all the time.
pub(crate) fn tiny(mut spec: Figures) -> Figures {
    spec.interconnect.input_queue = 1;
    spec.interconnect.output_queue = 2;
    for cache in [&mut spec.l1, &mut spec.constant, &mut spec.texture, &mut spec.instruction] {
        cache.size = Bytes(cache.line.0 * u64::from(cache.ways) * 2);
        (cache.mshrs, cache.merges, cache.miss_queue) = (3, 2, 1);
        // That of Fermi's L1 is for its own number of sets.
        cache.index = if cache.index == IndexKind::Fermi { IndexKind::Xor } else { cache.index };
    }
    let l2 = &mut spec.l2;
    l2.size = Bytes(l2.line.0 * 2 * u64::from(l2.ways) * u64::from(l2.slices));
    (l2.input_queue, l2.reply_queue, l2.dram_queue) = (1, 1, 1);
    (l2.mshrs, l2.merges, l2.latency) = (2, 2, 3);
    spec.dram.queue.entries = 2;
    spec
}

/// Clocks of these frequencies in MHz, and DRAM's own.
pub(crate) fn clocks(spec: &Figures, core: u64, interconnect: u64, l2: u64) -> ClockDomains {
    let hertz = |megahertz: u64| Frequency::from_hertz(megahertz * 1_000_000);
    let all = [hertz(core), hertz(interconnect), hertz(l2), spec.dram.clock];
    let base = TimeBase::common(&all).unwrap();
    let [core, interconnect, l2, dram] = all.map(|frequency| base.clock(frequency));
    domains(core, interconnect, l2, dram)
}

/// These clocks.
pub(crate) fn domains(core: Clock, interconnect: Clock, l2: Clock, dram: Clock) -> ClockDomains {
    let others = [("interconnect", interconnect), ("l2", l2)];
    ClockDomains { core, dram, others: others.map(|(name, clock)| (name.to_owned(), clock)).into() }
}

/// One clock for everything.
pub(crate) fn one_clock() -> ClockDomains {
    let clock = Clock::with_period(1);
    domains(clock, clock, clock, clock)
}
