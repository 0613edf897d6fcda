//! What a machine's caches, their policies and the mechanisms of cores cost in bits, and so what a mechanism adds.

use crate::error::MachineError;
use crate::kind::MachineSpec;
use crate::machine::Machine;
use heddle_gpu::{GpuSpec, hardware_detected_bits, register_prefetch_bits};
use heddle_memory::cache::{ADDRESS_BITS, CacheSpec, GranularityKind, InclusionKind};
use heddle_memory::fabric::{FabricSpec, LevelSpec};
use heddle_memory::request::Path;

/// Bits of storage of all data caches of a machine: data, tags, valid bits, victim caches, tables of policies.
pub fn cache_bits(spec: &GpuSpec) -> u64 {
    memory_bits(&spec.memory, spec.core.count)
}

/// The same of a memory system for so many cores or requesters.
fn memory_bits(memory: &FabricSpec, cores: u32) -> u64 {
    let of_level = |level: &LevelSpec| {
        let cache = level.slice();
        let policies = cache.policy_bits(&memory.policies, inclusion_below(memory, level), cores).total();
        u64::from(level.instances(cores)) * u64::from(level.slices) * (bits_of(&cache) + policies)
    };
    data_caches(memory).map(of_level).sum::<u64>() + u64::from(cores) * policy_bits_of_core(memory)
}

/// Bits of the tables of policies that each core has one set of, whatever caches are above and below each other.
fn policy_bits_of_core(memory: &FabricSpec) -> u64 {
    data_caches(memory).map(|level| level.slice().policy_bits_of_core(&memory.policies)).sum()
}

fn data_caches(memory: &FabricSpec) -> impl Iterator<Item = &LevelSpec> {
    memory.caches.iter().filter(|level| !level.is_private() || level.serves.contains(&Path::Global))
}

fn inclusion_below(memory: &FabricSpec, level: &LevelSpec) -> InclusionKind {
    memory.cache(&level.below).map_or(InclusionKind::NonInclusive, |below| below.inclusion)
}

/// Bits that the policies of one instance of a level have in tags, and in tables. The tables of a core stand with its own
/// data cache.
fn policy_bits(memory: &FabricSpec, level: &LevelSpec, cores: u32) -> (u64, u64) {
    let (cache, below) = (level.slice(), inclusion_below(memory, level));
    let tags = cache.policy_tag_bits(&memory.policies, below, cores);
    let tables = cache.policy_bits(&memory.policies, below, cores).total() - tags;
    let of_core = if level.serves.contains(&Path::Global) { policy_bits_of_core(memory) } else { 0 };
    (u64::from(level.slices) * tags, u64::from(level.slices) * tables + of_core)
}

/// Bits of all caches, and of what cores have beside the baseline's.
fn bits(spec: &MachineSpec) -> u64 {
    match spec {
        MachineSpec::Gpu(spec) => {
            cache_bits(spec) + u64::from(spec.core.count) * register_prefetch_bits(&spec.core)
        }
        MachineSpec::Memory(spec) => memory_bits(&spec.memory, spec.requesters.count),
    }
}

/// Bits that a mechanism adds to a machine; negative if it saves some.
pub fn added_bits(machine: &Machine, mechanism: &str) -> Result<i64, MachineError> {
    let (without, with) = (machine.resolve_any()?, machine.clone().with(&[mechanism]).resolve_any()?);
    Ok(bits(&with.spec) as i64 - bits(&without.spec) as i64)
}

/// What a mechanism costs, from its configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MechanismCost {
    /// Bits that it adds to the whole machine; 0 if it saves some.
    pub bits: u64,
    /// Those of them that are in every core, its own caches excepted.
    pub bits_per_core: u64,
    /// The register file of a core, which costs are compared with.
    pub register_file_bytes: u64,
    /// What it adds to the policies of each level of data caches, in tags and in tables.
    pub levels: Vec<LevelCost>,
}

/// What a mechanism adds to the policies of one instance of a level: of a core's own cache, or of all slices of a shared
/// one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelCost {
    /// The level.
    pub name: String,
    /// Bits in the tags of its lines.
    pub tag_bits: u64,
    /// Bits in tables.
    pub table_bits: u64,
}

/// What the second of two machines has more than the first, by level.
fn level_costs(without: &GpuSpec, with: &GpuSpec) -> Vec<LevelCost> {
    let of = |spec: &GpuSpec, level: &LevelSpec| policy_bits(&spec.memory, level, spec.core.count);
    let pairs = data_caches(&without.memory).zip(data_caches(&with.memory));
    let cost = |(before, after): (&LevelSpec, &LevelSpec)| {
        let ((old_tags, old_tables), (tags, tables)) = (of(without, before), of(with, after));
        LevelCost {
            name: after.name.clone(),
            tag_bits: tags.saturating_sub(old_tags),
            table_bits: tables.saturating_sub(old_tables),
        }
    };
    pairs.map(cost).collect()
}

/// What a mechanism costs on a machine. [`HARDWARE_DETECTED`] names no mechanism but the structures of one.
pub fn mechanism_cost(machine: &Machine, mechanism: &str) -> Result<MechanismCost, MachineError> {
    let without = machine.resolve()?;
    let core = &without.spec.core;
    let (bits, bits_per_core, levels) = match mechanism {
        HARDWARE_DETECTED => {
            let each = hardware_detected_bits(core);
            (u64::from(core.count) * each, each, level_costs(&without.spec, &without.spec))
        }
        _ => {
            let with = machine.clone().with(&[mechanism]).resolve()?;
            let each = |spec: &GpuSpec| register_prefetch_bits(&spec.core);
            (
                added_bits(machine, mechanism)?.max(0) as u64,
                each(&with.spec).saturating_sub(each(&without.spec)),
                level_costs(&without.spec, &with.spec),
            )
        }
    };
    Ok(MechanismCost { bits, bits_per_core, register_file_bytes: 4 * u64::from(core.registers), levels })
}

/// The structures that table 2 of \[Lakshminarayana14\] lists: prefetching into spare registers with detection in
/// hardware and a variable distance.
pub const HARDWARE_DETECTED: &str = "spare-registers-table-2";

fn bits_of(cache: &CacheSpec) -> u64 {
    let offset = u64::from(cache.line.0.ilog2());
    let index = u64::from(cache.sets().max(1).ilog2());
    // Lines that are fetched whole are valid as a whole.
    let valid = match cache.granularity {
        GranularityKind::Line => 1,
        _ => u64::from(cache.sectors_per_line()),
    };
    let line = |index: u64| 8 * cache.line.0 + ADDRESS_BITS - offset - index + valid;
    let lines = u64::from(cache.sets()) * u64::from(cache.ways);
    lines * line(index) + u64::from(cache.victim_lines) * line(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mechanisms_cost_what_their_tables_and_lines_take() {
        let fermi = Machine::named("fermi").unwrap();
        let added = |name: &str| added_bits(&fermi, name).unwrap();
        assert_eq!(added("none"), 0);
        // 16 victim caches of 8 lines: data, 33 bits of tag, a valid bit.
        assert_eq!(added("victim"), 16 * 8 * (1024 + 33 + 1));
        // Three more valid bits for each of 384 lines in 16 cores and 1024 in 6 slices.
        assert_eq!(added("sector"), 3 * (16 * 384 + 6 * 1024));
        assert!(added("obm") > added("obm-l2") && added("obm-l2") > 0);
        assert!(added("stride") > 16 * 1024);
        // Four bits of core and three more for each of 6144 lines of L2; in each core a bit for 384 lines, 32 entries
        // of a region, four flags and three counters, and a counter.
        assert_eq!(added("r-ex"), 6144 * 7 + 16 * (384 + 32 * 50 + 10));
        // A tag of 20 bits, a valid bit and a counter for each of 1024 macroblocks, in every cache.
        assert_eq!((added("mat-l2"), added("mat")), (6 * 1024 * 29, (16 + 6) * 1024 * 29));
        // For each set a tag, an exponent, two bits and a way: of six in 64 sets, of eight in 128.
        assert_eq!(added("ab"), 16 * 64 * (31 + 4 + 2 + 3) + added("ab-l2"));
        assert_eq!(added("ab-l2"), 6 * 128 * (31 + 4 + 2 + 3));
        // As R-EX with 31 entries and counters of 11 bits, and the bounds of 31 allocations; then, in each core, the
        // number of an instruction for 384 lines, 15 entries and 16 counters.
        assert_eq!(added("bc-l2"), 6144 * 7 + 16 * (384 + 31 * 53 + 11 + 31 * 80));
        assert_eq!(added("bc"), added("bc-l2") + 16 * (384 * 4 + 15 * 63 + 16 * 12));
        // As `sector`, and in each L1 32 entries of seven counters, and for each line an entry, a sector and a mask.
        let l1 = 32 * 7 * 4 + 384 * (5 + 2 + 4);
        assert_eq!(added("nap-l1"), added("sector") + 16 * l1);
        assert_eq!(added("nap"), added("nap-l1") + 6 * (32 * 7 * 4 + 1024 * (5 + 2 + 4)));
        let table = 1024 * (33 + 10) + 128 * (21 + 10);
        assert_eq!((added("ghb"), added("ghb-l2")), (16 * (table + 384), 6 * (table + 1024)));
        let table = 512 * (2 * 33 + 2 + 2 + 1 + 16 + 9);
        assert_eq!((added("stream"), added("stream-l2")), (16 * (table + 384), 6 * (table + 1024)));
    }

    #[test]
    fn tables_of_cores_cost_each_core_one_set_whatever_levels_are_between() {
        let cluster = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/machines/cluster-cache.toml");
        let machine = Machine::named(cluster).unwrap();
        // Seven bits for each of 6144 lines of L2, the copy-back bit of 512 lines of each of eight caches above it, and in
        // each of 16 cores 32 entries of a region, four flags and three counters, and a counter.
        assert_eq!(added_bits(&machine, "r-ex").unwrap(), 43_008 + 8 * 512 + 16 * 1610);
        let regions = 31 * 53 + 11 + 31 * 80;
        assert_eq!(added_bits(&machine, "bc-l2").unwrap(), 43_008 + 8 * 512 + 16 * regions);
        let levels = mechanism_cost(&machine, "r-ex").unwrap().levels.into_iter();
        let costs: Vec<(String, u64, u64)> =
            levels.map(|level| (level.name, level.tag_bits, level.table_bits)).collect();
        let expected = [("l1", 0, 1610), ("cluster", 512, 0), ("l2", 43_008, 0)];
        assert_eq!(costs, expected.map(|(name, tags, tables)| (name.to_owned(), tags, tables)));
    }

    #[test]
    fn what_is_in_tags_and_in_tables_is_told_apart_by_level() {
        let fermi = Machine::named("fermi").unwrap();
        let of = |name: &str| {
            let levels = mechanism_cost(&fermi, name).unwrap().levels;
            levels.into_iter().map(|level| (level.name, level.tag_bits, level.table_bits)).collect::<Vec<_>>()
        };
        let tables = 31 * 53 + 11 + 31 * 80 + 15 * 63 + 16 * 12;
        assert_eq!(of("bc"), [("l1".to_owned(), 384 * 5, tables), ("l2".to_owned(), 5376 * 8, 0)]);
        assert_eq!(of("none"), [("l1".to_owned(), 0, 0), ("l2".to_owned(), 0, 0)]);
    }
}
