//! Drives DRAMsim3 and Heddle's DRAM model with the same saturating streams and compares bandwidths.
//!
//! Both get the same timings, organisation, address map and queues, and a request as soon as they accept one.
//! DRAMsim3 tells when it has accepted a write, not when it is written, so that its time is taken up to the last
//! request that it accepted; with these lengths that is less than a hundredth off.
//!
//! Usage: `heddle-validate-dram [REQUESTS]`. Fails if a stream is more than 10 % apart on which DRAMsim3 and
//! the transcription of Ramulator 2's controller agree.

mod ini;
mod ours;
mod parts;
mod streams;
mod theirs;

use parts::PARTS;
use std::process::ExitCode;
use streams::STREAMS;

/// Requests of a stream, unless the command line says how many.
const LENGTH: usize = 100_000;
/// Below this, requests that DRAMsim3 has accepted and not served yet count too much.
const SHORTEST: usize = 20_000;
/// Seeds of streams that have one.
const SEEDS: u64 = 3;

/// What a simulator made of a stream.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    /// Fraction of the peak bandwidth.
    pub bandwidth: f64,
    /// Mean clocks of a read, from its acceptance.
    pub read_latency: f64,
}

fn main() -> ExitCode {
    let length = match std::env::args().nth(1).map(|word| word.parse()) {
        None => LENGTH,
        Some(Ok(length)) if length >= SHORTEST => length,
        Some(_) => {
            eprintln!("error: expected a number of requests, at least {SHORTEST}");
            return ExitCode::FAILURE;
        }
    };
    match compare(length) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(far) => {
            eprintln!("{far} streams differ by more than 10 %");
            ExitCode::FAILURE
        }
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the table of every part; returns how many streams are more than 10 % apart.
fn compare(length: usize) -> Result<usize, String> {
    let mut far = 0;
    for part in PARTS {
        let spec = part.spec()?;
        println!("\n{}\n", part.name);
        println!("| stream | writes | DRAMsim3 | Heddle | difference | read latency | Heddle |");
        println!("|---|---|---|---|---|---|---|");
        let shape = ours::shape(&spec).map_err(|error| error.to_string())?;
        for stream in STREAMS {
            for writes in stream.writes {
                let seeds = if stream.seeded { SEEDS } else { 1 };
                let (mut theirs, mut ours) = (Vec::new(), Vec::new());
                for seed in 0..seeds {
                    let requests = stream.requests(&shape, length, *writes, seed);
                    theirs.push(theirs::run(&spec, part.extras, &requests)?);
                    ours.push(ours::run(&spec, &requests).map_err(|error| error.to_string())?);
                }
                let difference = row(stream.name, *writes, mean(&theirs), mean(&ours));
                let disputed = stream.disputed || part.disputed.contains(&(stream.name, *writes));
                far += usize::from(difference > 0.1 && !disputed);
            }
        }
    }
    Ok(far)
}

fn mean(outcomes: &[Outcome]) -> Outcome {
    let count = outcomes.len().max(1) as f64;
    Outcome {
        bandwidth: outcomes.iter().map(|outcome| outcome.bandwidth).sum::<f64>() / count,
        read_latency: outcomes.iter().map(|outcome| outcome.read_latency).sum::<f64>() / count,
    }
}

/// Prints a line of the table; returns how far apart the bandwidths are.
fn row(name: &str, writes: u32, theirs: Outcome, ours: Outcome) -> f64 {
    let difference = ours.bandwidth / theirs.bandwidth - 1.0;
    println!(
        "| {name} | {writes} % | {:.3} | {:.3} | {:+.1} % | {:.0} | {:.0} |",
        theirs.bandwidth,
        ours.bandwidth,
        100.0 * difference,
        theirs.read_latency,
        ours.read_latency
    );
    difference.abs()
}
