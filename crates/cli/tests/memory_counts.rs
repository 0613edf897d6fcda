//! What the page says about caches, on a kernel whose accesses can be counted by hand.

use crate::common::run_in;
use serde_json::Value;

/// One warp: a load, a load that passes L1, a store and an atomic, each on a line of its own.
const KERNEL: &str = "
.version 7.0
.target sm_70
.address_size 64
.visible .entry four(.param .u64 words)
{
    .reg .b32 %r<4>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [words];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    ld.global.u32 %r2, [%rd3];
    ld.global.cg.u32 %r3, [%rd3+1024];
    st.global.u32 [%rd3+2048], %r2;
    red.global.add.u32 [%rd3+3072], %r3;
    ret;
}
";

fn launch(machine: &str, set: &[&str], json: bool) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.ptx"), KERNEL).unwrap();
    let launch = ["ptx", "run", "k.ptx", "--block", "32", "--buffer", "w=u32[1024]:1", "--arg", "w"];
    let machine = ["--machine", machine];
    let format: &[&str] = if json { &["--json"] } else { &[] };
    let run = run_in(folder.path(), &[&launch[..], &machine, set, format].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout
}

fn row<'p>(page: &'p str, name: &str) -> &'p str {
    let found = page.lines().find_map(|line| line.trim().strip_prefix(name));
    found.unwrap_or_else(|| panic!("{name}: {page}")).trim()
}

#[test]
fn accesses_are_the_sum_of_what_stands_behind_them() {
    // On gtx480 atomics pass L1, and what passes goes by segments of 32 bytes (core.pass_segment).
    let page = launch("gtx480", &[], false);
    assert_eq!(row(&page, "L1 accesses"), "2 (1 reads, 1 writes, 0 atomics)");
    assert_eq!(row(&page, "L1 passed by"), "4 reads (ld.cg, ld.cv, volatile, ordered), 4 atomics");
    let page = launch("gtx480", &["--set", "core.atomics_pass_l1=false"], false);
    assert_eq!(row(&page, "L1 accesses"), "3 (1 reads, 1 writes, 1 atomics)");
    assert!(row(&page, "L1 passed by").ends_with("ordered)"), "{page}");
}

#[test]
fn both_levels_count_the_same_reads_as_misses() {
    let result: Value = serde_json::from_str(&launch("gtx480", &[], true)).unwrap();
    let stat = |name: &str| result["stats"][name].as_u64().unwrap();
    let instructions = result["warp_instructions"].as_f64().unwrap();
    let ratio = |name: &str| result["ratios"][name].as_f64().unwrap() * instructions / 1000.0;
    // A load that misses, the four segments of one that passes, the parameter, and the lines of the code.
    let left = 1 + 4 + stat("constant.read_misses") + stat("instruction.read_misses");
    assert_eq!((stat("l1.read_misses"), stat("l1.passed_reads"), stat("constant.read_misses")), (1, 4, 1));
    assert_eq!(ratio("l1.mpki").round() as u64, left);
    assert_eq!(ratio("l1.own_mpki").round() as u64, 1);
    // What left the cores is what L2 reads.
    assert_eq!(stat("l2.reads"), left);
    assert!(ratio("l2.mpki") <= ratio("l1.mpki"));
}
