//! `heddle ptx check` and `heddle ptx info`.

use crate::common::{heddle_in, json, run, run_in, stdout};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::process::Stdio;

const HEAD: &str = ".version 6.0\n.target sm_35\n.address_size 64\n";

/// Three kinds of mistakes on three lines, behind a tab.
fn wrong() -> String {
    let body = "\tadd.s32 \t%r1, %r2, %rx;\n\tfrob.u32 %r1;\n\tadd.s32 %r1, %r2;\n\tret;\n";
    format!("{HEAD}.visible .entry k()\n{{\n\t.reg .b32 %r<3>;\n{body}}}\n")
}

/// Correct, with a register that nothing wrote and code that nothing leads to.
fn strange() -> String {
    let body = ".reg .b32 %r<3>;\nadd.s32 %r1, %r2, 1;\nret;\nadd.s32 %r1, %r1, 1;\nret;\n";
    format!("{HEAD}.visible .entry k()\n{{\n{body}}}\n")
}

/// A block's reduction, of which everything can be counted by hand.
const REDUCE: &str = "\
.extern .func (.param .b32 status) vprintf(.param .b64 format, .param .b64 arguments);
.extern .shared .align 4 .b8 more[];
.shared .align 8 .b8 sums[100];
.func twice(.param .b32 a)
{
    .local .align 4 .b8 frame[12];
    .reg .b32 %r<3>;
    mov.u32 %r1, frame;
    st.local.u32 [frame], 0;
    ret;
}
.visible .entry reduce(.param .u64 data, .param .align 8 .b8 pair[16])
.reqntid 64, 1, 1
{
    .reg .pred %p<3>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [pair+8];
    mov.u32 %r1, 0;
OUTER:
    mov.u32 %r2, 0;
INNER:
    ld.global.nc.u32 %r3, [%rd1];
    add.s64 %rd1, %rd1, 16;
    red.shared.add.u32 [sums], %r3;
    add.s32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 4;
    @%p1 bra INNER;
    bar.sync 0;
    ld.volatile.shared.u32 %r4, [more+4];
    add.s32 %r1, %r1, 1;
    setp.lt.u32 %p2, %r1, %r4;
    @%p2 bra OUTER;
    {
        .param .b32 x;
        st.param.b32 [x], %r1;
        call.uni twice, (x);
    }
    ret;
}
";

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn every_error_is_shown_at_its_line_with_a_caret() {
    let folder = folder(&[("wrong.ptx", &wrong())]);
    let run = run_in(folder.path(), &["ptx", "check", "wrong.ptx"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stderr, "");
    for place in ["wrong.ptx:7:21: error: ", "wrong.ptx:8:2: error: ", "wrong.ptx:9:2: error: "] {
        assert!(run.stdout.contains(place), "{place}: {}", run.stdout);
    }
    assert!(run.stdout.contains("     7 | \tadd.s32 \t%r1, %r2, %rx;\n       | \t        \t          ^\n"));
    assert!(run.stdout.ends_with("1 file, 0 correct; 3 errors, 0 warnings, 0 notes\n"), "{}", run.stdout);
}

#[test]
fn warnings_and_notes_are_told_and_are_no_errors() {
    let folder = folder(&[("strange.ptx", &strange())]);
    let run = run_in(folder.path(), &["ptx", "check", "strange.ptx"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains("strange.ptx:7:1: warning: `%r2` is read here"), "{}", run.stdout);
    assert!(run.stdout.contains("strange.ptx:9:1: note: no path leads"), "{}", run.stdout);
    assert!(run.stdout.contains("strange.ptx: correct, 1 kernel, 0 device functions, 4 instructions"));
    assert!(run.stdout.ends_with("1 file, 1 correct; 0 errors, 1 warning, 1 note\n"), "{}", run.stdout);
}

#[test]
fn one_bad_file_does_not_hide_the_others() {
    let folder = folder(&[("wrong.ptx", &wrong()), ("strange.ptx", &strange()), ("bytes.ptx", "")]);
    fs::write(folder.path().join("bytes.ptx"), [b'\n', 0xff, 0xfe]).unwrap();
    let files = ["ptx", "check", "missing.ptx", "wrong.ptx", "bytes.ptx", ".", "strange.ptx"];
    let run = run_in(folder.path(), &files);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("missing.ptx: error: no such file"), "{}", run.stdout);
    assert!(run.stdout.contains("bytes.ptx:2: not text"), "{}", run.stdout);
    assert!(run.stdout.ends_with("5 files, 1 correct; 6 errors, 1 warning, 1 note\n"), "{}", run.stdout);
}

#[test]
fn standard_input_is_a_file_too() {
    let folder = folder(&[]);
    let mut child = heddle_in(folder.path(), &["ptx", "check", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(strange().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let judged: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(judged["files"][0]["file"], "<stdin>");
    assert_eq!(judged["files"][0]["kernels"], 1);
    let first = &judged["files"][0]["findings"][0];
    let expected = json!(["warning", 7, 1, "add.s32 %r1, %r2, 1;"]);
    assert_eq!(json!([first["severity"], first["line"], first["column"], first["source"]]), expected);
    assert_eq!((&judged["errors"], &judged["warnings"]), (&json!(0), &json!(1)));
}

fn reduce() -> Value {
    let folder = folder(&[("reduce.ptx", &format!("{HEAD}{REDUCE}"))]);
    let run = run_in(folder.path(), &["ptx", "info", "reduce.ptx", "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_str::<Value>(&run.stdout).unwrap()["kernels"][0].clone()
}

#[test]
fn a_kernel_is_described_as_one_counts_by_hand() {
    let kernel = reduce();
    assert_eq!(kernel["parameters"][1]["type"], "b8[16]");
    assert_eq!(kernel["parameters"][1]["offset"], 8);
    assert_eq!((&kernel["shared_bytes"], &kernel["dynamic_shared"]), (&json!(100), &json!(true)));
    assert_eq!(kernel["local_bytes"], 12);
    assert_eq!(kernel["functions"], json!(["twice"]));
    assert_eq!(kernel["externals"], json!([]));
    assert_eq!(kernel["barriers"], 1);
    assert_eq!(kernel["atomics"], json!([{"name": "atom.shared.add.u32", "count": 1}]));
    assert_eq!(kernel["directives"], json!([".reqntid 64, 1, 1"]));
    assert_eq!(kernel["instructions"], 17);
    let counted: u64 = kernel["classes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|class| class["instructions"].as_u64().unwrap())
        .sum();
    assert_eq!(counted, 17);
    assert_eq!(kernel["occupancy"]["block"], 64);
}

#[test]
fn loops_and_their_loads_are_listed_with_nesting() {
    let kernel = reduce();
    let loops = kernel["loops"].as_array().unwrap();
    let shape: Vec<_> =
        loops.iter().map(|found| json!([found["label"], found["depth"], found["parent"]])).collect();
    assert_eq!(json!(shape), json!([["OUTER", 1, null], ["INNER", 2, 0]]));
    let loads = kernel["loads"].as_array().unwrap();
    let told = |load: &Value| {
        json!([
            load["loop"],
            load["instruction"],
            load["non_coherent"],
            load["region"],
            load["pattern"],
            load["stride"]
        ])
    };
    assert_eq!(told(&loads[0]), json!([1, "ld.global.nc.u32", true, "pair+8", "strided", 16]));
    assert_eq!(told(&loads[1]), json!([0, "ld.volatile.shared.u32", false, "more", "invariant", null]));
}

#[test]
fn given_registers_replace_our_own_in_the_occupancy() {
    let info = |registers| {
        json(&["ptx", "info", "--kernel", "Kernel", "--block", "512", "--json", "--registers", registers])
    };
    let (few, many) = (info("Kernel=15"), info("Kernel=24"));
    let kernel = |info: &Value| info["kernels"][0].clone();
    assert_eq!(kernel(&few)["registers_given"], true);
    assert_eq!(kernel(&few)["registers_allocated"], kernel(&many)["registers_allocated"]);
    assert_eq!(kernel(&few)["occupancy"]["blocks"], 3);
    assert_eq!(kernel(&few)["occupancy"]["registers_without_loss"], 20);
    assert_eq!(kernel(&many)["occupancy"]["blocks"], 2);
    assert_eq!(kernel(&many)["occupancy"]["binding"], json!(["registers"]));
}

#[test]
fn what_a_directive_leaves_no_register_for_is_counted_as_spilled() {
    let capped = format!("{HEAD}{REDUCE}").replace(".reqntid 64, 1, 1", ".reqntid 64, 1, 1 .maxnreg 4");
    let folder = folder(&[("capped.ptx", &capped)]);
    let run = |options: &[&str]| run_in(folder.path(), &[&["ptx", "info", "capped.ptx"], options].concat());
    let info: Value = serde_json::from_str(&run(&["--json"]).stdout).unwrap();
    let kernel = &info["kernels"][0];
    let (registers, allocated) = (&kernel["registers"], kernel["registers_allocated"].as_u64().unwrap());
    assert_eq!((registers, &kernel["registers_capped_by"]), (&json!(4), &json!(".maxnreg")));
    assert_eq!(kernel["registers_spilled"], allocated - 4);
    let page = run(&[]).stdout;
    let words = format!("4, capped by .maxnreg: of {allocated} by our allocation");
    assert!(page.contains(&words) && page.contains("are spilled; --registers "), "{page}");
}

#[test]
fn the_page_names_method_machine_and_the_binding_limit() {
    let page = stdout(&["ptx", "info", "--machine", "k40c", "--kernel", "Kernel"]);
    for part in [
        "registers by          colouring",
        "k40c, blocks of 256 threads",
        "limited by            warps",
        "tail of",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("Kernel2"));
}

#[test]
fn a_block_that_fits_no_core_is_said() {
    let page = stdout(&["ptx", "info", "--kernel", "Kernel", "--dynamic-shared", "60000"]);
    assert!(page.contains("one block alone needs more shared memory than a core has"), "{page}");
}

#[test]
fn names_that_do_not_exist_are_refused_with_the_nearest() {
    for arguments in [["--kernel", "kernl"], ["--registers", "kernl=3"]] {
        let run = run(&[&["ptx", "info"], arguments.as_slice()].concat());
        assert_eq!(run.code, Some(1));
        assert!(run.stderr.contains("no kernel `kernl`") && run.stderr.contains("did you mean `Kernel`?"));
    }
    for arguments in
        [["--machine", "volta"], ["--registers", "Kernel"], ["--block", "0"], ["--block", "1025"]]
    {
        let run = run(&[&["ptx", "info"], arguments.as_slice()].concat());
        assert_eq!(run.code, Some(2), "{arguments:?}");
    }
}

#[test]
fn a_wrong_file_has_no_description_and_says_where_to_look() {
    let folder = folder(&[("wrong.ptx", &wrong())]);
    let run = run_in(folder.path(), &["ptx", "info", "wrong.ptx"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.is_empty());
    assert!(run.stderr.contains("wrong.ptx:7:21") && run.stderr.contains("and 2 more"), "{}", run.stderr);
    assert!(run.stderr.contains("heddle ptx check wrong.ptx"), "{}", run.stderr);
}

#[test]
fn a_launch_of_the_command_line_is_no_plan() {
    let help = stdout(&["ptx", "run", "--help"]);
    let words: Vec<&str> = help.split_whitespace().collect();
    assert!(
        words.join(" ").contains("[default: fermi; `heddle ptx run` executes functionally without it]"),
        "{help}"
    );
    let folder = tempfile::tempdir().unwrap();
    let trap = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u32 n) { trap; }\n\
        .visible .entry fine() { ret; }\n";
    fs::write(folder.path().join("k.ptx"), trap).unwrap();
    let launch =
        |more: &[&str]| run_in(folder.path(), &[&["ptx", "run", "k.ptx", "--kernel"], more].concat());
    let fine = launch(&["fine"]).stdout;
    assert!(fine.contains("no: there was nothing to compare with") && !fine.contains("the plan"), "{fine}");
    for more in [&["k", "--arg", "u32:1"][..], &["k"], &["absent"]] {
        let failed = launch(more);
        assert!(failed.code == Some(1) && failed.stderr.contains("error: k.ptx: "), "{}", failed.stderr);
        assert!(
            !failed.stderr.contains("step 1") && !failed.stderr.contains("the plan"),
            "{}",
            failed.stderr
        );
    }
}
