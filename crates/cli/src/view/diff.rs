//! The page of `heddle diff`.

use super::page::Page;
use super::text;
use crate::difference::{Change, Difference, Shift};

/// Rows of a long section, unless all are wanted.
const ROWS: usize = 20;

/// Makes the page.
pub(crate) fn page(difference: &Difference, before: &str, after: &str, all: bool) -> String {
    let mut page = Page::new();
    page.section("Results");
    page.row("A", before);
    page.row("B", after);
    let verdict = match difference.equal {
        true => "equal in everything but the host's time",
        false => "different",
    };
    page.row("they are", verdict);
    for note in &difference.notes {
        page.row("note", note);
    }
    changes(&mut page, "What was run", &difference.setting);
    changes(&mut page, "Keys of the machine", &difference.machine);
    shifts(&mut page, "Figures", &difference.figures, true);
    shifts(&mut page, "Statistics, the most telling change first", &difference.stats, all);
    shifts(&mut page, "Cycles of launches", &difference.launches, all);
    if !difference.parts.is_empty() {
        page.section("Also different");
        page.line(&format!("  {}", difference.parts.join(", ")));
    }
    page.finish()
}

fn changes(page: &mut Page, title: &str, changes: &[Change]) {
    if changes.is_empty() {
        return;
    }
    page.section(title);
    let row = |change: &Change| {
        let side = |side: &Option<String>| text::or_dash(side.clone());
        vec![change.name.clone(), side(&change.before), side(&change.after)]
    };
    let rows: Vec<Vec<String>> = changes.iter().map(row).collect();
    page.table(&["", "A", "B"], &[0, 1, 2], &rows);
}

fn shifts(page: &mut Page, title: &str, shifts: &[Shift], all: bool) {
    if shifts.is_empty() {
        return;
    }
    page.section(title);
    let row = |shift: &Shift| {
        let figure = |value: Option<f64>| text::or_dash(value.map(text::figure));
        let signed =
            |value: f64| if value > 0.0 { format!("+{}", text::figure(value)) } else { text::figure(value) };
        vec![
            shift.name.clone(),
            figure(shift.before),
            figure(shift.after),
            text::or_dash(shift.change.map(signed)),
            text::or_dash(shift.percent.map(|percent| format!("{percent:+.2} %"))),
        ]
    };
    let shown = if all { shifts.len() } else { shifts.len().min(ROWS) };
    let rows: Vec<Vec<String>> = shifts[..shown].iter().map(row).collect();
    page.table(&["", "A", "B", "change", "relative"], &[0], &rows);
    if shown < shifts.len() {
        page.line(&format!("  … {} more (--all)", shifts.len() - shown));
    }
}
