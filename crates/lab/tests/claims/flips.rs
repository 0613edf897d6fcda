//! Every claim that is judged on simulations can agree and can disagree: results are drawn for its experiment until both
//! have been seen. A claim that no result can turn around would say nothing.

use super::{observations, row};
use heddle_lab::claims::book::{Book, Claim};
use heddle_lab::claims::evaluation::{Evaluation, Measured};
use heddle_lab::claims::judge::judge;
use heddle_lab::claims::ledger::Verdict;
use heddle_lab::claims::observations::Observations;
use heddle_lab::scale::Scale;
use std::collections::BTreeSet;

/// The claims of `exact.rs`, whose rows are tables of figures.
const EXACT: [&str; 4] = ["ch3-cost", "ch3-spare", "ch5-regs", "coh-table2"];
const WORKLOADS: [&str; 11] = [
    "h-bfs",
    "h-sssp",
    "h-mst",
    "ls-bfs",
    "ls-sssp",
    "ls-mst",
    "colouring-topology",
    "mis-luby",
    "bfs-dd",
    "bfs-wc",
    "stcon",
];
const GRAPHS: [&str; 3] = ["graph1M", "rmat20", "r4-2e20"];
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

/// What the expressions of a claim name.
struct Mentioned {
    metrics: BTreeSet<String>,
    with: BTreeSet<String>,
}

fn mentioned(measured: &Measured) -> Mentioned {
    let selections: Vec<_> = measured.expressions().flat_map(|node| node.selections()).collect();
    let filters = selections.iter().flat_map(|selection| &selection.filters);
    let with = filters.filter(|filter| filter.label == "with").flat_map(|filter| filter.values.clone());
    Mentioned {
        metrics: selections.iter().map(|selection| selection.metric.clone()).collect(),
        with: with.collect(),
    }
}

/// Results whose figures are biased by mechanism, and by mechanism and workload, each metric by itself.
fn drawn(mentioned: &Mentioned, draws: &mut Draws) -> Observations {
    let spreads = [0.0, 0.01, 0.1, 0.3, 0.8];
    let mut spread = || spreads[(draws.unit() * spreads.len() as f64) as usize % spreads.len()];
    let (by_mechanism, by_workload, by_row) = (spread(), spread(), spread());
    let mut rows = Vec::new();
    for with in &mentioned.with {
        let mechanism: Vec<f64> = mentioned.metrics.iter().map(|_| draws.factor(by_mechanism)).collect();
        let cycles_of_mechanism = draws.factor(by_mechanism);
        for workload in WORKLOADS {
            let own: Vec<f64> = mechanism.iter().map(|factor| factor * draws.factor(by_workload)).collect();
            let cycles_of_workload = cycles_of_mechanism * draws.factor(by_workload);
            for graph in GRAPHS {
                for launch in ["3", "4"] {
                    let point = [
                        ("with", with.as_str()),
                        ("workload", workload),
                        ("graph", graph),
                        ("launch", launch),
                    ];
                    let metrics = mentioned.metrics.iter().zip(&own);
                    let mut figures: Vec<(&str, f64)> = metrics
                        .filter(|(name, _)| *name != "ipc" && *name != "warp_instructions")
                        .map(|(name, bias)| (name.as_str(), 1e5 * bias * draws.factor(by_row)))
                        .collect();
                    figures.push(("cycles", 1e6 * cycles_of_workload * draws.factor(by_row)));
                    figures.push(("warp_instructions", if launch == "3" { 4e6 } else { 5e3 }));
                    rows.push(row(&point, &figures));
                }
            }
        }
    }
    observations(rows)
}

/// The verdicts that drawn results lead to.
fn seen(claim: &Claim, measured: &Measured) -> BTreeSet<Verdict> {
    let mentioned = mentioned(measured);
    let mut draws = Draws(14);
    let mut seen = BTreeSet::new();
    for _ in 0..TRIALS {
        let entry = judge(claim, Scale::Study, &drawn(&mentioned, &mut draws), &[]);
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
