//! `heddle workloads --verify`: every workload on every graph of a list, each answer checked.
//!
//! A line per pair is written as it is done, so that a run that was interrupted goes on where it stopped.

use crate::arguments::{CommonArguments, WorkloadsArguments};
use crate::bounded;
use crate::failure::Failure;
use crate::output;
use crate::pattern::fits;
use crate::progress::Bar;
use crate::view::text::plural;
use heddle_device::Device;
use heddle_graph::Graph;
use heddle_graph::progress::Progress;
use heddle_graph::read::{ReadOptions, WeightPolicy};
use heddle_graph::source;
use heddle_workloads::library::matrix::{CASES, Case};
use heddle_workloads::library::{self, RunOptions, Workload, registry};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The first line of the record.
const HEAD: &str = "workload\tgraph\tverdict\n";

/// A graph of the list.
enum Input {
    Case(&'static Case),
    File(PathBuf),
}

impl Input {
    fn name(&self) -> String {
        match self {
            Input::Case(case) => case.name.to_owned(),
            Input::File(path) => path.display().to_string(),
        }
    }

    fn graph(&self) -> Result<Graph, Failure> {
        match self {
            Input::Case(case) => Ok(case.graph()?),
            Input::File(path) => {
                let options = ReadOptions { weights: WeightPolicy::Describe, ..ReadOptions::default() };
                Ok(source::load(&path.to_string_lossy(), &options)?.graph)
            }
        }
    }
}

/// The lines that were written before, and the file to add to.
struct Ledger {
    done: BTreeSet<(String, String)>,
    file: Option<(PathBuf, File)>,
}

impl Ledger {
    fn open(path: Option<&Path>) -> Result<Ledger, Failure> {
        let Some(path) = path else { return Ok(Ledger { done: BTreeSet::new(), file: None }) };
        let failed = |error| Failure::at_path(path, &error);
        let text = if path.exists() { bounded::LEDGER.text(path)? } else { String::new() };
        if !text.is_empty() && !text.starts_with(HEAD) {
            let problem = format!("{}: it is no record of verified workloads", path.display());
            return Err(Failure::new(problem).with_help("name another file, or one that this command made"));
        }
        // A line that was cut off by an interrupt has no end, and is not believed.
        let whole = text.split_inclusive('\n').filter(|line| line.ends_with("\tright\n"));
        let pair = |line: &str| {
            let mut cells = line.split('\t');
            Some((cells.next()?.to_owned(), cells.next()?.to_owned()))
        };
        let done = whole.filter_map(pair).collect();
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        match text.is_empty() {
            true => file.write_all(HEAD.as_bytes()).map_err(failed)?,
            false if !text.ends_with('\n') => writeln!(file).map_err(failed)?,
            false => {}
        }
        Ok(Ledger { done, file: Some((path.to_owned(), file)) })
    }

    fn write(&mut self, workload: &str, graph: &str, verdict: &str) -> Result<(), Failure> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let verdict = verdict.replace(['\n', '\t'], " ");
        writeln!(file, "{workload}\t{graph}\t{verdict}").map_err(|error| Failure::at_path(path, &error))
    }
}

/// Runs all pairs and says which are wrong.
pub(super) fn run(arguments: &WorkloadsArguments, common: CommonArguments) -> Result<(), Failure> {
    let pattern = arguments.only.as_deref().unwrap_or("*");
    let workloads: Vec<_> = registry::WORKLOADS.iter().filter(|w| fits(pattern, w.name)).collect();
    if workloads.is_empty() {
        return Err(Failure::usage(format!("no workload fits '{pattern}'"), "`heddle workloads` lists them"));
    }
    let inputs = inputs(arguments)?;
    let mut ledger = Ledger::open(arguments.out.as_deref())?;
    let progress = Bar::new(common.quiet);
    let pairs = inputs.len() * workloads.len();
    progress.begin("verifying", pairs as u64);
    let (mut right, mut skipped, mut wrong) = (0, 0, Vec::new());
    for input in &inputs {
        let name = input.name();
        let open = |w: &&&&Workload| !ledger.done.contains(&(w.name.to_owned(), name.clone()));
        let todo: Vec<_> = workloads.iter().filter(open).collect();
        skipped += workloads.len() - todo.len();
        progress.advance((workloads.len() - todo.len()) as u64);
        if todo.is_empty() {
            continue;
        }
        let graph = match input.graph() {
            Ok(graph) => graph,
            Err(problem) => {
                wrong.push(format!("{name}: {}", problem.words()));
                progress.advance(todo.len() as u64);
                continue;
            }
        };
        for workload in todo {
            let verdict = verdict(workload, graph.clone());
            ledger.write(workload.name, &name, verdict.as_ref().err().map_or("right", String::as_str))?;
            match verdict {
                Ok(()) => right += 1,
                Err(problem) => wrong.push(format!("{} on {name}: {problem}", workload.name)),
            }
            progress.advance(1);
        }
    }
    drop(progress);
    let before = if skipped > 0 { format!(", {skipped} were right before") } else { String::new() };
    let counts =
        format!("{} on {}", plural(workloads.len() as u64, "workload"), plural(inputs.len() as u64, "graph"));
    output::page(&format!("{counts}: {right} answers right{before}, {} wrong\n", wrong.len()))?;
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Failure::new(wrong.join("\n"))),
    }
}

fn verdict(workload: &Workload, graph: Graph) -> Result<(), String> {
    let mut device = Device::functional();
    let outcome = library::run(workload, graph, &mut device, &RunOptions::default(), &|_, _| ());
    outcome.map(drop).map_err(|error| error.to_string())
}

fn inputs(arguments: &WorkloadsArguments) -> Result<Vec<Input>, Failure> {
    let cases = CASES.iter().filter(|case| case.is_quick || !arguments.quick);
    let mut inputs: Vec<_> = cases.map(Input::Case).collect();
    if let Some(folder) = &arguments.graphs {
        let mut files = Vec::new();
        graph_files(folder, &mut files)?;
        if files.is_empty() {
            return Err(Failure::new(format!("{}: there is no graph in it", folder.display())));
        }
        files.sort();
        inputs.extend(files.into_iter().map(Input::File));
    }
    Ok(inputs)
}

/// The files of a folder and its folders that may be graphs: not the companions of a WebGraph, not lists.
fn graph_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failed = |error| Failure::at_path(folder, &error);
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let companions = [".properties", ".offsets", "manifest", "readme"];
        let is_companion = companions.iter().any(|part| name.to_lowercase().contains(part));
        if path.is_dir() {
            graph_files(&path, files)?;
        } else if !is_companion {
            files.push(path);
        }
    }
    Ok(())
}
