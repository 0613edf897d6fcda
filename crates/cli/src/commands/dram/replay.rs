//! `heddle dram replay`.

use super::parts;
use super::report::ReplayReport;
use crate::arguments::DramReplayArguments;
use crate::failure::Failure;
use crate::outputs::Outputs;
use crate::{output, view};
use heddle_graph::write::whole_file;
use heddle_machine::NamedDram;
use heddle_memory::dram::trace::{TraceError, TraceReader, TraceRequest};
use heddle_memory::dram::{Arrival, DramSpec, Served, SpecError, Summary, replay};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// Nobody has said what the part costs.
const NO_ENERGY: &str = "energy is not known: the part names no energy table; give one with --energy TABLE, or \
    energy = \"TABLE\" in the part file (`heddle energy --list` shows them)";

/// What stops a replay: our own words, or the system's about the file that is written.
enum Stop {
    Failure(Failure),
    Write(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Write(error)
    }
}

impl From<SpecError> for Stop {
    fn from(error: SpecError) -> Stop {
        Stop::Failure(Failure::new(error.to_string()))
    }
}

impl Stop {
    fn at(self, path: &Path) -> Failure {
        match self {
            Stop::Failure(failure) => failure,
            Stop::Write(error) => Failure::at_path(path, &error),
        }
    }
}

/// Replays a trace.
pub(super) fn run(arguments: &DramReplayArguments) -> Result<(), Failure> {
    let NamedDram { spec, files, .. } = parts::load(&arguments.part)?;
    let energy = arguments.energy.as_deref().or(spec.energy.as_deref());
    let table = energy.map(ReplayReport::table).transpose()?;
    let path = &arguments.trace;
    let mut outputs = Outputs::new(arguments.force);
    outputs.reads("the trace", path);
    files.iter().for_each(|file| outputs.reads("a file of the part", file));
    let tables = table.iter().flat_map(|table| &table.files);
    tables.for_each(|file| outputs.reads("a file of the energy table", file));
    arguments.per_request.iter().for_each(|file| outputs.writes("--per-request", file));
    outputs.check()?;
    let is_stdin = path == Path::new("-");
    let name = if is_stdin { "<stdin>".to_string() } else { path.display().to_string() };
    let input: Box<dyn BufRead> = match is_stdin {
        true => Box::new(io::stdin().lock()),
        false => Box::new(BufReader::new(File::open(path).map_err(|error| Failure::at_path(path, &error))?)),
    };
    let mut trace =
        Trace { reader: TraceReader::new(input), name: &name, needs_cycles: arguments.outstanding.is_none() };
    let arrival = arguments.outstanding.map_or(Arrival::ByCycle, Arrival::Outstanding);
    let summary = match &arguments.per_request {
        None => drive(&spec, arrival, &mut trace, None).map_err(|stop| stop.at(path))?,
        Some(file) => {
            let filled = whole_file(file, |target| {
                let mut lines = BufWriter::new(target);
                let summary = drive(&spec, arrival, &mut trace, Some(&mut lines))?;
                lines.flush()?;
                Ok(summary)
            });
            filled.map_err(|stop: Stop| stop.at(file))?
        }
    };
    let mut report = ReplayReport::new(&arguments.part.part, &name, arguments.outstanding, &spec, &summary);
    match &table {
        Some(table) => report.price(table, &spec)?,
        None => report.notes.push(NO_ENERGY.to_string()),
    }
    match arguments.json {
        true => output::json(&report),
        false => output::page(&view::dram::replay(&report)),
    }
}

fn drive(
    spec: &DramSpec,
    arrival: Arrival,
    trace: &mut Trace<'_>,
    mut lines: Option<&mut dyn Write>,
) -> Result<Summary, Stop> {
    let each = |served: &Served| match &mut lines {
        None => Ok(()),
        Some(lines) => {
            let TraceRequest { address, write, .. } = served.request;
            let kind = if write { "WRITE" } else { "READ" };
            Ok(writeln!(lines, "{address:#x} {kind} {} {}", served.came, served.latency)?)
        }
    };
    replay(spec, arrival, || trace.next(), each)
}

/// A trace with its name.
struct Trace<'a> {
    reader: TraceReader<Box<dyn BufRead>>,
    name: &'a str,
    needs_cycles: bool,
}

impl Trace<'_> {
    fn next(&mut self) -> Result<Option<TraceRequest>, Stop> {
        let request =
            self.reader.next_request().map_err(|TraceError { line, problem }| self.wrong(line, &problem))?;
        match request {
            Some(TraceRequest { cycle: None, .. }) if self.needs_cycles => {
                let problem = "expected a cycle after READ or WRITE, found the end of the line";
                Err(self.wrong(self.reader.line(), problem))
            }
            request => Ok(request),
        }
    }

    fn wrong(&self, line: u64, problem: &str) -> Stop {
        let help = if problem.contains("a cycle after") {
            "`--outstanding 32` replays a trace without cycles"
        } else {
            "a line is `address READ|WRITE cycle`, for example `0x1f40 READ 12`"
        };
        Stop::Failure(Failure::new(format!("{}:{line}: {problem}", self.name)).with_help(help))
    }
}
