//! The tables that come with the program, and files that are none.

use heddle_energy::{EnergyError, Run, Table, load, price};
use heddle_engine::Statistics;
use proptest::prelude::*;

/// Statistics that have all that a table counts, by a rule.
fn statistics(table: &Table, count: impl Fn(usize) -> u64) -> Statistics {
    let names: std::collections::BTreeSet<&str> = table.counted().map(|(_, count)| count).collect();
    names.into_iter().enumerate().map(|(index, name)| (name.to_owned(), count(index))).collect()
}

fn tables() -> Vec<Table> {
    load::names().map(|name| load::find(name).unwrap_or_else(|error| panic!("{name}: {error}"))).collect()
}

/// The energy of one action of a table.
fn picojoules(table: &Table, row: &str) -> f64 {
    table.actions.iter().find(|action| action.name == row).unwrap().picojoules_per_count()
}

#[test]
fn every_table_loads_under_its_own_name_and_every_figure_has_a_source() {
    for (name, table) in load::names().zip(tables()) {
        assert_eq!(name, table.name);
        assert!(table.actions.iter().all(|action| action.source.len() > 10), "{name}");
        assert!(table.statics.iter().all(|row| row.source.len() > 10), "{name}");
        assert!(table.free.iter().all(|free| !free.reason.is_empty()), "{name}");
    }
}

#[test]
fn effective_and_raw_energies_are_those_of_the_source() {
    let (fitted, raw) = (load::find("gtx480").unwrap(), load::find("gtx480-raw").unwrap());
    // The published effective figures are rounded to three or four digits.
    for (row, raw_picojoules, effective) in [
        ("register read", 51.9, 7.27),
        ("float operation", 46.2, 29.6),
        ("L1 read hit", 133.0, 2935.0),
        ("L2 write hit", 322.0, 13851.0),
        ("flit", 6.35, 1939.0),
        ("DRAM read", 81662.0 / 64.0, 26948.0 / 64.0),
        ("integer operation", 1.13 * 32.0, 2.69 * 32.0),
    ] {
        assert!((picojoules(&raw, row) / raw_picojoules - 1.0).abs() < 1e-12, "{row}");
        assert!(
            (picojoules(&fitted, row) / effective - 1.0).abs() < 5e-3,
            "{row}: {}",
            picojoules(&fitted, row)
        );
    }
}

#[test]
fn the_leakage_of_fifteen_cores_adds_up_to_that_of_the_chip() {
    let table = load::find("gtx480-raw").unwrap();
    let core = |row: &str| if row.starts_with("core") { 15.0 } else { 1.0 };
    let leakage = table.statics.iter().filter(|row| row.name.contains("leakage"));
    let watts: f64 = leakage.map(|row| row.watts() * core(&row.name)).sum();
    assert!((watts - (35.6 + 10.8)).abs() < 1e-9, "{watts}");
}

/// The power of a core in which nothing happens, idle or with a warp that waits, by each table of a machine.
#[test]
fn a_core_that_waits_draws_no_less_than_one_without_a_warp() {
    for name in ["gtx480", "gtx480-raw", "fermi", "k40c"] {
        let table = load::find(name).unwrap();
        let watts = |state: &str| {
            let mut counts: Statistics = statistics(&table, |_| 0);
            let cycles = [(state.to_owned(), 1_000_000)].into_iter().collect();
            counts.add(&cycles);
            price(&table, &counts, &Run::of_cycles(1_000_000, 1e-3).unwrap()).unwrap().average_watts
        };
        let (waiting, idle) = (watts("core.active_cycles"), watts("core.idle_cycles"));
        assert!(waiting >= idle && idle > 0.0, "{name}: {waiting} W, and {idle} W idle");
    }
}

#[test]
fn a_table_in_which_idle_cores_draw_more_is_refused() {
    let row = |name: &str, per: &str, power: &str| {
        format!(
            "[[static]]\nname = \"{name}\"\ncomponent = \"core\"\npower = \"{power}\"\nper = {per}\nclock = \"core\"\n\
             source = \"chosen for a test\"\n"
        )
    };
    let table = |rows: &[String]| {
        let text = format!("name = \"own\"\ndescription = \"idle cores\"\n{}", rows.concat());
        load::parse("own.toml", &text)
    };
    let both = row("leakage", "[\"core.active_cycles\", \"core.idle_cycles\"]", "2W");
    let idle = row("idle core", "\"core.idle_cycles\"", "1W");
    let active = |power| row("clock", "\"core.active_cycles\"", power);
    let error = table(&[both.clone(), idle.clone()]).unwrap_err().to_string();
    for words in ["own.toml:1:", "row `idle core`", "idle core draw 3.000 W", "2.000 W", "core.active_cycles"]
    {
        assert!(error.contains(words), "{words}: {error}");
    }
    assert!(table(&[both.clone(), idle.clone(), active("0.9W")]).is_err());
    assert!(table(&[both.clone(), idle, active("1W")]).is_ok());
    assert!(table(&[both]).is_ok());
}

#[test]
fn a_scaled_table_says_so_and_scales_actions_but_not_dram() {
    let (base, scaled) = (load::find("gtx480").unwrap(), load::find("k40c").unwrap());
    let derivation = scaled.derived_from.clone().unwrap();
    assert_eq!((derivation.table.as_str(), derivation.factor), ("gtx480", 0.57));
    let ratio = picojoules(&scaled, "L1 read hit") / picojoules(&base, "L1 read hit");
    assert!((ratio - 0.57).abs() < 1e-12);
    assert_eq!(picojoules(&scaled, "DRAM read"), 2521.0 / 64.0);
    assert_eq!(scaled.statics.len(), 1);
}

#[test]
fn supply_currents_give_the_energies_of_the_dram_tables() {
    // DRAMsim3: VDD × current × chips × time, in V, mA and ns.
    let table = load::find("gddr5").unwrap();
    let clock = 1000.0 / 924.0;
    let activate = 1.5 * (490.0 * 40.0 - 450.0 * 28.0 - 250.0 * 12.0) * clock * 2.0;
    assert!((picojoules(&table, "DRAM activate and precharge") / activate - 1.0).abs() < 1e-3);
    let read = 1.5 * (1080.0 - 450.0) * 2.0 * clock * 2.0;
    assert!((picojoules(&table, "DRAM read") * 64.0 / read - 1.0).abs() < 1e-3);
    // The same chips at their own rate, one and two per channel.
    for (name, chips) in [("gddr5-x32", 1.0), ("gddr5-k40c", 2.0)] {
        let table = load::find(name).unwrap();
        let activate = 1.5 * (490.0 * 60.0 - 450.0 * 42.0 - 250.0 * 18.0) * 0.667 * chips;
        assert!((picojoules(&table, "DRAM activate and precharge") / activate - 1.0).abs() < 1e-3, "{name}");
        // Whatever the number of chips, they share the bytes: 32 in a burst of one chip.
        let read = 1.5 * (1080.0 - 450.0) * 2.0 * 0.667 / 32.0;
        assert!((picojoules(&table, "DRAM read") / read - 1.0).abs() < 1e-3, "{name}");
        let standby: Vec<f64> = table.statics.iter().map(|row| row.power.get()).collect();
        for (power, current) in standby.iter().zip([0.45, 0.25]) {
            assert!((power / (1.5 * current * chips) - 1.0).abs() < 1e-9, "{name}: {standby:?}");
        }
        assert_eq!(standby.len(), 2, "{name}");
    }
    let ddr4 = load::find("ddr4-2400").unwrap();
    let read = 1.2 * (135.0 - 43.0) * 4.0 * 0.833 * 8.0;
    assert!((picojoules(&ddr4, "DRAM read") * 64.0 / read - 1.0).abs() < 1e-3);
}

#[test]
fn the_sum_of_the_rows_is_the_total_and_so_is_the_sum_of_the_components() {
    for table in tables() {
        let statistics = statistics(&table, |index| 1_000_003 * (index as u64 + 1));
        let energy = price(&table, &statistics, &Run::of_cycles(1_400_000, 0.002).unwrap()).unwrap();
        let rows: f64 = energy.rows.iter().map(|row| row.joules).sum();
        let parts: f64 = energy.components.iter().map(|of| of.dynamic_joules + of.static_joules).sum();
        assert!(energy.total_joules > 0.0);
        assert!((rows / energy.total_joules - 1.0).abs() < 1e-12, "{}", table.name);
        assert!((parts / energy.total_joules - 1.0).abs() < 1e-12, "{}", table.name);
        assert_eq!(energy.average_watts, energy.total_joules / 0.002);
        assert_eq!(energy.energy_delay, energy.total_joules * 0.002);
    }
}

#[test]
fn a_missing_statistic_is_refused_by_name_with_the_nearest() {
    let table = load::find("gddr5").unwrap();
    let all = statistics(&table, |_| 1);
    let renamed: Statistics =
        all.iter().map(|(name, count)| (name.replace("bytes_read", "byte_read"), count)).collect();
    let error = price(&table, &renamed, &Run::new(1.0).unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "energy table `gddr5`, row `DRAM read`: the run has no statistic `dram.bytes_read`"
    );
    assert_eq!(error.help("--table").as_deref(), Some("did you mean `dram.byte_read`?"));
}

#[test]
fn the_frequency_of_the_run_goes_before_that_of_the_table() {
    let table = load::find("ddr4-2400").unwrap();
    let counts: Statistics = statistics(&table, |_| 0);
    let counts =
        counts.iter().map(|(name, _)| (name.to_owned(), u64::from(name.contains("active_standby")) * 1200));
    let counts: Statistics = counts.collect();
    let joules = |run: Run| price(&table, &counts, &run).unwrap().total_joules;
    let own = joules(Run::new(1e-6).unwrap());
    assert!((own / (0.413 * 1e-6) - 1.0).abs() < 1e-12);
    let slower = joules(Run::new(1e-6).unwrap().with_clock("dram", 600e6).unwrap());
    assert!((slower / own - 2.0).abs() < 1e-12);
}

#[test]
fn times_and_clocks_that_make_no_sense_are_refused() {
    for seconds in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(Run::new(seconds), Err(EnergyError::Time(_))));
    }
    for hertz in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Run::new(1.0).unwrap().with_clock("core", hertz).is_err());
    }
    let table = load::find("gddr5").unwrap();
    let energy = price(&table, &statistics(&table, |_| u64::MAX), &Run::new(0.0).unwrap()).unwrap();
    assert!(energy.total_joules.is_finite() && energy.average_watts == 0.0);
}

const GOOD: &str = r#"name = "own"
description = "A table."
[technology]
clocks = { core = "1GHz" }

[[action]]
name = "read"
component = "cache"
count = "l1.reads"
energy = "5pJ"
source = "a guess"
"#;

fn problem(text: &str) -> String {
    load::parse("own.toml", text).expect_err(text).to_string()
}

#[test]
fn technology_may_be_left_out() {
    let table =
        load::parse("own.toml", &GOOD.replace("[technology]\nclocks = { core = \"1GHz\" }\n", "")).unwrap();
    assert_eq!((table.nanometres, table.kelvin, table.clocks.len()), (None, None, 0));
}

#[test]
fn what_is_wrong_in_a_file_is_told_with_its_place() {
    load::parse("own.toml", GOOD).unwrap();
    let cases = [
        ("energy = \"5pJ\"", "energy = \"-5pJ\"", "own.toml:10:10: '-5pJ' is not a positive decimal number"),
        ("energy = \"5pJ\"", "energy = \"5\"", "own.toml:10:10: '5' is not"),
        ("energy = \"5pJ\"", "energy = \"0pJ\"", "list the statistic under [[free]]"),
        ("count = \"l1.reads\"", "", "row `read`: give `count`"),
        ("count = \"l1.reads\"", "counts = []", "row `read`: names no statistic"),
        ("count = \"l1.reads\"", "counts = [\"a\", \"a\"]", "row `read`: has a duplicate statistic"),
        ("source = \"a guess\"", "", "missing field `source`"),
        ("source = \"a guess\"", "source = \" \"", "row `read`: `source` is empty"),
        ("source = \"a guess\"", "source = \"x\"\nweight = nan", "row `read`: `weight` is NaN"),
        ("source = \"a guess\"", "source = \"x\"\nweight = -1.0", "row `read`: `weight` is -1"),
        ("source = \"a guess\"", "source = \"x\"\nweight = inf", "row `read`: `weight` is inf"),
        ("source = \"a guess\"", "source = \"x\"\nper = 0", "row `read`: `per` is 0"),
        ("source = \"a guess\"", "source = \"x\"\nscale = 2.0", "`scale` and `scale_source` go together"),
        ("source = \"a guess\"", "source = \"x\"\nwieght = 2.0", "unknown field `wieght`"),
        (
            "[technology]",
            "include = [\"gddr6\"]\n[technology]",
            "own.toml:3:12: no energy table is called `gddr6`; did you mean `gddr5`?",
        ),
        (
            "[technology]",
            "include = [\"other.toml\"]\n[technology]",
            "no energy table is called `other.toml`",
        ),
        ("[technology]", "include = [\"gddr5\", \"gddr5\"]\n[technology]", "is a duplicate"),
    ];
    for (old, new, expected) in cases {
        let text = GOOD.replacen(old, new, 1);
        assert_ne!(text, GOOD);
        assert!(problem(&text).contains(expected), "{expected}\n{}", problem(&text));
    }
    let both = format!("{GOOD}[[free]]\ncounts = [\"l1.reads\"]\nreason = \"none\"\n");
    assert!(problem(&both).contains("`l1.reads` is priced by `read` and listed under [[free]], too"));
    let clock = "[[static]]\nname = \"s\"\ncomponent = \"c\"\npower = \"1W\"\nsource = \"x\"\nper = \"core.cycles\"\n";
    assert!(problem(&format!("{GOOD}{clock}")).contains("row `s`: give `clock`"));
    assert!(problem(&GOOD[..GOOD.find("[[action]]").unwrap()]).contains("there is no [[action]]"));
}

#[test]
fn files_include_files_beside_them_and_never_themselves() {
    let folder = std::env::temp_dir().join(format!("heddle-energy-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let including =
        |name: &str| GOOD.replace("[technology]", &format!("include = [\"{name}\"]\n[technology]"));
    std::fs::write(path("plain.toml"), GOOD.replace("\"read\"", "\"other read\"")).unwrap();
    std::fs::write(path("whole.toml"), including("plain.toml")).unwrap();
    std::fs::write(path("ring.toml"), including("ring.toml")).unwrap();
    std::fs::write(path("nowhere.toml"), including("absent.toml")).unwrap();
    let whole = load::find(&path("whole.toml")).map(|table| table.actions.len());
    let ring = load::find(&path("ring.toml")).unwrap_err().to_string();
    let nowhere = load::find(&path("nowhere.toml")).unwrap_err().to_string();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(whole, Ok(2));
    assert!(ring.contains("includes itself"), "{ring}");
    assert!(nowhere.contains("nowhere.toml:3:12:") && nowhere.contains("absent.toml"), "{nowhere}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,200}") {
        let error = load::parse("own.toml", &text).unwrap_err().to_string();
        prop_assert!(error.starts_with("own.toml:"), "{}", error);
    }

    #[test]
    fn no_damage_to_a_table_makes_the_reader_panic(at in 0usize..8000, byte in 0u8..128, cut in 0usize..40) {
        let mut text = load::text("gtx480").unwrap().as_bytes().to_vec();
        let at = at % text.len();
        text[at] = byte;
        let end = (at + cut).min(text.len());
        text.drain(at..end);
        if let Err(error) = load::parse("own.toml", &String::from_utf8_lossy(&text)) {
            prop_assert!(error.to_string().starts_with("own.toml:"), "{}", error);
        }
    }
}
