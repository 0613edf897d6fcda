//! What a command writes: nothing that is there already, no input, nothing twice, all of it known before anything runs.

use crate::common::{run_in, stdout};
use std::fs;
use std::path::Path;

const GRAPH: &str = "grid:width=6,height=6";

/// A folder with a graph, and what is in it.
fn folder() -> (tempfile::TempDir, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let made = run_in(folder.path(), &["graph", "generate", GRAPH, "-o", "g.mtx"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let graph = fs::read(folder.path().join("g.mtx")).unwrap();
    (folder, graph)
}

#[track_caller]
fn refused(folder: &Path, arguments: &[&str], words: &str) {
    let run = run_in(folder, arguments);
    assert!(run.code.is_some_and(|code| code != 0), "{arguments:?}");
    assert!(run.stderr.contains(words), "{arguments:?}: {}", run.stderr);
    assert!(run.stdout.is_empty(), "{arguments:?}: it ran");
}

#[track_caller]
fn done(folder: &Path, arguments: &[&str]) -> String {
    let run = run_in(folder, arguments);
    assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
    run.stdout
}

#[test]
fn no_output_replaces_an_input_whatever_is_forced() {
    let (folder, graph) = folder();
    fs::hard_link(folder.path().join("g.mtx"), folder.path().join("other")).unwrap();
    let run = ["run", "bfs", "--graph", "g.mtx", "--force"];
    for (option, file) in [("--trace", "g.mtx"), ("--capture-dram", "./g.mtx"), ("--trace", "other")] {
        refused(folder.path(), &[&run[..], &[option, file]].concat(), "would overwrite the graph");
    }
    refused(folder.path(), &["graph", "convert", "g.mtx", "g.mtx", "--force"], "would overwrite");
    let plan = "ptx = []\nsave = { a = 'p.toml' }\n[[buffer]]\nname = 'a'\nvalues = [1]\n";
    fs::write(folder.path().join("p.toml"), plan).unwrap();
    refused(folder.path(), &["run", "p.toml", "--functional", "--force"], "would overwrite the plan");
    assert_eq!(fs::read(folder.path().join("g.mtx")).unwrap(), graph);
    assert_eq!(fs::read_to_string(folder.path().join("p.toml")).unwrap(), plan);
}

#[test]
fn no_output_replaces_a_file_that_an_input_is_made_of() {
    let (folder, _) = folder();
    let texts = [
        ("child.toml", "inherits = \"base.toml\"\n"),
        ("base.toml", "inherits = \"fermi\"\nmechanisms = [\"way.toml\"]\n[dram]\npart = \"part.toml\"\n"),
        ("part.toml", "inherits = \"slow.toml\"\n"),
        ("slow.toml", "inherits = \"gddr5-fermi\"\n"),
        ("way.toml", "name = \"w\"\ndescription = \"d\"\nsource = \"chosen\"\n[patch.core]\nwarps = 40\n"),
        ("prices.toml", "name = \"p\"\ndescription = \"d\"\ninclude = [\"more.toml\"]\n"),
        ("more.toml", "name = \"m\"\ndescription = \"d\"\ninclude = [\"fermi\"]\n"),
        ("requests", "0x40 READ 0\n"),
        ("web.properties", "graphclass=it.unimi.dsi.webgraph.BVGraph\n"),
        ("web.graph", "bits"),
    ];
    texts.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
    let ptx = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/plans/saxpy.ptx");
    let buffers = ["--buffer", "x=f32[4]", "--buffer", "y=f32[4]", "--arg", "u32:4", "--arg", "f32:2"];
    let machine = ["--machine", "child.toml", "--energy-table", "prices.toml", "--force"];
    let launch = [&["ptx", "run", ptx.to_str().unwrap()][..], &buffers, &["--arg", "x", "--arg", "y"]];
    let launch = [&launch.concat()[..], &machine].concat();
    let run = [&["run", "bfs", "--graph", "g.mtx"][..], &machine].concat();
    for (file, what) in [
        ("child.toml", "machine"),
        ("base.toml", "machine"),
        ("part.toml", "machine"),
        ("slow.toml", "machine"),
        ("way.toml", "machine"),
        ("prices.toml", "energy table"),
        ("more.toml", "energy table"),
    ] {
        let words = format!("would overwrite a file of the {what}");
        refused(folder.path(), &[&run[..], &["--trace", file]].concat(), &words);
        refused(folder.path(), &[&launch[..], &["--save", &format!("y={file}")]].concat(), &words);
    }
    let set =
        ["run", "bfs", "--graph", "g.mtx", "--set", "dram.part=part.toml", "--force", "--trace", "slow.toml"];
    refused(folder.path(), &set, "would overwrite a file of the machine");
    let replay =
        ["dram", "replay", "part.toml", "requests", "--energy", "prices.toml", "--force", "--per-request"];
    refused(folder.path(), &[&replay[..], &["slow.toml"]].concat(), "would overwrite a file of the part");
    refused(
        folder.path(),
        &[&replay[..], &["more.toml"]].concat(),
        "would overwrite a file of the energy table",
    );
    let trace = ["dram", "trace", "part.toml", "random", "--requests", "5", "--force", "-o", "slow.toml"];
    refused(folder.path(), &trace, "would overwrite a file of the part");
    for (given, output) in
        [("web.properties", "web.graph"), ("web.graph", "web.properties"), ("web", "web.graph")]
    {
        let run = ["run", "bfs", "--graph", given, "--force", "--trace", output];
        refused(folder.path(), &run, "would overwrite the graph");
    }
    for (name, text) in texts {
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), text, "{name}");
    }
}

#[test]
fn no_column_of_a_comparison_replaces_a_file_of_its_machine() {
    let (folder, _) = folder();
    fs::create_dir_all(folder.path().join("c/none")).unwrap();
    let base = "inherits = \"fermi\"\n";
    fs::write(folder.path().join("c/none/machine.toml"), base).unwrap();
    fs::write(folder.path().join("child.toml"), "inherits = \"c/none/machine.toml\"\n").unwrap();
    let compare = ["compare", "bfs", "--graph", "g.mtx", "--machine", "child.toml", "--with", "obm"];
    let compare = [&compare[..], &["--out", "c", "--force"]].concat();
    refused(folder.path(), &compare, "--out would overwrite a file of the machine");
    assert_eq!(fs::read_to_string(folder.path().join("c/none/machine.toml")).unwrap(), base);
}

#[test]
fn whatever_is_there_is_replaced_by_force_alone() {
    let (folder, _) = folder();
    let mine = |name: &str| fs::write(folder.path().join(name), "mine").unwrap();
    ["trace", "saved", "line", "p.bin"].iter().for_each(|name| mine(name));
    let plan = "ptx = []\nsave = { a = 'p.bin' }\n[[buffer]]\nname = 'a'\nvalues = [1]\n";
    fs::write(folder.path().join("p.toml"), plan).unwrap();
    let ptx = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/plans/saxpy.ptx");
    let buffers = ["--buffer", "x=f32[4]", "--buffer", "y=f32[4]", "--arg", "u32:4", "--arg", "f32:2"];
    let launch =
        [&["ptx", "run", ptx.to_str().unwrap()][..], &buffers, &["--arg", "x", "--arg", "y"]].concat();
    fs::write(folder.path().join("requests"), "0x40 READ 0\n").unwrap();
    let commands: [&[&str]; 7] = [
        &["run", "bfs", "--graph", "g.mtx", "--trace", "trace"],
        &["run", "bfs", "--graph", "g.mtx", "--capture-dram", "trace"],
        &["run", "p.toml", "--functional"],
        &[&launch[..], &["--save", "y=saved"]].concat(),
        &["dram", "trace", "ddr4-2400", "random", "--requests", "5", "-o", "line"],
        &["dram", "replay", "ddr4-2400", "requests", "--per-request", "line"],
        &["graph", "convert", "g.mtx", "line", "--to", "edge-list"],
    ];
    for command in commands {
        refused(folder.path(), command, "exists already");
    }
    for name in ["trace", "saved", "line", "p.bin"] {
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), "mine", "{name}");
    }
    for command in commands {
        done(folder.path(), &[command, &["--force"]].concat());
    }
    for (command, option) in [(&["man"][..], "--out"), (&["workloads", "bfs"], "--save")] {
        let command = [command, &[option, "pages"]].concat();
        done(folder.path(), &command);
        refused(folder.path(), &command, "exists already");
        done(folder.path(), &[&command[..], &["--force"]].concat());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_cannot_be_made_is_refused_before_the_run() {
    let (folder, _) = folder();
    for out in ["/proc/heddle", "/proc", "/proc/self/deep/er"] {
        refused(folder.path(), &["run", "bfs", "--graph", "g.mtx", "--out", out], "/proc");
    }
    // A look leaves nothing behind, and an empty folder of the user stays.
    fs::create_dir(folder.path().join("mine")).unwrap();
    for out in ["a/b", "mine"] {
        let functional = ["run", "bfs", "--graph", "g.mtx", "--functional", "--trace", "t", "--out", out];
        assert_eq!(run_in(folder.path(), &functional).code, Some(2));
        let run = ["run", "bfs", "--graph", "g.mtx", "--source", "99", "--out", out];
        assert_ne!(run_in(folder.path(), &run).code, Some(0));
    }
    assert!(!folder.path().join("a").exists() && folder.path().join("mine").is_dir());
    assert_eq!(fs::read_dir(folder.path().join("mine")).unwrap().count(), 0);
}

#[test]
fn a_plan_writes_below_its_working_folder_unless_it_is_allowed_more() {
    let (folder, _) = folder();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("..", inner.join("up")).unwrap();
    let plan = |file: &str| {
        let text = format!("ptx = []\nsave = {{ a = '{file}' }}\n[[buffer]]\nname = 'a'\nvalues = [1]\n");
        fs::write(inner.join("p.toml"), text).unwrap();
    };
    for file in ["../out.bin", "up/out.bin", "/out.bin"] {
        plan(file);
        refused(&inner, &["run", "p.toml", "--functional"], "outside the working folder");
    }
    plan("../out.bin");
    done(&inner, &["run", "p.toml", "--functional", "--allow-outside"]);
    assert_eq!(fs::read(folder.path().join("out.bin")).unwrap(), [1, 0, 0, 0]);
}

#[test]
fn a_stored_result_is_replaced_by_force_alone_and_columns_of_another_comparison_go() {
    let (folder, _) = folder();
    let run = ["run", "bfs", "--graph", "g.mtx", "--out", "r"];
    done(folder.path(), &run);
    refused(folder.path(), &run, "r/result.json: exists already");
    done(folder.path(), &[&run[..], &["--force"]].concat());
    let compare = |with: &'static str| ["compare", "bfs", "--graph", "g.mtx", "--out", "c", "--with", with];
    done(folder.path(), &compare("obm"));
    refused(folder.path(), &compare("sector"), "exists already");
    fs::create_dir(folder.path().join("c/mine")).unwrap();
    fs::copy(folder.path().join("r/result.json"), folder.path().join("c/mine/result.json")).unwrap();
    let forced = [&compare("sector")[..], &["--force"]].concat();
    refused(folder.path(), &forced, "c/mine: it holds a result that is no column of this comparison");
    fs::remove_dir_all(folder.path().join("c/mine")).unwrap();
    done(folder.path(), &forced);
    assert!(folder.path().join("c/sector/result.json").is_file() && !folder.path().join("c/obm").exists());
}

#[test]
fn names_and_what_kernels_print_do_not_command_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let name = "\u{1b}[31m\u{9b}2J.ptx";
    let text = ".version 6.0\n.target sm_35\n.address_size 64\n\
        .extern .func (.param .b32 status) vprintf(.param .b64 format, .param .b64 arguments);\n\
        .global .align 1 .b8 words[8] = {27, 91, 50, 74, 7, 97, 10, 0};\n\
        .visible .entry k()\n{\n.reg .b64 %rd<3>;\n.reg .b32 %r<2>;\n\
        mov.u64 %rd1, words;\ncvta.global.u64 %rd2, %rd1;\n{\n.param .b64 f;\n.param .b64 a;\n.param .b32 s;\n\
        st.param.b64 [f], %rd2;\nst.param.b64 [a], 0;\ncall.uni (s), vprintf, (f, a);\nld.param.b32 %r1, [s];\n}\n\
        ret;\n}\n";
    fs::write(folder.path().join(name), text).unwrap();
    let page = done(folder.path(), &["ptx", "run", name, "--block", "1"]);
    assert!(page.contains("\\x1b[2J\\x07a"), "{page:?}");
    let json = done(folder.path(), &["ptx", "run", name, "--block", "1", "--json"]);
    let wrong = run_in(folder.path(), &["run", "bfs", "--block", "\u{1b}[2J"]).stderr;
    let missing = run_in(folder.path(), &["graph", "info", "\u{1b}]0;x\u{7}"]).stderr;
    for shown in [page, json, wrong, missing, stdout(&["workloads"])] {
        let commands = |c: char| c.is_control() && c != '\n' && c != '\t';
        assert!(!shown.contains(commands), "{shown:?}");
    }
}
