//! Keys that say what GPGPU-Sim does: each switched on and off on `gtx480`, with a kernel that shows it.

use super::common::{Bench, count, grid, spec};
use heddle_gpu::{LaunchTiming, RunSettings};
use heddle_machine::Machine;

const KERNELS: &str = r#"
.visible .entry where(.param .u64 out)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %smid;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r2;
    ret;
}
.visible .entry atomics(.param .u64 out)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [out];
    atom.global.add.u32 %r1, [%rd1], 1;
    atom.global.add.u32 %r2, [%rd1+512], 1;
    atom.global.add.u32 %r3, [%rd1+1024], 1;
    atom.global.add.u32 %r4, [%rd1+1536], 1;
    ret;
}
.visible .entry line(.param .u64 out)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [out];
    ld.global.u32 %r1, [%rd1];
    add.u32 %r2, %r1, 1;
    atom.global.add.u32 %r3, [%rd1+4], %r2;
    add.u32 %r4, %r3, 1;
    ld.global.u32 %r5, [%rd1+8];
    st.global.u32 [%rd1+12], %r5;
    ret;
}
.visible .entry ordered(.param .u64 out)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [out];
    ld.acquire.gpu.global.u32 %r1, [%rd1];
    ld.global.u32 %r2, [%rd1+512];
    ld.global.u32 %r3, [%rd1+1024];
    st.release.gpu.global.u32 [%rd1+1536], 1;
    ret;
}
.visible .entry apart(.param .u64 out)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    atom.global.add.u32 %r2, [%rd3], 1;
    ret;
}
.visible .entry tickets(.param .u64 out)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    atom.global.add.u32 %r2, [%rd1], 1;
    st.global.u32 [%rd3+128], %r2;
    ret;
}
.visible .entry burst(.param .u64 out)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mad.lo.u32 %r3, %r2, 256, %r1;
    mul.wide.u32 %rd2, %r3, 4;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    st.global.u32 [%rd3+15360], %r1;
    st.global.u32 [%rd3+30720], %r1;
    st.global.u32 [%rd3+46080], %r1;
    ret;
}
.visible .entry store(.param .u64 out)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
}
.visible .entry shared_word()
{
    .shared .align 4 .b32 word[1];
    .reg .b32 %r<4>;
    mov.u32 %r1, word;
    atom.shared.add.u32 %r2, [%r1], 1;
    ret;
}
.visible .entry odd()
{
    .reg .b32 %r<4>;
    mov.u32 %r1, 1;
    mov.u32 %r2, 2;
    ret;
}
.visible .entry straight()
{
    .reg .b32 %r<32>;
    mov.u32 %r1, 1;
    mov.u32 %r2, 1;
    mov.u32 %r3, 1;
    mov.u32 %r4, 1;
    mov.u32 %r5, 1;
    mov.u32 %r6, 1;
    mov.u32 %r7, 1;
    mov.u32 %r8, 1;
    mov.u32 %r9, 1;
    mov.u32 %r10, 1;
    mov.u32 %r11, 1;
    mov.u32 %r12, 1;
    mov.u32 %r13, 1;
    mov.u32 %r14, 1;
    mov.u32 %r15, 1;
    mov.u32 %r16, 1;
    mov.u32 %r17, 1;
    mov.u32 %r18, 1;
    mov.u32 %r19, 1;
    ret;
}
"#;

/// Launches a kernel of [`KERNELS`] on `gtx480` with keys set, twice so that it finds its instructions in L2; the
/// second launch.
fn launched(kernel: &str, settings: &[&str], threads: u32) -> LaunchTiming {
    let mut bench = Bench::new(spec("gtx480", settings), RunSettings::default(), KERNELS);
    let out = bench.zeros("out", 1024);
    for _ in 0..2 {
        let arguments: &[heddle_device::Argument] = match kernel {
            "shared_word" | "odd" | "straight" => &[],
            _ => &[out.into()],
        };
        bench.launch(kernel, grid(1, threads), arguments);
    }
    bench.last()
}

#[test]
fn blocks_go_on_after_the_core_that_was_served_last() {
    let cores = |setting: &str| {
        let mut bench = Bench::new(spec("gtx480", &[setting]), RunSettings::default(), KERNELS);
        let out = bench.zeros("out", 64);
        bench.launch("where", grid(33, 32), &[out.into()]);
        let first = bench.read(out);
        bench.launch("where", grid(2, 32), &[out.into()]);
        (first, bench.read(out))
    };
    let (first, second) = cores("launch.after_last_core=true");
    assert_eq!([first[0], first[15], first[30]], [0, 0, 0], "on 15 cores these share one");
    assert_eq!((first[32], &second[..2]), (2, &[3, 4][..]));
    let (first, second) = cores("launch.after_last_core=false");
    assert_eq!([first[0], first[15], first[30]], [0, 1, 2]);
    assert_eq!(second[..2], [0, 1]);
}

#[test]
fn a_warp_waits_while_one_of_its_atomics_is_outstanding() {
    let cycles = |setting| launched("atomics", &[setting], 1).cycles;
    let (waits, goes_on) = (cycles("core.wait_for_atomics=true"), cycles("core.wait_for_atomics=false"));
    assert!(waits > goes_on + 3 * 130, "{waits} and {goes_on}");
}

#[test]
fn the_ordering_rule_is_chosen_by_name_or_by_the_older_keys() {
    let cycles = |kernel, settings: &[&str]| launched(kernel, settings, 1).cycles;
    let named = |kernel, name: &str| {
        cycles(kernel, &["core.wait_for_atomics=false", &format!("core.ordering={name}")])
    };
    for kernel in ["atomics", "line", "ordered"] {
        assert_eq!(named(kernel, "wait-for-atomics"), cycles(kernel, &[]), "{kernel}: as gtx480");
        assert_eq!(named(kernel, "stall-on-use"), cycles(kernel, &["core.wait_for_atomics=false"]));
        assert_eq!(named(kernel, "stall-on-memory"), cycles(kernel, &["core.stall_on_memory=true"]));
    }
    let refused = Machine::named("gtx480").unwrap().set(&["core.ordering=stall-on-use"]).resolve();
    let expected = "core.wait_for_atomics = true chooses \"wait-for-atomics\", found \"stall-on-use\"";
    assert!(refused.unwrap_err().to_string().contains(expected));
}

#[test]
fn a_rule_sees_the_order_and_scope_of_an_access() {
    let cycles = |kernel, rule: &str| {
        launched(kernel, &["core.wait_for_atomics=false", &format!("core.ordering={rule}")], 1).cycles
    };
    assert_eq!(cycles("atomics", "acquire-release"), cycles("atomics", "stall-on-use"), "relaxed ones");
    // What follows the acquiring load waits for it, and the releasing store for what follows: three round trips to
    // L2 and beyond in place of one.
    let (in_order, on_use) = (cycles("ordered", "acquire-release"), cycles("ordered", "stall-on-use"));
    assert!(in_order > on_use + 250, "{in_order} and {on_use}");
}

#[test]
fn an_atomic_that_passes_l1_leaves_its_line_there_and_pays_no_return_of_a_miss() {
    let with = launched("line", &["core.atomics_pass_l1=true"], 1);
    let without = launched("line", &["core.atomics_pass_l1=false"], 1);
    assert_eq!([&with, &without].map(|timing| count(timing, "l1.read_hits")), [1, 0]);
    let cycles = |settings: &[&str]| launched("atomics", settings, 1).cycles;
    assert_eq!(cycles(&["core.pass_cycles=43"]) - cycles(&["core.pass_cycles=3"]), 4 * 40);
    assert_eq!(cycles(&["core.load_miss_cycles=80"]), cycles(&[]));
}

#[test]
fn an_atomic_asks_for_each_sector_on_its_own_where_requests_have_its_size() {
    let requests = |setting| count(&launched("apart", &[setting], 32), "core.global_transactions");
    assert_eq!(requests("core.pass_segment=32B"), 4);
    assert_eq!(requests("core.pass_segment=0"), 1);
}

#[test]
fn each_sector_of_a_store_is_acknowledged_where_the_machine_says_so() {
    let flits = |setting, threads| {
        let timing = launched("store", &[setting], threads);
        count(&timing, "interconnect.replies.address_flits")
    };
    // 32 lanes store a line, 12 of them one half of it, and 3 of them a sector.
    assert_eq!([32, 12, 3].map(|threads| flits("l2.acknowledge=sectors", threads)), [4, 2, 1]);
    assert_eq!([32, 12, 3].map(|threads| flits("l2.acknowledge=requests", threads)), [1, 1, 1]);
}

#[test]
fn an_atomic_need_not_wait_for_the_arithmetic_of_its_address() {
    let cycles = |setting| launched("apart", &[setting], 32).cycles;
    let (waits, does_not) =
        (cycles("core.atomics_wait_for_address=true"), cycles("core.atomics_wait_for_address=false"));
    assert!(waits >= does_not + 8, "{waits} and {does_not}");
}

#[test]
fn atomics_on_one_word_of_shared_memory_take_turns_only_where_the_machine_says_so() {
    let turns = |setting| count(&launched("shared_word", &[setting], 32), "core.bank_conflict_cycles");
    assert_eq!(turns("shared_memory.serial_atomics=true"), 31);
    assert_eq!(turns("shared_memory.serial_atomics=false"), 0);
}

#[test]
fn kernels_share_lines_of_the_instruction_cache_where_code_is_contiguous() {
    let fetched = |setting: &str| {
        let mut bench = Bench::new(spec("gtx480", &[setting]), RunSettings::default(), KERNELS);
        bench.launch("straight", grid(1, 32), &[]);
        bench.launch("odd", grid(1, 32), &[]);
        count(&bench.last(), "instruction.fills_from_dram")
    };
    assert_eq!(fetched("core.contiguous_code=true"), 0, "the line came with the kernel behind it");
    assert_eq!(fetched("core.contiguous_code=false"), 1);
}

#[test]
fn a_fetch_brings_two_instructions_of_two_lines_where_the_machine_says_so() {
    let fetches =
        |setting| count(&launched("straight", &[setting, "core.contiguous_code=true"], 32), "core.fetches");
    let (across, within) =
        (fetches("core.fetch_crosses_lines=true"), fetches("core.fetch_crosses_lines=false"));
    assert_eq!(across, 10);
    assert!(within > across, "{within}");
}

/// A kernel of additions over four registers each of whose operands lie in two banks, or in one.
fn additions(second: u32) -> String {
    let mut text = String::from(".visible .entry add()\n{\n    .reg .b32 %r<64>;\n");
    for number in 0..200 {
        let (target, first) = (1 + number % 8, 16);
        text += &format!("    add.u32 %r{target}, %r{first}, %r{second};\n");
    }
    text + "    ret;\n}\n"
}

#[test]
fn operands_of_one_register_bank_hold_up_a_core_full_of_warps() {
    let cycles = |second, setting: &str| {
        let settings = [setting, "instruction.size=8KiB"];
        let mut bench = Bench::new(spec("gtx480", &settings), RunSettings::default(), &additions(second));
        bench.launch("add", grid(1, 1024), &[]);
        bench.launch("add", grid(1, 1024), &[]);
        bench.last().cycles
    };
    let [apart, together] = [33, 32].map(|second| cycles(second, "core.operand_collectors=6"));
    assert!(together * 10 > apart * 11, "{together} and {apart}");
    let [apart, together] = [33, 32].map(|second| cycles(second, "core.operand_collectors=0"));
    assert_eq!(together, apart);
}

#[test]
fn the_requests_of_an_instruction_leave_in_the_order_of_the_machine() {
    // Lanes on one word make a request each, and the word is counted up in the order in which these leave.
    let tickets = |setting: &str| {
        let mut bench = Bench::new(spec("gtx480", &[setting]), RunSettings::default(), KERNELS);
        let out = bench.zeros("out", 64);
        bench.launch("tickets", grid(1, 32), &[out.into()]);
        bench.read(out)[32..].to_vec()
    };
    assert_eq!(tickets("core.request_order=lanes"), (0..32).collect::<Vec<_>>());
    assert_eq!(tickets("core.request_order=descending"), (0..32).rev().collect::<Vec<_>>());
}

#[test]
fn stores_of_whole_lines_wait_less_where_requests_are_not_interleaved_and_the_switch_is_faster_than_links() {
    let waited = |settings: &[&str]| {
        let mut bench = Bench::new(spec("gtx480", settings), RunSettings::default(), KERNELS);
        let out = bench.zeros("out", 4 * 3840);
        for _ in 0..2 {
            bench.launch("burst", grid(15, 256), &[out.into()]);
        }
        let timing = bench.last();
        assert_eq!(count(&timing, "interconnect.requests.data_flits"), 15 * 8 * 4 * 4);
        (timing.cycles, count(&timing, "interconnect.requests.waited"))
    };
    let links = "interconnect.request_speedup=1";
    let by_flit = waited(&[links, "interconnect.interleave_requests=1"]);
    let whole = waited(&[links, "interconnect.interleave_requests=0"]);
    let fast = waited(&["interconnect.request_speedup=2", "interconnect.interleave_requests=0"]);
    assert!(by_flit.0 > whole.0 && whole.0 > fast.0, "{by_flit:?}, {whole:?}, {fast:?}");
    assert!(by_flit.1 > whole.1 && whole.1 > fast.1, "{by_flit:?}, {whole:?}, {fast:?}");
    assert_eq!(waited(&[]), fast, "`gtx480` has both");
}
