//! `heddle sweep`: experiments that run once, survive being killed, and are refused before anything runs.

use crate::common::{heddle_in, run_in};
use heddle_lab::experiment::Experiment;
use heddle_lab::scale::Scale;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

const MINE: &str = r#"
name = "mine"
question = "Does the sector cache help?"
refuted_by = "Fewer instructions per cycle."

[fixed]
cold = true
launches = "largest=1"

[axes]
program = [{ workload = "h-bfs", kernel = "Kernel" }, { workload = "mis-luby", kernel = "mis_find" }]
graph = ["uniform:scale=9,degree=4", { graph = "rmat:scale=9,degree=4", called = "rmat9" }]
with = ["none", "sector"]
"#;

fn folder(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.toml"), text).unwrap();
    folder
}

/// Every file below a folder, by name, but for what depends on the host and for who ran.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for part in ["points", "mine"] {
        for entry in std::fs::read_dir(folder.join(part)).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{part}/{}", path.file_name().unwrap().to_string_lossy());
            found.insert(name, std::fs::read(path).unwrap());
        }
    }
    found
}

#[test]
fn a_finished_point_is_never_run_again_and_the_tables_stay_the_same() {
    let folder = folder(MINE);
    let first = run_in(folder.path(), &["sweep", "mine.toml", "--store", "s", "-q"]);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    assert!(first.stdout.contains("8, 8 of them now"), "{}", first.stdout);
    let before = files(&folder.path().join("s"));
    assert_eq!(before.len(), 8 + 6);
    let again = run_in(folder.path(), &["sweep", "mine.toml", "--store", "s", "-q"]);
    assert!(again.stdout.contains("8, 0 of them now"), "{}", again.stdout);
    assert_eq!(files(&folder.path().join("s")), before);
    let plan = run_in(folder.path(), &["sweep", "mine.toml", "--store", "s", "--dry-run", "-q"]).stdout;
    assert!(plan.contains("0 of 8") && plan.contains("finished"), "{plan}");
    // Another axis value: its time is learnt from the points that have run.
    std::fs::write(folder.path().join("more.toml"), MINE.replace("\"sector\"]", "\"sector\", \"obm\"]"))
        .unwrap();
    let plan = run_in(folder.path(), &["sweep", "more.toml", "--store", "s", "--dry-run", "-q"]).stdout;
    assert!(plan.contains("4 of 12") && !plan.contains("unknown"), "{plan}");
    let query = [
        "query",
        "s",
        "--group",
        "workload",
        "--baseline",
        "with=none",
        "--ratio",
        "ipc",
        "--mean",
        "ipc_ratio",
    ];
    let query = run_in(folder.path(), &query);
    assert_eq!(query.code, Some(0), "{}", query.stderr);
    assert!(query.stdout.contains("mis-luby"), "{}", query.stdout);
}

/// Killed at moments spread over its time, the sweep loses nothing that was finished, and ends with the same bytes.
#[test]
fn a_sweep_that_is_killed_ends_with_the_bytes_of_one_that_is_not() {
    let whole = folder(MINE);
    let arguments = ["sweep", "mine.toml", "--store", "s", "-q", "--threads", "2", "--lease-expiry", "0.5"];
    assert_eq!(run_in(whole.path(), &arguments).code, Some(0));
    let killed = folder(MINE);
    for moment in [20, 60, 120, 40, 90, 150] {
        let mut child = heddle_in(killed.path(), &arguments).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(moment));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let last = run_in(killed.path(), &arguments);
    assert_eq!(last.code, Some(0), "{}", last.stderr);
    assert_eq!(files(&killed.path().join("s")), files(&whole.path().join("s")));
}

#[test]
fn a_point_that_fails_is_kept_with_its_error_and_stops_no_other() {
    let text = MINE.replace("cold = true", "cold = true\nmax_cycles = 20000");
    let folder = folder(&text);
    let run = run_in(folder.path(), &["sweep", "mine.toml", "--store", "s", "-q"]);
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert!(run.stderr.contains("failed") && run.stderr.contains("--retry-failed"), "{}", run.stderr);
    assert!(run.stderr.contains("more lines)") && run.stderr.contains("s/failed"), "{}", run.stderr);
    assert!(run.stderr.lines().count() <= 8 + 4, "a line by point: {}", run.stderr);
    let failed = std::fs::read_dir(folder.path().join("s/failed")).unwrap().count();
    let done = std::fs::read_dir(folder.path().join("s/points")).unwrap().count();
    assert_eq!(failed + done, 8);
    assert!(failed > 0, "{}", run.stderr);
    let table = std::fs::read_to_string(folder.path().join("s/mine/runs.csv")).unwrap();
    assert!(table.contains("failed"), "{table}");
}

#[test]
fn a_graph_that_cannot_be_had_fails_its_points_and_no_others() {
    let text = MINE.replace("{ graph = \"rmat:scale=9,degree=4\", called = \"rmat9\" }", "\"torn.mtx\"");
    let folder = folder(&text);
    let header = "%%MatrixMarket matrix coordinate pattern general\n";
    let file = folder.path().join("torn.mtx");
    std::fs::write(&file, format!("{header}9 9 5\n1 2\n")).unwrap();
    let plan = run_in(folder.path(), &["sweep", "mine.toml", "--store", "s", "--dry-run"]);
    assert_eq!(plan.code, Some(1), "{}", plan.stdout);
    assert_eq!(plan.stdout.matches("cannot run").count(), 4, "{}", plan.stdout);
    assert!(plan.stdout.contains("4 of 8"), "{}", plan.stdout);
    assert!(
        plan.stderr.contains("mine.toml:12: torn.mtx") && plan.stderr.contains("4 points"),
        "{}",
        plan.stderr
    );
    let run = run_in(folder.path(), &["sweep", "mine.toml", "--store", "s"]);
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    let (told, ran) = (run.stderr.find("torn.mtx").unwrap(), run.stderr.find("4 points failed").unwrap());
    assert!(told < ran, "it is told before anything runs: {}", run.stderr);
    let table = std::fs::read_to_string(folder.path().join("s/mine/runs.csv")).unwrap();
    let rows: Vec<&str> = table.lines().skip(1).collect();
    let failed: Vec<bool> = rows.iter().map(|row| row.contains("torn.mtx")).collect();
    assert_eq!(failed, [false, false, true, true, false, false, true, true], "{table}");
    let failures = || std::fs::read_dir(folder.path().join("s/failed")).unwrap().count();
    assert_eq!(failures(), 4);
    // Once it can be had, its points are points like others.
    std::fs::write(&file, format!("{header}9 9 2\n1 2\n2 3\n")).unwrap();
    let run = run_in(folder.path(), &["sweep", "mine.toml", "--store", "s", "-q"]);
    assert_eq!((run.code, failures()), (Some(0), 0), "{}", run.stderr);
}

#[test]
fn recipes_that_nothing_can_be_made_of_are_refused_all_at_once() {
    let rmat = "{ graph = \"rmat:scale=9,degree=4\", called = \"rmat9\" }";
    let folder = folder(&MINE.replace(rmat, "\"uniform:scale=31,degree=900\", \"rmat:a=0.9,b=0.9\""));
    for more in [&["--dry-run"][..], &[]] {
        let run = run_in(folder.path(), &[&["sweep", "mine.toml", "--store", "s", "-q"], more].concat());
        assert_eq!(run.code, Some(1), "{}", run.stdout);
        let each = run.stderr.matches("mine.toml:12: ").count();
        assert!(
            each == 2 && run.stderr.contains("above 1") && run.stderr.contains("(4 points)"),
            "{}",
            run.stderr
        );
    }
    assert_eq!(std::fs::read_dir(folder.path().join("s/points")).unwrap().count(), 0);
}

/// What was not simulated has no figures; a zero would be one.
#[test]
fn a_run_without_a_launch_of_its_size_has_no_counts_of_time() {
    let folder = folder(&MINE.replace("\"largest=1\"", "\"at-least=1000M\""));
    let run = run_in(folder.path(), &["sweep", "mine.toml", "--store", "s", "-q"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let query = ["query", "s", "--columns", "status,launches,timed_launches", "--csv"];
    let table = run_in(folder.path(), &query).stdout;
    assert!(table.lines().skip(1).all(|row| row.starts_with("done,") && row.ends_with(",0")), "{table}");
    let names = std::fs::read_to_string(folder.path().join("s/mine/columns.csv")).unwrap();
    assert!(names.contains("\niterations,") && !names.contains("\ncycles,"), "{names}");
    assert!(!names.contains("\nl1.read_hits,") && !names.contains("\nenergy.joules,"), "{names}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_file_sizes_is_told_and_kills_nothing() {
    let folder = folder(MINE);
    let heddle = heddle_in(folder.path(), &["sweep", "mine.toml", "--store", "s", "-q"]);
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "ulimit -f 4; \"$@\"", "sh"]).arg(heddle.get_program()).args(heddle.get_args());
    let output = shell.current_dir(folder.path()).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{words}");
    assert!(words.contains("cannot be written: file too large") && words.contains("help: "), "{words}");
}

#[test]
fn what_cannot_run_is_refused_with_file_and_line_before_anything_does() {
    let cases = [
        ("h-bfs\"", "h-bsf\"", "mine.toml:11", "h-bfs"),
        ("\"Kernel\"", "\"Kernl\"", "mine.toml:11", "did you mean `Kernel`?"),
        ("\"sector\"]", "\"sectr\"]", "mine.toml:13", "did you mean `sector`?"),
        ("uniform:scale=9", "unifrom:scale=9", "mine.toml:12", "did you mean `uniform:`?"),
        ("degree=4\", {", "degre=4\", {", "mine.toml:12", "degree"),
        ("cold = true", "coold = true", "mine.toml:7", "did you mean `cold`?"),
        ("[axes]", "[axis]", "mine.toml:10", "did you mean `axes`?"),
        ("largest=1", "largets=1", "mine.toml:8", "largest=N"),
        ("name = \"mine\"", "name = \"../mine\"", "mine.toml:2", "becomes a folder"),
        ("with = [", "graph2 = [", "mine.toml:13", "named after a setting"),
        ("question", "questoin", "mine.toml:3", "did you mean `question`?"),
        ("[\"none\", \"sector\"]", "[]", "mine.toml:13", "leave the axis out"),
        ("kernel = \"Kernel\"", "kernel = \"Kernel\", registers = 1000", "mine.toml:11", "has at most 63"),
        ("workload = \"h-bfs\", ", "", "mine.toml:11", "the point has no `workload`"),
    ];
    for (from, to, place, help) in cases {
        let folder = folder(&MINE.replacen(from, to, 1));
        let run = run_in(folder.path(), &["sweep", "mine.toml", "-q"]);
        assert_eq!(run.code, Some(1), "{to}: {}", run.stdout);
        assert!(run.stderr.contains(place) && run.stderr.contains(help), "{to}: {}", run.stderr);
        assert!(!folder.path().join("sweep").exists(), "{to}: nothing is made for it");
    }
    let folder = folder(&MINE.replace("with = [", "again = [{ graph = \"grid\" }]\nwith = ["));
    let told = run_in(folder.path(), &["sweep", "mine.toml"]).stderr;
    assert!(told.contains("the axes `graph` and `again` both give `graph`"), "{told}");
    let told = run_in(folder.path(), &["sweep", "granularty"]).stderr;
    assert!(told.contains("did you mean `granularity`?"), "{told}");
    let told = run_in(folder.path(), &["sweep", "nowhere.toml"]).stderr;
    assert!(told.contains("nowhere.toml: no such file"), "{told}");
    let told = run_in(folder.path(), &["sweep", "cost", "--store", "."]).stderr;
    assert!(told.contains("help: "), "{told}");
}

#[test]
fn every_experiment_of_ours_can_run_at_every_scale() {
    for name in Experiment::names() {
        for scale in Scale::ALL {
            let experiment = Experiment::named(name, Some(scale)).unwrap();
            assert_eq!(experiment.name, name);
            assert!(!experiment.points.is_empty() && experiment.refuted_by.len() > 20, "{name}");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<&str> = Experiment::names().filter(|name| *name != "graph-figures").collect();
    let arguments = [&["sweep", "--dry-run", "--scale", "quick", "-q"][..], &names[..]].concat();
    let plan = run_in(folder.path(), &arguments);
    assert_eq!(plan.code, Some(0), "{}", plan.stderr);
    let told = run_in(folder.path(), &["sweep", "graph-figures", "--dry-run"]);
    assert!(told.code == Some(0) || told.stderr.contains("--graphs DIR"), "{}", told.stderr);
}

#[test]
fn an_own_experiment_must_not_take_the_name_of_another() {
    let folder = folder(&MINE.replace("name = \"mine\"", "name = \"granularity\""));
    let run = run_in(folder.path(), &["sweep", "mine.toml", "--store", "s", "-q"]);
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    let words = "`granularity` is the name of an experiment that comes with this program";
    assert!(run.stderr.contains(words) && run.stderr.contains("another `name`"), "{}", run.stderr);
    assert!(!folder.path().join("s").exists(), "nothing is made for it");
    // Nor the tables of another file of one's own.
    std::fs::write(folder.path().join("one.toml"), MINE).unwrap();
    std::fs::write(folder.path().join("two.toml"), MINE.replace("\"sector\"", "\"obm\"")).unwrap();
    assert_eq!(run_in(folder.path(), &["sweep", "one.toml", "--store", "s", "-q"]).code, Some(0));
    let run = run_in(folder.path(), &["sweep", "two.toml", "--store", "s", "-q"]);
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert!(
        run.stderr.contains("/one.toml, which has the same name") && run.stderr.contains("help: "),
        "{}",
        run.stderr
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/cost.toml");
    let copy = run_in(folder.path(), &["sweep", &root.display().to_string(), "--dry-run", "-q"]);
    assert_eq!(copy.code, Some(0), "a copy is that one: {}", copy.stderr);
}

/// Two files of one name in two folders are two experiments; one that was edited stays what it is, and a copy is one with
/// it, whatever its comments.
#[test]
fn tables_are_replaced_only_by_the_experiment_that_wrote_them() {
    const TINY: &str = r#"
        name = "mine"
        question = "How large are the graphs?"
        refuted_by = "Nothing."
        fixed.measure = "graph"
        axes.graph = ["uniform:scale=4,degree=2", "uniform:scale=5,degree=2"]
    "#;
    let outer = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = outer.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let sweep = |name: &str| run_in(outer.path(), &["sweep", name, "--store", "s", "-q"]);
    let tables = || std::fs::read_to_string(outer.path().join("s/mine/runs.csv")).unwrap();
    write("d1/x.toml", TINY);
    write("d2/x.toml", &TINY.replace("scale=5", "scale=6"));
    write("d3/copy.toml", &format!("# The same.\n{TINY}"));
    assert_eq!(sweep("d1/x.toml").code, Some(0));
    let before = tables();
    let refused = sweep("d2/x.toml");
    assert_eq!(refused.code, Some(1), "{}", refused.stdout);
    assert!(refused.stderr.contains("d1/x.toml, which has the same name"), "{}", refused.stderr);
    assert_eq!(tables(), before);
    let copy = sweep("d3/copy.toml");
    assert_eq!((copy.code, tables()), (Some(0), before.clone()), "{}", copy.stderr);
    assert_eq!(sweep("d1/x.toml").code, Some(0));
    write("d1/x.toml", &TINY.replace("scale=5", "scale=7"));
    assert_eq!(sweep("d1/x.toml").code, Some(0));
    assert_ne!(tables(), before);
    // What the tables are of is said before they are there.
    std::fs::remove_dir_all(outer.path().join("s/mine")).unwrap();
    std::fs::create_dir_all(outer.path().join("s/mine/runs.csv")).unwrap();
    assert_eq!(sweep("d1/x.toml").code, Some(1));
    let refused = sweep("d2/x.toml").stderr;
    assert!(refused.contains("d1/x.toml, which has the same name"), "{refused}");
}

#[cfg(unix)]
#[test]
fn an_experiment_in_a_pipe_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("x.toml")).status();
    assert!(made.unwrap().success());
    let told = run_in(folder.path(), &["sweep", "x.toml", "--dry-run"]);
    assert_eq!(told.code, Some(1));
    assert!(told.stderr.contains("x.toml: it is a pipe or a device, and no file"), "{}", told.stderr);
}

/// 10,201 points: what takes a while is announced, and only to those who want to hear it.
#[test]
fn a_plan_of_many_points_says_what_it_is_doing() {
    let numbers = (1..=101).map(|number| number.to_string()).collect::<Vec<_>>().join(",");
    let text = format!(
        "name = 'many'\nquestion = 'q'\nrefuted_by = 'r'\nfixed.measure = 'graph'\nfixed.graph = 'uniform:scale=4,degree=2'\n\
         [axes]\nblock = [{numbers}]\nsource = [{numbers}]\n"
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("many.toml"), text).unwrap();
    let plan = run_in(folder.path(), &["sweep", "many.toml", "--dry-run"]);
    assert_eq!(plan.code, Some(0), "{}", plan.stderr);
    assert!(plan.stderr.contains("10,201 points: each is looked up"), "{}", plan.stderr);
    assert!(!plan.stdout.contains("uniform:"), "what all points have in common is not told");
    assert_eq!(run_in(folder.path(), &["sweep", "many.toml", "--dry-run", "-q"]).stderr, "");
}

/// `launches` of a run that has fewer.
#[test]
fn launches_behind_the_last_one_fail_their_points() {
    let text = MINE.replace("largest=1", "1,900..902").replace("cold = true", "cold = false");
    let folder = folder(&text);
    let run = run_in(folder.path(), &["sweep", "mine.toml", "--store", "s", "-q"]);
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    let words = "launches = \"1..1,900..902,kernel=Kernel\" names launch 900, and the run has 16";
    assert!(run.stderr.contains(words), "{}", run.stderr);
}

#[test]
fn a_limit_of_time_ends_who_waits_for_a_graph() {
    // No other graph: points of a small one may take longer than the limit, too, on a host that is busy.
    let graphs = "\"uniform:scale=9,degree=4\", { graph = \"rmat:scale=9,degree=4\", called = \"rmat9\" }";
    let text = MINE.replace(graphs, "\"rmat:scale=20,degree=16\"");
    let folder = folder(&text);
    let run = run_in(folder.path(), &["sweep", "mine.toml", "--store", "s", "--time-limit", "0.05"]);
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert!(run.stderr.contains("its graph took longer than the limit of time"), "{}", run.stderr);
    assert!(run.stderr.contains("mine.toml:12"), "the axis is told: {}", run.stderr);
}

#[test]
fn memory_of_points_is_measured_and_learnt_from() {
    let folder = folder(MINE);
    let plan = |file: &str| {
        let json =
            run_in(folder.path(), &["sweep", file, "--store", "s", "--dry-run", "--json", "-q"]).stdout;
        let points: serde_json::Value = serde_json::from_str(&json).unwrap();
        points
            .as_array()
            .unwrap()
            .iter()
            .map(|point| point["memory_bytes"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    let guessed = plan("mine.toml");
    assert_eq!(run_in(folder.path(), &["sweep", "mine.toml", "--store", "s", "-q"]).code, Some(0));
    let more = MINE.replace("\"sector\"]", "\"sector\", \"obm\"]").replace("\"mine\"", "\"more\"");
    std::fs::write(folder.path().join("more.toml"), more).unwrap();
    let learnt = plan("more.toml");
    assert!(guessed.iter().all(|&bytes| bytes > 64 << 20), "{guessed:?}");
    // More than the graph alone, and far less than the guess.
    assert!(learnt.iter().all(|&bytes| (64 << 10..32 << 20).contains(&bytes)), "{learnt:?}");
}

#[test]
fn tables_have_the_energy_that_a_run_of_its_own_would_have() {
    // All launches, of all kernels, as a run has them.
    let text = MINE.replace("launches = \"largest=1\"", "").replace("cold = true", "");
    let text = text.replace(", kernel = \"Kernel\"", "");
    let folder = folder(&text);
    assert_eq!(run_in(folder.path(), &["sweep", "mine.toml", "--store", "s", "-q"]).code, Some(0));
    let graph = "uniform:scale=9,degree=4";
    let run = ["run", "h-bfs", "--machine", "fermi", "--with", "sector", "--graph", graph, "--json", "-q"];
    let run: serde_json::Value = serde_json::from_str(&run_in(folder.path(), &run).stdout).unwrap();
    let chosen = ["query", "s", "--where", "workload=h-bfs", "--where", "with=sector", "--json"];
    let chosen = [&chosen[..], &["--where", "graph=uniform*", "--columns", "energy.*,cycles"]].concat();
    let query: serde_json::Value = serde_json::from_str(&run_in(folder.path(), &chosen).stdout).unwrap();
    let row = &query["rows"][0];
    assert_eq!(row["cycles"], run["cycles"]);
    for (ours, theirs) in [
        ("energy.joules", "total_joules"),
        ("energy.dynamic_joules", "dynamic_joules"),
        ("energy.static_joules", "static_joules"),
    ] {
        let (ours, theirs) = (row[ours].as_f64().unwrap(), run["energy"][theirs].as_f64().unwrap());
        assert!(theirs > 0.0 && (ours / theirs - 1.0).abs() < 1e-9, "{ours} {theirs}");
    }
    let launches =
        run_in(folder.path(), &["query", "s", "--table", "launches", "--sum", "energy.joules", "--json"]);
    let runs = run_in(folder.path(), &["query", "s", "--sum", "energy.joules", "--json"]);
    let sum = |text: &str| {
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        value["rows"][0]["energy.joules_sum"].as_f64().unwrap()
    };
    assert!((sum(&launches.stdout) / sum(&runs.stdout) - 1.0).abs() < 1e-6);
}
