//! DRAM traces and parts.

use heddle_memory::SpecError;
use heddle_memory::dram::trace::{DramTraceReader, DramTraceRequest};
use heddle_memory::dram::{DramSpec, PARTS, Pacing, Pattern, PatternRequests, read_part, replay};

/// Requests of a trace that are replayed.
const REQUESTS: usize = 1000;

/// A trace that is read is replayed, open and closed loop; each request is served once. The length decides about the
/// part and its queues, so that a corpus consists of true traces.
pub fn dram_trace(data: &[u8]) {
    let mut reader = DramTraceReader::new(data);
    let mut requests = Vec::new();
    loop {
        match reader.next_request() {
            Ok(Some(request)) => requests.push(request),
            Ok(None) => break,
            Err(error) => return assert!(error.line > 0 && !error.problem.is_empty()),
        }
    }
    requests.truncate(REQUESTS);
    let choices: [&[(&str, &str)]; 4] = [
        &[],
        &[("scheduler", "fcfs"), ("queue.entries", "2")],
        &[("page_policy", "closed"), ("row_hit_limit", "3"), ("age_limit", "50")],
        &[("write_queue", "{ entries = 4, high = 3, low = 1 }")],
    ];
    let (part, choice) = (PARTS[data.len() % PARTS.len()], choices[data.len() / PARTS.len() % choices.len()]);
    let settings = choice.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect::<Vec<_>>();
    let spec = read_part(part.text, &settings).expect("a built-in part is sound");
    serve(&spec, Pacing::ByCycle, &requests);
    serve(&spec, Pacing::Outstanding(1 + data.len() as u32 % 40), &requests);
}

/// Reads the bytes up to the first zero as a part file, and each line of the others as a setting. A part that is
/// accepted is written and read again, and serves some requests of each pattern.
pub fn dram_part(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (file, settings) = text.split_once('\0').unwrap_or((&text, ""));
    let settings = settings.lines().take(8).filter_map(|line| line.split_once('='));
    let settings: Vec<_> = settings.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    let spec = match read_part(file, &settings) {
        Ok(spec) => spec,
        Err(error) => return assert!(!error.key.is_empty() && !error.problem.is_empty()),
    };
    let written = toml::to_string(&spec).expect("a part can be written");
    assert_eq!(read_part(&written, &[]).as_ref(), Ok(&spec));
    for (number, &(_, pattern)) in Pattern::ALL.iter().enumerate() {
        let every = [0, 3, 100, 1 << 40][number % 4];
        let requests = PatternRequests::new(&spec, pattern, 30, every, 1).expect("the part was accepted");
        let requests: Vec<DramTraceRequest> = requests.take(100).collect();
        serve(&spec, Pacing::ByCycle, &requests);
        serve(&spec, Pacing::Outstanding(16), &requests);
    }
}

fn serve(spec: &DramSpec, arrival: Pacing, requests: &[DramTraceRequest]) {
    let mut served = 0;
    let mut source = requests.iter().copied();
    let each = |_: &_| {
        served += 1;
        Ok(())
    };
    let summary =
        replay::<SpecError>(spec, arrival, || Ok(source.next()), each).expect("the part was accepted");
    assert_eq!(served, requests.len());
    assert_eq!(summary.reads.count() + summary.writes.count(), requests.len() as u64);
    for latencies in [&summary.reads, &summary.writes] {
        assert!(latencies.mean() <= latencies.max() as f64 && latencies.percentile(99) <= latencies.max());
    }
}
