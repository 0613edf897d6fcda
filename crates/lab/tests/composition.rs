//! Composition is safe: random small machines × random sets of mechanisms that are accepted × random workloads and graphs.
//!
//! Every answer is judged by the workload's checker, and every launch asserts the conservation laws of cores, caches,
//! networks and memory; the watchdog ends what is stuck with an error. A case is a number, and everything follows from it,
//! so that a failure names the command that repeats it. `scripts/composition N` tries more than every test run does;
//! `HEDDLE_COMPOSITION=FIRST..LAST` names the cases.

use heddle_device::Device;
use heddle_gpu::{Gpu, RunSettings, SharedRecord};
use heddle_graph::read::ReadOptions;
use heddle_graph::source;
use heddle_machine::{Machine, Resolved, mechanisms};
use heddle_workloads::library::registry::WORKLOADS;
use heddle_workloads::library::{self, RunOptions};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Cases of every test run.
const CASES: Range<u64> = 0..160;

/// Core cycles without any change after which a launch counts as stuck. Small graphs wait for nothing so long.
const WATCHDOG: u64 = 200_000;

/// No run of a small graph takes so many core cycles.
const MOST_CYCLES: u64 = 50_000_000;

/// Keys with the values that cases choose from: enough of everything, and so little that it runs out. What needs other keys
/// to go with it has them behind it.
const KEYS: &[(&str, &[&str])] = &[
    ("core.count", &["1", "2", "3", "5", "16"]),
    ("core.schedulers", &["1", "2"]),
    ("core.scheduler", &["round-robin", "loose-round-robin", "greedy-then-oldest"]),
    ("core.load_store_queue", &["1", "2", "8"]),
    ("core.stall_on_memory", &["true", "false"]),
    ("core.wait_for_atomics", &["true", "false"]),
    ("core.ordering", &["stall-on-use", "wait-for-atomics", "stall-on-memory", "acquire-release"]),
    ("core.atomics_pass_l1", &["true", "false"]),
    ("core.request_order", &["lanes", "lines"]),
    (
        "l1.size",
        &["1KiB l1.ways=2 l1.index=plain", "2KiB l1.ways=1 l1.index=plain", "4KiB l1.ways=2 l1.index=plain"],
    ),
    ("l1.replacement", &["lru", "fifo"]),
    ("l1.allocate", &["on-fill", "on-miss"]),
    ("l1.mshrs", &["1", "2", "4", "64"]),
    ("l1.merges", &["1", "2", "8"]),
    ("l1.miss_queue", &["1", "2", "8"]),
    ("l1.ports", &["1", "2"]),
    ("l1.latency", &["1", "4", "30"]),
    ("l1.victim_lines", &["0", "1", "8"]),
    ("l2.slices", &["1", "2", "3", "6"]),
    (
        "l2.size",
        &["3KiB l2.ways=2 l2.slices=3 l2.index=plain", "8KiB l2.ways=1 l2.slices=2 l2.index=plain", "96KiB"],
    ),
    ("l2.victim_lines", &["0", "1", "8"]),
    ("l2.replacement", &["lru", "fifo"]),
    ("l2.allocate", &["on-fill", "on-miss"]),
    ("l2.mshrs", &["1", "2", "16", "128"]),
    ("l2.merges", &["1", "2", "8"]),
    ("l2.input_queue", &["1", "2", "8"]),
    ("l2.reply_queue", &["1", "2", "8"]),
    ("l2.dram_queue", &["1", "2", "32"]),
    ("l2.atomic_cycles", &["0", "1", "7"]),
    ("l2.banks", &["1", "2"]),
    ("l2.write_hit", &["evict", "back", "through"]),
    ("l2.write_miss", &["no-allocate", "allocate"]),
    ("cluster.slices", &["2 cluster.interleave=128B", "4 cluster.interleave=256B"]),
    ("cluster.shared_by", &["0", "1", "4"]),
    ("cluster.prefetch", &["stride", "stream", "ghb"]),
    ("cluster.miss_queue", &["1", "2", "16"]),
    ("cluster.input_queue", &["1", "8"]),
    ("cluster.mshrs", &["1", "4", "64"]),
    ("l1.link", &["direct", "interconnect"]),
    ("constant.link", &["direct", "interconnect"]),
    ("interconnect.input_queue", &["1", "2", "8"]),
    ("interconnect.output_queue", &["1", "2", "8"]),
    ("interconnect.flit", &["8B", "32B", "64B"]),
    ("dram.part", &["gddr5-fermi", "ddr4-2400", "gddr5-gtx480"]),
    ("dram.queue.entries", &["1", "4", "128"]),
    ("dram.scheduler", &["fcfs", "fr-fcfs"]),
    ("dram.page_policy", &["open", "closed"]),
    ("dram.write_queue.entries", &["0", "8", "32"]),
    ("policies.obm.insert_one_in", &["1", "8"]),
    ("policies.r-ex.period", &["1", "16", "256"]),
    ("policies.nap.threshold", &["0", "7"]),
    ("policies.stride.degree", &["1", "8"]),
    ("policies.stream.degree", &["1", "16"]),
    ("policies.ghb.degree", &["1", "16"]),
];

/// Machines, and files of machines of other shapes.
const PRESETS: [&str; 5] =
    ["fermi", "gtx480", "k40c", "examples/machines/cluster-cache.toml", "examples/machines/two-l2.toml"];

const GRAPHS: [&str; 8] = ["uniform", "sprand", "rodinia", "rmat", "er", "rgg", "grid", "road"];

/// A stream of numbers that a seed decides (SplitMix64).
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    fn of<'a, T: ?Sized>(&mut self, among: &[&'a T]) -> &'a T {
        among[self.below(among.len())]
    }
}

/// A machine, a program and a graph.
struct Case {
    preset: &'static str,
    with: Vec<String>,
    set: Vec<String>,
    workload: &'static str,
    graph: String,
    cold: bool,
}

impl Case {
    /// The case with a number. What a machine refuses is left out again, the settings from the last on, so that most
    /// of what was drawn stays.
    fn number(number: u64) -> Case {
        let mut draw = Draw(number.wrapping_mul(0x2545_f491_4f6c_dd1d) + 1);
        let preset = draw.of(&PRESETS);
        let mut case = Case {
            preset,
            with: Vec::new(),
            set: Vec::new(),
            workload: "",
            graph: String::new(),
            cold: false,
        };
        let known = mechanisms().unwrap();
        for _ in 0..draw.below(5) {
            let name = known[draw.below(known.len())].name.clone();
            let is_new = name != "none" && !case.with.contains(&name);
            case.with.push(name);
            if !is_new || case.resolve().is_err() {
                case.with.pop();
            }
        }
        for _ in 0..2 + draw.below(9) {
            let (key, values) = KEYS[draw.below(KEYS.len())];
            let is_new = !case.set.iter().any(|set| set.starts_with(&format!("{key}=")));
            let before = case.set.len();
            let settings = format!("{key}={}", draw.of(values));
            case.set.extend(settings.split(' ').map(str::to_owned));
            if !is_new || case.resolve().is_err() {
                case.set.truncate(before);
            }
        }
        case.workload = WORKLOADS[draw.below(WORKLOADS.len())].name;
        case.graph = graph(&mut draw);
        case.cold = draw.below(2) == 0;
        case
    }

    fn resolve(&self) -> Result<Resolved, heddle_machine::MachineError> {
        let file = format!("{}/../../{}", env!("CARGO_MANIFEST_DIR"), self.preset);
        let name = if self.preset.ends_with(".toml") { &file } else { self.preset };
        Machine::named(name).unwrap().with(&self.with).set(&self.set).resolve()
    }

    /// The command that repeats it.
    fn command(&self) -> String {
        let with = self.with.iter().map(|word| format!(" --with {word}"));
        let set = self.set.iter().map(|setting| format!(" --set {setting}"));
        let rest: String = with.chain(set).chain(self.cold.then(|| " --cold".to_owned())).collect();
        format!("heddle run {} --graph {} --machine {}{rest}", self.workload, self.graph, self.preset)
    }

    /// Runs it; the answer must be right.
    fn run(&self) -> Result<u64, String> {
        let machine = self.resolve().map_err(|error| error.to_string())?;
        let settings = RunSettings {
            cold: self.cold,
            watchdog: WATCHDOG,
            max_cycles: Some(MOST_CYCLES),
            ..RunSettings::default()
        };
        let mut record = self.run_on(&machine, settings.clone())?;
        if machine.spec.memory.foresees() {
            let foresight = Some(record.borrow_mut().take_foresight()?);
            record = self.run_on(&machine, RunSettings { foresight, ..settings })?;
        }
        let cycles = record.borrow().launches.iter().map(|launch| launch.cycles).sum();
        Ok(cycles)
    }

    fn run_on(&self, machine: &Resolved, settings: RunSettings) -> Result<SharedRecord, String> {
        let gpu = Gpu::new(machine.spec.clone(), settings).map_err(|error| error.to_string())?;
        let record = gpu.record();
        let mut device = Device::new(Box::new(gpu));
        let graph =
            source::load(&self.graph, &ReadOptions::default()).map_err(|error| error.to_string())?.graph;
        let workload = library::registry::find(self.workload)?;
        library::run(workload, graph, &mut device, &RunOptions::default(), &|_, _| ())
            .map_err(|error| error.to_string())?;
        Ok(record)
    }
}

/// A small graph of some class.
fn graph(draw: &mut Draw) -> String {
    let (seed, scale, degree) = (draw.below(1000), 2 + draw.below(7), 1 + draw.below(8));
    match draw.of(&GRAPHS) {
        "grid" => format!("grid:width={},height={}", 1 + draw.below(16), 1 + draw.below(16)),
        "road" => format!("road:vertices={},seed={seed}", 40 + draw.below(200)),
        class @ ("rodinia" | "rgg") => format!("{class}:scale={scale},seed={seed}"),
        class => format!("{class}:scale={},degree={degree},seed={seed}", 2 + scale),
    }
}

/// The cases that the environment names, or those of every test run.
fn cases() -> Range<u64> {
    let Ok(text) = std::env::var("HEDDLE_COMPOSITION") else { return CASES };
    let (first, last) = text.split_once("..").expect("HEDDLE_COMPOSITION=FIRST..LAST");
    first.parse().unwrap()..last.parse().unwrap()
}

#[test]
fn any_mechanisms_on_any_small_machine_give_right_answers_and_lose_nothing() {
    let cases = cases();
    let next = AtomicU64::new(cases.start);
    let work = || {
        let mut failures = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= cases.end {
                return failures;
            }
            let case = Case::number(number);
            let told = match catch_unwind(AssertUnwindSafe(|| case.run())) {
                Ok(Ok(_)) => continue,
                Ok(Err(error)) => error,
                Err(panic) => {
                    let text = panic.downcast_ref::<String>().cloned();
                    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
                        .unwrap_or_default()
                }
            };
            failures.push((number, format!("case {number}: {told}\n  {}", case.command())));
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut failures: Vec<(u64, String)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    failures.sort();
    let told: Vec<String> = failures.into_iter().map(|(_, told)| told).collect();
    assert!(
        told.is_empty(),
        "{} of {} cases failed\n{}",
        told.len(),
        cases.end - cases.start,
        told.join("\n")
    );
}

/// The cases are worth something: all presets, most mechanisms and keys occur, alone and together.
#[test]
fn cases_cover_mechanisms_keys_and_workloads() {
    let cases: Vec<Case> = CASES.map(Case::number).collect();
    let share = |count: usize, of: usize| count as f64 / of as f64;
    let mut known: Vec<String> = mechanisms().unwrap().into_iter().map(|mechanism| mechanism.name).collect();
    known.retain(|name| name != "none");
    let used = known.iter().filter(|name| cases.iter().any(|case| case.with.contains(name))).count();
    assert!(share(used, known.len()) > 0.9, "{used} of {} mechanisms", known.len());
    let several = cases.iter().filter(|case| case.with.len() >= 2).count();
    assert!(share(several, cases.len()) > 0.25, "{several} with several mechanisms");
    let is_set =
        |key: &str| cases.iter().any(|case| case.set.iter().any(|set| set.starts_with(&format!("{key}="))));
    let unset: Vec<&str> = KEYS.iter().map(|(key, _)| *key).filter(|key| !is_set(key)).collect();
    assert!(share(unset.len(), KEYS.len()) < 0.1, "never set: {unset:?}");
    let run =
        WORKLOADS.iter().filter(|workload| cases.iter().any(|case| case.workload == workload.name)).count();
    assert!(share(run, WORKLOADS.len()) > 0.8, "{run} workloads");
}
