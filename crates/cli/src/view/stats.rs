//! The page of `heddle stats`.

use super::page::Page;
use crate::commands::Explained;

/// Makes the page.
pub(crate) fn page(explained: &Explained) -> String {
    let mut page = Page::new();
    if !explained.counters.is_empty() {
        page.section("Counters");
        let row = |counter: &crate::commands::Counter| {
            vec![counter.name.clone(), counter.unit.clone(), counter.description.to_owned()]
        };
        let rows: Vec<_> = explained.counters.iter().map(row).collect();
        page.table(&["name", "unit", "meaning"], &[0, 1, 2], &rows);
    }
    if !explained.ratios.is_empty() {
        page.section("Ratios, which reports compute from counters");
        for ratio in &explained.ratios {
            page.line(&format!("  {} [{}]", ratio.name, ratio.unit));
            page.line(&format!("      {}", ratio.description));
            page.line(&format!("      = {}", ratio.formula));
        }
    }
    if !explained.quantities.is_empty() {
        page.section("Other names in formulas");
        let rows: Vec<_> = explained
            .quantities
            .iter()
            .map(|(name, meaning)| vec![name.to_string(), meaning.to_string()])
            .collect();
        page.table(&["name", "meaning"], &[0, 1], &rows);
    }
    page.finish()
}
