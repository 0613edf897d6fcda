//! Every claim that is judged on simulations can agree and can disagree: results are drawn for its experiment until both
//! have been seen. A claim that no result can turn around would say nothing.

use super::{observations, row};
use heddle_lab::claims::book::{Book, Claim};
use heddle_lab::claims::evaluation::{Evaluation, Measured};
use heddle_lab::claims::judge::judge;
use heddle_lab::claims::ledger::Verdict;
use heddle_lab::claims::observations::{EXPERIMENT, Observations};
use heddle_lab::experiment::Experiment;
use heddle_lab::record::Labels;
use heddle_lab::scale::Scale;
use std::collections::{BTreeMap, BTreeSet};

/// The claims of `exact.rs`, whose rows are tables of figures, or that rest on sizes, which are not drawn here.
const EXACT: [&str; 7] =
    ["ch3-cost", "ch3-spare", "ch5-regs", "ch5-iterations", "ch5-swp", "coh-table2", "byp-cost"];
const TRIALS: usize = 400;

/// A sequence that is the same on every host.
struct Draws(u64);

impl Draws {
    /// From 0 to 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A factor around one, the wider the spread the further away.
    fn factor(&mut self, spread: f64) -> f64 {
        (1.0 + spread * (2.0 * self.unit() - 1.0)).max(0.05)
    }
}

/// The figures that the expressions of a claim name. IPC and sizes follow from two of their own.
fn metrics(measured: &Measured) -> BTreeSet<String> {
    let selections = measured.expressions().flat_map(|node| node.selections());
    let metrics = selections.map(|selection| selection.metric.trim_start_matches("run.").to_owned());
    metrics.filter(|name| !["ipc", "cycles", "warp_instructions"].contains(&name.as_str())).collect()
}

/// The labels of the points that a claim looks at, and of the others, with the experiment where there are several.
fn points(measured: &Measured) -> (Vec<Labels>, Vec<Labels>) {
    let (mut points, mut unused) = (Vec::new(), Vec::new());
    for name in &measured.experiments {
        let experiment = Experiment::named(name, Some(Scale::Study)).unwrap();
        for point in &experiment.points {
            let mut labels = point.labels.clone();
            if measured.experiments.len() > 1 {
                labels.insert(EXPERIMENT.to_owned(), name.clone());
            }
            match measured.needs(name, &point.labels) {
                true => points.push(labels),
                false => unused.push(labels),
            }
        }
    }
    (points, unused)
}

/// Factors that are drawn once for each group of rows.
struct Biases {
    spread: f64,
    drawn: BTreeMap<String, f64>,
}

impl Biases {
    fn new(draws: &mut Draws) -> Biases {
        let spreads = [0.0, 0.01, 0.1, 0.3, 0.8];
        let spread = spreads[(draws.unit() * spreads.len() as f64) as usize % spreads.len()];
        Biases { spread, drawn: BTreeMap::new() }
    }

    fn of(&mut self, group: String, draws: &mut Draws) -> f64 {
        let spread = self.spread;
        *self.drawn.entry(group).or_insert_with(|| draws.factor(spread))
    }
}

/// Results whose figures are biased by what the machine is, by that and the workload, and row by row, each metric by
/// itself.
fn drawn(points: &[Labels], metrics: &BTreeSet<String>, draws: &mut Draws) -> Observations {
    let [mut machines, mut workloads, mut rows] = std::array::from_fn(|_| Biases::new(draws));
    // One metric can be a small part of another.
    let magnitudes: Vec<f64> = metrics.iter().map(|_| 1e5 * 0.03f64.powf(draws.unit())).collect();
    let mut results = Observations::default();
    for labels in points {
        let workload = labels.get("workload").cloned().unwrap_or_default();
        let is_machine = |label: &str| !["workload", "graph", "kernel"].contains(&label);
        let machine: Vec<&String> =
            labels.iter().filter(|(label, _)| is_machine(label)).map(|(_, value)| value).collect();
        for launch in ["3", "4"] {
            let mut figure = |name: &str, draws: &mut Draws| {
                machines.of(format!("{name} {machine:?}"), draws)
                    * workloads.of(format!("{name} {machine:?} {workload}"), draws)
                    * rows.of(format!("{name} {launch} {labels:?}"), draws)
            };
            let mut figures: Vec<(&str, f64)> = metrics
                .iter()
                .zip(&magnitudes)
                .map(|(name, size)| (name.as_str(), size * figure(name, draws)))
                .collect();
            figures.push(("cycles", 1e6 * figure("cycles", draws)));
            figures.push(("warp_instructions", if launch == "3" { 4e6 } else { 5e3 }));
            let pairs: Vec<(&str, &str)> =
                labels.iter().map(|(label, value)| (label.as_str(), value.as_str())).collect();
            if launch == "3" {
                results.runs.push(row(&pairs, &figures));
            }
            results.rows.push(row(&[&pairs[..], &[("launch", launch)]].concat(), &figures));
        }
    }
    results
}

/// The verdicts that drawn results lead to.
fn seen(claim: &Claim, measured: &Measured) -> BTreeSet<Verdict> {
    let ((points, unused), metrics) = (points(measured), metrics(measured));
    let mut draws = Draws(14);
    let mut seen = BTreeSet::new();
    for _ in 0..TRIALS {
        let results = Observations { unused: unused.clone(), ..drawn(&points, &metrics, &mut draws) };
        let entry = judge(claim, Scale::Study, &results, &[]);
        assert_ne!(entry.verdict, Verdict::Incomplete, "{}: {}", entry.id, entry.why);
        assert!(entry.invocations.is_some_and(|count| count > 0), "{}: no invocations", entry.id);
        seen.insert(entry.verdict);
        if seen.len() == 2 {
            break;
        }
    }
    seen
}

#[test]
fn every_claim_that_is_simulated_can_agree_and_disagree() {
    let book = Book::built_in().unwrap();
    let mut count = 0;
    for claim in &book.claims {
        let Evaluation::Measured(measured) = &claim.evaluation else { continue };
        if EXACT.contains(&claim.published.id.as_str()) {
            continue;
        }
        let both = BTreeSet::from([Verdict::Agrees, Verdict::DoesNotAgree]);
        assert_eq!(seen(claim, measured), both, "{}", claim.published.id);
        count += 1;
    }
    assert!(count >= 11, "{count}");
}

#[test]
fn every_evaluated_claim_is_turned_around_by_a_test() {
    let book = Book::built_in().unwrap();
    let exact: Vec<&Claim> =
        book.claims.iter().filter(|claim| EXACT.contains(&claim.published.id.as_str())).collect();
    assert_eq!(exact.len(), EXACT.len());
    assert!(exact.iter().all(|claim| matches!(claim.evaluation, Evaluation::Measured(_))));
}

/// Small invocations do not count in chapter 3.
#[test]
fn invocations_below_a_million_warp_instructions_are_left_out() {
    let book = Book::built_in().unwrap();
    let claim = book.claims.iter().find(|claim| claim.published.id == "ch3-cspref1").unwrap();
    let mut rows = Vec::new();
    for (with, large, small) in [("none", 1.0, 1.0), ("c-spref1", 1.07, 40.0)] {
        for (launch, speed, size) in [("1", large, 2e6), ("2", small, 9e5)] {
            let point = [("with", with), ("workload", "h-bfs"), ("graph", "rmat20"), ("launch", launch)];
            rows.push(row(&point, &[("cycles", 1e6 / speed), ("warp_instructions", size)]));
        }
    }
    let rows = observations(rows);
    let entry = judge(claim, Scale::Study, &rows, &[]);
    assert_eq!((entry.verdict, entry.invocations), (Verdict::Agrees, Some(1)), "{}", entry.why);
    assert!((entry.value.unwrap() - 1.07).abs() < 1e-12);
    let quick = judge(claim, Scale::Quick, &rows, &[]);
    assert_eq!((quick.verdict, quick.invocations), (Verdict::DoesNotAgree, Some(2)));
}
