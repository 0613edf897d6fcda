//! Streams of requests for one cache.

use heddle_engine::units::Bytes;
use heddle_memory::cache::*;
use heddle_memory::request::*;

/// The L1 data cache of Fermi: 48 KiB, six ways, allocated on a fill.
pub(crate) fn l1() -> CacheSpec {
    CacheSpec {
        size: Bytes(48 << 10),
        ways: 6,
        line: Bytes(128),
        sector: Bytes(128),
        index: IndexKind::Fermi,
        replacement: ReplacementKind::Lru,
        allocate: Allocate::OnFill,
        write_hit: WriteHit::Evict,
        write_miss: WriteMiss::NoAllocate,
        mshrs: 32,
        merges: 8,
        miss_queue: 8,
        latency: 4,
        banks: 1,
        ports: 1,
        victim_lines: 0,
        inclusion: InclusionKind::NonInclusive,
        bypass: BypassKind::Never,
        granularity: GranularityKind::Line,
        prefetch: PrefetchKind::None,
    }
}

fn read(number: u64) -> Request {
    Request {
        line: LineAddress(number * 128),
        words: 1 << (number % 32),
        access: Access::Read,
        path: Path::Global,
        core: heddle_memory::CoreId(0),
        region: 0,
        pc: (number % 7) as u32,
        warp: (number % 48) as u16,
        scope: Scope::None,
        ordering: Ordering::Relaxed,
        token: Token(number as u32),
        policy_bits: 0,
        lanes: 1,
        passes: false,
    }
}

/// Requests that hit, that miss, of which seven of eight wait for the one before, or of which half miss.
pub(crate) fn stream(kind: &str) -> Option<Vec<Request>> {
    let length = 1 << 14;
    // Steps that are no power of two visit all sets.
    let numbers: Box<dyn Fn(u64) -> u64> = match kind {
        "hit" => Box::new(|step| step * 37 % 256),
        "miss" => Box::new(|step| step * 1009),
        "merge" => Box::new(|step| step / 8 * 1009),
        "mixed" => Box::new(|step| if step % 2 == 0 { step * 37 % 128 } else { step * 1009 }),
        _ => return None,
    };
    Some((0..length).map(|step| read(numbers(step))).collect())
}

/// Serves requests; data arrives eight requests after it was asked for.
pub(crate) fn serve(cache: &mut Cache, requests: &[Request]) {
    let mut effects = Effects::default();
    let mut coming: [Option<Fetch>; 8] = [None; 8];
    for (step, request) in requests.iter().enumerate() {
        if let Some(fetch) = coming[step % 8].take() {
            cache.fill(fetch.line, fetch.sectors, Answerer::shared(0), 0, &mut effects);
        }
        if let Outcome::Miss(fetch) = cache.access(request, &mut effects) {
            coming[step % 8] = Some(fetch);
        }
        effects.clear();
    }
    for fetch in coming.into_iter().flatten() {
        cache.fill(fetch.line, fetch.sectors, Answerer::shared(0), 0, &mut effects);
    }
}
