//! The shape of the memory system is data: levels that no code knows of.

use crate::common::run_in;
use heddle_device::Device;
use heddle_engine::Statistics;
use heddle_gpu::{Gpu, RunSettings};
use heddle_graph::read::ReadOptions;
use heddle_graph::source;
use heddle_machine::{Machine, MachineError};
use heddle_workloads::library::{RunOptions, registry::WORKLOADS, run};
use std::path::Path;

fn example(name: &str) -> Machine {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/machines").join(name);
    Machine::named(path.to_str().unwrap()).unwrap()
}

/// The counts of a workload on a machine; its answer must be right.
fn counts(machine: &Machine, workload: &str) -> Statistics {
    let spec = machine.resolve().unwrap_or_else(|error| panic!("{error}")).spec;
    let gpu = Gpu::new(spec, RunSettings::default()).unwrap();
    let record = gpu.record();
    let mut device = Device::new(Box::new(gpu));
    let graph = source::load("rmat:scale=12,degree=6", &ReadOptions::default()).unwrap().graph;
    let workload = WORKLOADS.iter().find(|known| known.name == workload).unwrap();
    run(workload, graph, &mut device, &RunOptions::default(), &|_, _| ())
        .unwrap_or_else(|error| panic!("{}: {error}", workload.name));
    drop(device);
    record.borrow().total()
}

#[test]
fn a_level_that_two_cores_share_stands_between_l1_and_l2() {
    for workload in ["h-bfs", "h-sssp", "bfs-dd", "pagerank-pull"] {
        let counts = counts(&example("cluster-cache.toml"), workload);
        let count = |name: &str| counts.get(name).unwrap_or_else(|| panic!("{name}"));
        assert!(count("cluster.read_hits") > 0, "{workload}: a neighbour's lines are found");
        // What L1 misses comes to the new level, and what that misses to L2, together with other caches' misses.
        assert_eq!(count("cluster.reads"), count("l1.read_misses"), "{workload}");
        assert_eq!(count("cluster.writes"), count("l1.writes"), "{workload}");
        let others: u64 = ["constant", "texture", "instruction"]
            .map(|name| count(&format!("{name}.read_misses")))
            .iter()
            .sum();
        assert_eq!(count("l2.reads"), count("cluster.read_misses") + others, "{workload}");
        // Atomics pass it: L2 performs them.
        assert_eq!(
            (count("cluster.atomics"), count("l2.atomics")),
            (count("l1.atomics"), count("l1.atomics"))
        );
    }
}

#[test]
fn acknowledgements_may_have_a_message_class_of_their_own() {
    for workload in ["h-bfs", "h-sssp"] {
        let counts = counts(&example("acknowledgement-class.toml"), workload);
        let count = |name: &str| counts.get(name).unwrap_or_else(|| panic!("{name}"));
        let of = |class: &str, what: &str| count(&format!("interconnect.{class}.{what}"));
        assert_eq!(of("acknowledgements", "address_packets"), count("latency.writes"), "{workload}");
        assert_eq!((of("acknowledgements", "data_packets"), of("replies", "address_packets")), (0, 0));
    }
    let example =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/machines/acknowledgement-class.toml");
    let folder = tempfile::tempdir().unwrap();
    let machine = std::fs::read_to_string(example).unwrap();
    let run = |text: &str| {
        std::fs::write(folder.path().join("m.toml"), text).unwrap();
        run_in(
            folder.path(),
            &["run", "bfs", "--machine", "m.toml", "--graph", "rmat:scale=6", "--out", "out"],
        )
    };
    assert_eq!(run(&machine).code, Some(0));
    let again = run_in(folder.path(), &["machine", "show", "out/machine.toml"]);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    // A class without a price costs something nevertheless, and nobody knows what.
    let unpriced = run(machine.split("[energy.like]").next().unwrap());
    assert!(unpriced.stderr.contains("interconnect.acknowledgements."), "{}", unpriced.stderr);
    let apart = machine.replace("\"write\", ", "").replace(
        "[\"acknowledgement\"]",
        "[\"acknowledgement\"]\n\n[[interconnect.classes]]\nname = \"writes\"\ncarries = [\"write\"]",
    );
    let refused = run(&apart).stderr;
    assert!(
        refused.contains("m.toml:") && refused.contains("keeps a read from overtaking a write"),
        "{refused}"
    );
}

#[test]
fn what_has_no_price_is_neither_shown_nor_run() {
    let folder = tempfile::tempdir().unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/machines");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let cluster = std::fs::read_to_string(examples.join("cluster-cache.toml")).unwrap();
    write("gpu.toml", &cluster.replace("[energy.like]\ncluster = \"l2\"\n", ""));
    let alone = std::fs::read_to_string(examples.join("memory-alone.toml")).unwrap();
    let alone = alone.replace("\"l2\"", "\"llc\"").replace("[l2]", "[llc]");
    write("memory.toml", &format!("{alone}[energy]\ntable = \"fermi\"\n"));
    write("trace", "0 0 read 0 4\n");
    let refused = |arguments: &[&str], part: &str| {
        let run = run_in(folder.path(), arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{arguments:?}");
        assert!(run.stderr.contains(&format!("has no price for `{part}.accesses`")), "{}", run.stderr);
        assert!(run.stderr.contains(&format!("[energy.like] {part} = \"l2\"")), "{}", run.stderr);
        run.stderr
    };
    let shown = refused(&["machine", "show", "gpu.toml"], "cluster");
    assert_eq!(
        refused(&["run", "bfs", "--machine", "gpu.toml", "--graph", "rmat:scale=4"], "cluster"),
        shown
    );
    let shown = refused(&["machine", "show", "memory.toml"], "llc");
    assert_eq!(refused(&["memory", "replay", "memory.toml", "trace"], "llc"), shown);
}

/// `fermi` whose L2 has a level of its own below, which has L2's prices.
fn with_l3() -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/machines");
    let cluster = std::fs::read_to_string(examples.join("cluster-cache.toml")).unwrap();
    let level = cluster.split("[cluster]").nth(1).unwrap();
    let level = level.replace("shared_by = 2\nbelow = \"l2\"\nlink = \"interconnect\"", "below = \"dram\"");
    let level = level.replace("miss_queue = 16", "dram_queue = 16\natomic_cycles = 1");
    let level = level.replace("64KiB", "2MiB").replace("cluster", "l3");
    format!(
        "inherits = \"fermi\"\ncaches = [\"l1\", \"constant\", \"texture\", \"instruction\", \"l2\", \"l3\"]\n\
         [l2]\nbelow = \"l3\"\nlink = \"direct\"\ndram_queue = 0\nmiss_queue = 16\natomic_cycles = 0\n[l3]{level}"
    )
}

/// An L2 between others counts what none of the last level does; all of it has prices.
#[test]
fn a_level_below_l2_is_priced_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("l3.toml"), with_l3()).unwrap();
    let shown = run_in(folder.path(), &["machine", "show", "l3.toml"]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    let ran = run_in(folder.path(), &["run", "h-bfs", "--machine", "l3.toml", "--graph", "rmat:scale=5"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

/// Everything that answers is counted once, whatever levels a machine has.
fn assert_answers_add_up(counts: &Statistics, data_cache: &str, shared: &[&str]) {
    let count = |name: &str| counts.get(name).unwrap_or_else(|| panic!("{name}"));
    let answered: u64 =
        shared.iter().chain(&["dram"]).map(|level| count(&format!("latency.{level}_reads"))).sum();
    let private = [data_cache, "constant", "texture", "instruction"];
    let missed: u64 = private.iter().map(|level| count(&format!("{level}.read_misses"))).sum();
    assert_eq!(answered, missed + count(&format!("{data_cache}.passed_reads")), "{shared:?}");
    let slots: u64 =
        counts.iter().filter(|(name, _)| name.starts_with("slots.")).map(|(_, slots)| slots).sum();
    let ends = [data_cache, "dram"];
    let waited: u64 = shared.iter().chain(&ends).map(|level| count(&format!("slots.{level}"))).sum();
    assert!(waited > 0 && waited < slots);
    let named = |group: &str| counts.iter().filter(|(name, _)| name.starts_with(group)).count();
    assert_eq!(named("traffic."), 4, "a network and memory, data and addresses");
}

#[test]
fn answers_are_counted_by_the_level_that_gave_them() {
    let cluster = counts(&example("cluster-cache.toml"), "h-bfs");
    assert_answers_add_up(&cluster, "l1", &["cluster", "l2"]);
    for name in ["latency.cluster_reads", "slots.cluster", "traffic.cluster_l2_data_flits"] {
        assert!(cluster.get(name).is_some_and(|count| count > 0), "{name}");
    }
    // A read of L1 that hits the level below is answered there, and merged reads with the first.
    assert!(cluster.get("latency.cluster_reads").unwrap() <= cluster.get("cluster.read_hits").unwrap());
    let plain = counts(&Machine::named("fermi").unwrap(), "h-bfs");
    assert_answers_add_up(&plain, "l1", &["l2"]);
}

/// `fermi` with its L2 under another name.
fn renamed() -> String {
    let l2 = Machine::named("fermi").unwrap().resolve().unwrap().to_toml().to_owned();
    let table = l2.split("\n[l2]\n").nth(1).unwrap().split("\n[").next().unwrap().to_owned();
    let below = |level: &str| format!("[{level}]\nbelow = \"llc\"\n");
    let above = ["l1", "constant", "texture", "instruction"].map(below).concat();
    format!(
        "inherits = \"fermi\"\nname = \"renamed\"\ncaches = [\"l1\", \"constant\", \"texture\", \"instruction\", \
         \"llc\"]\n{above}[llc]\n{table}\n[energy.like]\nllc = \"l2\"\n"
    )
}

#[test]
fn a_level_of_another_name_counts_and_costs_the_same() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.toml"), renamed()).unwrap();
    let run = |machine: &str, with: &str, out: &[&str]| {
        let graph = ["--graph", "rmat:scale=8", "--with", with, "--json"];
        let run = run_in(folder.path(), &[&["run", "bfs", "--machine", machine][..], &graph, out].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        serde_json::from_str::<serde_json::Value>(&run.stdout).unwrap()
    };
    let (fermi, renamed) = (run("fermi", "none", &["--out", "a"]), run("m.toml", "none", &["--out", "b"]));
    let stats = |result: &serde_json::Value| result["stats"].as_object().unwrap().clone();
    let assert_same = |fermi: &serde_json::Value, renamed: &serde_json::Value| {
        let renamed = stats(renamed);
        for (name, count) in stats(fermi) {
            assert_eq!(renamed.get(&name.replace("l2", "llc")), Some(&count), "{name}");
        }
    };
    assert_same(&fermi, &renamed);
    for with in ["sector", "r-ex", "obm+ghb-l2", "nap", "write-back"] {
        let (fermi_with, renamed_with) = (run("fermi", with, &[]), run("m.toml", with, &[]));
        assert_same(&fermi_with, &renamed_with);
        let does_something = stats(&fermi_with) != stats(&fermi);
        assert!(does_something || with == "r-ex", "{with}; a search this small makes no region reused");
    }
    assert!(fermi["energy"]["total_joules"].as_f64().unwrap() > 0.0);
    assert_eq!(fermi["energy"]["rows"], renamed["energy"]["rows"]);
    let again = run_in(folder.path(), &["energy", "b", "--json"]).stdout;
    let again = serde_json::from_str::<serde_json::Value>(&again).unwrap();
    // The frequency of the cores is that of the machine here, and cycles by seconds there.
    let [ran, again] = [&renamed["energy"], &again].map(|energy| energy["total_joules"].as_f64().unwrap());
    assert!((ran / again - 1.0).abs() < 1e-12, "{ran} {again}");
    let page =
        run_in(folder.path(), &["run", "bfs", "--machine", "m.toml", "--graph", "rmat:scale=8"]).stdout;
    // The table's own words for its components come last.
    let (before, energy) = page.split_once("Energy, by the table").unwrap();
    assert!(before.contains("llc reads") && !before.contains("L2"), "{page}");
    assert!(energy.contains("llc hits") && !energy.contains("L2 hits"), "{page}");
    let stats = run_in(folder.path(), &["stats", "--machine", "m.toml", "llc"]).stdout;
    for name in ["llc.read_hits", "llc.mpki", "slots.llc", "latency.llc_read_cycles"] {
        assert!(stats.contains(name), "{name}: {stats}");
    }
}

#[test]
fn each_half_of_the_cores_has_an_l2_of_its_own() {
    for workload in ["h-bfs", "h-sssp"] {
        let counts = counts(&example("two-l2.toml"), workload);
        let one = counts_of_one_l2(workload);
        let count = |counts: &Statistics, name: &str| counts.get(name).unwrap();
        assert!(count(&counts, "core.warp_instructions") > 0, "{workload}");
        // What both halves read is fetched twice.
        assert!(count(&counts, "dram.reads") > count(&one, "dram.reads"), "{workload}");
        assert!(count(&counts, "l2.read_hits") < count(&one, "l2.read_hits"), "{workload}");
    }
}

fn counts_of_one_l2(workload: &str) -> Statistics {
    counts(&Machine::named("fermi").unwrap(), workload)
}

#[test]
fn a_machine_may_lack_a_cache_that_others_have() {
    let folder = tempfile::tempdir().unwrap();
    let text = "inherits = \"fermi\"\nname = \"no-texture\"\ncaches = [\"l1\", \"constant\", \"instruction\", \"l2\"]\n\
                [l1]\nserves = [\"global\", \"local\", \"texture\"]\n";
    std::fs::write(folder.path().join("m.toml"), text).unwrap();
    let run =
        run_in(folder.path(), &["run", "bfs", "--machine", "m.toml", "--graph", "rmat:scale=8", "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let result: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(result["stats"].get("texture.reads").is_none() && result["stats"].get("l1.reads").is_some());
    assert!(result["energy"]["total_joules"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_level_that_all_cores_share_is_the_same_however_that_is_said() {
    let shared_by = |cores: u32| {
        let machine = example("two-l2.toml").set(&[format!("l2.shared_by={cores}")]);
        counts(&machine, "h-bfs")
    };
    assert_eq!(shared_by(16), shared_by(0));
}

#[test]
fn further_levels_compose_with_mechanisms_and_with_each_other() {
    let text = |shared_by: u32, inclusion: &str| {
        let cluster = std::fs::read_to_string(
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/machines/cluster-cache.toml"),
        );
        let cluster = cluster.unwrap().replace("shared_by = 2", &format!("shared_by = {shared_by}"));
        cluster.replace("inclusion = \"non-inclusive\"", &format!("inclusion = \"{inclusion}\""))
    };
    for (shared_by, inclusion, with) in [
        (4, "non-inclusive", "sector"),
        (2, "exclusive", "none"),
        (16, "non-inclusive", "obm"),
        (2, "exclusive", "victim"),
    ] {
        let machine = Machine::from_text("m.toml", &text(shared_by, inclusion), Path::new("")).unwrap();
        let counts = counts(&machine.with(&[with]), "h-sssp");
        assert!(counts.get("cluster.reads").unwrap() > 0);
        assert_eq!(counts.get("cluster.victims_taken").unwrap() > 0, inclusion == "exclusive", "{with}");
    }
}

#[test]
fn a_level_that_is_priced_like_another_costs_the_same_when_it_is_priced_again() {
    let folder = tempfile::tempdir().unwrap();
    let machine = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/machines/cluster-cache.toml");
    let graph = ["--graph", "rmat:scale=8", "--out", "r", "--json"];
    let run = run_in(
        folder.path(),
        &[&["run", "bfs", "--machine", machine.to_str().unwrap()][..], &graph].concat(),
    );
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let [ran, again] = [run.stdout, run_in(folder.path(), &["energy", "r", "--json"]).stdout]
        .map(|text| serde_json::from_str::<serde_json::Value>(&text).unwrap());
    assert!(ran["energy"]["total_joules"].as_f64().unwrap() > 0.0);
    assert_eq!(ran["energy"]["total_joules"], again["total_joules"]);
}

fn refused(text: &str) -> MachineError {
    let machine = Machine::from_text("m.toml", &format!("inherits = \"fermi\"\n{text}"), Path::new(""));
    machine.and_then(|machine| machine.resolve()).expect_err("it must be refused")
}

#[test]
fn shapes_that_no_machine_has_are_refused_by_key_and_place() {
    for (text, message) in [
        ("caches = [\"l1\", \"l2\", \"l3\"]\n", "m.toml:2:23: `caches`: there is no table [l3]"),
        ("caches = [\"l1\", \"l1\"]\n", "m.toml:2:17: `caches`: \"l1\" is named twice in `caches`"),
        ("agents = [\"l2\"]\n", "m.toml:2:11: `agents`: \"l2\" is named twice, in `caches` and in `agents`"),
        (
            "caches = [\"l1\", \"interconnect\"]\n",
            "m.toml:2:17: `caches`: \"interconnect\" is named twice, in `networks` and in `caches`",
        ),
        ("[copier]\nkind = \"copy\"\n", "m.toml:2:2: `copier`: is not named in `agents`"),
        ("[copier]\nkind = \"copy\"\nbelow = \"l2\"\n", "m.toml:2:2: `copier`: is not named in `agents`"),
        ("[l2]\nbelow = \"nothing\"\n", "m.toml:3:9: `l2.below`: expected \"dram\" or one of caches"),
        ("[l2]\nbelow = \"nothing\"\n", "there is no level \"nothing\""),
        ("[l2]\nbelow = \"drum\"\n", "there is no level \"drum\"; did you mean \"dram\"?"),
        ("[l1]\nbelow = \"l22\"\n", "there is no level \"l22\"; did you mean \"l2\"?"),
        ("caches = [\"core\"]\n", "m.toml:2:11: `caches`: \"core\" is the name of something else"),
        ("[l1]\nbelow = \"l3\"\n", "m.toml:3:9: `l1.below`: expected \"dram\" or one of caches"),
        ("[l1]\nbelow = \"dram\"\n", "m.toml:3:9: `l1.below`: a core's own cache needs a shared one below"),
        ("[l1]\nbelow = \"constant\"\n", "m.toml:3:9: `l1.below`: \"constant\" belongs to a core each"),
        ("[l2]\nbelow = \"l2\"\nmiss_queue = 8\n", "leads in a circle, and never to \"dram\""),
        ("[l1]\nlink = \"bus\"\n", "m.toml:3:8: `l1.link`: expected \"direct\" or one of networks"),
        ("[l1]\nserves = [\"global\"]\n", "none of them serves \"local\""),
        ("[texture]\nserves = [\"texture\", \"global\"]\n", "\"global\" has a cache already: l1"),
        ("[l1]\nserves = []\n", "none of them serves \"global\""),
        ("caches = [\"slots\"]\n", "m.toml:2:11: `caches`: \"slots\" is the name of something else"),
        ("caches = [\"a b\"]\n", "m.toml:2:11: `caches`: \"a b\" cannot be a name"),
        ("[cache]\nsize = 1\n", "m.toml:2:2: `cache`: no such key"),
        ("[l3]\nbelow = \"dram\"\n", "m.toml:2:2: `l3`: is not named in `caches`"),
        ("[l2]\nlink_latency = 5\n", "`l2.link_latency`: has no effect here"),
        ("[l1]\ninput_queue = 5\n", "`l1.input_queue`: has no effect here"),
        ("caches = [\"l1\", \"constant\", \"texture\", \"l2\"]\n", "none of them serves \"instruction\""),
        ("[l2]\nshared_by = 0\nslice = 4\n", "m.toml:4:1: `l2.slice`: no such key"),
        (
            "[energy.like]\nl3 = \"l2\"\n",
            "`energy.like.l3`: \"l3\" is none of the machine's caches and networks (l1, constant, texture, instruction, l2, \
             interconnect); did you mean \"l1\"?",
        ),
        (
            "[energy.like]\nl1 = \"l22\"\n",
            "m.toml:3:6: `energy.like.l1`: the energy table fermi has no prices for \"l22\" (constant, instruction, l1, l2, \
             texture); did you mean \"l2\"?",
        ),
        (
            "caches = [\"l1\", \"constant\", \"texture\", \"instruction\", \"shared\"]\n[shared]\nbelow = \"dram\"\n",
            "shared",
        ),
    ] {
        let error = refused(text).to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
}

#[test]
fn caches_are_priced_like_caches_and_networks_like_networks() {
    let caches = "(constant, instruction, l1, l2, texture)";
    for (part, like, sort, known) in [
        ("l1", "dram", "cache", caches),
        ("l1", "core", "cache", caches),
        ("l2", "interconnect", "cache", caches),
        ("interconnect", "l2", "network", "(interconnect)"),
        ("interconnect", "dram", "network", "(interconnect)"),
    ] {
        let error = refused(&format!("[energy.like]\n{part} = \"{like}\"\n")).to_string();
        let told = format!(
            "`energy.like.{part}`: a {sort} is priced like a {sort}, and \"{like}\" of the energy table fermi is none {known}"
        );
        assert!(error.contains(&told), "{error}");
    }
    let machine = "inherits = \"fermi\"\n[energy.like]\ntexture = \"l1\"\ninterconnect = \"interconnect\"\n";
    let machine = Machine::from_text("m.toml", machine, Path::new("")).unwrap();
    machine.resolve().expect("components of the same sort");
}

#[test]
fn a_table_in_a_file_is_asked_for_prices_of_the_same_sort() {
    let folder = tempfile::tempdir().unwrap();
    let table = heddle_energy::load::text("fermi").unwrap().replace("name = \"fermi\"", "name = \"mine\"");
    std::fs::write(folder.path().join("mine.toml"), table).unwrap();
    let like = |like: &str| {
        let text = renamed().replace("llc = \"l2\"", &format!("llc = \"{like}\""));
        let text = text.replace("[energy.like]", "[energy]\ntable = \"./mine.toml\"\n[energy.like]");
        std::fs::write(folder.path().join("m.toml"), text).unwrap();
        run_in(folder.path(), &["run", "bfs", "--machine", "m.toml", "--graph", "rmat:scale=6"])
    };
    let right = like("l2");
    assert_eq!(right.code, Some(0), "{}", right.stderr);
    let wrong = like("dram");
    let told =
        "`energy.like.llc`: a cache is priced like a cache, and \"dram\" of the energy table mine is none";
    assert!(wrong.code != Some(0) && wrong.stderr.contains(told), "{}", wrong.stderr);
}
