//! How many blocks a core holds, what limits them, and how the on-chip store is divided.

use super::common::{Bench, grid, spec};
use heddle_device::Launch;
use heddle_gpu::{LaunchTiming, RunSettings};

const NOTHING: &str = r#"
.visible .entry nothing()
{
    .reg .pred %p<2>;
    .reg .b32 %r<3>;
    mov.u32 %r1, 0;
LOOP:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 20;
    @%p1 bra LOOP;
    ret;
}
.visible .entry tiled()
{
    .reg .b32 %r<2>;
    .shared .align 4 .b8 tile[40960];
    mov.u32 %r1, 0;
    st.shared.u32 [tile], %r1;
    ret;
}
"#;

/// A launch of 300 blocks, and the most blocks that were on a core at once.
fn launch(preset: &str, kernel: &str, launch: Launch, registers: Option<u32>) -> (LaunchTiming, u32) {
    let mut settings = RunSettings { trace: true, ..RunSettings::default() };
    if let Some(registers) = registers {
        settings.registers.set(kernel, registers);
    }
    let mut bench = Bench::new(spec(preset, &[]), settings, NOTHING);
    bench.launch(kernel, launch, &[]);
    let record = bench.record.borrow();
    let blocks: Vec<_> = record.spans.iter().filter(|span| span.core.is_some()).collect();
    assert_eq!(blocks.len(), 300);
    let at_once = |instant: u64, core: Option<u32>| {
        let there = |start: u64, cycles: u64| (start..start + cycles).contains(&instant);
        blocks.iter().filter(|span| span.core == core && there(span.start_cycle, span.cycles)).count()
    };
    let most = blocks.iter().map(|span| at_once(span.start_cycle, span.core)).max().unwrap();
    (record.launches[0].clone(), most as u32)
}

/// Resident blocks and warps, what limits them, and the L1 that is left, in KB.
fn limits(preset: &str, kernel: &str, how: Launch, registers: Option<u32>) -> (u32, u32, String, u64) {
    let (timing, most) = launch(preset, kernel, how, registers);
    assert_eq!(timing.resident_blocks, most, "as many were there as could be");
    (timing.resident_blocks, timing.resident_warps, timing.limited_by, timing.l1_bytes >> 10)
}

#[test]
fn registers_shared_memory_warps_and_blocks_limit_what_is_resident() {
    let row = |blocks: u32, warps: u32, by: &str, l1: u64| (blocks, warps, by.to_owned(), l1);
    let nothing = |how, registers| limits("fermi", "nothing", how, registers);
    assert_eq!(nothing(grid(300, 32), None), row(8, 8, "blocks", 48));
    assert_eq!(nothing(grid(300, 256), None), row(6, 48, "warps", 48));
    // 63 registers × 32 threads are 2048 in units of 64: 16 warps fill 32768.
    assert_eq!(nothing(grid(300, 256), Some(63)), row(2, 16, "registers", 48));
    assert_eq!(nothing(grid(300, 64).shared(12 << 10), None), row(4, 8, "shared memory", 16));
    let k40c = limits("k40c", "nothing", grid(300, 64), None);
    assert_eq!(k40c, row(16, 32, "blocks", 48));
}

#[test]
fn a_kernel_with_much_shared_memory_leaves_16_kb_of_l1() {
    let (timing, most) = launch("fermi", "tiled", grid(300, 32), None);
    assert_eq!((timing.resident_blocks, most, timing.l1_bytes), (1, 1, 16 << 10));
    let (timing, _) = launch("fermi", "nothing", grid(300, 32), None);
    assert_eq!(timing.l1_bytes, 48 << 10);
    // The first division that costs no block.
    let l1 = |bytes| launch("k40c", "nothing", grid(300, 64).shared(bytes), None).0;
    let found =
        [1, 2, 3, 40].map(|kib| l1(kib << 10)).map(|timing| (timing.resident_blocks, timing.l1_bytes >> 10));
    assert_eq!(found, [(16, 48), (16, 32), (16, 16), (1, 16)]);
}

#[test]
fn a_block_that_fits_no_core_is_refused_with_the_reason() {
    let mut bench = Bench::new(spec("fermi", &[]), RunSettings::default(), NOTHING);
    let error = bench.try_launch("nothing", grid(1, 32).shared(50 << 10), &[]).unwrap_err().to_string();
    assert!(error.contains("nothing") && error.contains("shared") && error.contains("fermi"), "{error}");
}

/// A kernel that keeps so many values at once: it reads them all before it adds them up.
fn hungry(directives: &str, values: u32) -> String {
    let reads: String = (0..values)
        .map(|value| format!("    ld.volatile.global.u32 %r{value}, [%rd1+{}];\n", 4 * value))
        .collect();
    let sums: String = (1..values).map(|value| format!("    add.u32 %r0, %r0, %r{value};\n")).collect();
    format!(
        ".visible .entry hungry(.param .u64 data) {directives}\n{{\n    .reg .b32 %r<{values}>;\n    .reg .b64 \
         %rd<2>;\n    ld.param.u64 %rd1, [data];\n{reads}{sums}    st.global.u32 [%rd1], %r0;\n    ret;\n}}\n"
    )
}

/// Registers, spilled registers, what capped them, resident blocks.
fn granted(preset: &str, directives: &str, values: u32, threads: u32) -> (u32, u32, Option<String>, u32) {
    let mut bench = Bench::new(spec(preset, &[]), RunSettings::default(), &hungry(directives, values));
    let data = bench.zeros("data", u64::from(values));
    bench.launch("hungry", grid(2, threads), &[data.into()]);
    let timing = bench.last();
    (timing.registers, timing.spilled_registers, timing.registers_capped_by, timing.resident_blocks)
}

#[test]
fn a_kernel_that_wants_more_registers_than_the_machine_has_is_launched_with_all_of_them() {
    let machine = Some("the machine".to_owned());
    let (registers, spilled, by, blocks) = granted("fermi", "", 100, 256);
    assert_eq!((registers, &by, blocks), (63, &machine, 2));
    assert!((37..=45).contains(&spilled), "{spilled}");
    assert_eq!(granted("gtx480", "", 100, 256), (registers, spilled, by.clone(), 2));
    let (registers, spilled, by, _) = granted("k40c", "", 300, 256);
    assert_eq!((registers, by), (255, machine));
    assert!((45..=53).contains(&spilled), "{spilled}");
    let (registers, spilled, by, _) = granted("k40c", "", 100, 256);
    assert_eq!((spilled, by), (0, None));
    assert!((100..=108).contains(&registers), "{registers}");
}

#[test]
fn directives_cap_the_registers_so_that_the_promised_blocks_fit() {
    let cap = |directives: &str, threads| granted("fermi", directives, 50, threads);
    let (plain, _, _, blocks) = cap("", 256);
    assert_eq!(blocks, 2);
    let spilled = |cap: u32| plain - cap;
    let by = |words: &str| Some(words.to_owned());
    assert_eq!(cap(".maxnreg 20", 256), (20, spilled(20), by(".maxnreg"), 6));
    assert_eq!(cap(".maxntid 256 .minnctapersm 6", 256), (20, spilled(20), by(".minnctapersm"), 6));
    assert_eq!(cap(".maxntid 256, 1, 1 .minnctapersm 4", 256), (32, spilled(32), by(".minnctapersm"), 4));
    // A block of 1024 would not fit a core with all the registers that its threads want.
    let block = by("the block size of the directives");
    assert_eq!(cap(".maxntid 1024", 1024), (32, spilled(32), block.clone(), 1));
    assert_eq!(cap(".reqntid 1024", 1024), (32, spilled(32), block, 1));
}

#[test]
fn registers_that_no_block_fits_with_are_refused_with_the_option_and_a_number_that_fits() {
    let refused = |registers: Option<u32>, threads| {
        let mut settings = RunSettings::default();
        registers.into_iter().for_each(|registers| settings.registers.set("hungry", registers));
        let mut bench = Bench::new(spec("fermi", &[]), settings, &hungry("", 50));
        let data = bench.zeros("data", 50);
        bench.try_launch("hungry", grid(1, threads), &[data.into()]).unwrap_err().to_string()
    };
    let block = refused(None, 1024);
    assert!(block.contains("a block of 1024 threads") && block.contains("--registers hungry=32"), "{block}");
    let given = refused(Some(64), 32);
    assert!(
        given.contains("64 registers") && given.contains("--registers hungry=N takes 1 to 63"),
        "{given}"
    );
}

/// Registers, shared memory and L1 of one store: the L1 that is left, in KB.
fn unified(kernel: &str, how: Launch, registers: u32) -> u64 {
    let mut settings = RunSettings::default();
    settings.registers.set(kernel, registers);
    let mut bench = Bench::new(spec("fermi", &["shared_memory.unified=192KiB"]), settings, NOTHING);
    bench.launch(kernel, how, &[]);
    bench.last().l1_bytes >> 10
}

#[test]
fn a_unified_store_leaves_to_l1_what_registers_and_shared_memory_do_not_take() {
    // 48 warps with 15 registers of a thread, which are given as 16: 96 KB, and twelve ways of 8 KB.
    assert_eq!(unified("nothing", grid(300, 512), 15), 96);
    // 48 warps with 20 registers: 120 KB, and nine ways.
    assert_eq!(unified("nothing", grid(300, 512), 20), 72);
    // One block of 8 warps with 16 registers, 16 KB, and 40 KB of shared memory.
    assert_eq!(unified("tiled", grid(300, 256), 16), 136);
    let small = heddle_machine::Machine::named("fermi").unwrap().set(&["shared_memory.unified=160KiB"]);
    let problem = small.resolve().unwrap_err().to_string();
    assert!(problem.contains("shared_memory.unified") && problem.contains("184KiB"), "{problem}");
}
