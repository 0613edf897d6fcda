//! `heddle ptx info`.

use crate::arguments::PtxInfoArguments;
use crate::failure::Failure;
use crate::ptx::describe::{Wanted, describe};
use crate::ptx::source::{self, Source};
use crate::{output, view};
use heddle_graph::error::nearest;
use heddle_ptx::analysis::RegisterOverride;
use heddle_ptx::exec::EXTERNALS;
use heddle_ptx::ir::{Function, Module};
use heddle_ptx::{Diagnostics, load};
use heddle_workloads::library::registry;

/// Describes the kernels of a file.
pub(in crate::commands) fn run(arguments: &PtxInfoArguments) -> Result<(), Failure> {
    let source = match &arguments.file {
        Some(path) => source::read_one(path)?,
        None => example()?,
    };
    let module =
        load(&source.name, &source.text, EXTERNALS).map_err(|errors| wrong(&source.name, &errors))?;
    let registers: RegisterOverride = arguments.registers.iter().cloned().collect();
    for name in arguments.kernel.as_deref().into_iter().chain(registers.kernels()) {
        if !kernels(&module).any(|kernel| kernel.name == name) {
            return Err(unknown(&module, name));
        }
    }
    let wanted = Wanted {
        kernel: arguments.kernel.as_deref(),
        machine: &arguments.machine,
        block: arguments.block,
        dynamic_shared: arguments.dynamic_shared,
        registers: &registers,
    };
    let description = describe(&module, &wanted);
    match arguments.json {
        true => output::json(&description),
        false => output::page(&view::ptx_info::page(&description)),
    }
}

/// What is described if the user names nothing.
fn example() -> Result<Source, Failure> {
    let workload = registry::find("h-bfs").map_err(Failure::new)?;
    let file = workload.files.first().ok_or_else(|| Failure::new("h-bfs has no kernels"))?;
    Ok(Source { name: file.file.to_string(), text: file.text.to_string() })
}

fn kernels(module: &Module) -> impl Iterator<Item = &Function> {
    module.functions.iter().filter(|function| function.is_kernel)
}

fn unknown(module: &Module, name: &str) -> Failure {
    let failure = Failure::new(format!("{} has no kernel `{name}`", module.file));
    let names: Vec<&str> = kernels(module).map(|kernel| kernel.name.as_str()).collect();
    match nearest(name, names.iter().copied()) {
        Some(near) => failure.with_help(format!("did you mean `{near}`?")),
        None => failure.with_help(format!("it has {}", names.join(", "))),
    }
}

fn wrong(file: &str, errors: &Diagnostics) -> Failure {
    let first = errors.0.first().map_or_else(|| format!("{file}: not PTX"), ToString::to_string);
    match errors.0.len() {
        0 | 1 => Failure::new(first),
        all => Failure::new(format!("{first}, and {} more", all - 1))
            .with_help(format!("`heddle ptx check {file}` shows all of them with their lines")),
    }
}
