//! The page of `heddle claims`.

use super::page::Page;
use super::text::or_dash;
use heddle_lab::claims::ledger::{Entry, Ledger, Verdict};

/// Makes the page: the claims by verdict, those first that say something.
pub(crate) fn page(ledger: &Ledger) -> String {
    let mut page = Page::new();
    page.section("Claims");
    page.row("scale", ledger.scale.name());
    page.row("version", &ledger.heading.version);
    for verdict in Verdict::ALL {
        page.row(verdict.words(), ledger.count(verdict).to_string());
    }
    for verdict in Verdict::ALL {
        let entries: Vec<&Entry> = ledger.entries.iter().filter(|entry| entry.verdict == verdict).collect();
        match (verdict, entries.is_empty()) {
            (_, true) => {}
            (Verdict::NotYet, _) => waiting(&mut page, &entries),
            _ => judged(&mut page, verdict, &entries),
        }
    }
    page.finish()
}

fn title(verdict: Verdict) -> String {
    let words = verdict.words();
    words[..1].to_uppercase() + &words[1..]
}

fn judged(page: &mut Page, verdict: Verdict, entries: &[&Entry]) {
    page.section(&title(verdict));
    let row = |entry: &&Entry| {
        vec![
            entry.id.clone(),
            entry.published.clone(),
            or_dash(entry.ours.clone()),
            or_dash(entry.range.clone()),
            or_dash(entry.invocations.map(|count| count.to_string())),
            entry.source.clone(),
            entry.agrees_when.clone(),
        ]
    };
    let rows: Vec<_> = entries.iter().map(row).collect();
    let head = ["claim", "published", "ours", "over invocations", "invocations", "source", "agrees when"];
    page.table(&head, &[0, 1, 2, 3, 5, 6], &rows);
    let label = match verdict {
        Verdict::DoesNotAgree => "cause",
        _ => "because",
    };
    for entry in entries.iter().filter(|entry| !entry.why.is_empty()) {
        page.line(&format!("  {}: {label}: {}", entry.id, entry.why));
    }
}

fn waiting(page: &mut Page, entries: &[&Entry]) {
    page.section(&title(Verdict::NotYet));
    let row = |entry: &&Entry| {
        vec![entry.id.clone(), entry.published.clone(), entry.source.clone(), entry.why.clone()]
    };
    let rows: Vec<_> = entries.iter().map(row).collect();
    page.table(&["claim", "published", "source", "why"], &[0, 1, 2, 3], &rows);
}
