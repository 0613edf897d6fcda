//! The page of `heddle mechanisms --pairs`.

use super::page::Page;
use super::text::thousands;
use crate::commands::PairsReport;
use std::collections::BTreeMap;

/// Makes the page: the table of pairs, and the reason of every refusal.
pub(crate) fn page(report: &PairsReport) -> String {
    let mut page = Page::new();
    let names = &report.pairs.mechanisms;
    page.section(&format!("Pairs of mechanisms on {} (+ go together, x do not)", report.machine));
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (row, name) in names.iter().enumerate() {
        let cell = |other: &String| match report.pairs.refusal(name, other) {
            Some(_) => "  x",
            None => "  +",
        };
        let cells: String = names[..row].iter().map(cell).collect();
        page.line(&format!("  {:>3} {name:<width$}{cells}  ·", row + 1));
    }
    let numbers: String = (1..=names.len()).map(|number| format!("{number:>3}")).collect();
    page.line(&format!("  {:>3} {:<width$}{numbers}", "", ""));
    let refused: Vec<_> = report.pairs.pairs.iter().filter(|pair| pair.refusal.is_some()).collect();
    let together = report.pairs.pairs.len() - refused.len();
    page.row("go together", thousands(together as u64));
    page.row("do not", thousands(refused.len() as u64));
    reasons(&mut page, report);
    if !report.pairs.impossible.is_empty() {
        page.section(&format!("Not on {}", report.machine));
        for (name, why) in &report.pairs.impossible {
            page.row(name, why);
        }
    }
    if !report.set.is_empty() {
        page.section(&report.set.join("+"));
        match &report.refusal {
            None => page.line("  All of them go together."),
            Some(why) => page.line(&format!("  They do not go together: {why}")),
        }
    }
    page.finish()
}

/// Every refusal under its reason, because many have the same.
fn reasons(page: &mut Page, report: &PairsReport) {
    let mut by_reason: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for pair in &report.pairs.pairs {
        if let Some(refusal) = &pair.refusal {
            by_reason.entry(refusal).or_default().push(format!("{} + {}", pair.one, pair.other));
        }
    }
    if by_reason.is_empty() {
        return;
    }
    page.section("Why they do not");
    for (reason, pairs) in by_reason {
        for pair in pairs {
            page.line(&format!("  {pair}"));
        }
        page.line(&format!("      {reason}"));
    }
}
