//! `heddle run`, `heddle workloads` and `heddle ptx run`, as a user types them.

use crate::common::{json, run, run_in, stdout};
use std::path::{Path, PathBuf};

fn plans() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/plans")
}

fn plan(name: &str) -> String {
    plans().join(name).display().to_string()
}

#[test]
fn a_run_is_verified_and_counts_iterations_frontiers_and_instructions() {
    let result =
        json(&["run", "bfs", "--functional", "--graph", "grid:width=8,height=8", "--source", "0", "--json"]);
    assert_eq!(result["workload"], "h-bfs");
    assert_eq!(result["verified"], true);
    assert_eq!(result["source"], 0);
    let iterations = result["iterations"].as_array().unwrap();
    // From a corner of the grid there are as many levels as steps to the opposite one, and one that finds nothing.
    assert_eq!(iterations.len(), 15);
    let frontiers: Vec<_> = iterations.iter().map(|row| row["frontier"].as_u64().unwrap()).collect();
    assert_eq!(frontiers, [1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1]);
    let launches = result["launches"].as_array().unwrap();
    assert_eq!(launches.len(), 30);
    let sum: u64 = launches.iter().map(|row| row["thread_instructions"].as_u64().unwrap()).sum();
    assert_eq!(result["thread_instructions"], sum);
}

#[test]
fn the_default_source_is_stated() {
    let page = stdout(&["run", "h-bfs", "--functional", "--graph", "rmat:scale=6"]);
    assert!(page.contains("(the first vertex of largest degree)"), "{page}");
    assert!(page.contains("verified              yes"), "{page}");
}

#[test]
fn mistakes_are_told_with_the_nearest_choice() {
    let cases: &[(&[&str], i32, &str)] = &[
        (&["run", "bsf", "--functional"], 1, "did you mean 'bfs'?"),
        (
            &["run", "bfs", "--functional", "--graph", "grid:width=3,height=3", "--source", "9"],
            2,
            "no vertex 9",
        ),
        (&["run", "h-bfs", "--functional", "--param", "limit=3"], 2, "no setting 'limit'"),
        (&["run", "nowhere.toml", "--functional"], 1, "nowhere.toml"),
        (&["workloads", "h-bsf"], 1, "did you mean"),
        (&["workloads", "--verify", "--only", "x*"], 2, "no workload fits 'x*'"),
        (&["ptx", "run", "nowhere.ptx"], 1, "nowhere.ptx"),
    ];
    for (arguments, code, words) in cases {
        let run = run(arguments);
        assert_eq!(run.code, Some(*code), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(words), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn workloads_are_listed_and_explained() {
    let list = stdout(&["workloads"]);
    let all = json(&["workloads", "--json"]);
    let all = all.as_array().unwrap();
    assert!(all.len() >= 40, "{}", all.len());
    for workload in all {
        let name = workload["name"].as_str().unwrap();
        assert!(list.contains(name));
        assert!(!workload["kernels"].as_array().unwrap().is_empty(), "{name}");
        assert!(workload["kernels"][0]["registers"].as_u64().unwrap() > 0, "{name}");
        assert!(!workload["document"].as_str().unwrap().is_empty(), "{name}");
    }
    let page = stdout(&["workloads", "bfs"]);
    assert!(page.contains("7: graph_nodes, graph_edges, graph_mask"), "{page}");
}

#[test]
fn a_verification_that_was_interrupted_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["workloads", "--verify", "--only", "h-bfs", "--quick", "--out", "done.tsv"];
    let first = run_in(folder.path(), &arguments);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let file = folder.path().join("done.tsv");
    let text = std::fs::read_to_string(&file).unwrap();
    let lines = text.lines().count() - 1;
    assert!(lines > 20, "{lines}");
    // The head, two lines and a piece of a third are what an interrupt may have left.
    let kept: String = text.split_inclusive('\n').take(3).collect::<String>() + "h-bfs\tno ar";
    std::fs::write(&file, kept).unwrap();
    let second = run_in(folder.path(), &arguments);
    assert_eq!(second.code, Some(0), "{}", second.stderr);
    assert!(second.stdout.contains("2 were right before"), "{}", second.stdout);
    assert!(second.stdout.contains(&format!("{} answers right", lines - 2)), "{}", second.stdout);
}

#[test]
fn plans_run_from_the_command_line() {
    let page = stdout(&["run", &plan("saxpy.toml"), "--functional"]);
    assert!(page.contains("verified              yes"), "{page}");
    let result = json(&["run", &plan("bfs.toml"), "--functional", "--graph", "road:vertices=500", "--json"]);
    assert_eq!(result["verified"], true);
    assert_eq!(result["vertices"], 500);
}

#[test]
fn one_kernel_is_launched_with_buffers_from_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let ptx = plan("saxpy.ptx");
    let common = [
        "ptx",
        "run",
        &ptx,
        "--grid-threads",
        "5",
        "--buffer",
        "x=f32:1,2,3,4,5",
        "--buffer",
        "y=f32[5]:10",
        "--arg",
        "u32:5",
        "--arg",
        "f32:-0.5",
        "--arg",
        "x",
        "--arg",
        "y",
    ];
    let with = |more: &[&str]| run_in(folder.path(), &[&common[..], more].concat());
    let printed = with(&["--print", "y"]);
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    assert!(printed.stdout.contains("9.5 9 8.5 8 7.5"), "{}", printed.stdout);
    let saved = with(&["--save", "y=y.bin", "--expect", "y=:9.5,9,8.5,8,7.5"]);
    assert_eq!(saved.code, Some(0), "{}", saved.stderr);
    assert_eq!(std::fs::read(folder.path().join("y.bin")).unwrap().len(), 20);
    let wrong = with(&["--expect", "y=:9.5,9,8.5,8,7"]);
    assert_eq!(wrong.code, Some(1));
    assert!(wrong.stderr.contains("'y'[4] is 7.5, expected 7"), "{}", wrong.stderr);
    let missing = with(&["--print", "z"]);
    assert!(missing.stderr.contains("there is no buffer 'z'"), "{}", missing.stderr);
}

#[test]
fn a_path_between_two_vertices_is_shown() {
    let arguments =
        ["run", "stcon", "--functional", "--graph", "grid:width=4,height=1", "--source", "0", "--json"];
    let result = json(&arguments);
    assert_eq!(result["answer"]["path"], serde_json::json!([0, 1, 2, 3]));
    assert_eq!(result["answer"]["hops"], 3);
}

#[test]
fn the_record_of_a_verification_replaces_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.txt"), "mine\n").unwrap();
    let run =
        run_in(folder.path(), &["workloads", "--verify", "--only", "h-bfs", "--quick", "--out", "notes.txt"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("no record of verified workloads"), "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(folder.path().join("notes.txt")).unwrap(), "mine\n");
}

#[test]
fn a_wrong_result_of_a_plan_is_saved_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let plan = "ptx = []\nsave = { a = 'a.bin' }\n[[buffer]]\nname = 'a'\nvalues = [1]\n[[check]]\nbuffer = 'a'\nvalues = [2]\n";
    std::fs::write(folder.path().join("p.toml"), plan).unwrap();
    let run = run_in(folder.path(), &["run", "p.toml", "--functional"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(std::fs::read(folder.path().join("a.bin")).unwrap(), [1, 0, 0, 0]);
}

#[test]
fn loads_and_branches_of_the_table_are_warp_instructions() {
    let result = json(&["run", "bfs", "--functional", "--graph", "grid:width=8,height=8", "--json"]);
    for row in result["launches"].as_array().unwrap() {
        let count = |key: &str| row[key].as_u64().unwrap();
        let kinds = ["global_loads", "global_stores", "atomics", "shared_accesses", "branches", "barriers"];
        assert!(kinds.map(count).iter().sum::<u64>() <= count("warp_instructions"), "{row}");
        assert!(count("global_loads") <= count("thread_global_loads"), "{row}");
        assert!(count("thread_global_loads") <= 32 * count("global_loads"), "{row}");
    }
}

#[test]
fn a_plan_with_a_kernel_that_is_not_there_lists_those_that_are_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let kernel = |name: &str| format!(".visible .entry {name}()\n{{\nret;\n}}\n");
    let head = ".version 6.0\n.target sm_35\n.address_size 64\n";
    let text = format!("{head}{}{}{}", kernel("first"), kernel("second"), kernel("third"));
    std::fs::write(folder.path().join("k.ptx"), text).unwrap();
    let plan = "ptx = ['k.ptx']\nsave = { a = 'a.bin' }\n[[buffer]]\nname = 'a'\nvalues = [1]\n\
                [[step]]\nlaunch = 'first'\ngrid = 1\n\
                [[step]]\nrepeat = { times = 2 }\nsteps = [{ launch = 'secnd', grid = 1 }]\n";
    std::fs::write(folder.path().join("p.toml"), plan).unwrap();
    let run = run_in(folder.path(), &["run", "p.toml"]);
    assert_eq!(run.code, Some(1));
    let words = "p.toml: step 2, step 1: there is no kernel `secnd`; there are `second`, `first`, `third`";
    assert!(run.stderr.contains(words), "{}", run.stderr);
}

#[test]
fn a_kernel_runs_in_time_only_with_a_machine_and_its_options_go_with_it() {
    let ptx = plan("saxpy.ptx");
    for (options, words) in [
        (&["--set", "l1.ways=2"][..], "--set concerns a machine with time"),
        (&["--machine", "fermi", "--limit", "5"], "--limit concerns functional execution"),
        (&["--machine", "fermi", "--registers", "saxp=9"], "did you mean `saxpy`?"),
    ] {
        let run = run(&[&["ptx", "run", &ptx][..], options].concat());
        assert!(run.code == Some(2) && run.stderr.contains(words), "{options:?}: {}", run.stderr);
    }
}
