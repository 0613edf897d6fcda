//! `heddle dram trace`.

use super::parts;
use crate::arguments::DramTraceArguments;
use crate::failure::Failure;
use crate::outputs::Outputs;
use heddle_graph::write::whole_file;
use heddle_machine::NamedDram;
use heddle_memory::SpecError;
use heddle_memory::dram::PatternRequests;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a trace.
pub(super) fn run(arguments: &DramTraceArguments) -> Result<(), Failure> {
    let NamedDram { spec, files, .. } = parts::load(&arguments.part)?;
    let DramTraceArguments { pattern, writes, every, seed, .. } = *arguments;
    let requests = PatternRequests::new(&spec, pattern, writes, every, seed)
        .map_err(|error: SpecError| Failure::new(error.to_string()))?;
    if arguments.out == Path::new("-") {
        let written = write(requests, arguments.requests, &mut io::stdout().lock());
        return written.map_err(|error| Failure::at_stdout(&error));
    }
    let mut outputs = Outputs::new(arguments.force);
    files.iter().for_each(|file| outputs.reads("a file of the part", file));
    outputs.writes("--out", &arguments.out);
    outputs.check()?;
    let written = whole_file(&arguments.out, |file| write(requests, arguments.requests, file));
    written.map_err(|error| Failure::at_path(&arguments.out, &error))
}

fn write(requests: PatternRequests, count: u64, target: &mut dyn Write) -> io::Result<()> {
    let mut lines = BufWriter::new(target);
    for (request, _) in requests.zip(0..count) {
        let kind = if request.write { "WRITE" } else { "READ" };
        writeln!(lines, "{:#x} {kind} {}", request.address, request.cycle.unwrap_or(0))?;
    }
    lines.flush()
}
