//! Checks of cores: what no core can be.

use super::{LONGEST, within, wrong};
use heddle_gpu::{CoreSpec, GpuSpec, LatencyTable, OperationTiming};
use heddle_memory::SpecError;
use heddle_memory::request::Path;

/// Threads of a warp.
const WARP: u64 = 32;
/// Resident warps: one bit each in a word.
const MOST_WARPS: u64 = 64;
const MOST_CORES: u64 = 1024;
/// Registers that one thread may have.
const MOST_REGISTERS: u64 = 1 << 10;

pub(super) fn check(spec: &GpuSpec) -> Result<(), SpecError> {
    let core = &spec.core;
    within("core.count", core.count.into(), 1, MOST_CORES)?;
    check_residents(core)?;
    check_registers(core)?;
    check_issue(core)?;
    check_pipeline(spec)?;
    check_latencies(&spec.latency)
}

fn check_residents(core: &CoreSpec) -> Result<(), SpecError> {
    let (warps, threads) = (u64::from(core.warps), u64::from(core.threads));
    within("core.warps", warps, 1, MOST_WARPS)?;
    within("core.threads", threads, WARP, MOST_WARPS * WARP)?;
    if warps * WARP > threads {
        let problem =
            format!("{warps} warps are {} threads, more than core.threads = {threads}", warps * WARP);
        return wrong("core.warps", problem);
    }
    within("core.threads_per_block", core.threads_per_block.into(), 1, threads.min(1024))?;
    within("core.blocks", core.blocks.into(), 1, MOST_WARPS)
}

fn check_registers(core: &CoreSpec) -> Result<(), SpecError> {
    let registers = u64::from(core.registers);
    within("core.registers", registers, WARP, 1 << 20)?;
    let per_thread = u64::from(core.registers_per_thread);
    within("core.registers_per_thread", per_thread, 1, MOST_REGISTERS)?;
    if per_thread * WARP > registers {
        let problem = format!(
            "{registers} registers are {} for each thread of one warp, fewer than core.registers_per_thread = \
             {per_thread}",
            registers / WARP
        );
        return wrong("core.registers", problem);
    }
    within("core.register_unit", core.register_unit.into(), 1, registers)?;
    within("core.warp_granularity", core.warp_granularity.into(), 1, core.warps.into())?;
    // A warp needs a register per thread, rounded up to the unit.
    let least = WARP.next_multiple_of(u64::from(core.register_unit));
    let held = registers / least;
    if u64::from(core.warps) > held {
        let problem = format!(
            "core.registers = {registers} hold at most {held} warps, at {least} registers for the smallest"
        );
        return wrong("core.warps", problem);
    }
    Ok(())
}

fn check_issue(core: &CoreSpec) -> Result<(), SpecError> {
    within("core.schedulers", core.schedulers.into(), 1, core.warps.into())?;
    within("core.issue_width", core.issue_width.into(), 1, 8)?;
    within("core.arithmetic_units", core.arithmetic_units.into(), 1, 64)?;
    within("core.special_units", core.special_units.into(), 1, 64)?;
    for (key, width) in [("core.simd_width", core.simd_width), ("core.special_width", core.special_width)] {
        if width == 0 || !WARP.is_multiple_of(u64::from(width)) {
            return wrong(key, format!("expected a divisor of the {WARP} threads of a warp, found {width}"));
        }
    }
    if let (Some(rule), Some(other)) = (core.ordering, core.rule_of_keys())
        && rule != other
    {
        let key = if core.stall_on_memory { "stall_on_memory" } else { "wait_for_atomics" };
        let problem = format!(
            "core.{key} = true chooses \"{}\", found \"{}\": set it to false",
            other.name(),
            rule.name()
        );
        return wrong("core.ordering", problem);
    }
    within("core.operand_collectors", core.operand_collectors.into(), 0, 64)?;
    if core.operand_collectors > 0 {
        within("core.special_collectors", core.special_collectors.into(), 1, 64)?;
        let banks = core.register_banks;
        if !banks.is_power_of_two() || banks > 32 {
            let problem =
                format!("expected a power of two from 1 to 32 with core.operand_collectors, found {banks}");
            return wrong("core.register_banks", problem);
        }
    }
    within("core.prefetch_pairs", core.prefetch_pairs.into(), 1, 64)?;
    within("core.prefetch_instructions", core.prefetch_instructions.into(), 2, 1024)?;
    within("core.result_buses", core.result_buses.into(), 0, 64)?;
    within("core.load_store_queue", core.load_store_queue.into(), 1, 1024)
}

fn check_pipeline(spec: &GpuSpec) -> Result<(), SpecError> {
    let core = &spec.core;
    within("core.fetch_width", core.fetch_width.into(), 1, MOST_WARPS)?;
    within("core.fetch_instructions", core.fetch_instructions.into(), 1, 64)?;
    within("core.decode_cycles", core.decode_cycles.into(), 0, LONGEST)?;
    within("core.operand_cycles", core.operand_cycles.into(), 0, LONGEST)?;
    within("core.register_read_cycles", core.register_read_cycles.into(), 0, LONGEST)?;
    within("core.writeback_cycles", core.writeback_cycles.into(), 0, LONGEST)?;
    within("core.load_miss_cycles", core.load_miss_cycles.into(), 0, LONGEST)?;
    within("core.pass_cycles", core.pass_cycles.into(), 0, LONGEST)?;
    let (segment, line) = (core.pass_segment.0, spec.memory.serving(Path::Global).line.0);
    if segment != 0 && (!segment.is_power_of_two() || segment < 16 || segment > line) {
        let problem = format!("expected 0, or a power of two from 16 to l1.line = {line}, found {segment}");
        return wrong("core.pass_segment", problem);
    }
    let (bytes, line) = (u64::from(core.instruction_bytes), spec.memory.serving(Path::Instruction).line.0);
    if !bytes.is_power_of_two() || bytes > line {
        let problem = format!("expected a power of two of at most instruction.line = {line}, found {bytes}");
        return wrong("core.instruction_bytes", problem);
    }
    Ok(())
}

fn check_latencies(table: &LatencyTable) -> Result<(), SpecError> {
    let classes: [(&str, OperationTiming); 17] = [
        ("simple", table.simple),
        ("integer_add", table.integer_add),
        ("integer_max", table.integer_max),
        ("integer_multiply", table.integer_multiply),
        ("integer_multiply_add", table.integer_multiply_add),
        ("integer_divide", table.integer_divide),
        ("float_add", table.float_add),
        ("float_max", table.float_max),
        ("float_multiply", table.float_multiply),
        ("float_multiply_add", table.float_multiply_add),
        ("float_divide", table.float_divide),
        ("double_add", table.double_add),
        ("double_multiply_add", table.double_multiply_add),
        ("double_divide", table.double_divide),
        ("special", table.special),
        ("shuffle", table.shuffle),
        ("branch", table.branch),
    ];
    for (class, timing) in classes {
        within(format!("latency.{class}.latency"), timing.latency.into(), 1, LONGEST)?;
        within(format!("latency.{class}.initiation"), timing.initiation.into(), 1, LONGEST)?;
    }
    Ok(())
}
