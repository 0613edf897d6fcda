//! The pages of `heddle workloads`.

use super::page::Page;
use super::text;
use crate::commands::{KernelDescription, WorkloadDescription};

/// All workloads, one line each.
pub(crate) fn list(workloads: &[WorkloadDescription]) -> String {
    let mut page = Page::new();
    page.section("Workloads (`heddle run NAME`; * is what the problem's own name stands for)");
    let row = |workload: &WorkloadDescription| {
        let registers = workload.kernels.iter().map(|kernel| kernel.registers).max().unwrap_or(0);
        vec![
            format!("{}{}", workload.name, if workload.is_default { " *" } else { "" }),
            workload.problem.to_owned(),
            workload.kernels.len().to_string(),
            workload.buffers.len().to_string(),
            registers.to_string(),
            workload.summary.to_owned(),
        ]
    };
    let rows: Vec<_> = workloads.iter().map(row).collect();
    page.table(&["name", "problem", "kernels", "buffers", "registers", "what it is"], &[0, 1, 5], &rows);
    page.section("`heddle workloads NAME` explains one; registers are those of its largest kernel.");
    page.finish()
}

/// One workload in full.
pub(crate) fn explain(workload: &WorkloadDescription) -> String {
    let mut page = Page::new();
    page.section("Workload");
    page.row("name", workload.name);
    page.row("problem", workload.problem);
    page.row("what it is", workload.summary);
    page.row("document", workload.document);
    page.row("PTX", workload.files.join(", "));
    page.row("threads of a block", workload.block.to_string());
    page.row("buffers", format!("{}: {}", workload.buffers.len(), workload.buffers.join(", ")));
    page.section("Kernels");
    let row = |kernel: &KernelDescription| {
        vec![
            kernel.name.clone(),
            kernel.registers.to_string(),
            text::bytes(kernel.shared_bytes),
            kernel.instructions.to_string(),
        ]
    };
    let rows: Vec<_> = workload.kernels.iter().map(row).collect();
    page.table(&["kernel", "registers", "shared memory", "instructions"], &[0], &rows);
    if !workload.settings.is_empty() {
        page.section("Settings (--param NAME=VALUE)");
        for setting in &workload.settings {
            let [low, high] = setting.range;
            let what = format!("{} [default: {}; {low} to {high}]", setting.summary, setting.default);
            page.row(setting.name, what);
        }
    }
    page.finish()
}
