//! The kernels of workloads, as experiments name them.

use super::shared::Shared;
use crate::error::LabError;
use crate::experiment::Point;
use crate::hash::sha256;
use heddle_graph::error::nearest;
use heddle_ptx::analysis::{KernelSummary, register_demands};
use heddle_ptx::ir::{Function, FunctionId};
use heddle_workloads::library::Workload;
use std::sync::Arc;

/// A kernel with what is known of it without running it.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    pub(super) function: Function,
    /// Registers that a thread would like, by our own allocation.
    pub(super) demand: u32,
    /// Static shared memory.
    pub(super) shared_bytes: u64,
}

/// Kernels of workloads, and hashes of their texts, by name.
#[derive(Debug, Default)]
pub(super) struct Programs {
    kernels: Shared<&'static str, Result<Arc<Vec<Kernel>>, LabError>>,
    hashes: Shared<&'static str, Result<Arc<String>, LabError>>,
}

impl Programs {
    /// The kernels of a workload.
    pub(super) fn kernels(&self, workload: &'static Workload) -> Result<Arc<Vec<Kernel>>, LabError> {
        self.kernels.get_or_make(workload.name, || load(workload))
    }

    /// SHA-256 of the PTX texts of a workload.
    pub(super) fn hash(&self, workload: &'static Workload) -> Result<String, LabError> {
        self.hashes.get_or_make(workload.name, || Ok(hash(workload))).map(|hash| hash.to_string())
    }

    /// The kernel that a point names.
    pub(super) fn kernel(&self, workload: &'static Workload, name: &str) -> Result<Kernel, LabError> {
        let kernels = self.kernels(workload)?;
        kernels.iter().find(|kernel| kernel.function.name == name).cloned().ok_or_else(|| {
            let names: Vec<&str> = kernels.iter().map(|kernel| kernel.function.name.as_str()).collect();
            let help = match nearest(name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it has {}", names.join(", ")),
            };
            LabError::new(format!("{} has no kernel `{name}`", workload.name)).with_help(help)
        })
    }

    /// Refuses a kernel, or registers of none, that make no sense.
    pub(super) fn check_kernel(&self, workload: &'static Workload, point: &Point) -> Result<(), LabError> {
        let of_launches = point.launches.as_ref().and_then(|launches| launches.kernel());
        match point.kernel.as_deref().or(of_launches) {
            Some(name) => self.kernel(workload, name).map(drop),
            None if point.registers.is_some() => {
                Err(LabError::new("`registers` are those of a `kernel`, and the point names none"))
            }
            None => Ok(()),
        }
    }
}

fn load(workload: &Workload) -> Result<Vec<Kernel>, LabError> {
    let mut kernels = Vec::new();
    for file in workload.files {
        let module = heddle_ptx::load(file.file, file.text, heddle_ptx::exec::EXTERNALS);
        let module = module.map_err(|error| LabError::new(error.to_string()))?;
        for (number, demand) in register_demands(&module).into_iter().enumerate() {
            let function = &module.functions[number];
            if function.is_kernel {
                let summary = KernelSummary::new(&module, FunctionId(number as u32), demand);
                kernels.push(Kernel {
                    function: function.clone(),
                    demand: demand.registers,
                    shared_bytes: summary.shared_bytes,
                });
            }
        }
    }
    Ok(kernels)
}

fn hash(workload: &Workload) -> String {
    let texts: String = workload.files.iter().map(|file| format!("{}\n{}\n", file.file, file.text)).collect();
    sha256(texts.as_bytes())
}
