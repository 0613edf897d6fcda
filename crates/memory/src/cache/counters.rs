//! What a cache counts.

heddle_engine::counters! {
    /// What a cache saw. Requests that were refused count only as refused: every other one is a hit, a miss, or
    /// (reads) merged.
    pub struct CacheCounters {
        accesses: "accesses", "Requests that looked at the tags: reads, writes and atomics, without prefetches and without what passes.";
        reads: "accesses", "Reads taken.";
        writes: "accesses", "Writes taken.";
        atomics: "accesses", "Atomics taken; where they pass (core.atomics_pass_l1), they are among no accesses.";
        read_hits: "accesses", "Reads whose data was there.";
        read_misses: "accesses", "Reads for which something was fetched.";
        merges: "accesses", "Reads that were merged into an outstanding miss.";
        passed_reads: "requests", "Reads that passed without a look at the tags (ld.cg, ld.cv, volatile and ordered loads); in no other count.";
        sector_misses: "accesses", "Requests whose line was there, but not all sectors that they need: a read or an atomic needs them whole, a write needs to find something of them.";
        write_hits: "accesses", "Writes whose line was there, be it of sectors written in part.";
        write_misses: "accesses", "Writes whose line was not there, whether they allocate it, fetch something, or go below.";
        atomic_hits: "accesses", "Atomics performed here whose data was there.";
        atomic_misses: "accesses", "Atomics that waited for data, or went below.";
        fills: "times", "Fills: arrivals of data from below.";
        fills_from_dram: "times", "Those of them that came from DRAM.";
        sectors_filled: "sectors", "Sectors that arrived from below.";
        sectors_fetched: "sectors", "Sectors asked for from below, prefetches included.";
        bypassed_fills: "lines", "Lines that arrived and were not kept, by the bypass policy.";
        insertions: "lines", "Lines inserted.";
        evictions: "lines", "Lines evicted for another.";
        write_evictions: "lines", "Lines evicted by a write or an atomic on them.";
        dirty_evictions: "lines", "Lines that were dirty when they were evicted.";
        writebacks: "lines", "Lines of which dirty sectors were sent below.";
        sectors_written_back: "sectors", "Dirty sectors sent below.";
        lines_used_counted: "lines", "Lines whose used sectors were counted at their eviction.";
        lines_one_sector: "lines", "Those of them of which one sector was touched.";
        sectors_used: "sectors", "Sectors of those lines that were touched while there.";
        victim_hits: "accesses", "Hits in the victim cache, also counted as hits.";
        victims_given: "lines", "Lines given to the level below for insertion there.";
        victims_taken: "lines", "Lines inserted here that the level above gave.";
        moved_up: "accesses", "Hits that moved sectors to the level above, by exclusion.";
        blocked_mshrs: "times", "Refusals because every MSHR was in use.";
        blocked_merges: "times", "Refusals because too many waited for the line.";
        blocked_ways: "times", "Refusals because every way of the set was reserved.";
        prefetches_wished: "lines", "Lines that the prefetcher asked for.";
        prefetches_issued: "lines", "Prefetches for which something was fetched.";
        prefetches_useful: "lines", "Prefetched lines that a request touched afterwards, or waited for.";
        prefetches_unused: "lines", "Prefetched lines that were evicted untouched.";
    }
}

/// What a cache can be asked, by its place in a machine; its counters follow from that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A core's cache of instructions, which are fetched by lines.
    Instructions,
    /// A core's cache of what programs cannot write: constants, textures.
    ReadOnly,
    /// A core's data cache.
    Core,
    /// A cache below others and above another.
    Between,
    /// The last cache above memory.
    Shared,
}

/// Counters of writes and atomics, which never come to a cache that programs cannot write.
const WRITES: [&str; 9] = [
    "writes",
    "atomics",
    "write_hits",
    "write_misses",
    "atomic_misses",
    "write_evictions",
    "dirty_evictions",
    "writebacks",
    "sectors_written_back",
];
/// Counters of what only a cache below others does: it takes their victims, moves lines up, and the last performs atomics.
const BELOW: [&str; 3] = ["atomic_hits", "victims_taken", "moved_up"];
/// Counters of policies that machine files refuse in caches that programs cannot write.
const POLICIES: [&str; 5] =
    ["bypassed_fills", "prefetches_wished", "prefetches_issued", "prefetches_useful", "prefetches_unused"];
/// Counters of what the last cache above memory never does: loads pass none but a core's own, and memory takes no victims.
const ABOVE: [&str; 2] = ["passed_reads", "victims_given"];
/// The counter of a victim cache, which the last cache above memory declares only if it has one: few machines do.
const VICTIM_CACHE: &str = "victim_hits";

impl Role {
    /// Whether a cache in this role, with so many lines in the victim cache beside it, can move a counter of
    /// [`CacheCounters`].
    pub fn counts(self, name: &str, victim_lines: u32) -> bool {
        match self {
            Role::Instructions => name != "sector_misses" && Role::ReadOnly.counts(name, victim_lines),
            Role::ReadOnly => {
                let absent = [&WRITES[..], &BELOW, &POLICIES, &["passed_reads"]];
                !absent.iter().any(|names| names.contains(&name))
            }
            Role::Core => !BELOW.contains(&name),
            Role::Between => name != "passed_reads" && name != "atomic_hits",
            Role::Shared => !ABOVE.contains(&name) && (name != VICTIM_CACHE || victim_lines > 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_engine::CounterGroup;

    #[test]
    fn counters_that_a_role_leaves_out_exist() {
        let known = |name: &&str| CacheCounters::DECLARATIONS.iter().any(|known| known.name == *name);
        assert!(WRITES.iter().chain(&BELOW).chain(&POLICIES).chain(&ABOVE).chain(&[VICTIM_CACHE]).all(known));
    }

    #[test]
    fn the_last_cache_counts_hits_of_a_victim_cache_exactly_if_it_has_one() {
        assert!(!Role::Shared.counts(VICTIM_CACHE, 0) && Role::Shared.counts(VICTIM_CACHE, 1));
        assert!(!Role::Shared.counts("victims_given", 1), "memory takes no victims");
        assert!(Role::Core.counts(VICTIM_CACHE, 0) && Role::Between.counts(VICTIM_CACHE, 0));
    }
}
