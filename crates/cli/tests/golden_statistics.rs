//! Golden statistics: every count of every workload on every machine, and of some with every mechanism, by name.
//!
//! The tables stand in `golden/statistics/MACHINE[+MECHANISM].tsv`: a row per statistic, a column per program. A change
//! that moves a count fails here and says which, from what to what; where it was meant to,
//! `HEDDLE_RECORD=1 cargo test --release -p heddle golden` writes them anew, and their hashes (not the versions) in
//! `crates/lab/data/behaviour.toml`, for a commit that does nothing else and says why. Every answer is checked on the way: these are also the timed runs of all forty workloads.

use heddle_device::{Device, Launch};
use heddle_gpu::{Gpu, RunSettings, SharedRecord};
use heddle_graph::read::ReadOptions;
use heddle_graph::source;
use heddle_machine::{Machine, Resolved};
use heddle_ptx::exec::TextureFormat;
use heddle_ptx::ir::ScalarType;
use heddle_workloads::library::{RunOptions, registry::WORKLOADS, run};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

const MACHINES: [&str; 4] = ["fermi", "gtx480", "gtx480-mff", "k40c"];

/// The behaviour versions of machines, beside the hashes of their tables.
const BEHAVIOUR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../lab/data/behaviour.toml");

/// What runs with every mechanism: one that reads neighbours' flags, one with atomics, one with a queue, one that pulls.
const FEW: [&str; 4] = ["h-bfs", "h-sssp", "bfs-dd", "pagerank-pull"];

const GRAPH: &str = "rmat:scale=8,degree=6";

/// Programs beside the library, for what no workload does.
const PROGRAMS: &str = include_str!("golden/programs.ptx");

/// Machines that no preset is, by settings of one, for what presets have enough of or leave alone: ways, merges and queues
/// that run out, sectors, victim caches, bypass and prefetching in every cache, a part with a write queue.
const SCARCE: [(&str, &str, &[&str]); 2] = [
    (
        "fermi~scarce",
        "fermi",
        &[
            "l1.size=4KiB",
            "l1.ways=2",
            "constant.size=128B",
            "constant.ways=2",
            "constant.allocate=on-miss",
            "constant.mshrs=8",
            "instruction.size=256B",
            "instruction.ways=2",
            "instruction.allocate=on-miss",
            "instruction.mshrs=8",
            "instruction.merges=1",
            "texture.merges=1",
            "l2.prefetch=stride",
            "policies.stride.region_bits=24",
            "dram.part=ddr4-2400",
        ],
    ),
    (
        "fermi~elaborate",
        "fermi",
        &[
            "l2.inclusion=exclusive",
            "l1.victim_lines=4",
            "constant.size=64B",
            "constant.ways=1",
            "constant.sector=32B",
            "constant.granularity=sector",
            "constant.mshrs=2",
            "constant.victim_lines=4",
            "texture.size=2KiB",
            "texture.sector=32B",
            "texture.granularity=sector",
            "texture.victim_lines=4",
            "instruction.size=256B",
            "instruction.ways=1",
            "instruction.victim_lines=4",
        ],
    ),
];

/// Counts by name, of one program.
type Counts = BTreeMap<String, u64>;

/// One machine, with a mechanism or none.
struct Table {
    name: String,
    machine: Resolved,
    programs: Vec<&'static str>,
}

fn tables() -> Vec<Table> {
    let mut tables = Vec::new();
    for machine in MACHINES {
        let all = WORKLOADS.iter().map(|workload| workload.name).chain(["saturate", "features"]).collect();
        let resolved = Machine::named(machine).unwrap().resolve().unwrap();
        tables.push(Table { name: machine.to_owned(), machine: resolved, programs: all });
        for mechanism in heddle_machine::mechanisms().unwrap() {
            let name = &mechanism.name;
            // Those that change figures of one machine refuse others.
            let Ok(resolved) = Machine::named(machine).unwrap().with(&[name]).resolve() else { continue };
            if name != "none" && (machine == "fermi" || machine == "gtx480") {
                let programs = FEW.into_iter().chain(["saturate"]).collect();
                tables.push(Table { name: format!("{machine}+{name}"), machine: resolved, programs });
            }
        }
    }
    for (name, machine, settings) in SCARCE {
        let resolved = Machine::named(machine).unwrap().set(settings).resolve().unwrap();
        let programs = vec!["h-bfs", "bfs-dd", "saturate", "features", "spills"];
        tables.push(Table { name: name.to_owned(), machine: resolved, programs });
    }
    tables
}

/// Runs a program on a machine, after a run that records where the machine decides by one.
fn counts(machine: &Resolved, program: &str) -> Counts {
    let mut record = run_on(machine, program, RunSettings::default());
    if machine.spec.memory.foresees() {
        let foresight = Some(record.borrow_mut().take_foresight().unwrap());
        record = run_on(machine, program, RunSettings { foresight, ..RunSettings::default() });
    }
    counted(&record)
}

/// Runs a program on a machine; its answer must be right.
fn run_on(machine: &Resolved, program: &str, settings: RunSettings) -> SharedRecord {
    let gpu = Gpu::new(machine.spec.clone(), settings).unwrap();
    let record = gpu.record();
    let mut device = Device::new(Box::new(gpu));
    match WORKLOADS.iter().find(|workload| workload.name == program) {
        Some(workload) => {
            let graph = source::load(GRAPH, &ReadOptions::default()).unwrap().graph;
            run(workload, graph, &mut device, &RunOptions::default(), &|_, _| ())
                .unwrap_or_else(|error| panic!("{program}: {error}"));
        }
        None => run_program(&mut device, program),
    }
    drop(device);
    record
}

fn counted(record: &SharedRecord) -> Counts {
    let record = record.borrow();
    let mut counts: Counts = record.total().iter().map(|(name, count)| (name.to_owned(), count)).collect();
    counts.insert("cycles".to_owned(), record.launches.iter().map(|launch| launch.cycles).sum());
    counts.insert("launches".to_owned(), record.launches.len() as u64);
    counts
}

/// A kernel of [`PROGRAMS`], twice; both leave the number of each thread that did its work in `out`.
fn run_program(device: &mut Device, kernel: &str) {
    const THREADS: u32 = 60 * 256;
    let text = PROGRAMS.replace("{MANY}", &"add.u32 %r27, %r27, %r10;\n".repeat(3000));
    let module = device.load_module("programs.ptx", &text).unwrap_or_else(|error| panic!("{error}"));
    let function = device.function(module, kernel).unwrap();
    let words: Vec<u32> = (0..1 << 20).collect();
    let data = device.allocate_with("data", &words).unwrap();
    let out = device.allocate_zeroed("out", 4 * u64::from(THREADS)).unwrap();
    let format = TextureFormat { components: 1, ty: ScalarType::U32, normalised: false };
    let texture = device.texture_object(data, format);
    for _ in 0..2 {
        let launch = Launch::new([THREADS / 256, 1, 1], [256, 1, 1]);
        device
            .launch(function, launch, &[data.into(), out.into(), texture.into()])
            .unwrap_or_else(|error| panic!("{error}"));
    }
    let out: Vec<u32> = device.read(out).unwrap();
    assert!((0..THREADS).eq(out), "{kernel}: not every thread did its work");
}

fn path_of(table: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/statistics/{table}.tsv"))
}

/// A table as text: statistics below each other, programs beside each other.
fn text_of(programs: &[&str], columns: &[Counts]) -> String {
    let names: BTreeSet<&String> = columns.iter().flat_map(BTreeMap::keys).collect();
    let mut text = format!("statistic\t{}\n", programs.join("\t"));
    for name in names {
        let row: Vec<String> =
            columns.iter().map(|counts| counts.get(name).map_or("-".to_owned(), u64::to_string)).collect();
        text += &format!("{name}\t{}\n", row.join("\t"));
    }
    text
}

fn parse(text: &str) -> BTreeMap<(String, String), String> {
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<&str>>());
    let programs = lines.next().unwrap_or_default();
    let mut cells = BTreeMap::new();
    for line in lines {
        for (program, count) in programs.iter().zip(&line).skip(1) {
            cells.insert((line[0].to_owned(), (*program).to_owned()), (*count).to_owned());
        }
    }
    cells
}

/// What moved between two tables, and by how much.
fn moved(table: &str, expected: &str, found: &str) -> Vec<String> {
    let (expected, found) = (parse(expected), parse(found));
    let places: BTreeSet<&(String, String)> = expected.keys().chain(found.keys()).collect();
    let value = |cells: &BTreeMap<(String, String), String>, place| {
        cells.get(place).map_or("absent".into(), String::clone)
    };
    let mut moved = Vec::new();
    for place in places {
        let (before, after) = (value(&expected, place), value(&found, place));
        if before != after {
            let change = match (before.parse::<f64>(), after.parse::<f64>()) {
                (Ok(before), Ok(after)) if before > 0.0 => {
                    format!(" ({:+.2} %)", (after / before - 1.0) * 100.0)
                }
                _ => String::new(),
            };
            moved.push(format!("{table} {}: {} {before} → {after}{change}", place.1, place.0));
        }
    }
    moved
}

#[test]
fn golden_statistics_are_the_same_to_the_last_count() {
    let recording = std::env::var_os("HEDDLE_RECORD").is_some();
    let tables = tables();
    let points: Vec<(usize, usize)> = (0..tables.len())
        .flat_map(|table| (0..tables[table].programs.len()).map(move |place| (table, place)))
        .collect();
    let all: Vec<Counts> = points
        .par_iter()
        .map(|&(table, place)| counts(&tables[table].machine, tables[table].programs[place]))
        .collect();
    let mut problems = Vec::new();
    let mut never: BTreeSet<String> = all.iter().flat_map(|counts| counts.keys().cloned()).collect();
    for counts in &all {
        counts.iter().filter(|(_, count)| **count > 0).for_each(|(name, _)| _ = never.remove(name));
    }
    problems.extend(never.iter().map(|name| format!("{name} is zero in every golden: no program counts it")));
    let mut columns = all.into_iter();
    for table in &tables {
        let columns: Vec<Counts> = columns.by_ref().take(table.programs.len()).collect();
        for name in [
            "queueing.refused_mshrs",
            "queueing.reply_queue",
            "queueing.dram_queue",
            "dram.queue_wait_cycles",
        ] {
            let saturated = table.programs.iter().position(|program| *program == "saturate").unwrap();
            // The network of `fermi` takes replies as fast as L2 gives them.
            let never_waits = table.name == "fermi" && name == "queueing.reply_queue";
            if !never_waits
                && !table.name.contains(['+', '~'])
                && columns[saturated].get(name).is_none_or(|count| *count == 0)
            {
                problems.push(format!("{}: saturate does not fill what {name} counts", table.name));
            }
        }
        let text = text_of(&table.programs, &columns);
        if recording {
            std::fs::write(path_of(&table.name), &text).unwrap();
        }
        let expected = std::fs::read_to_string(path_of(&table.name)).unwrap_or_default();
        problems.extend(moved(&table.name, &expected, &text));
    }
    if recording {
        let behaviour = std::fs::read_to_string(BEHAVIOUR).unwrap();
        std::fs::write(BEHAVIOUR, with_hashes(&behaviour, &MACHINES.map(hash_of))).unwrap();
    }
    let shown = problems.iter().take(200).cloned().collect::<Vec<_>>().join("\n");
    assert!(problems.is_empty(), "{} counts moved or are missing:\n{shown}\n", problems.len());
}

/// The names of the tables that are recorded, sorted.
fn recorded() -> BTreeSet<String> {
    let folder = path_of("any").with_file_name("");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.map(|file| file.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

/// Whether a table is of this machine, be it with a mechanism or settings.
fn is_of(table: &str, machine: &str) -> bool {
    table.strip_prefix(machine).is_some_and(|rest| rest.is_empty() || rest.starts_with(['+', '~']))
}

/// The hash of the recorded tables of a machine, one behind the other in the order of their names.
fn hash_of(machine: &str) -> String {
    let tables = recorded().into_iter().filter(|table| is_of(table, machine));
    let bytes: Vec<u8> = tables.flat_map(|table| std::fs::read(path_of(&table)).unwrap()).collect();
    heddle_lab::hash::sha256(&bytes)
}

/// The file of behaviour versions with the hashes of [`MACHINES`] renewed. Versions stay: whether figures moved, so that
/// what was kept before is of no use, is for people to say.
fn with_hashes(behaviour: &str, hashes: &[String; 4]) -> String {
    let renewed = |line: &str| {
        let machine = MACHINES.iter().position(|machine| line.starts_with(&format!("{machine} = ")));
        let parts = line.split_once("golden = \"");
        match (machine, parts.and_then(|(before, old)| Some((before, old.split_once('"')?.1)))) {
            (Some(machine), Some((before, after))) => {
                format!("{before}golden = \"{}\"{after}\n", hashes[machine])
            }
            _ => format!("{line}\n"),
        }
    };
    behaviour.lines().map(renewed).collect()
}

#[test]
fn recording_renews_the_hashes_of_behaviour_versions_and_nothing_else() {
    let hashes = ["a", "b", "c", "d"].map(str::to_owned);
    let before = "# golden = \"x\"\n\nfermi = { version = 3, golden = \"x\" }\ngtx480-mff = { version = 1, golden = \"x\" }\n\
                  other = { version = 3 }\n";
    let after = "# golden = \"x\"\n\nfermi = { version = 3, golden = \"a\" }\ngtx480-mff = { version = 1, golden = \"c\" }\n\
                 other = { version = 3 }\n";
    assert_eq!(with_hashes(before, &hashes), after);
    let recorded = std::fs::read_to_string(BEHAVIOUR).unwrap();
    let renewed = with_hashes(&recorded, &hashes);
    assert_eq!(
        MACHINES.iter().zip(&hashes).filter(|(_, hash)| renewed.contains(&format!("\"{hash}\""))).count(),
        4
    );
}

/// Results that are kept name the behaviour version of their machine, so that nobody may move figures and leave it.
#[test]
fn golden_statistics_are_those_of_the_behaviour_versions() {
    // They are being renewed, and so are their hashes, of which this was compiled with the old ones.
    if std::env::var_os("HEDDLE_RECORD").is_some() {
        return;
    }
    let (recorded, hashes) = (recorded(), heddle_lab::simulate::golden_hashes());
    let mut problems = Vec::new();
    for machine in MACHINES {
        let (found, written) = (hash_of(machine), hashes.get(machine));
        if written != Some(&found) {
            problems.push(format!("{machine}: golden = \"{found}\", where it has {written:?}"));
        }
    }
    assert!(
        problems.is_empty(),
        "golden statistics are not those of crates/lab/data/behaviour.toml: if figures moved, raise `version` (and \
         `other`); HEDDLE_RECORD renews tables and hashes, and never a version.\n{}",
        problems.join("\n")
    );
    let of_none = recorded.iter().find(|table| !MACHINES.iter().any(|machine| is_of(table, machine)));
    assert_eq!(of_none, None, "a table that no hash covers");
    let made: BTreeSet<String> = tables().into_iter().map(|table| table.name).collect();
    assert_eq!(recorded, made, "tables that are recorded, and that are compared");
}

#[test]
fn what_moved_is_named_with_how_much() {
    let before = "statistic\ta\tb\nl2.reads\t100\t7\n";
    let after = "statistic\ta\tb\nl2.reads\t110\t7\nl2.new\t0\t1\n";
    assert_eq!(
        moved("fermi", before, after),
        [
            "fermi a: l2.new absent → 0",
            "fermi b: l2.new absent → 1",
            "fermi a: l2.reads 100 → 110 (+10.00 %)"
        ]
    );
    assert!(moved("fermi", after, after).is_empty());
}
