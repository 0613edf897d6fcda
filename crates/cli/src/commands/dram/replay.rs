//! `heddle dram replay`.

use super::parts;
use super::report::ReplayReport;
use crate::arguments::DramReplayArguments;
use crate::failure::Failure;
use crate::outputs::Outputs;
use crate::{output, view};
use heddle_graph::write::whole_file;
use heddle_machine::NamedDram;
use heddle_memory::SpecError;
use heddle_memory::dram::trace::{DramTraceError, DramTraceReader, DramTraceRequest};
use heddle_memory::dram::{DramSpec, DramSummary, Pacing, Served, replay};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// Nobody has said what the part costs.
const NO_ENERGY: &str = "energy is not known: the part names no energy table; give one with --energy TABLE, or \
    energy = \"TABLE\" in the part file (`heddle energy --list` shows them)";

/// Latencies are counted by value. Those of a part that is asked for more than it can do grow with every request, so
/// that there is a bound on how many may be this long; captured streams have none.
const BACKLOG: Backlog = Backlog { clocks: 1 << 20, left: 1 << 24 };

/// Requests that may still wait for as many clocks or longer.
struct Backlog {
    clocks: u64,
    left: u32,
}

impl Backlog {
    fn admit(&mut self, latency: u64) -> Result<(), Stop> {
        if latency < self.clocks {
            return Ok(());
        }
        let Some(left) = self.left.checked_sub(1) else {
            let problem = format!(
                "too many requests wait for more than {} clocks: the trace asks for more than the part can do, and \
                 seems to have no end",
                self.clocks
            );
            let help = "`--outstanding 32` lets requests come as the part is done with others";
            return Err(Stop::Failure(Failure::new(problem).with_help(help)));
        };
        self.left = left;
        Ok(())
    }
}

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
    let mut trace = Trace {
        reader: DramTraceReader::new(input),
        name: &name,
        needs_cycles: arguments.outstanding.is_none(),
    };
    let arrival = arguments.outstanding.map_or(Pacing::ByCycle, Pacing::Outstanding);
    let summary = match &arguments.per_request {
        None => drive(&spec, arrival, &mut trace, None, BACKLOG).map_err(|stop| stop.at(path))?,
        Some(file) => {
            let filled = whole_file(file, |target| {
                let mut lines = BufWriter::new(target);
                let summary = drive(&spec, arrival, &mut trace, Some(&mut lines), BACKLOG)?;
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
    arrival: Pacing,
    trace: &mut Trace<'_>,
    mut lines: Option<&mut dyn Write>,
    mut backlog: Backlog,
) -> Result<DramSummary, Stop> {
    let each = |served: &Served| {
        backlog.admit(served.latency)?;
        if let Some(lines) = &mut lines {
            let DramTraceRequest { address, write, .. } = served.request;
            let kind = if write { "WRITE" } else { "READ" };
            writeln!(lines, "{address:#x} {kind} {} {}", served.came, served.latency)?;
        }
        Ok(())
    };
    replay(spec, arrival, || trace.next(), each)
}

/// A trace with its name.
struct Trace<'a> {
    reader: DramTraceReader<Box<dyn BufRead>>,
    name: &'a str,
    needs_cycles: bool,
}

impl Trace<'_> {
    fn next(&mut self) -> Result<Option<DramTraceRequest>, Stop> {
        let request = self
            .reader
            .next_request()
            .map_err(|DramTraceError { line, problem }| self.wrong(line, &problem))?;
        match request {
            Some(DramTraceRequest { cycle: None, .. }) if self.needs_cycles => {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_without_an_end_that_overloads_the_part_is_stopped() {
        let spec = heddle_machine::named_dram::<&str>("ddr4-2400", &[]).unwrap().spec;
        let replayed = |arrival| {
            let bytes = if arrival == Pacing::ByCycle { u64::MAX } else { 12 << 14 };
            let endless = io::Read::take(Endless(b"0x40 READ 0\n"), bytes);
            let reader = DramTraceReader::new(Box::new(BufReader::new(endless)) as Box<dyn BufRead>);
            let mut trace = Trace { reader, name: "<stdin>", needs_cycles: false };
            drive(&spec, arrival, &mut trace, None, Backlog { clocks: 1000, left: 5 })
        };
        let Err(Stop::Failure(failure)) = replayed(Pacing::ByCycle) else { panic!("it was not stopped") };
        assert!(failure.words().contains("wait for more than 1000 clocks"), "{}", failure.words());
        assert!(replayed(Pacing::Outstanding(4)).is_ok());
    }

    /// The same line again and again.
    struct Endless(&'static [u8]);

    impl io::Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let whole = buffer.len() / self.0.len() * self.0.len();
            let filled =
                buffer[..whole].chunks_mut(self.0.len()).map(|part| part.copy_from_slice(self.0)).count();
            Ok(filled * self.0.len())
        }
    }
}
