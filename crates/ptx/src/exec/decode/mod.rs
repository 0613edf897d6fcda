//! From the IR to micro-operations.
//!
//! - [`kernel`]: which functions a kernel reaches, where its shared variables and the frames of its functions
//!   are;
//! - [`function`]: one function's instructions; [`operand`]: rows for its registers; [`access`], [`collective`] and
//!   [`call`] have the instructions that are not pure;
//! - [`mnemonic`] and [`alu_mnemonic`]: what instructions are called in messages.

mod access;
mod alu_mnemonic;
mod call;
mod collective;
mod frame;
mod function;
mod kernel;
mod mnemonic;
mod operand;

pub(super) use mnemonic::mnemonic;

use super::{KernelCode, Program};
use crate::ir::{FunctionId, Module};
use crate::{Diagnostic, Diagnostics, Place};
use std::collections::BTreeMap;

/// Problems by function and instruction, so that a function that several kernels reach is reported once.
type Problems = BTreeMap<(u32, usize), String>;

impl Program {
    /// Decodes a module whose variables in device memory are at `addresses` (0 for the others). What this
    /// machine cannot execute is refused here, with all places.
    pub fn decode(module: Module, addresses: &[u64]) -> Result<Program, Diagnostics> {
        let mut problems = Problems::new();
        let mut reached = vec![false; module.functions.len()];
        let mut kernels: Vec<Option<KernelCode>> = vec![None; module.functions.len()];
        for (number, function) in module.functions.iter().enumerate() {
            if function.is_kernel {
                let id = FunctionId(number as u32);
                let code = kernel::decode(&module, addresses, id, &mut reached, &mut problems);
                kernels[number] = Some(code);
            }
        }
        // Functions that no kernel reaches are decoded too, only to learn what is wrong with them.
        for number in 0..module.functions.len() {
            if !reached[number] {
                let id = FunctionId(number as u32);
                kernel::decode(&module, addresses, id, &mut reached, &mut problems);
            }
        }
        match diagnostics(&module, problems) {
            Some(diagnostics) => Err(diagnostics),
            None => Ok(Program { module, kernels }),
        }
    }
}

fn diagnostics(module: &Module, problems: Problems) -> Option<Diagnostics> {
    let diagnostic = |((function, instruction), problem): ((u32, usize), String)| {
        let place = module.functions.get(function as usize).and_then(|f| f.places.get(instruction));
        let place = place.copied().unwrap_or(Place { line: 1, column: 1 });
        Diagnostic { file: module.file.clone(), place, problem, help: None }
    };
    let mut all: Vec<_> = problems.into_iter().map(diagnostic).collect();
    all.sort_by_key(|diagnostic| diagnostic.place);
    (!all.is_empty()).then_some(Diagnostics(all))
}
