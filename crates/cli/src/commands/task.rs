//! What the user wants to run, found and checked before any graph is read.

use crate::arguments::WorkArguments;
use crate::failure::Failure;
use crate::outputs::{Outputs, check_inside};
use crate::provenance::Hashed;
use heddle_graph::error::nearest;
use heddle_graph::transform::Transform;
use heddle_ptx::analysis::RegisterOverride;
use heddle_workloads::library::{RunOptions, Workload, registry};
use heddle_workloads::plan::Plan;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The graph if the user names none.
const EXAMPLE: &str = "rmat:scale=14,degree=8";

/// What is run, and the names of everything that it needs.
pub(super) struct Task {
    pub(super) program: Program,
    /// What reports call it.
    pub(super) name: String,
    pub(super) options: RunOptions,
    pub(super) graph: Option<OsString>,
    pub(super) transforms: Vec<Transform>,
}

/// A workload of the library, or a plan.
pub(super) enum Program {
    Workload(&'static Workload),
    Plan(Box<Plan>),
}

impl Program {
    /// The PTX texts.
    pub(super) fn hashes(&self) -> Result<Vec<Hashed>, Failure> {
        match self {
            Program::Workload(workload) => Ok(Hashed::workload(workload)),
            Program::Plan(plan) => Hashed::files(&plan.programs()),
        }
    }

    /// The names of all kernels.
    fn kernels(&self) -> Result<Vec<String>, Failure> {
        let texts: Vec<(String, String)> = match self {
            Program::Workload(workload) => {
                workload.files.iter().map(|file| (file.file.to_owned(), file.text.to_owned())).collect()
            }
            Program::Plan(plan) => {
                let read = |path| crate::ptx::source::read_one(path).map(|source| (source.name, source.text));
                plan.programs().iter().map(|path| read(path)).collect::<Result<_, Failure>>()?
            }
        };
        let mut kernels = Vec::new();
        for (file, text) in texts {
            let module = heddle_ptx::load(&file, &text, heddle_ptx::exec::EXTERNALS);
            let module = module.map_err(|error| Failure::new(error.to_string()))?;
            kernels.extend(module.functions.into_iter().filter(|f| f.is_kernel).map(|kernel| kernel.name));
        }
        Ok(kernels)
    }
}

impl Task {
    /// Finds the program of a command line.
    pub(super) fn find(arguments: &WorkArguments) -> Result<Task, Failure> {
        match Path::new(&arguments.workload).extension().and_then(OsStr::to_str) {
            Some("toml") => Task::plan(arguments),
            Some("ptx") => Err(Failure::usage(
                format!("{} is PTX, and no workload or launch plan", arguments.workload),
                format!(
                    "`heddle ptx run {} --machine fermi` launches one of its kernels",
                    arguments.workload
                ),
            )),
            _ => Task::workload(arguments),
        }
    }

    /// A plan that was made of options; it has no graph.
    pub(super) fn launch(name: String, plan: Plan) -> Task {
        let program = Program::Plan(Box::new(plan));
        Task { program, name, options: RunOptions::default(), graph: None, transforms: Vec::new() }
    }

    fn workload(arguments: &WorkArguments) -> Result<Task, Failure> {
        let workload = registry::find(&arguments.workload).map_err(|problem| {
            Failure::new(problem).with_help("`heddle workloads` lists them; a launch plan ends in .toml")
        })?;
        Ok(Task {
            program: Program::Workload(workload),
            name: workload.name.to_owned(),
            options: RunOptions {
                source: arguments.source,
                target: arguments.target,
                block: arguments.block,
                settings: arguments.settings.clone(),
            },
            graph: Some(arguments.graph.clone().unwrap_or_else(|| EXAMPLE.into())),
            transforms: arguments.transforms.clone(),
        })
    }

    fn plan(arguments: &WorkArguments) -> Result<Task, Failure> {
        refuse_workload_options(arguments)?;
        let plan = Plan::read(Path::new(&arguments.workload));
        let plan = plan.map_err(|error| Failure::new(error.to_string()))?;
        let graph = arguments.graph.clone().or_else(|| plan.graph().map(OsString::from));
        if graph.is_none() && (arguments.source.is_some() || !arguments.transforms.is_empty()) {
            let problem = "--source and --transform concern a graph, and the plan has none";
            return Err(Failure::usage(problem, "leave them out, or name a graph with --graph"));
        }
        let mut transforms = Vec::new();
        for text in plan.transforms() {
            let wrong = |error| Failure::new(format!("{}: transforms: {error}", arguments.workload));
            transforms.push(heddle_graph::transform::parse(text).map_err(wrong)?);
        }
        transforms.extend(arguments.transforms.iter().cloned());
        Ok(Task {
            program: Program::Plan(Box::new(plan)),
            name: arguments.workload.clone(),
            options: RunOptions { source: arguments.source, ..RunOptions::default() },
            graph,
            transforms,
        })
    }

    /// Names the files that are read and written; those that a plan saves lie below the working folder unless
    /// `anywhere` is allowed.
    pub(super) fn claim(&self, outputs: &mut Outputs, anywhere: bool) -> Result<(), Failure> {
        if let Some(graph) = &self.graph {
            let files = heddle_graph::read::files(Path::new(graph));
            files.iter().for_each(|file| outputs.reads("the graph", file));
        }
        let Program::Plan(plan) = &self.program else { return Ok(()) };
        outputs.reads("the plan", Path::new(&self.name));
        plan.inputs().iter().for_each(|input| outputs.reads("an input of the plan", input));
        for (buffer, file) in plan.saves().filter(|(_, file)| !file.is_empty()) {
            if !anywhere {
                check_inside(&self.name, Path::new(file))?;
            }
            outputs.writes(format!("save of `{buffer}`"), Path::new(file));
        }
        Ok(())
    }

    /// Registers of a kernel that there is not are a misunderstanding.
    pub(super) fn check_registers(&self, registers: &RegisterOverride) -> Result<(), Failure> {
        if registers.kernels().next().is_none() {
            return Ok(());
        }
        let kernels = self.program.kernels()?;
        let is_known = |name: &&str| kernels.iter().any(|kernel| kernel == name);
        let Some(unknown) = registers.kernels().find(|name| !is_known(name)) else { return Ok(()) };
        let help = match nearest(unknown, kernels.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it has {}", kernels.join(", ")),
        };
        Err(Failure::usage(format!("--registers {unknown}: {} has no kernel of this name", self.name), help))
    }
}

/// An option that would be ignored is a misunderstanding, so it is not.
fn refuse_workload_options(arguments: &WorkArguments) -> Result<(), Failure> {
    let given = [
        ("--target", arguments.target.is_some()),
        ("--block", arguments.block.is_some()),
        ("--param", !arguments.settings.is_empty()),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((option, _)) => {
            let problem = format!("{option} concerns the workloads of the library; a plan says it itself");
            Err(Failure::usage(problem, "leave it out"))
        }
        None => Ok(()),
    }
}
