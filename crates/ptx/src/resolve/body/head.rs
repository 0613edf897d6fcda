//! The head of a function: who sees it, its parameters, its performance directives.

use super::Body;
use super::scopes::{Kind, Local};
use crate::ir::{Linkage, Parameter, ParameterPlace, Tuning};
use crate::resolve::declarations::Defined;
use crate::resolve::report::{Reports, nearest};
use crate::resolve::scope::Named;
use crate::syntax::{Declaration, DirectiveWords};

/// Directives that say nothing to machines without clusters and with registers to spare.
const WITHOUT_EFFECT: &[&str] = &[
    "noreturn",
    "pragma",
    "maxnctapersm",
    "reqnctapercluster",
    "explicitcluster",
    "maxclusterrank",
    "blocksareclusters",
    "abi_preserve",
    "abi_preserve_control",
    "unique",
];

impl<'t> Body<'t, '_, '_> {
    /// Takes over the head of a function.
    pub(super) fn head(&mut self, defined: &'t Defined<'t>) {
        let declaration = defined.declaration;
        let signature = &defined.signature;
        self.function.name = declaration.name.clone();
        self.function.is_kernel = declaration.is_entry;
        self.function.linkage = linkage(&declaration.linkage);
        self.function.tuning = tuning(&declaration.directives, self.output.reports);
        self.frame = signature.bytes;
        self.function.parameters =
            self.parameters(&declaration.parameters, &signature.parameters, Named::Parameter);
        self.function.results = self.parameters(&declaration.results, &signature.results, Named::Result);
    }

    /// Declares parameters, and gives those in registers their numbers.
    fn parameters(
        &mut self,
        declarations: &'t [Declaration],
        parameters: &[Parameter],
        named: fn(u32) -> Named,
    ) -> Vec<Parameter> {
        let mut parameters = parameters.to_vec();
        // Where they differ in number one was refused, and the module with it.
        for (number, (parameter, declaration)) in parameters.iter_mut().zip(declarations).enumerate() {
            let Some(array) = declaration.names.first() else { continue };
            let local = match &mut parameter.place {
                ParameterPlace::Register(register) => {
                    let kind = Kind { ty: parameter.ty, elements: 1 };
                    let numbers = self.new_registers(&array.name, kind);
                    *register = numbers.first().copied().unwrap_or(*register);
                    Local::Register(kind, numbers)
                }
                ParameterPlace::Memory(_) => Local::Named(named(number as u32)),
            };
            if array.name != "_" {
                self.declare(array.place, &array.name, local);
            }
        }
        parameters
    }
}

fn linkage(words: &[String]) -> Linkage {
    match words {
        words if words.iter().any(|word| word == "weak") => Linkage::Weak,
        words if words.iter().any(|word| word == "visible") => Linkage::Visible,
        _ => Linkage::Internal,
    }
}

fn tuning(directives: &[DirectiveWords], reports: &mut Reports<'_>) -> Tuning {
    let mut tuning = Tuning::default();
    for directive in directives {
        let numbers: Vec<Option<u32>> = directive.words.iter().map(|word| word.parse().ok()).collect();
        let first = numbers.first().copied().flatten();
        // Sizes that are not given are 1.
        let threads = [0, 1, 2].map(|axis| numbers.get(axis).copied().unwrap_or(Some(1)));
        let threads = match threads {
            [Some(x), Some(y), Some(z)] if (1..=3).contains(&numbers.len()) => Some([x, y, z]),
            _ => None,
        };
        let valid = match directive.name.as_str() {
            "maxntid" => {
                tuning.max_threads = threads;
                threads.is_some()
            }
            "reqntid" => {
                tuning.required_threads = threads;
                threads.is_some()
            }
            "minnctapersm" => {
                tuning.min_blocks_per_core = first;
                first.is_some()
            }
            "maxnreg" => {
                tuning.max_registers = first;
                first.is_some()
            }
            name if WITHOUT_EFFECT.contains(&name) => true,
            name => {
                let known = ["maxntid", "reqntid", "minnctapersm", "maxnreg"];
                let near = nearest(name, known.into_iter().chain(WITHOUT_EFFECT.iter().copied()));
                let help = near.map(|near| format!("the nearest known directive is .{near}"));
                reports.error(directive.place, format!("unknown directive .{name} of a function"), help);
                true
            }
        };
        if !valid {
            let problem = format!("expected one to three numbers below 2^32 after .{}", directive.name);
            reports.error(directive.place, problem, None);
        }
    }
    tuning
}
