//! Which limit a mechanism is measured against: what an oracle would do with the same decision at the same levels.

use crate::mechanism::Mechanism;
use crate::tree::{self, Table};

/// What the names of limits begin with.
const LIMITS: [&str; 2] = ["oracle-", "perfect-"];

impl Mechanism {
    /// Whether it is a limit, and no mechanism that could be built.
    pub fn is_limit(&self) -> bool {
        LIMITS.iter().any(|prefix| self.name.starts_with(prefix))
    }

    /// The limits of the decisions that it makes, by name; none for decisions that have no limit.
    pub fn limits(&self) -> Vec<&'static str> {
        if self.is_limit() {
            return Vec::new();
        }
        let value = |path: &str| tree::get(&self.patch, path).and_then(|node| node.as_str());
        let mut limits = Vec::new();
        match (value("l1.bypass").is_some(), value("l2.bypass").is_some()) {
            (true, true) => limits.push("oracle-bypass"),
            (true, false) => limits.push("oracle-bypass-l1"),
            (false, true) => limits.push("oracle-bypass-l2"),
            (false, false) => {}
        }
        match (value("l1.granularity"), value("l2.granularity")) {
            (None, None) => {}
            // What L1 decides, below which L2 fetches what it is asked for.
            (Some(upper), Some("sector")) if upper != "sector" => limits.push("oracle-sectors-l1"),
            _ => limits.push("oracle-sectors"),
        }
        let prefetches = |table: &Table| {
            ["l1.prefetch", "l2.prefetch", "core.prefetch_registers"]
                .iter()
                .any(|path| tree::get(table, path).is_some())
        };
        if prefetches(&self.patch) {
            limits.push("perfect-prefetch");
        }
        limits
    }
}
