//! A cache and requests to try it with.

use heddle_engine::units::Bytes;
use heddle_memory::cache::*;
use heddle_memory::request::*;
use heddle_memory::{CoreId, Pc, RegionId, WarpId};

/// Two sets of two ways, 128-byte lines of four sectors, as plain as can be.
pub(crate) fn spec() -> CacheSpec {
    CacheSpec {
        size: Bytes(512),
        ways: 2,
        line: Bytes(128),
        sector: Bytes(32),
        index: IndexKind::Plain,
        replacement: ReplacementKind::Lru,
        allocate: Allocate::OnFill,
        write_hit: WriteHit::Evict,
        write_miss: WriteMiss::NoAllocate,
        mshrs: 4,
        merges: 3,
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

pub(crate) fn cache(spec: &CacheSpec) -> Cache {
    spec.check("cache").unwrap();
    Cache::new(spec, &PolicySpec::default(), 1)
}

/// The line with this number.
pub(crate) fn line(number: u64) -> LineAddress {
    LineAddress(number * 128)
}

/// A request for words of a line.
pub(crate) fn request(access: Access, number: u64, words: u32, token: u32) -> Request {
    Request {
        line: line(number),
        words,
        access,
        path: Path::Global,
        core: CoreId(0),
        region: RegionId(0),
        pc: Pc(0),
        warp: WarpId(0),
        scope: Scope::None,
        ordering: Ordering::Relaxed,
        token: Token(token),
        policy_bits: 0,
        lanes: 1,
        passes: false,
    }
}

pub(crate) fn read(number: u64, token: u32) -> Request {
    request(Access::Read, number, 1, token)
}

pub(crate) fn write(number: u64, words: u32, token: u32) -> Request {
    request(Access::Write, number, words, token)
}

pub(crate) fn atomic(number: u64, token: u32) -> Request {
    request(Access::Atomic, number, 1, token)
}

/// Takes a request and, if something is fetched, fills it at once.
pub(crate) fn serve(cache: &mut Cache, request: Request, effects: &mut Effects) -> Outcome {
    let outcome = cache.access(&request, effects);
    if let Outcome::Miss(fetch) = outcome {
        cache.fill(fetch.line, fetch.sectors, Answerer::MEMORY, 0, effects);
    }
    outcome
}
