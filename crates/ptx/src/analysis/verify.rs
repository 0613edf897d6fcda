//! What is wrong or strange in a module beyond types.
//!
//! Warnings: control that can run off the end of a function, which then ends as by `ret`; registers that some path
//! reads before anything was written to them. Compilers leave both where they believe that control never comes
//! there, so that neither is an error. Notes: code that no path leads to.

use super::cfg::{Cfg, Leave};
use super::liveness::Liveness;
use super::operands::registers_read;
use crate::ir::{Function, Module};
use crate::{Diagnostic, Place};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The program may be wrong.
    Warning,
    /// Worth knowing.
    Note,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How much it matters.
    pub severity: Severity,
    /// What, and where.
    pub diagnostic: Diagnostic,
}

/// All findings of a module, in the order of the text.
pub fn verify(module: &Module) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for function in &module.functions {
        let cfg = Cfg::new(function);
        let context = Context { file: &module.file, function, cfg: &cfg };
        context.ends(&mut findings);
        context.unwritten(&mut findings);
        context.unreachable(&mut findings);
    }
    findings.sort_by_key(|finding| finding.diagnostic.place);
    findings
}

struct Context<'a> {
    file: &'a str,
    function: &'a Function,
    cfg: &'a Cfg,
}

impl Context<'_> {
    fn finding(&self, severity: Severity, at: usize, problem: String, help: Option<&str>) -> Finding {
        let place = self.function.places.get(at).copied().unwrap_or(Place { line: 1, column: 1 });
        let help = help.map(str::to_string);
        Finding { severity, diagnostic: Diagnostic { file: self.file.to_string(), place, problem, help } }
    }

    fn ends(&self, findings: &mut Vec<Finding>) {
        let name = &self.function.name;
        let reachable = self.cfg.reachable();
        for (number, block) in self.cfg.blocks.iter().enumerate() {
            if block.leave != Some(Leave::FallOff) || !reachable[number] {
                continue;
            }
            let problem = format!("control can run off the end of `{name}` behind this instruction");
            let help = "it then ends as by ret; expected ret, exit, trap or a branch";
            findings.push(self.finding(Severity::Warning, block.last(), problem, Some(help)));
        }
    }

    /// What lives at the entry is read on some path before it is written. The first such read in the text is
    /// shown.
    fn unwritten(&self, findings: &mut Vec<Finding>) {
        if self.cfg.blocks.is_empty() {
            return;
        }
        let mut wanted = vec![false; self.function.registers.len()];
        for register in Liveness::new(self.function, self.cfg).live_in(0) {
            wanted[register.0 as usize] = true;
        }
        for parameter in &self.function.parameters {
            if let crate::ir::ParameterPlace::Register(register) = parameter.place {
                wanted[register.0 as usize] = false;
            }
        }
        for (index, instruction) in self.function.instructions.iter().enumerate() {
            registers_read(instruction, |register| {
                if std::mem::replace(&mut wanted[register.0 as usize], false) {
                    let name = &self.function.registers[register.0 as usize].name;
                    let problem =
                        format!("`{name}` is read here, and some path has written nothing to it before");
                    findings.push(self.finding(Severity::Warning, index, problem, None));
                }
            });
        }
    }

    /// One note for each run of neighbouring blocks.
    fn unreachable(&self, findings: &mut Vec<Finding>) {
        let reachable = self.cfg.reachable();
        for (number, block) in self.cfg.blocks.iter().enumerate() {
            let first_of_run = !reachable[number] && (number == 0 || reachable[number - 1]);
            if first_of_run {
                let problem = "no path leads to this instruction".to_string();
                findings.push(self.finding(Severity::Note, block.instructions.start, problem, None));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::sample::{Code, at};

    fn findings(code: &[Code]) -> Vec<(Severity, String)> {
        let module = Module {
            file: "sample.ptx".to_string(),
            version: (6, 0),
            target: "sm_35".to_string(),
            address_bytes: 8,
            variables: Vec::new(),
            functions: vec![at(code)],
            externals: Vec::new(),
            source_files: Vec::new(),
        };
        let told = verify(&module).into_iter();
        told.map(|finding| (finding.severity, finding.diagnostic.problem)).collect()
    }

    #[test]
    fn running_off_the_end_is_told_where_control_can_come_there() {
        let told =
            |code: &[Code]| findings(code).iter().any(|(_, problem)| problem.contains("run off the end"));
        assert!(told(&[Code::Call, Code::Branch(0), Code::Label(0)]));
        assert!(told(&[Code::Call]));
        assert!(!told(&[Code::Call, Code::Exit]));
        assert!(!told(&[Code::Exit, Code::Call]));
    }

    #[test]
    fn code_that_nothing_leads_to_is_noted_once() {
        let found = findings(&[Code::Exit, Code::Call, Code::Exit, Code::Call, Code::Exit]);
        assert_eq!(found, [(Severity::Note, "no path leads to this instruction".to_string())]);
    }

    #[test]
    fn a_register_that_nothing_wrote_is_named_once() {
        let found = findings(&[Code::Plain, Code::Plain, Code::Exit]);
        let problem = "`%r1` is read here, and some path has written nothing to it before";
        assert_eq!(found, [(Severity::Warning, problem.to_string())]);
    }
}
