//! Units and meanings of columns that no machine counts.

use serde::{Deserialize, Serialize};

/// What a column means.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meaning {
    /// Unit of its numbers; empty where there is none.
    pub unit: String,
    /// One sentence; empty where nothing is known.
    pub description: String,
}

impl Meaning {
    /// A meaning in words.
    pub fn new(unit: impl Into<String>, description: impl Into<String>) -> Meaning {
        Meaning { unit: unit.into(), description: description.into() }
    }
}

/// Labels that experiments usually have, in the order of their columns.
pub(super) const LABELS: &[(&str, &str)] = &[
    ("workload", "The workload, or the launch plan."),
    ("graph", "The graph: file or recipe."),
    ("machine", "The machine: preset or file."),
    ("with", "Mechanisms that were added to the machine, joined by +; none is the machine as it is."),
    ("set", "Keys of the machine that were set."),
    ("kernel", "The kernel."),
    ("mechanism", "The mechanism."),
];

/// Labels that are numbers where every value is one.
pub(super) const NUMERIC_LABELS: [&str; 4] = ["block", "seed", "source", "target"];

/// Columns that say which row it is, whether it is there, and what it was made from, in their order.
pub(super) const IDENTITY: &[(&str, &str)] = &[
    ("key", "Content hash of the point: program, graph, resolved machine, settings, behaviour version."),
    ("launch", "Number of the launch in its run, from 1."),
    ("kernel", "The kernel that was launched."),
    ("iteration", "Pass of the host's loop that launched it, from 1."),
    ("status", "done or failed."),
    ("error", "Why a failed point failed."),
    ("made.version", "Version of the program that made the row."),
    ("made.build", "Build of the program that made the row: first digits of the executable's SHA-256."),
    ("made.behaviour", "Behaviour version of the machine."),
    ("made.program", "SHA-256 of the PTX texts."),
    ("made.graph", "SHA-256 of the graph's arcs."),
    ("made.machine", "SHA-256 of the resolved machine file."),
];

/// Figures that are no counters of a machine: name, unit, meaning.
const FIGURES: &[(&str, &str, &str)] = &[
    ("cycles", "core cycles", "Core cycles of the launch, or of all launches that were simulated in time."),
    ("seconds", "s", "Simulated time."),
    ("warp_instructions", "instructions", "Instructions executed by warps."),
    ("thread_instructions", "instructions", "Instructions executed by lanes whose guard was true."),
    ("ipc", "instructions/cycle", "Warp instructions per core cycle, of all cores together."),
    ("registers", "registers", "Registers of a thread."),
    (
        "head_wait_cycles",
        "core cycles",
        "Cycles that warps waited for the heads of pairs of loads from read-only arrays.",
    ),
    ("tail_wait_cycles", "core cycles", "Cycles that warps waited for their tails."),
    ("resident_warps", "warps", "Warps of the kernel that a core has room for at a time."),
    ("resident_threads", "threads", "Threads of the kernel that a core has room for at a time."),
    ("unused_register_bytes", "bytes", "Bytes of a core's register file that resident warps leave free."),
    ("bits", "bits", "Bits of storage that the mechanism adds to the machine."),
    ("bits_per_core", "bits", "Bits of storage that the mechanism adds to a core."),
    ("bytes_per_core", "bytes", "Bytes of storage that the mechanism adds to a core."),
    ("vertices", "vertices", "Vertices of the graph."),
    ("arcs", "arcs", "Arcs of the graph."),
    ("volume", "KiB", "Volume of the graph's data per core."),
    ("an_l", "neighbours", "Neighbours of a vertex that its own thread block handles (local), on average."),
    ("an_r", "neighbours", "Neighbours of a vertex that other thread blocks handle (remote), on average."),
    ("reuse", "ratio", "Reuse of the graph's data, by local and remote neighbours."),
    ("imbalance", "ratio", "Share of thread blocks whose warps are imbalanced."),
    ("energy.joules", "J", "Energy, dynamic and static."),
    ("energy.dynamic_joules", "J", "Dynamic energy."),
    ("energy.static_joules", "J", "Static energy."),
    ("energy.watts", "W", "Average power."),
];

/// Units that the ends of names tell.
const ENDS: &[(&str, &str)] = &[
    ("joules", "J"),
    ("watts", "W"),
    ("seconds", "s"),
    ("cycles", "cycles"),
    ("bytes", "bytes"),
    ("bits", "bits"),
];

/// The meaning of a label.
pub(super) fn label(name: &str) -> Meaning {
    let known = LABELS.iter().find(|(known, _)| *known == name);
    Meaning::new(
        "",
        known.map_or_else(|| "A value of the experiment's axes.".to_owned(), |(_, text)| (*text).to_owned()),
    )
}

/// The meaning of a column that identifies its row.
pub(super) fn identity(name: &str) -> Meaning {
    Meaning::new("", IDENTITY.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text))
}

/// The meaning of a figure that no machine counts, as far as its name tells.
pub(super) fn figure(name: &str) -> Meaning {
    if let Some((_, unit, text)) = FIGURES.iter().find(|(known, _, _)| *known == name) {
        return Meaning::new(*unit, *text);
    }
    let last = name.rsplit(['.', '_']).next().unwrap_or(name);
    let unit = ENDS.iter().find(|(end, _)| *end == last).map_or("", |(_, unit)| unit);
    let description = match name.strip_prefix("energy.") {
        Some(component) => format!("Energy: {}.", component.replace(['.', '_'], " ")),
        None => String::new(),
    };
    Meaning::new(unit, description)
}
