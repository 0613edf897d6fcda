//! The page of `heddle ptx info`.

use super::page::Page;
use super::text::{bytes, or_dash, plural};
use crate::ptx::describe::{KernelEntry, LoadEntry, LoopEntry, ModuleEntry, OccupancyEntry};

/// The whole page.
pub(crate) fn page(module: &ModuleEntry) -> String {
    let mut page = Page::new();
    page.section("File");
    page.row("name", &module.file);
    page.row("version, target", format!("{}, {}", module.version, module.target));
    page.row("addresses", format!("{} bits", module.address_bits));
    page.row("registers by", module.register_method);
    if module.kernels.is_empty() {
        page.section("No kernels");
    }
    for kernel in &module.kernels {
        describe(&mut page, kernel);
    }
    page.finish()
}

fn describe(page: &mut Page, kernel: &KernelEntry) {
    page.section(&format!("Kernel {}", kernel.name));
    if !kernel.directives.is_empty() {
        page.row("directives", kernel.directives.join(", "));
    }
    page.row("registers", registers(kernel));
    page.row("predicates", kernel.predicates.to_string());
    let dynamic = if kernel.dynamic_shared { " and what the launch gives" } else { "" };
    page.row("shared memory", format!("{}{dynamic}", bytes(kernel.shared_bytes)));
    page.row("local memory", format!("{} per thread", bytes(kernel.local_bytes)));
    let classes = kernel.classes.iter().map(|class| format!("{} {}", class.instructions, class.class));
    let classes = classes.collect::<Vec<_>>().join(", ");
    page.row("instructions", format!("{} in {} blocks: {classes}", kernel.instructions, kernel.blocks));
    page.row("barriers", kernel.barriers.to_string());
    let atomics = kernel.atomics.iter().map(|atomic| format!("{} {}", atomic.count, atomic.name));
    page.row("atomics", none_or(atomics.collect()));
    page.row("calls", none_or(kernel.functions.iter().chain(&kernel.externals).cloned().collect()));
    occupancy(page, &kernel.occupancy);
    parameters(page, kernel);
    loops(page, &kernel.loops);
    if !kernel.irreducible.is_empty() {
        let lines: Vec<String> = kernel.irreducible.iter().map(u32::to_string).collect();
        page.line(&format!("  irreducible region, no natural loop, entered at line {}", lines.join(", ")));
    }
    loads(page, kernel);
}

fn none_or(words: Vec<String>) -> String {
    if words.is_empty() { "none".to_string() } else { words.join(", ") }
}

fn registers(kernel: &KernelEntry) -> String {
    let KernelEntry { registers, registers_allocated, registers_live, registers_spilled, .. } = kernel;
    match (kernel.registers_given, &kernel.registers_capped_by) {
        (true, _) => format!(
            "{registers} as given (our allocation: {registers_allocated}, live at once: {registers_live})"
        ),
        (false, Some(by)) => format!(
            "{registers}, capped by {by}: of {registers_allocated} by our allocation (live at once: \
             {registers_live}) {registers_spilled} are spilled; --registers {}=N sets another number",
            kernel.name
        ),
        (false, None) => format!("{registers} by our allocation (live at once: {registers_live})"),
    }
}

fn occupancy(page: &mut Page, found: &OccupancyEntry) {
    let on = format!("{}, blocks of {}", found.machine, plural(u64::from(found.block), "thread"));
    match (found.blocks, found.warps, &found.problem) {
        (Some(blocks), Some(warps), _) => {
            let binding = found.binding.join(" and ");
            let warps_max = found.warps_max;
            let blocks = plural(u64::from(blocks), "block");
            page.row("occupancy", format!("{blocks}, {warps} of {warps_max} warps per core ({on})"));
            page.row("limited by", binding);
            let limits = found.limits.iter().map(|limit| {
                let blocks = or_dash(limit.blocks.map(|blocks| blocks.to_string()));
                format!("{} {blocks}", limit.limit)
            });
            page.row("blocks by limit", limits.collect::<Vec<_>>().join(", "));
            let spare = or_dash(found.registers_without_loss.map(|registers| registers.to_string()));
            page.row("registers up to", format!("{spare} without loss of occupancy"));
        }
        (_, _, problem) => {
            let problem = problem.as_deref().unwrap_or("does not fit");
            page.row("occupancy", format!("none ({on}): {problem}"));
        }
    }
}

fn parameters(page: &mut Page, kernel: &KernelEntry) {
    if kernel.parameters.is_empty() {
        return;
    }
    page.line("");
    let row = |parameter: &crate::ptx::describe::ParameterEntry| {
        vec![
            parameter.name.clone(),
            parameter.ty.clone(),
            parameter.bytes.to_string(),
            parameter.offset.to_string(),
        ]
    };
    let rows: Vec<Vec<String>> = kernel.parameters.iter().map(row).collect();
    page.table(&["parameter", "type", "bytes", "offset"], &[0, 1], &rows);
}

fn loops(page: &mut Page, loops: &[LoopEntry]) {
    if loops.is_empty() {
        return;
    }
    page.line("");
    let row = |(number, entry): (usize, &LoopEntry)| {
        let back: Vec<String> = entry.back_edges.iter().map(u32::to_string).collect();
        vec![
            number.to_string(),
            entry.line.to_string(),
            entry.label.clone().unwrap_or_default(),
            entry.depth.to_string(),
            or_dash(entry.parent.map(|parent| parent.to_string())),
            entry.instructions.to_string(),
            back.join(", "),
        ]
    };
    let rows: Vec<Vec<String>> = loops.iter().enumerate().map(row).collect();
    page.table(&["loop", "line", "label", "depth", "in", "instructions", "back from"], &[2, 6], &rows);
}

fn loads(page: &mut Page, kernel: &KernelEntry) {
    if kernel.loads.is_empty() {
        return;
    }
    page.line("");
    let row = |load: &LoadEntry| {
        vec![
            load.line.to_string(),
            load.in_loop.to_string(),
            load.instruction.clone(),
            or_dash(load.region.clone()),
            pattern(load),
            role(kernel, load.line),
        ]
    };
    let rows: Vec<Vec<String>> = kernel.loads.iter().map(row).collect();
    page.table(&["line", "loop", "load", "region", "address", ""], &[2, 3, 4, 5], &rows);
}

fn pattern(load: &LoadEntry) -> String {
    match (load.stride, load.depends_on) {
        (Some(stride), _) => format!("strided, {stride} bytes"),
        (None, Some(line)) => format!("dependent on line {line}"),
        _ => load.pattern.to_string(),
    }
}

/// Head or tail of a pair.
fn role(kernel: &KernelEntry, line: u32) -> String {
    let is_head = kernel.pairs.iter().any(|pair| pair.head == line);
    let tail_of = kernel.pairs.iter().find(|pair| pair.tail == line);
    match (is_head, tail_of) {
        (true, _) => "head".to_string(),
        (false, Some(pair)) => format!("tail of {}", pair.head),
        (false, None) => String::new(),
    }
}
