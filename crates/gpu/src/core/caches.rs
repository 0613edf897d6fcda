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
pub(super) struct Caches([CacheFigures; Path::ALL.len()]);

impl Caches {
    pub(super) fn new(spec: &FabricSpec) -> Caches {
        Caches(Path::ALL.map(|path| {
            let level = spec.serving(path);
            CacheFigures {
                line: level.line.0,
                banks: level.banks.into(),
                ports: level.ports,
                latency: level.latency,
            }
        }))
    }

    /// The cache of a path.
    #[inline(always)]
    pub(super) fn of(&self, path: Path) -> CacheFigures {
        self.0[path as usize]
    }
}
