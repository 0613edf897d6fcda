//! `heddle memory replay`.

use super::report::MemoryReport;
use crate::arguments::MemoryReplayArguments;
use crate::failure::Failure;
use crate::{output, view};
use heddle_graph::read::expanded;
use heddle_machine::{Machine, MemorySpec};
use heddle_memory::replay::trace::{TraceError, TraceReader, TraceRequest};
use heddle_memory::replay::{Arrival, BACKLOG, Stop, Summary, replay};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Replays a trace.
pub(super) fn run(arguments: &MemoryReplayArguments) -> Result<(), Failure> {
    let machine = Machine::named(&arguments.machine)?.with(&arguments.with).set(&arguments.set);
    let resolved = machine.resolve_any()?;
    let (mechanisms, mut notes) = (resolved.mechanisms, resolved.notes);
    let kind = resolved.spec.kind();
    let spec = resolved.spec.into_memory();
    let pricer = MemoryReport::pricer(&spec)?;
    let path = &arguments.trace;
    let mut trace = Trace::open(path, &spec)?;
    let in_order = arguments.ignore_cycles || arguments.outstanding.is_some() || !trace.has_cycles();
    let arrival = match in_order {
        true => Arrival::InOrder(arguments.outstanding),
        false => Arrival::ByCycle,
    };
    let summary = drive(&spec, arrival, &mut trace)?;
    if summary.requests == 0 {
        notes.push("the trace has no requests".to_string());
    }
    let mut report = MemoryReport::new(&spec, kind, &trace.name, arrival, &summary);
    (report.mechanisms, report.notes) = (mechanisms, notes);
    if let Some(pricer) = pricer {
        report.price(&pricer, &summary)?;
    }
    match arguments.json {
        true => output::json(&report),
        false => output::page(&view::memory::replay(&report)),
    }
}

fn drive(spec: &MemorySpec, arrival: Arrival, trace: &mut Trace) -> Result<Summary, Failure> {
    if spec.memory.foresees() {
        let problem = "an oracle decides by what a run before it recorded, and a trace is replayed once";
        return Err(Failure::new(problem)
            .with_help("leave it out; `heddle run` and `heddle compare` run twice for it"));
    }
    let clocks = spec.clocks.domains(spec.memory.dram.clock);
    let clocks = clocks.map_err(|error| Failure::new(format!("`clocks`: {error}")))?;
    let stopped = |halt: Halt, trace: &Trace| match halt {
        Halt::Failure(failure) => failure,
        Halt::Stop(Stop::Spec(error)) => Failure::new(error.to_string()),
        Halt::Stop(Stop::Cycle(request)) => trace.out_of_order(&request),
        Halt::Stop(Stop::Overload) => {
            let problem = format!(
                "{}:{}: more than {BACKLOG} requests wait: the trace asks for more than the memory system can do",
                trace.name,
                trace.reader.line()
            );
            Failure::new(problem).with_help("`--ignore-cycles` lets requests come as their caches take them")
        }
    };
    let summary = replay(&spec.memory, &clocks, spec.requesters.count, arrival, || trace.next());
    summary.map_err(|halt| stopped(halt, trace))
}

/// What ends a replay early: our own words, or what the replay met.
enum Halt {
    Failure(Failure),
    Stop(Stop),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stop(stop)
    }
}

/// A trace with its name.
struct Trace {
    reader: TraceReader<Box<dyn BufRead>>,
    name: String,
    /// The first request, until it is given.
    first: Option<TraceRequest>,
}

impl Trace {
    fn open(path: &Path, spec: &MemorySpec) -> Result<Trace, Failure> {
        let is_stdin = path == Path::new("-");
        let name = if is_stdin { "<stdin>".to_string() } else { path.display().to_string() };
        let input: Box<dyn BufRead> = match is_stdin {
            true => Box::new(BufReader::new(io::stdin())),
            false => {
                Box::new(BufReader::new(File::open(path).map_err(|error| Failure::at_path(path, &error))?))
            }
        };
        let input = expanded(Path::new(&name), input)?;
        let mut trace = Trace { reader: TraceReader::new(input, spec.requesters.count), name, first: None };
        trace.first = trace.read()?;
        Ok(trace)
    }

    /// Whether its requests have cycles: all are like the first.
    fn has_cycles(&self) -> bool {
        self.first.is_some_and(|request| request.cycle.is_some())
    }

    fn read(&mut self) -> Result<Option<TraceRequest>, Failure> {
        self.reader.next_request().map_err(|TraceError { line, problem }| {
            let help = "a line is `cycle requester read|write|atomic address bytes [pc]`, for example \
                        `12 0 read 0x1f40 32`, or the same without the cycle";
            Failure::new(format!("{}:{line}: {problem}", self.name)).with_help(help)
        })
    }

    fn next(&mut self) -> Result<Option<TraceRequest>, Halt> {
        match self.first.take() {
            Some(first) => Ok(Some(first)),
            None => self.read().map_err(Halt::Failure),
        }
    }

    fn out_of_order(&self, request: &TraceRequest) -> Failure {
        let problem = match request.cycle {
            Some(cycle) => format!("cycle {cycle} is before that of the request above"),
            None => "expected a cycle, as the requests above have, found none".to_string(),
        };
        let failure = Failure::new(format!("{}:{}: {problem}", self.name, self.reader.line()));
        failure.with_help("sort the trace by cycles, or replay it with `--ignore-cycles`")
    }
}
