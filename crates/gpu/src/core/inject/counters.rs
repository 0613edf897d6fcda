//! What a mechanism that injects instructions did.

use heddle_engine::counters;

counters! {
    /// Injected instructions, and what came of them.
    pub struct InjectionCounters {
        instructions: "warp instructions", "Instructions that a mechanism injected; not among core.warp_instructions.";
        lanes: "threads", "Threads that executed them.";
        prefetches: "loads", "Loads into spare registers among them.";
        prefetched_lanes: "threads", "Threads that prefetched a value.";
        converted_loads: "loads", "Loads of the program that became moves from spare registers.";
        converted_lanes: "threads", "Threads that took a prefetched value.";
        executed_loads: "loads", "Loads with spare registers that were executed as they stand, as in first iterations.";
        loads_without_register: "loads", "Loads that could be prefetched, had a spare register been left for them.";
    }
}

counters! {
    /// Issue slots of injected instructions.
    pub struct InjectedSlotCounters {
        injected: "slots", "Busy: an instruction issued that a mechanism injected.";
    }
}

counters! {
    /// How far ahead loads were prefetched, where that differs (\[Lakshminarayana14\] figure 16).
    pub struct DistanceCounters {
        distance_1: "invocations", "Loop invocations of warps whose loads were prefetched one iteration ahead.";
        distance_2: "invocations", "Those of two iterations.";
        distance_3: "invocations", "Those of three iterations.";
    }
}

impl DistanceCounters {
    /// An invocation begins.
    pub(super) fn count(&mut self, distance: u8) {
        match distance {
            1 => self.distance_1 += 1,
            2 => self.distance_2 += 1,
            _ => self.distance_3 += 1,
        }
    }
}

counters! {
    /// What detection in hardware found.
    pub struct DetectionCounters {
        loops: "loops", "Loops that cores found with loads to prefetch.";
    }
}

counters! {
    /// What came of prefetches into the caches alone.
    pub struct CachePrefetchCounters {
        found_in_l1: "requests", "Requests of loads that had been prefetched into the caches alone, and hit L1.";
        gone_from_l1: "requests", "Those that found the line evicted from L1 again, or still under way.";
    }
}
