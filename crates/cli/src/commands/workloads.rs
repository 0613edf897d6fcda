//! `heddle workloads`.

use super::verify;
use crate::arguments::{CommonArguments, WorkloadsArguments};
use crate::failure::Failure;
use crate::outputs::Outputs;
use crate::{output, view};
use heddle_device::Device;
use heddle_graph::write::whole_file;
use heddle_graph::{ArcList, Graph, build};
use heddle_ptx::analysis::{KernelSummary, register_demands};
use heddle_ptx::ir::FunctionId;
use heddle_workloads::library::{self, RunOptions, Workload, WorkloadError, registry};
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// What is known of a workload.
#[derive(Debug, Serialize)]
pub(crate) struct WorkloadDescription {
    pub(crate) name: &'static str,
    pub(crate) problem: &'static str,
    /// The problem's name stands for this one.
    pub(crate) is_default: bool,
    pub(crate) summary: &'static str,
    pub(crate) document: &'static str,
    pub(crate) block: u32,
    pub(crate) files: Vec<&'static str>,
    pub(crate) kernels: Vec<KernelDescription>,
    /// The buffers that it allocates.
    pub(crate) buffers: Vec<String>,
    pub(crate) settings: Vec<SettingDescription>,
}

/// One kernel of a workload.
#[derive(Debug, Serialize)]
pub(crate) struct KernelDescription {
    pub(crate) name: String,
    pub(crate) registers: u32,
    pub(crate) shared_bytes: u64,
    pub(crate) instructions: usize,
}

/// One setting of a workload.
#[derive(Debug, Serialize)]
pub(crate) struct SettingDescription {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) default: f64,
    pub(crate) range: [f64; 2],
}

/// Lists, explains or verifies.
pub(super) fn run(arguments: &WorkloadsArguments, common: CommonArguments) -> Result<(), Failure> {
    if arguments.verify {
        return verify::run(arguments, common);
    }
    let wanted = match &arguments.name {
        None => registry::WORKLOADS.to_vec(),
        Some(name) => vec![
            registry::find(name)
                .map_err(|problem| Failure::new(problem).with_help("`heddle workloads` lists them"))?,
        ],
    };
    if let Some(folder) = &arguments.save {
        let mut outputs = Outputs::new(arguments.force);
        let names: Vec<&str> = wanted.iter().flat_map(|workload| workload.files).map(file_name).collect();
        outputs.folder("--save", folder, &names);
        outputs.check()?;
        wanted.iter().try_for_each(|workload| save_files(workload, folder))?;
    }
    let described: Vec<_> = wanted.into_iter().map(describe).collect::<Result<_, _>>()?;
    match (arguments.json, &described[..]) {
        (true, described) => output::json(&described),
        (false, [one]) if arguments.name.is_some() => output::page(&view::workloads::explain(one)),
        (false, described) => output::page(&view::workloads::list(described)),
    }
}

/// The name of a file without its folder.
fn file_name(file: &library::KernelFile) -> &'static str {
    file.file.rsplit('/').next().unwrap_or(file.file)
}

/// Writes the PTX files of a workload into a folder, under their own names.
fn save_files(workload: &Workload, folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::at_path(folder, &error))?;
    for file in workload.files {
        let path = folder.join(file_name(file));
        let written = whole_file(&path, |target| target.write_all(file.text.as_bytes()));
        written.map_err(|error: std::io::Error| Failure::at_path(&path, &error))?;
    }
    Ok(())
}

/// Describes a workload; its buffers are those that it allocates for a graph of two vertices.
fn describe(workload: &Workload) -> Result<WorkloadDescription, Failure> {
    let mut device = Device::functional();
    let outcome = library::run(workload, tiny()?, &mut device, &RunOptions::default(), &|_, _| ());
    let outcome = outcome.map_err(|error: WorkloadError| Failure::new(error.to_string()))?;
    let setting = |setting: &library::Setting| SettingDescription {
        name: setting.name,
        summary: setting.summary,
        default: setting.default,
        range: setting.range,
    };
    Ok(WorkloadDescription {
        name: workload.name,
        problem: workload.problem.name(),
        is_default: workload.is_default,
        summary: workload.summary,
        document: workload.document,
        block: workload.block,
        files: workload.files.iter().map(|file| file.file).collect(),
        kernels: kernels(workload)?,
        buffers: outcome.regions.iter().map(|region| region.name.clone()).collect(),
        settings: workload.settings.iter().map(setting).collect(),
    })
}

fn tiny() -> Result<Graph, Failure> {
    let arcs: ArcList = [(0u32, 1u32), (1, 0)].into_iter().collect();
    let rows = build::from_arcs(&arcs, 2).map_err(|error| Failure::new(error.to_string()))?;
    Ok(Graph::undirected(rows))
}

fn kernels(workload: &Workload) -> Result<Vec<KernelDescription>, Failure> {
    let mut described = Vec::new();
    for file in workload.files {
        let module = heddle_ptx::load(file.file, file.text, heddle_ptx::exec::EXTERNALS);
        let module = module.map_err(|error| Failure::new(error.to_string()))?;
        let demands = register_demands(&module);
        for (number, (kernel, demand)) in module.functions.iter().zip(demands).enumerate() {
            if !kernel.is_kernel {
                continue;
            }
            let summary = KernelSummary::new(&module, FunctionId(number as u32), demand);
            described.push(KernelDescription {
                name: kernel.name.clone(),
                registers: demand.registers,
                shared_bytes: summary.shared_bytes,
                instructions: kernel.instructions.len(),
            });
        }
    }
    Ok(described)
}
