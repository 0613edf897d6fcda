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

pub(super) use function::micro_op;
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
                let root = [FunctionId(number as u32)];
                let code = kernel::decode(&module, addresses, &root, &mut reached, &mut problems);
                kernels[number] = Some(code);
            }
        }
        // Functions that no kernel reaches are decoded too, only to learn what is wrong with them: together, because
        // each of them alone would bring along all that it calls.
        let rest: Vec<FunctionId> = ids(&module).filter(|id| !reached[id.0 as usize]).collect();
        kernel::decode(&module, addresses, &rest, &mut reached, &mut problems);
        match diagnostics(&module, problems) {
            Some(diagnostics) => Err(diagnostics),
            None => Ok(Program { module, kernels }),
        }
    }

    /// What [`Program::decode`] would refuse, without the code: kernels that share functions need a copy of them each,
    /// but what is wrong with a function is the same in all of them, so that each is looked at once.
    pub(crate) fn check(module: &Module) -> Result<(), Diagnostics> {
        // Where variables will be does not matter to whether the program can be executed.
        let addresses = vec![0; module.variables.len()];
        let all: Vec<FunctionId> = ids(module).collect();
        let mut problems = Problems::new();
        kernel::decode(module, &addresses, &all, &mut vec![false; all.len()], &mut problems);
        diagnostics(module, problems).map_or(Ok(()), Err)
    }
}

/// All functions of a module.
fn ids(module: &Module) -> impl Iterator<Item = FunctionId> {
    (0..module.functions.len() as u32).map(FunctionId)
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
