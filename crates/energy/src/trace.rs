//! Power over time.
//!
//! The counted energy is linear in counts and time, so the energy between two samples is that of the
//! difference of their counts, and the mean power of the interval is that energy by its length. What happened
//! inside an interval is not known. Two traces are made of this:
//!
//! - [`PowerTrace::points`] hold each mean power from the beginning to the end of its interval (two points per
//!   interval). The trapezoidal rule over them gives the counted energy up to rounding, for any samples.
//! - [`PowerTrace::sampled`] is what an instrument logs that averages over its interval, as the power tool of
//!   \[Lakshminarayana14\] section 5.3.2 does: one value per interval, here at its middle, held constant to
//!   the ends of the run. The trapezoidal rule (section 5.3.3) over that gives the counted energy up to rounding
//!   if all intervals are equally long. Where neighbours of lengths d and d' have the powers p and p' it is off
//!   by (d' − d)(p − p')/4; [`Agreement::bound`] is the sum of the absolute values.

use crate::error::EnergyError;
use crate::price::{ComponentEnergy, Energy, Run, price};
use crate::table::Table;
use heddle_engine::Statistics;
use serde::Serialize;

/// Power over time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PowerTrace {
    /// The parts of the run, one after the other, without gaps.
    pub intervals: Vec<PowerInterval>,
    /// The trace to be integrated: in the order of time, with two points where power jumps.
    pub points: Vec<PowerPoint>,
    /// How its integral agrees with the counted energy.
    pub agreement: Agreement,
}

/// Mean powers between two samples.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PowerInterval {
    /// Seconds since the run began.
    pub start: f64,
    /// Seconds since the run began.
    pub end: f64,
    /// Dynamic power.
    pub dynamic_watts: f64,
    /// Static power.
    pub static_watts: f64,
    /// By component, in the order of the table.
    pub components: Vec<(String, f64)>,
}

/// Power at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PowerPoint {
    /// Seconds since the run began.
    pub seconds: f64,
    /// Watts.
    pub watts: f64,
}

/// An integral beside the counted energy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// Counts × table, for the whole run.
    pub counted_joules: f64,
    /// The trapezoidal rule over the trace.
    pub integrated_joules: f64,
    /// Their difference by the counted energy; 0 if both are 0.
    pub relative: f64,
    /// The most by which they may differ, in joules, beside rounding.
    pub bound: f64,
}

impl PowerInterval {
    /// The mean powers of so much energy between two times, which are not the same.
    pub fn new(start: f64, end: f64, energy: &Energy) -> PowerInterval {
        let seconds = end - start;
        let component =
            |of: &ComponentEnergy| (of.component.clone(), (of.dynamic_joules + of.static_joules) / seconds);
        PowerInterval {
            start,
            end,
            dynamic_watts: energy.dynamic_joules / seconds,
            static_watts: energy.static_joules / seconds,
            components: energy.components.iter().map(component).collect(),
        }
    }

    /// All power.
    pub fn watts(&self) -> f64 {
        self.dynamic_watts + self.static_watts
    }

    fn seconds(&self) -> f64 {
        self.end - self.start
    }
}

impl Agreement {
    fn new(counted_joules: f64, points: &[PowerPoint], bound: f64) -> Agreement {
        let integrated_joules = trapezoid(points);
        let difference = (integrated_joules - counted_joules).abs();
        let relative = if difference == 0.0 { 0.0 } else { difference / counted_joules };
        Agreement { counted_joules, integrated_joules, relative, bound }
    }
}

/// Power over time from counts since the run began, at times since then: the last sample is the run's end, and
/// the run begins at time 0 with all counts 0. `run` says the frequencies of the clocks; its own seconds are not
/// used.
pub fn power_trace(
    table: &Table,
    samples: &[(f64, Statistics)],
    run: &Run,
) -> Result<PowerTrace, EnergyError> {
    let mut intervals = Vec::with_capacity(samples.len());
    let mut start = 0.0;
    let mut before = None;
    for (index, (end, statistics)) in samples.iter().enumerate() {
        if !end.is_finite() || *end <= start {
            let problem =
                format!("sample {index}: its time of {end} s is not after the one before, {start} s");
            return Err(EnergyError::Time(problem));
        }
        let counts = difference(index, statistics, before)?;
        let energy = price(table, &counts, &run.lasting(end - start))?;
        intervals.push(PowerInterval::new(start, *end, &energy));
        (start, before) = (*end, Some(statistics));
    }
    let counted = match samples.last() {
        Some((end, statistics)) => price(table, statistics, &run.lasting(*end))?.total_joules,
        None => 0.0,
    };
    Ok(PowerTrace::new(intervals, counted))
}

/// The points that hold each mean power from the beginning to the end of its interval. Where nothing was there
/// between two intervals, power is 0.
fn points(intervals: &[PowerInterval]) -> Vec<PowerPoint> {
    let mut points: Vec<PowerPoint> = Vec::with_capacity(2 * intervals.len());
    for of in intervals {
        let gap = points.last().filter(|last| last.seconds < of.start).map(|last| [last.seconds, of.start]);
        points.extend(gap.into_iter().flatten().map(|seconds| PowerPoint { seconds, watts: 0.0 }));
        points.extend([of.start, of.end].map(|seconds| PowerPoint { seconds, watts: of.watts() }));
    }
    points
}

/// Counts since the sample before, which may not be larger.
fn difference(
    sample: usize,
    statistics: &Statistics,
    before: Option<&Statistics>,
) -> Result<Statistics, EnergyError> {
    let Some(before) = before else { return Ok(statistics.clone()) };
    let backwards = |(name, value): (&str, u64)| statistics.get(name).is_none_or(|now| now < value);
    match before.iter().find(|&count| backwards(count)) {
        Some((statistic, _)) => Err(EnergyError::Backwards { sample, statistic: statistic.to_owned() }),
        None => Ok(statistics.since(before)),
    }
}

impl PowerTrace {
    /// The trace of intervals in the order of time, beside the counted energy of the whole run.
    pub fn new(intervals: Vec<PowerInterval>, counted_joules: f64) -> PowerTrace {
        let points = points(&intervals);
        let agreement = Agreement::new(counted_joules, &points, 0.0);
        PowerTrace { intervals, points, agreement }
    }

    /// What an averaging instrument logs, and how its integral agrees.
    pub fn sampled(&self) -> (Vec<PowerPoint>, Agreement) {
        let middle =
            |of: &PowerInterval| PowerPoint { seconds: of.start / 2.0 + of.end / 2.0, watts: of.watts() };
        let mut points = Vec::with_capacity(self.intervals.len() + 2);
        let first = self.intervals.first().map(|of| PowerPoint { seconds: of.start, watts: of.watts() });
        let last = self.intervals.last().map(|of| PowerPoint { seconds: of.end, watts: of.watts() });
        points.extend(first);
        points.extend(self.intervals.iter().map(middle));
        points.extend(last);
        let off = |pair: &[PowerInterval]| {
            let (lengths, powers) =
                (pair[1].seconds() - pair[0].seconds(), pair[0].watts() - pair[1].watts());
            (lengths * powers / 4.0).abs()
        };
        let bound = self.intervals.windows(2).map(off).sum();
        let agreement = Agreement::new(self.agreement.counted_joules, &points, bound);
        (points, agreement)
    }
}

fn trapezoid(points: &[PowerPoint]) -> f64 {
    let area =
        |pair: &[PowerPoint]| (pair[1].seconds - pair[0].seconds) * (pair[0].watts + pair[1].watts) / 2.0;
    points.windows(2).map(area).sum()
}
