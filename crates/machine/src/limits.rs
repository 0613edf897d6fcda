//! Which limit a mechanism is measured against: what an oracle would do with the same decision at the same levels.

use crate::mechanism::Mechanism;
use crate::roles::{FIRST, LAST, LOWER};
use crate::tree;

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
        let text = |path: String| tree::get(&self.patch, &path).and_then(|node| node.as_str());
        let upper = |key: &str| text(format!("{FIRST}.{key}"));
        let lower = |key: &str| text(format!("{LAST}.{key}")).or_else(|| text(format!("{LOWER}.{key}")));
        let mut limits = Vec::new();
        match (upper("bypass").is_some(), lower("bypass").is_some()) {
            (true, true) => limits.push("oracle-bypass"),
            (true, false) => limits.push("oracle-bypass-l1"),
            (false, true) => limits.push("oracle-bypass-l2"),
            (false, false) => {}
        }
        match (upper("granularity"), lower("granularity")) {
            (None, None) => {}
            // What L1 decides, below which L2 fetches what it is asked for.
            (Some(above), Some("sector")) if above != "sector" => limits.push("oracle-sectors-l1"),
            _ => limits.push("oracle-sectors"),
        }
        let into_registers = text("core.prefetch_registers".to_owned());
        if upper("prefetch").or_else(|| lower("prefetch")).or(into_registers).is_some() {
            limits.push("perfect-prefetch");
        }
        limits
    }
}
