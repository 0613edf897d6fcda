//! Figures of a core's caches by path, as the stages use them in every cycle.

use heddle_memory::fabric::FabricSpec;
use heddle_memory::request::Path;

/// What the stages of a core have to know of one of its caches.
#[derive(Clone, Copy, Debug)]
pub(super) struct CacheFigures {
    /// Bytes of a line.
    pub(super) line: u64,
    pub(super) banks: u64,
    pub(super) ports: u32,
    /// Core cycles of a hit.
    pub(super) latency: u32,
}

/// The caches that the paths of a core go through.
#[derive(Clone, Debug)]
pub(super) struct Caches {
    of: [CacheFigures; Path::ALL.len()],
    most_requests: usize,
}

impl Caches {
    pub(super) fn new(spec: &FabricSpec) -> Caches {
        let of = Path::ALL.map(|path| {
            let level = spec.serving(path);
            CacheFigures {
                line: level.line.0,
                banks: level.banks.into(),
                ports: level.ports,
                latency: level.latency,
            }
        });
        let most = |cache: &CacheFigures| cache.banks.max(1) as usize * cache.ports.max(1) as usize;
        Caches { of, most_requests: of.iter().map(most).max().unwrap_or(1) }
    }

    /// Most requests that any of them takes in a cycle.
    #[inline(always)]
    pub(super) fn most_requests(&self) -> usize {
        self.most_requests
    }

    /// The cache of a path.
    #[inline(always)]
    pub(super) fn of(&self, path: Path) -> CacheFigures {
        self.of[path as usize]
    }
}
