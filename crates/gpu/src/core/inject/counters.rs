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
