//! Figures that follow from a machine's keys.

use heddle_gpu::GpuSpec;
use heddle_memory::fabric::{Clocks, FabricSpec, LevelSpec, NetworkSpec};
use heddle_memory::request::Path;
use serde::Serialize;

/// Figures that follow from the keys of a GPU.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Derived {
    /// Those of its memory system.
    #[serde(flatten)]
    pub memory: MemoryFigures,
    /// Resident warps of all cores.
    pub warps: u64,
    /// Resident threads of all cores.
    pub threads: u64,
    /// Bytes of a core's registers.
    pub register_bytes: u64,
    /// Warp instructions that all cores issue per cycle at most.
    pub issue_width: u64,
    /// Lanes of all arithmetic units.
    pub lanes: u64,
}

/// Figures that follow from the keys of a memory system.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemoryFigures {
    /// Peak bandwidth of DRAM in bytes per second.
    pub dram_bytes_per_second: u64,
    /// Bytes that one DRAM transaction moves.
    pub dram_atom_bytes: u64,
    /// Bytes that the network which brings global loads their data delivers to all cores or requesters per second at
    /// most; 0 without a network.
    pub reply_bytes_per_second: u64,
    /// Flits of an address packet and of one with a line of data.
    pub packet_flits: [u32; 2],
    /// The first data cache, without a split that overrides it, and the shared levels, from the cores or requesters down.
    pub levels: Vec<LevelFigures>,
}

/// Figures that follow from the keys of a level of caches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelFigures {
    /// Its name.
    pub name: String,
    /// Bytes of all its instances.
    pub bytes: u64,
    /// Slices of an instance.
    pub slices: u32,
    /// Sets of a slice.
    pub slice_sets: u64,
}

impl LevelFigures {
    fn new(level: &LevelSpec, cores: u32) -> LevelFigures {
        LevelFigures {
            name: level.name.clone(),
            bytes: level.size.0 * u64::from(level.instances(cores)),
            slices: level.slices,
            slice_sets: level.slice().sets().into(),
        }
    }
}

/// Figures that follow from the keys of a checked memory system for so many cores or requesters.
pub fn memory_figures(memory: &FabricSpec, clocks: &Clocks, cores: u32) -> MemoryFigures {
    let data = memory.serving(Path::Global);
    let levels = std::iter::once(data).chain(memory.shared_levels());
    let network = memory.data_network();
    let flits = |bytes| network.map_or(0, |network| network.crossbar.flits(bytes));
    let bytes_per_second = |network: &NetworkSpec| {
        clocks.of_network(network).hertz() * network.crossbar.flit.0 * u64::from(network.crossbar.width)
    };
    MemoryFigures {
        dram_bytes_per_second: memory.dram.peak_bandwidth().bytes_per_second(),
        dram_atom_bytes: memory.dram.atom(),
        reply_bytes_per_second: network.map_or(0, bytes_per_second) * u64::from(cores),
        packet_flits: [flits(0), flits(data.line.0)],
        levels: levels.map(|level| LevelFigures::new(level, cores)).collect(),
    }
}

/// Figures that follow from the keys of a checked GPU.
pub fn derived(spec: &GpuSpec) -> Derived {
    let core = &spec.core;
    let cores = u64::from(core.count);
    let memory = memory_figures(&spec.memory, &spec.clocks, core.count);
    Derived {
        memory,
        warps: cores * u64::from(core.warps),
        threads: cores * u64::from(core.threads),
        register_bytes: 4 * u64::from(core.registers),
        issue_width: cores * u64::from(core.schedulers) * u64::from(core.issue_width),
        lanes: cores * u64::from(core.arithmetic_units) * u64::from(core.simd_width),
    }
}
