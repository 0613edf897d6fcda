//! Pages of `heddle sweep`.

use super::page::Page;
use super::text::{bytes, plural, thousands};
use crate::commands::{ListedExperiment, PlannedPoint, SweepReport};

/// What a sweep came to.
pub(crate) fn page(report: &SweepReport) -> String {
    let mut page = Page::new();
    page.section("Sweep");
    page.row("points", thousands(report.points as u64));
    page.row(
        "finished",
        format!("{}, {} of them now", thousands(report.finished as u64), thousands(report.ran as u64)),
    );
    if report.failed > 0 {
        page.row("failed", thousands(report.failed as u64));
    }
    if report.checked > 0 {
        page.row(
            "checked",
            format!("{} of another build, with equal figures", plural(report.checked as u64, "point")),
        );
    }
    for experiment in &report.experiments {
        page.section(&experiment.name);
        page.row("question", &experiment.question);
        page.row("points", thousands(experiment.points as u64));
        page.row("tables", experiment.folder.display().to_string());
    }
    page.line("");
    page.line("`heddle query FOLDER` makes quick tables of them; docs/results-in-columns.md opens them with pandas, Polars and DuckDB.");
    page.finish()
}

/// What would be run.
pub(crate) fn plan(points: &[PlannedPoint]) -> String {
    let mut page = Page::new();
    page.section("Points");
    let rows: Vec<Vec<String>> = points
        .iter()
        .map(|point| {
            let time = match (point.finished, point.seconds) {
                _ if point.problem.is_some() => "cannot run".to_owned(),
                (true, _) => "finished".to_owned(),
                (false, Some(seconds)) => duration(seconds),
                (false, None) => "unknown".to_owned(),
            };
            vec![point.experiment.clone(), point.point.clone(), time, bytes(point.memory_bytes)]
        })
        .collect();
    page.table(&["experiment", "point", "time", "memory"], &[0, 1], &rows);
    let mut keys: Vec<&str> = Vec::new();
    let left: Vec<&PlannedPoint> = points
        .iter()
        .filter(|point| !point.finished && point.problem.is_none())
        .filter(|point| {
            let is_first = !keys.contains(&point.key.as_str());
            keys.push(&point.key);
            is_first
        })
        .collect();
    let known: f64 = left.iter().filter_map(|point| point.seconds).sum();
    let unknown = left.iter().filter(|point| point.seconds.is_none()).count();
    page.section("What is left");
    page.row("points", format!("{} of {}", thousands(left.len() as u64), thousands(points.len() as u64)));
    let known = match left.len() > unknown {
        true => Some(format!("{} on one core, by earlier points", duration(known))),
        false => None,
    };
    let unknown =
        (unknown > 0).then(|| format!("unknown of {} like none before", plural(unknown as u64, "point")));
    let time: Vec<String> = known.into_iter().chain(unknown).collect();
    page.row("time", if time.is_empty() { "none".to_owned() } else { time.join("; ") });
    if let Some(most) = left.iter().map(|point| point.memory_bytes).max() {
        page.row("memory", format!("at most {} of a point", bytes(most)));
    }
    page.finish()
}

/// The experiments that come with the program.
pub(crate) fn list(experiments: &[ListedExperiment]) -> String {
    let mut page = Page::new();
    page.section("Experiments (`heddle sweep NAME`)");
    for experiment in experiments {
        page.line("");
        page.line(&experiment.name);
        page.row("source", &experiment.source);
        page.row("question", &experiment.question);
        page.row("refuted by", &experiment.refuted_by);
        if !experiment.scales.is_empty() {
            page.row("scales", experiment.scales.join(", "));
        }
        page.row("points", format!("{} at the smallest scale", thousands(experiment.points as u64)));
    }
    page.finish()
}

/// A time that people read.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{:.0} ms", s.max(0.0) * 1e3),
        s if s < 100.0 => format!("{s:.1} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}
