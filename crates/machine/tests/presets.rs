//! The presets are machines, and say what their documents say.

use heddle_engine::units::{Bandwidth, Bytes};
use heddle_machine::{Machine, Resolved, derived, mechanisms, pairs, parameters, presets, zero_load};
use heddle_ptx::analysis::CoreLimits;
use std::path::Path;

fn preset(name: &str) -> Resolved {
    Machine::named(name).and_then(|machine| machine.resolve()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_preset_resolves_and_its_resolved_file_gives_it_back() {
    let presets = presets().unwrap();
    let names: Vec<&str> = presets.iter().map(|preset| preset.spec.name()).collect();
    assert_eq!(names, ["fermi", "gtx480", "gtx480-mff", "k40c"]);
    for preset in presets {
        let again = Machine::from_text("again.toml", preset.to_toml(), Path::new("")).unwrap();
        assert_eq!(again.resolve_any().unwrap(), preset);
    }
}

#[test]
fn a_resolved_file_with_mechanisms_and_settings_gives_the_same_machine_back() {
    let machine =
        Machine::named("fermi").unwrap().with(&["obm+sector", "bandwidth-144"]).set(&["l1.mshrs=7"]);
    let resolved = machine.resolve().unwrap();
    assert_eq!(resolved.mechanisms, ["obm", "sector", "bandwidth-144"]);
    let again = Machine::from_text("again.toml", resolved.to_toml(), Path::new("")).unwrap();
    assert_eq!(again.resolve().unwrap(), resolved);
    // What it contains already still does not go together with what it never went together with.
    let error = again.with(&["exclusive"]).resolve().unwrap_err();
    assert!(error.problem.contains("`exclusive` does not go together with `obm`"), "{error}");
}

#[test]
fn every_mechanism_applies_to_fermi_and_changes_it() {
    let base = preset("fermi");
    for mechanism in mechanisms().unwrap() {
        let with = Machine::named("fermi").unwrap().with(&[&mechanism.name]).resolve();
        let with = with.unwrap_or_else(|error| panic!("{}: {error}", mechanism.name));
        assert_eq!(with.hash == base.hash, mechanism.name == "none", "{}", mechanism.name);
    }
}

#[test]
fn the_limits_of_occupancy_are_those_of_the_occupancy_table() {
    for limits in CoreLimits::all() {
        let ours = preset(&limits.name).core_limits();
        assert_eq!(CoreLimits { source: limits.source.clone(), ..ours }, limits);
    }
}

#[test]
fn fermi_is_the_machine_of_tables_3_and_8() {
    let fermi = preset("fermi");
    let figures = derived(&fermi.spec);
    let memory = &figures.memory;
    assert_eq!(memory.dram_bytes_per_second, 100_800_000_000);
    assert_eq!(memory.packet_flits, [1, 5]);
    assert_eq!(figures.register_bytes, 128 << 10);
    assert_eq!((memory.levels[0].slice_sets, 6 * memory.levels[1].slice_sets), (64, 768));
    let faster = Machine::named("fermi").unwrap().with(&["bandwidth-144"]).resolve().unwrap();
    // Which network is listed first tells nothing.
    let mut two = fermi.spec.clone();
    let mut other = two.memory.networks[0].clone();
    (other.name, other.crossbar.flit.0) = ("other".to_owned(), 8);
    two.memory.networks.insert(0, other);
    assert_eq!(derived(&two), figures);
    assert_eq!(derived(&faster.spec).memory.dram_bytes_per_second, 144_000_000_000);
}

#[test]
fn the_published_bandwidths_and_caches_of_the_cards_come_out() {
    let [gtx480, mff, k40c] = ["gtx480", "gtx480-mff", "k40c"].map(|name| preset(name).spec);
    let peak = |spec: &heddle_gpu::GpuSpec| spec.memory.dram.peak_bandwidth();
    assert_eq!(peak(&gtx480), Bandwidth::from_bytes_per_second(177_408_000_000));
    assert_eq!(peak(&mff), peak(&gtx480));
    assert_eq!(peak(&k40c), Bandwidth::from_bytes_per_second(288_000_000_000));
    assert_eq!(derived(&gtx480).memory.levels[1].slice_sets, 64);
    assert_eq!(derived(&k40c).lanes, 2880);
    assert_eq!(gtx480.memory.networks[0].crossbar.flits(128), 4);
    assert_eq!(
        (mff.memory.cache("l2").unwrap().slice().size, mff.memory.cache("l2").unwrap().ways),
        (Bytes(128 << 10), 16)
    );
}

#[test]
fn the_difference_of_two_machines_is_named_key_by_key() {
    let small = Machine::named("fermi").unwrap().set(&["l1.mshrs=7", "split.1.l1_ways=2"]).resolve().unwrap();
    let difference = preset("fermi").differences(&small);
    let row = |key: &str, ours: &str, theirs: &str| (key.to_string(), ours.to_string(), theirs.to_string());
    assert_eq!(difference, [row("split.1.l1_ways", "4", "2"), row("l1.mshrs", "128", "7")]);
}

/// \[Lakshminarayana14\] tables 3 and 8: 4-cycle L1, 100-cycle round trip to L2, 400-cycle minimum round trip
/// to DRAM.
#[test]
fn latencies_of_fermi_without_load_are_the_published_ones() {
    let latencies = zero_load(&preset("fermi").spec).unwrap();
    assert_eq!((latencies.core, latencies.last_level()), (4, Some(100)));
    // A clock of DRAM is one and a half core cycles: from one closed row to another it is 399 to 401, and 400 on average
    // (`fermi_takes_4_cycles_to_l1_100_to_l2_and_400_to_a_closed_row`).
    assert!(latencies.dram.abs_diff(400) <= 1, "{}", latencies.dram);
    let faster = Machine::named("fermi").unwrap().with(&["bandwidth-144"]).resolve().unwrap();
    let latencies = zero_load(&faster.spec).unwrap();
    assert_eq!((latencies.core, latencies.last_level()), (4, Some(100)));
    assert!(latencies.dram.abs_diff(400) <= 1, "{}", latencies.dram);
}

/// One flit there, four back, six cycles each way and the 121 of the pipeline in front of L2.
#[test]
fn latencies_of_the_cards_without_load_are_sums_of_their_parameters() {
    let all = ["gtx480", "gtx480-mff", "k40c"].map(|name| zero_load(&preset(name).spec).unwrap());
    assert_eq!((all[0].core, all[0].last_level()), (34, Some(1 + 6 + 121 + 4 + 6)));
    // Twice the core's clock: the 121 cycles of L2 alone are 242 of them.
    assert_eq!((all[1].core, all[1].last_level().unwrap() > 242), (68, true));
    assert!(all.iter().all(|latencies| Some(latencies.dram) > latencies.last_level()));
}

#[test]
fn every_mechanism_says_how_it_works_and_where_its_parameters_come_from() {
    let fermi = Machine::named("fermi").unwrap();
    let mut missing = Vec::new();
    for mechanism in mechanisms().unwrap() {
        let name = &mechanism.name;
        if mechanism.how.trim().is_empty() {
            missing.push(format!("machines/mechanisms/{name}.toml: how = \"\"\"…\"\"\""));
        }
        for parameter in parameters(&fermi, &mechanism).unwrap_or_else(|error| panic!("{name}: {error}")) {
            if parameter.origin.is_none() || parameter.because.is_empty() {
                let key = parameter.key;
                missing.push(format!("machines/mechanisms/{name}.toml: parameters.{key} = \"…\""));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn what_a_mechanism_says_about_parameters_is_about_those_that_it_has() {
    let fermi = Machine::named("fermi").unwrap();
    for mechanism in mechanisms().unwrap() {
        let known = parameters(&fermi, &mechanism).unwrap();
        for (path, _) in mechanism.origins(&fermi).unwrap() {
            let about = |key: &str| key == path || key.starts_with(&format!("{path}."));
            assert!(known.iter().any(|parameter| about(&parameter.key)), "{}: {path}", mechanism.name);
        }
    }
}

#[test]
fn every_conflict_has_a_reason_and_names_a_mechanism() {
    for mechanism in mechanisms().unwrap() {
        for conflict in &mechanism.conflicts {
            assert!(!conflict.because.is_empty(), "{} with {}", mechanism.name, conflict.with);
            let known = mechanisms().unwrap().iter().any(|other| other.name == conflict.with);
            assert!(known, "{}: no mechanism is called {}", mechanism.name, conflict.with);
        }
    }
}

#[test]
fn pairs_tell_why_two_mechanisms_do_not_go_together() {
    let fermi = Machine::named("fermi").unwrap();
    let all = pairs(&fermi, &[]).unwrap();
    assert!(all.impossible.is_empty(), "{:?}", all.impossible);
    assert_eq!(all.pairs.len(), all.mechanisms.len() * (all.mechanisms.len() - 1) / 2);
    assert_eq!(all.refusal("obm", "sector"), None);
    // By what one of them says.
    assert!(all.refusal("obm", "exclusive").unwrap().contains("lives on what L1 kept"));
    // By a key.
    assert!(all.refusal("ghb", "stream").unwrap().contains("a cache has one prefetcher"));
    assert!(all.refusal("sector", "nap").unwrap().contains("a miss fetches what one policy says"));
    // Every pair is what `--with` makes of it.
    for pair in &all.pairs {
        let both = Machine::named("fermi").unwrap().with(&[&pair.one, &pair.other]).resolve();
        assert_eq!(both.is_err(), pair.refusal.is_some(), "{} + {}", pair.one, pair.other);
    }
    let cards = pairs(&Machine::named("gtx480").unwrap(), &[]).unwrap();
    assert!(cards.impossible.iter().any(|(name, why)| name == "caches-2x" && why.contains("are for fermi")));
    let three = ["obm", "sector", "stride"].map(str::to_owned);
    assert_eq!(pairs(&fermi, &three).unwrap().pairs.len(), 3);
    assert!(pairs(&fermi, &["sectro".to_owned()]).unwrap_err().help.unwrap().contains("sector"));
}
