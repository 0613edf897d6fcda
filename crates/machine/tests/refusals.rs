//! What is refused, where, and with what advice.

use heddle_machine::{Machine, MachineError};
use std::path::Path;

fn refused(machine: &str, with: &[&str], set: &[&str]) -> MachineError {
    let resolved = Machine::named(machine).and_then(|machine| machine.with(with).set(set).resolve());
    resolved.expect_err("it must be refused")
}

fn refused_file(text: &str) -> MachineError {
    let machine = Machine::from_text("m.toml", text, Path::new(""));
    machine.and_then(|machine| machine.resolve()).expect_err("it must be refused")
}

#[test]
fn unknown_keys_of_a_file_are_named_with_their_place_and_the_nearest_key() {
    let error = refused_file("name = \"m\"\ninherits = \"fermi\"\n\n[l1]\nsize = \"48KiB\"\n  wyas = 6\n");
    assert_eq!(error.to_string(), "m.toml:6:3: `l1.wyas`: no such key");
    assert_eq!(error.help.as_deref(), Some("did you mean `l1.ways`?"));
    let error = refused_file("inherits = \"fermi\"\nmshr = 4\n");
    assert_eq!(error.to_string(), "m.toml:2:1: `mshr`: no such key");
    assert_eq!(error.help.as_deref(), Some("did you mean `l1.mshrs`?"));
    let error = refused_file("inherits = \"fermi\"\n[dram.timing]\ntCLL = 4\n");
    assert!(error.help.unwrap().contains("`dram.timing.tCL`"));
}

#[test]
fn a_key_that_nobody_has_written_is_missing_in_the_file() {
    let error = refused_file("");
    assert_eq!(error.to_string(), "the key `name` is missing in m.toml");
}

#[test]
fn unknown_paths_of_settings_are_refused_with_the_nearest_path() {
    for (setting, key, near) in [
        ("l1.sise=16KiB", "l1.sise", "did you mean `l1.size`?"),
        ("mshr=4", "mshr", "did you mean `l1.mshrs`?"),
        ("l3.size=4", "l3.size", "did you mean `l1.size`?"),
        ("cores.count=4", "cores.count", "did you mean `core.count`?"),
        ("l1.size.bytes=4", "l1.size.bytes", "did you mean `l1.size`?"),
    ] {
        let error = refused("fermi", &[], &[setting]);
        assert_eq!((error.key.as_str(), error.help.as_deref()), (key, Some(near)), "{error}");
        assert_eq!(error.origin.unwrap().to_string(), format!("--set {setting}"));
    }
    let error = refused("fermi", &[], &["dram.timing.tXYZ=3"]);
    assert!(!error.help.unwrap_or_default().contains("did you mean"), "nothing is near");
    assert!(refused("fermi", &[], &["l1.size"]).help.unwrap().contains("l1.size=16KiB"));
    assert!(refused("fermi", &[], &["split.7.shared=4"]).problem.contains("2 items"));
}

#[test]
fn the_instruction_cache_has_no_sectors() {
    let error = refused("fermi", &[], &["instruction.sector=32B"]);
    assert_eq!(error.key, "instruction.sector");
    assert_eq!(error.problem, "instructions are fetched by lines; use instruction.line = 64B");
}

#[test]
fn values_of_the_wrong_kind_say_what_was_expected() {
    for (setting, problem) in [
        ("clocks.core=1200", "write a frequency such as \"1.2GHz\""),
        ("clocks.core=fast", "'fast' has no known unit"),
        ("l1.size=48KB", "'48KB' has no known unit: expected a number followed by one of GiB, MiB, KiB, B"),
        ("l1.ways=six", "expected a whole number, 0 or more, found string \"six\""),
        ("l1.ways=-1", "expected a whole number, 0 or more, found integer `-1`"),
        ("l1.ways=4.5", "expected a whole number, 0 or more"),
        ("core.stall_on_branch=yes", "expected true or false"),
        ("core.scheduler=fifo", "'fifo' is none of round-robin, loose-round-robin, greedy-then-oldest"),
        ("core.scheduler=3", "expected one of round-robin"),
        ("core.request_order=ascending", "'ascending' is none of lanes, descending"),
        ("l1=48KiB", "expected a table"),
        ("split=3", "expected an array"),
        ("dram.part=ddr9", "no DRAM part is called 'ddr9'"),
        ("core.decode_cycles=99999999999", "99999999999 is too large: expected at most 4294967295"),
        ("latency.simple.latency=4294967296", "4294967296 is too large: expected at most 4294967295"),
    ] {
        let error = refused("fermi", &[], &[setting]);
        assert!(error.problem.contains(problem), "{setting}: {error}");
        assert_eq!(error.key, setting.split_once('=').unwrap().0);
    }
    let error = refused_file("inherits = \"fermi\"\n[clocks]\ncore = 1200\n");
    assert!(error.to_string().starts_with("m.toml:3:8: `clocks.core`: "), "{error}");
}

/// One key, one value, the key that is blamed, and a word of the reason.
#[test]
fn figures_that_no_machine_can_have_are_refused_by_key() {
    for (setting, key, problem) in [
        ("l1.ways=0", "l1.ways", "1 to"),
        ("l2.ways=0", "l2.ways", "1 to"),
        ("l1.line=96B", "l1.line", "power of two"),
        ("l2.line=0B", "l2.line", "power of two"),
        ("l1.size=40000B", "l1.size", "sets"),
        ("l1.size=0B", "l1.size", "sets"),
        ("l1.sector=256B", "l1.sector", "line"),
        ("constant.granularity=sector", "constant.granularity", "sector"),
        ("l2.mshrs=0", "l2.mshrs", "1 to"),
        ("l1.miss_queue=0", "l1.miss_queue", "1 to"),
        ("l2.size=767KiB", "l2.size", "slices"),
        ("l2.slices=0", "l2.slices", "1 to"),
        ("l2.input_queue=0", "l2.input_queue", "1 to"),
        ("interconnect.flit=0B", "interconnect.flit", "between"),
        ("interconnect.output_queue=0", "interconnect.output_queue", "between"),
        ("interconnect.interleave_requests=4097", "interconnect.interleave_requests", "more than 4096"),
        ("interconnect.request_speedup=0", "interconnect.request_speedup", "between 1 and 64"),
        ("clocks.core=0Hz", "clocks.core", "stand still"),
        ("clocks.core=1Hz", "clocks.core", "expected at least 1MHz, which any machine has; found 1Hz"),
        ("clocks.interconnect=999kHz", "clocks.interconnect", "at least 1MHz"),
        ("clocks.l2=100Hz", "clocks.l2", "at least 1MHz"),
        ("clocks.l2=100", "clocks.l2", "has no unit"),
        ("dram.clock=1Hz", "dram.clock", "at least 1MHz"),
        ("l1.index=hashed", "l1.index", "is none of plain, fermi, xor"),
        ("l2.index=fermi", "l2.index", "expected \"xor\" or \"plain\""),
        ("clocks.l2=999999937Hz", "clocks.l2", "common tick"),
        ("dram.clock=0Hz", "dram.clock", "above 0Hz"),
        ("dram.channels=0", "dram.channels", "1 to"),
        ("dram.bus=0", "dram.bus", "1 to"),
        ("dram.queue.entries=0", "dram.queue.entries", "1 to"),
        ("dram.timing.tRC=1", "dram.timing.tRC", "tRAS"),
        ("dram.burst=256", "dram.burst", "`dram.address_map` of the machine"),
        ("core.warps=65", "core.warps", "1 to 64"),
        ("core.warps=49", "core.warps", "core.threads"),
        ("core.registers=2048", "core.registers", "`core.warps` of the machine"),
        ("core.registers=100", "core.registers", "core.registers_per_thread = 63"),
        ("core.registers_per_thread=1025", "core.registers_per_thread", "1 to 1024"),
        ("core.load_miss_cycles=100000000", "core.load_miss_cycles", "0 to 65536"),
        ("l2.latency=65537", "l2.latency", "0 to 65536"),
        ("l2.atomic_cycles=65537", "l2.atomic_cycles", "0 to 65536"),
        ("core.simd_width=24", "core.simd_width", "divisor"),
        ("core.simd_width=0", "core.simd_width", "divisor"),
        ("core.schedulers=0", "core.schedulers", "1 to"),
        ("core.count=0", "core.count", "1 to"),
        ("core.load_store_queue=0", "core.load_store_queue", "1 to"),
        ("core.instruction_bytes=256", "core.instruction_bytes", "instruction.line"),
        ("latency.branch.latency=0", "latency.branch.latency", "1 to"),
        ("shared_memory.banks=0", "shared_memory.banks", "1 to"),
        ("shared_memory.store=32KiB", "shared_memory.store", "`split.0.shared` of the machine"),
        ("split.1.shared=49KiB", "split.1.shared", "store"),
        ("split.1.l1_ways=0", "split.1.l1_ways", "together"),
        ("split.1.l1_ways=3", "split.1.l1_ways", "sets"),
        ("split=[]", "split", "1 to"),
        ("policies.obm.counters=0", "policies.obm.counters", "1 to"),
        ("policies.r-ex.period=0", "policies.r-ex.period", "1 to"),
        ("policies.nap.entries=33", "policies.nap.entries", "power of two"),
        ("policies.ghb.entries=2", "policies.ghb.entries", "4 to"),
        ("policies.stream.distance=0", "policies.stream.distance", "1 to"),
        ("constant.granularity=nap", "constant.granularity", "set sector"),
        ("policies.nap.threshold=15", "policies.nap.threshold", "0 to 14"),
        ("l1.inclusion=r-ex", "l1.inclusion", "set l2.inclusion"),
        ("energy.table=", "energy.table", "name"),
    ] {
        let error = refused("fermi", &[], &[setting]);
        assert_eq!(error.key, key, "{setting}: {error}");
        assert!(error.problem.contains(problem), "{setting}: {error}");
    }
}

#[test]
fn a_speed_up_needs_requests_that_are_sent_whole() {
    let error = refused("gtx480", &[], &["interconnect.interleave_requests=1"]);
    assert_eq!(error.key, "interconnect.interleave_requests", "{error}");
    assert!(error.problem.contains("interconnect.request_speedup"), "{error}");
    let error = refused("gtx480", &[], &["interleave_requests=1", "request_speedup=3"]);
    assert!(error.problem.contains("sent whole"), "{error}");
}

#[test]
fn figures_that_would_take_the_hosts_memory_are_refused() {
    for setting in [
        "l2.size=1152921504606846976",
        "l1.size=99999999KiB",
        "core.count=1000000",
        "core.registers=4294967295",
        "l2.mshrs=65536",
        "dram.queue.entries=4000000000",
        "dram.channels=4000000000",
        "interconnect.input_queue=4000000000",
        "shared_memory.store=99999GiB",
        "launch.overhead=9223372036854775807",
    ] {
        // Whatever else must be larger along with it is made so.
        let settings = [setting, "core.threads=2048", "l2.merges=65536"];
        assert!(Machine::named("fermi").unwrap().set(&settings).resolve().is_err(), "{setting}");
    }
}

#[test]
fn errors_of_value_name_the_line_that_has_it() {
    let error = refused_file("inherits = \"fermi\"\n[core]\ncount = 8\nwarps = 65\n");
    assert_eq!(error.to_string(), "m.toml:4:9: `core.warps`: expected 1 to 64, found 65");
}

#[test]
fn a_bypass_goes_with_granularity_and_prefetching_and_with_no_exclusion_but_that_of_bypass_and_copy_back() {
    let bypasses = ["mat", "mat-l2", "ab", "ab-l2", "obm", "obm-l2", "bc", "bc-l2"];
    for bypass in bypasses {
        for other in
            ["sector", "nap", "stride", "ghb-l2", "victim", "write-back", "bandwidth-144", "c-spref1"]
        {
            let both = Machine::named("fermi").unwrap().with(&[bypass, other]).resolve();
            assert!(both.is_ok(), "{bypass} with {other}: {}", both.err().unwrap());
        }
        for other in ["exclusive", "r-ex"] {
            for pair in [[bypass, other], [other, bypass]] {
                let error = refused("fermi", &pair, &[]);
                assert!(
                    error.problem.contains("do not go together") || error.problem.contains("does not go")
                );
            }
        }
    }
    for one in ["bc", "bc-l2"] {
        for other in ["mat", "mat-l2", "ab", "ab-l2", "obm", "obm-l2"] {
            let error = refused("fermi", &[one, other], &[]);
            assert!(error.problem.contains("B+C"), "{error}");
        }
    }
    let error = refused("fermi", &["mat+ab-l2"], &[]);
    assert_eq!(
        (error.key.as_str(), error.problem.contains("different values")),
        ("l2.bypass", true),
        "{error}"
    );
    // By key.
    for (settings, key, why) in [
        (&["l2.bypass=pc-reuse"][..], "l2.bypass", "in a cache of its own"),
        (&["l2.inclusion=bc", "l2.bypass=mat"], "l2.bypass", "B+C (inclusion = \"bc\") decides itself"),
        (&["l2.inclusion=bc", "l1.bypass=ab"], "l1.bypass", "lives on what this one kept"),
        (&["l2.inclusion=r-ex", "l1.bypass=pc-reuse"], "l1.bypass", "lives on what this one kept"),
        (&["constant.bypass=mat"], "constant.bypass", "only caches of data bypass"),
        (&["policies.mat.entries=1000"], "policies.mat.entries", "no power of two"),
        (&["policies.ab.initial_one_in=512"], "policies.ab.initial_one_in", "not from 2 to 256"),
        (&["policies.pc-reuse.entries=0"], "policies.pc-reuse.entries", "not from 1 to 255"),
        (&["l1.count_sharing=true"], "l1.count_sharing", "has no effect here"),
    ] {
        let error = refused("fermi", &[], settings);
        assert_eq!((error.key.as_str(), error.problem.contains(why)), (key, true), "{error}");
    }
}

#[test]
fn mechanisms_that_do_not_go_together_are_refused_with_the_reason() {
    let error = refused("fermi", &["obm", "exclusive"], &[]);
    assert!(
        error.problem.contains("`obm` does not go together with `exclusive`: an exclusive L2"),
        "{error}"
    );
    let error = refused("fermi", &["caches-2x+l1-64k"], &[]);
    assert_eq!(error.key, "l1.size");
    assert!(error.problem.contains("`caches-2x` and `l1-64k`"), "{error}");
    let error = refused("gtx480", &["bandwidth-144"], &[]);
    assert!(error.problem.contains("are for fermi"), "{error}");
    let error = refused("fermi", &["sectro"], &[]);
    assert_eq!(error.help.as_deref(), Some("did you mean `sector`?"));
    let error = refused("fermi", &["r-ex+obm-l2"], &[]);
    assert!(error.problem.contains("R-EX decides itself"), "{error}");
    for (pair, key) in
        [("r-ex+exclusive", "l2.inclusion"), ("nap+sector", "l1.granularity"), ("stride+ghb", "l1.prefetch")]
    {
        let error = refused("fermi", &[pair], &[]);
        assert_eq!((error.key.as_str(), error.problem.contains("different values")), (key, true), "{error}");
    }
    // Whole lines of L1 fill all sectors of a line of L2; sectors of L1 fill no whole line.
    for with in ["r-ex", "exclusive", "r-ex+sector+ghb"] {
        assert!(Machine::named("gtx480").unwrap().with(&[with]).resolve().is_ok(), "{with}");
    }
    let whole = ["l1.sector=32B", "l2.sector=128B", "l2.granularity=line", "l2.fetch=atoms"];
    let error = refused("gtx480", &["r-ex"], &whole);
    assert!(error.problem.contains("set l2.sector = \"32B\" (as the mechanism \"sector\""), "{error}");
    let error = refused("gtx480", &["r-ex"], &["l1.line=64B", "l1.sector=64B", "l1.index=plain"]);
    assert!(error.problem.contains("l1.line = 64B must be l2.line = 128B"), "{error}");
    // By key, too.
    let error = refused("fermi", &["r-ex"], &["l2.bypass=obm"]);
    assert_eq!(error.key, "l2.bypass");
    let error = refused("fermi", &["r-ex"], &["l1.bypass=obm"]);
    assert_eq!(error.key, "l1.bypass");
    let error = refused("fermi", &["exclusive"], &["l1.bypass=obm"]);
    assert_eq!(error.key, "l1.bypass");
}

#[test]
fn settings_have_the_last_word_and_short_paths_are_completed() {
    let machine = Machine::named("fermi").unwrap().with(&["victim"]);
    let resolved =
        machine.set(&["l1.victim_lines=4", "dram.tCL=12", "clocks.core=1.4GHz"]).resolve().unwrap();
    assert_eq!(resolved.spec.memory.cache("l1").unwrap().victim_lines, 4);
    assert_eq!(resolved.spec.memory.dram.timing.tCL, 12);
    assert_eq!(resolved.spec.clocks.core.to_string(), "1.4GHz");
}

#[test]
fn files_inherit_from_files_and_circles_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    write("a.toml", "name = \"a\"\ninherits = \"deep/b.toml\"\n[core]\ncount = 3\n");
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    write("deep/b.toml", "inherits = \"c.toml\"\n[core]\nwarps = 24\ncount = 5\n");
    write("deep/c.toml", "inherits = \"gtx480\"\n[l1]\nmshrs = 9\n");
    let spec = Machine::named(&path("a.toml")).unwrap().resolve().unwrap().spec;
    assert_eq!((spec.core.count, spec.core.warps, spec.memory.cache("l1").unwrap().mshrs), (3, 24, 9));
    write("x.toml", "inherits = \"y.toml\"\n");
    write("y.toml", "\ninherits = \"./x.toml\"\n");
    let error = Machine::named(&path("x.toml")).unwrap_err();
    assert!(error.problem.contains("circle"), "{error}");
    assert!(error.origin.unwrap().to_string().ends_with("y.toml:2:12"));
    write("z.toml", "inherits = \"ferni\"\n");
    let error = Machine::named(&path("z.toml")).unwrap_err();
    assert_eq!(error.help.as_deref(), Some("did you mean `fermi`?"));
    assert!(Machine::named(&path("nothing.toml")).unwrap_err().problem.contains("no such file"));
    assert!(Machine::named("nothing").unwrap_err().help.unwrap().contains("heddle machine list"));
}

#[test]
fn a_file_that_inherits_nothing_must_have_everything() {
    let error = refused_file("name = \"m\"\n");
    assert!(error.problem.contains("is missing") && error.help.unwrap().contains("inherits"));
}

#[test]
fn a_part_file_of_a_machine_is_found_beside_it_and_checked_like_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("part.toml", "inherits = \"gddr5-fermi\"\n[timing]\ntCLL = 21\n");
    let named = |part: &str| {
        let text = format!("name = \"m\"\ninherits = \"fermi\"\n[dram]\npart = \"{part}\"\nage_limit = 7\n");
        Machine::from_text("m.toml", &text, folder.path()).and_then(|machine| machine.resolve())
    };
    let error = named("part.toml").unwrap_err();
    let place = format!("{}:3:1: `dram.timing.tCLL`: no such key", folder.path().join("part.toml").display());
    assert_eq!(error.to_string(), place);
    assert_eq!(error.help.as_deref(), Some("did you mean `dram.timing.tCL`?"));
    let error = named("gddr5-ferm").unwrap_err();
    assert!(error.to_string().starts_with("m.toml:4:8: `dram.part`: no DRAM part is called"), "{error}");
    assert_eq!(error.help.as_deref(), Some("did you mean `gddr5-fermi`?"));
    assert!(
        named("missing.toml")
            .unwrap_err()
            .to_string()
            .contains("m.toml:4:8: `dram.part`: missing.toml: no such")
    );
    assert!(named("k40c").unwrap_err().problem.contains("is a machine"));
    write("part.toml", "inherits = \"gddr5-fermi\"\nenergy = \"mine.toml\"\n[timing]\ntCL = 21\n");
    let resolved = named("part.toml").unwrap();
    let dram = &resolved.spec.memory.dram;
    // What the parent states beside its part stays, and nothing else of its DRAM.
    assert_eq!((dram.timing.tCL, dram.age_limit, dram.extra_latency), (21, 7, 140));
    // Given back from anywhere, the resolved file names the same table.
    let table = std::path::absolute(folder.path().join("mine.toml")).unwrap();
    assert_eq!(dram.energy.as_deref(), table.to_str());
    let again = Machine::from_text("again.toml", resolved.to_toml(), Path::new("elsewhere"));
    assert_eq!(again.unwrap().resolve().unwrap().toml, resolved.toml);
}

#[test]
fn a_part_that_is_set_replaces_the_figures_of_the_machine() {
    let resolved =
        Machine::named("gtx480").unwrap().set(&["dram.part=gddr5-k40c", "tCCD_S=2"]).resolve().unwrap();
    let dram = &resolved.spec.memory.dram;
    assert_eq!((dram.timing.tCL, dram.extra_latency), (24, 0));
    assert_eq!(dram.energy.as_deref(), Some("gddr5-k40c"));
    assert!(refused("fermi", &[], &["dram.energy=gddr7"]).problem.contains("the name of a table"));
}

#[test]
fn the_key_that_the_user_wrote_is_blamed_and_not_one_of_a_preset() {
    let error = refused_file("inherits = \"fermi\"\n[core]\ncount = 8\n[l1]\nsize = \"64KiB\"\n");
    let told = error.to_string();
    assert!(
        told.starts_with("m.toml:5:8: `l1.size`: it does not go together with `split.0.shared`"),
        "{told}"
    );
    // Without that key there would be no error: others have nothing to do with it.
    assert_eq!(error.help, None);
    // Of several that are at fault, a few are named, each with its place.
    let file = "inherits = \"fermi\"\n[core]\ncount = 8\n[l1]\nsize = \"64KiB\"\nmshrs = 0\nmerges = 0\nports = 0\nbanks = 0\n";
    let help = refused_file(file).help.unwrap();
    assert!(help.starts_with("what else was changed: `l1."), "{help}");
    assert!(help.contains("(m.toml:") && help.ends_with(" more"), "{help}");
    assert_eq!(help.matches('`').count(), 6, "{help}");
    // A file that would do without what was set on top of it is not at fault.
    let file = "inherits = \"fermi\"\n[shared_memory]\nstore = \"96KiB\"\n[l1]\nsize = \"72KiB\"\n";
    let machine = Machine::from_text("m.toml", file, Path::new("")).unwrap();
    assert!(machine.resolve().is_ok());
    let error = machine.set(&["split.0.shared=32KiB", "core.count=4"]).resolve().unwrap_err();
    assert!(error.to_string().starts_with("--set split.0.shared=32KiB: "), "{error}");
}

#[test]
fn ways_follow_a_size_that_they_do_not_divide_and_a_note_says_so() {
    let resolved = Machine::named("fermi").unwrap().set(&["l1.size=16KiB"]).resolve().unwrap();
    assert_eq!(resolved.spec.memory.cache("l1").unwrap().ways, 4);
    assert!(resolved.notes[0].starts_with("l1.ways is 4 in place of 6"), "{:?}", resolved.notes);
    let divided = Machine::named("fermi").unwrap().set(&["l1.size=24KiB"]).resolve().unwrap();
    assert_eq!((divided.spec.memory.cache("l1").unwrap().ways, divided.notes.len()), (6, 0));
    let error = refused("fermi", &[], &["l1.size=16KiB", "l1.ways=6"]);
    assert!(error.to_string().starts_with("--set "), "{error}");
}

#[test]
fn a_file_without_a_name_has_that_of_its_file_and_not_its_parents() {
    let machine = Machine::from_text("deep/mine.toml", "inherits = \"fermi\"\n", Path::new("")).unwrap();
    assert_eq!(machine.resolve().unwrap().spec.name, "mine.toml");
    let named =
        Machine::from_text("m.toml", "inherits = \"fermi\"\nname = \"mine\"\n", Path::new("")).unwrap();
    assert_eq!(named.resolve().unwrap().spec.name, "mine");
}

/// `fermi` with a level between, of which a file of the user's says everything.
fn between(change: impl Fn(String) -> String) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/machines/cluster-cache.toml");
    change(std::fs::read_to_string(path).unwrap())
}

#[test]
fn the_key_that_an_error_speaks_of_is_blamed_before_other_ways_out() {
    let error = refused_file(&between(|text| {
        text.replace("line = \"128B\"\nsector = \"32B\"", "line = \"64B\"\nsector = \"32B\"")
    }));
    assert_eq!(error.key, "cluster.line", "{error}");
    let flexclusion = |text: String| {
        let text = text.replace("size = \"64KiB\"", "size = \"8KiB\"");
        text.replace("inclusion = \"non-inclusive\"", "inclusion = \"flexclusion\"")
    };
    let error = refused_file(&between(flexclusion));
    assert_eq!(error.key, "cluster.size", "{error}");
    assert!(error.problem.contains("policies.flexclusion.monitor_sets"), "{error}");
}

/// R-EX in a core's own cache would be refused for what the mechanism says of its victim cache as well, and blamed on a key
/// of the same table that has nothing to do with it.
#[test]
fn inclusion_of_a_cores_own_cache_is_blamed_whatever_else_is_wrong() {
    let settings = ["l2.map=by-channel", "l1.allocate=on-fill", "l1.inclusion=r-ex"];
    let error = refused("fermi", &["victim"], &settings);
    assert_eq!(error.key, "l1.inclusion", "{error}");
    assert!(error.problem.contains("a matter of the lower cache: set l2.inclusion"), "{error}");
}

#[test]
fn a_level_is_shared_by_no_more_cores_than_there_are() {
    let error = refused("fermi", &[], &["l2.shared_by=17"]);
    assert_eq!(error.key, "l2.shared_by", "{error}");
    assert!(error.problem.contains("at most the 16 that there are, found 17; 0 is for all"), "{error}");
    assert!(Machine::named("fermi").unwrap().set(&["l2.shared_by=16"]).resolve().is_ok());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/machines/cluster-cache.toml");
    let cluster = Machine::named(path.to_str().unwrap()).unwrap();
    assert_eq!(cluster.set(&["core.count=1"]).resolve().unwrap_err().key, "core.count");
}

#[test]
fn a_level_with_the_name_of_something_else_is_told_so() {
    for name in ["agent", "network", "cache", "core"] {
        let error = refused_file(&between(|text| text.replace("cluster", name)));
        assert_eq!(error.key, "caches", "{error}");
        assert_eq!(error.problem, format!("\"{name}\" is the name of something else"));
    }
    assert_eq!(refused_file("inherits = \"fermi\"\n[agent]\nkind = \"copy\"\n").problem, "no such key");
}

#[test]
fn a_size_for_a_whole_level_is_refused_where_cores_have_several() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/machines/two-l2.toml");
    let error = refused(path.to_str().unwrap(), &["caches-2x"], &[]);
    assert_eq!(error.key, "l2.size", "{error}");
    assert!(error.problem.contains("one `l2` for every 8 cores"), "{error}");
}
