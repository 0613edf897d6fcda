//! The integral of power over time is the counted energy.

use heddle_energy::{EnergyError, PowerInterval, PowerTrace, Run, Table, load, power_trace, price};
use heddle_engine::Statistics;
use proptest::prelude::*;

fn run() -> Run {
    Run::new(0.0).unwrap().with_clock("core", 700e6).unwrap()
}

/// Samples whose counts grow by `steps`, at times that grow by `lengths` microseconds.
fn samples(table: &Table, steps: &[u64], lengths: &[u64]) -> Vec<(f64, Statistics)> {
    let names: std::collections::BTreeSet<&str> = table.counted().map(|(_, count)| count).collect();
    let (mut sum, mut micros) = (0, 0);
    let sample = |(&step, &length): (&u64, &u64)| {
        sum += step;
        micros += length;
        let counts =
            names.iter().enumerate().map(|(index, name)| ((*name).to_owned(), sum * (index as u64 + 1)));
        (micros as f64 * 1e-6, counts.collect())
    };
    steps.iter().zip(lengths).map(sample).collect()
}

#[test]
fn equal_intervals_agree_for_the_averaging_instrument_too() {
    let table = load::find("gtx480").unwrap();
    let trace = power_trace(&table, &samples(&table, &[5000, 0, 90_000, 7, 12], &[10; 5]), &run()).unwrap();
    assert_eq!((trace.intervals.len(), trace.points.len()), (5, 10));
    assert!(trace.agreement.relative < 1e-9, "{:?}", trace.agreement);
    let (points, agreement) = trace.sampled();
    assert_eq!(points.len(), 7);
    assert!(agreement.relative < 1e-9 && agreement.bound < 1e-9 * agreement.counted_joules, "{agreement:?}");
}

#[test]
fn unequal_intervals_put_the_instrument_off_by_what_the_formula_says() {
    let table = load::find("gtx480").unwrap();
    let trace = power_trace(&table, &samples(&table, &[90_000, 10], &[10, 3]), &run()).unwrap();
    let (_, agreement) = trace.sampled();
    let [first, second] = [0, 1].map(|index: usize| trace.intervals[index].watts());
    let expected = (3e-6 - 10e-6) * (first - second) / 4.0;
    let difference = agreement.integrated_joules - agreement.counted_joules;
    assert!((difference / expected - 1.0).abs() < 1e-9 && agreement.relative > 0.01, "{agreement:?}");
    assert!(trace.agreement.relative < 1e-9);
}

#[test]
fn between_intervals_with_a_gap_power_is_0() {
    let table = load::find("gtx480").unwrap();
    let samples = samples(&table, &[5000], &[10]);
    let energy = price(&table, &samples[0].1, &Run::of_cycles(7000, 10e-6).unwrap()).unwrap();
    let intervals = [0.0, 10e-6, 30e-6].map(|start| PowerInterval::new(start, start + 10e-6, &energy));
    let trace = PowerTrace::new(intervals.into(), 3.0 * energy.total_joules);
    assert_eq!(trace.points.len(), 8);
    assert!(trace.agreement.relative < 1e-9, "{:?}", trace.agreement);
}

#[test]
fn samples_out_of_order_and_counts_that_shrink_are_refused() {
    let table = load::find("ddr4-2400").unwrap();
    let good = samples(&table, &[3, 4], &[5, 5]);
    let mut late = good.clone();
    late[1].0 = late[0].0;
    assert!(matches!(power_trace(&table, &late, &run()), Err(EnergyError::Time(_))));
    late[1].0 = f64::NAN;
    assert!(matches!(power_trace(&table, &late, &run()), Err(EnergyError::Time(_))));
    let shrinking = vec![(good[0].0, good[1].1.clone()), (good[1].0, good[0].1.clone())];
    assert!(matches!(power_trace(&table, &shrinking, &run()), Err(EnergyError::Backwards { sample: 1, .. })));
    assert_eq!(power_trace(&table, &[], &run()).unwrap().agreement.relative, 0.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_trapezoid_is_the_counted_total_for_any_samples(
        parts in prop::collection::vec((0u64..1_000_000, 1u64..5_000), 1..40),
    ) {
        let table = load::find("gtx480").unwrap();
        let (steps, lengths): (Vec<u64>, Vec<u64>) = parts.into_iter().unzip();
        let samples = samples(&table, &steps, &lengths);
        let trace = power_trace(&table, &samples, &run()).unwrap();
        let (end, counts) = samples.last().unwrap();
        let whole = Run::new(*end).unwrap().with_clock("core", 700e6).unwrap();
        let counted = price(&table, counts, &whole).unwrap().total_joules;
        prop_assert_eq!(trace.agreement.counted_joules, counted);
        prop_assert!(trace.agreement.relative < 1e-9, "{:?}", trace.agreement);
        let (_, sampled) = trace.sampled();
        let off = (sampled.integrated_joules - counted).abs();
        prop_assert!(off <= sampled.bound + 1e-9 * counted, "{:?}", sampled);
    }
}
