//! Serves requests so that a profiler can count the host's instructions in the cache alone, and prints how many:
//! `measure_cache hit|miss|merge|mixed [obm] [stride]`. `scripts/instructions` uses it.

#[path = "../memory/streams.rs"]
mod streams;

use heddle_memory::cache::{BypassKind, Cache, PolicySpec, PrefetchKind};
use heddle_memory::request::Request;
use std::hint::black_box;
use streams::{l1, serve, stream};

/// What the profiler counts.
#[inline(never)]
fn measured(cache: &mut Cache, requests: &[Request]) {
    serve(cache, requests);
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((kind, policies)) = arguments.split_first() else {
        return Err("usage: measure_cache hit|miss|merge|mixed [obm] [stride]".into());
    };
    let mut spec = l1();
    if policies.iter().any(|policy| policy == "obm") {
        spec.bypass = BypassKind::Obm;
    }
    if policies.iter().any(|policy| policy == "stride") {
        spec.prefetch = PrefetchKind::Stride;
    }
    spec.check("l1")?;
    let requests = stream(kind).ok_or("no such stream")?;
    let mut cache = Cache::new(&spec, &PolicySpec::default(), 1);
    serve(&mut cache, &requests);
    measured(&mut cache, &requests);
    black_box(&cache);
    println!("{}", requests.len());
    Ok(())
}
