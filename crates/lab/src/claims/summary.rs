//! The summary of the committed ledgers that README shows, between two markers.

use super::ledger::{Committed, Verdict};

/// Before the summary.
pub const BEGIN: &str = "<!-- claims: made by `heddle claims --record` -->";
/// After the summary.
pub const END: &str = "<!-- end of claims -->";

/// A table of the ledgers, by scale.
pub fn summary(ledgers: &[Committed]) -> String {
    if ledgers.is_empty() {
        return "No ledger is recorded yet.\n".to_owned();
    }
    let mut sorted: Vec<&Committed> = ledgers.iter().collect();
    sorted.sort_by_key(|ledger| ledger.scale);
    let words: Vec<&str> = Verdict::ALL.iter().map(|verdict| verdict.words()).collect();
    let mut text =
        format!("| scale | {} | made by |\n|---|{}---|\n", words.join(" | "), "--:|".repeat(words.len()));
    for ledger in sorted {
        let counts: Vec<String> =
            Verdict::ALL.iter().map(|&verdict| ledger.count(verdict).to_string()).collect();
        let scale = ledger.scale;
        let (command, version, date) =
            (&ledger.heading.command, &ledger.heading.version, &ledger.heading.date);
        let link = format!("[{scale}](records/{scale}/ledger.tsv)");
        let made = format!("`{command}`, version {version}, {date}");
        text += &format!("| {link} | {} | {made} |\n", counts.join(" | "));
    }
    text
}

/// A page with the summary in the place of what stands between its markers. Nothing if the page has no markers.
pub fn updated(page: &str, summary: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{summary}{END}{after}"))
}
