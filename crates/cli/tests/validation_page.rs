//! docs/validation.md is what the committed figures say: of DRAMsim3, a transcription of Ramulator 2's controller and
//! GPGPU-Sim, and what Heddle measures beside them. The tests that measure hold the figures to every build.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows of a table without its heading.
fn rows(table: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(root().join("validation").join(table)).unwrap();
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn percent(ours: f64, theirs: f64) -> String {
    format!("{:+.1} %", (ours / theirs - 1.0) * 100.0)
}

/// The last column of a table by its first ones.
fn last_by_key(table: &str, keys: usize) -> BTreeMap<Vec<String>, f64> {
    let rows = rows(table).into_iter();
    rows.map(|row| (row[..keys].to_vec(), row.last().unwrap().parse().unwrap())).collect()
}

fn dram(page: &mut String) {
    let measured = last_by_key("dram/measured.tsv", 3);
    *page += "| part | stream | writes | Heddle | DRAMsim3 | difference | transcription | difference |\n";
    *page += "|---|---|--:|--:|--:|--:|--:|--:|\n";
    let (mut sum, mut most, mut count) = (0.0, 0.0f64, 0u32);
    for row in rows("dram/reference.tsv") {
        let ours = measured[&row[..3]];
        let theirs: f64 = row[3].parse().unwrap();
        let off = (ours / theirs - 1.0).abs();
        (sum, most, count) = (sum + off, most.max(off), count + 1);
        let transcribed = match row[4].parse::<f64>() {
            Ok(figure) => format!("{figure} | {}", percent(ours, figure)),
            Err(_) => "- | -".to_owned(),
        };
        let (part, stream, writes) = (&row[0], &row[1], &row[2]);
        let against = percent(ours, theirs);
        writeln!(
            page,
            "| {part} | {stream} | {writes} % | {ours:.3} | {theirs} | {against} | {transcribed} |"
        )
        .unwrap();
    }
    let (mean, most) = (sum / f64::from(count) * 100.0, most * 100.0);
    writeln!(page, "\n{count} streams: {mean:.1} % from DRAMsim3 on average, {most:.1} % at most.\n")
        .unwrap();
}

fn gpu(page: &mut String, reference: &str, measured: &str) {
    let measured = last_by_key(measured, 2);
    let gaps: BTreeMap<Vec<String>, String> =
        rows("gpgpusim/gaps.tsv").into_iter().map(|row| (row[..2].to_vec(), row[4].clone())).collect();
    *page += "| application | launch | kernel | Heddle | GPGPU-Sim | difference | known gap |\n";
    *page += "|---|--:|---|--:|--:|--:|---|\n";
    let mut totals: BTreeMap<String, (f64, f64, f64, u32)> = BTreeMap::new();
    for row in rows(reference) {
        let (ours, theirs) = (measured[&row[..2]], row[3].parse::<f64>().unwrap());
        let why = gaps.get(&row[..2]).map_or("", String::as_str);
        let (app, launch, kernel) = (&row[0], &row[1], &row[2]);
        let off = percent(ours, theirs);
        writeln!(page, "| {app} | {launch} | {kernel} | {ours} | {theirs} | {off} | {why} |").unwrap();
        let total = totals.entry(app.clone()).or_default();
        let error = (ours / theirs - 1.0).abs();
        *total = (total.0 + ours, total.1 + theirs, total.2 + error, total.3 + 1);
    }
    *page += "\n| application | cycles, Heddle | cycles, GPGPU-Sim | difference | mean error of a launch |\n|---|--:|--:|--:|--:|\n";
    for (app, (ours, theirs, errors, count)) in totals {
        let (off, mean) = (percent(ours, theirs), errors / f64::from(count) * 100.0);
        writeln!(page, "| {app} | {ours} | {theirs} | {off} | {mean:.1} % |").unwrap();
    }
    page.push('\n');
}

/// The mean error of a launch over all applications of a table.
fn mean_error(page: &mut String, reference: &str, measured: &str) {
    let measured = last_by_key(measured, 2);
    let reference = rows(reference);
    let error = |row: &Vec<String>| (measured[&row[..2]] / row[3].parse::<f64>().unwrap() - 1.0).abs();
    let mean = reference.iter().map(error).sum::<f64>() / reference.len() as f64 * 100.0;
    writeln!(page, "{} launches: {mean:.1} % from GPGPU-Sim on average.\n", reference.len()).unwrap();
}

fn page() -> String {
    let mut page = "# Validation\n\n".to_owned();
    page += "*Made from the tables in `validation/` by `HEDDLE_RECORD=1 cargo test --release -p heddle validation`; a test \
             holds it to them, and others hold Heddle's columns to what every build measures.*\n\n";
    page += "## DRAM\n\nBandwidth of saturated streams as a fraction of the peak. DRAMsim3's figures are its own; the \
             transcription is of Ramulator 2's generic controller, not its program. Bound: 10 %.\n\n";
    dram(&mut page);
    page += "## GPU\n\nCore cycles per launch of `gtx480` beside GPGPU-Sim 4.0.0 with SM2_GTX480; origin and programs in \
             [validation/gpgpusim](../validation/gpgpusim/README.md). Bounds: micro-kernels 5 % a launch; BFS 2 % in total, \
             5 % for launches of more than 5,000 cycles. A known gap is asserted as a gap: the test fails when it closes.\n\n";
    page += "### Micro-kernels\n\n25 of the 32 launches that GPGPU-Sim ran: the text of the kernels of the other seven, \
             `micro_store`, is not among the programs that came with the figures.\n\n";
    gpu(&mut page, "gpgpusim/micro.tsv", "gpgpusim/micro-measured.tsv");
    page += "### Breadth-first search\n\n";
    gpu(&mut page, "gpgpusim/bfs.tsv", "gpgpusim/bfs-measured.tsv");
    page += "### Applications\n\nEleven applications that were written, and run on GPGPU-Sim, after `gtx480` had its figures: \
             the mean error of a launch was 4.6 % then. They showed two differences that are keys of the machine now \
             (`core.request_order`, `interconnect.request_speedup`), so that the figures below are no longer those of programs \
             that it has never seen. Bounds: 3 % for the mean error of a launch over all applications, 5 % for the total of each, \
             10 % for a launch.\n\n";
    gpu(&mut page, "gpgpusim/held-out.tsv", "gpgpusim/held-out-measured.tsv");
    mean_error(&mut page, "gpgpusim/held-out.tsv", "gpgpusim/held-out-measured.tsv");
    page.trim_end().to_owned() + "\n"
}

#[test]
fn the_validation_page_is_what_the_committed_figures_say() {
    let path = root().join("docs/validation.md");
    let page = page();
    if std::env::var_os("HEDDLE_RECORD").is_some() {
        fs::write(&path, &page).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), page, "HEDDLE_RECORD=1 makes the page anew");
}
