//! Axes, and their product.

use super::Point;
use super::values::{Setting, Value, point};
use crate::error::LabError;

/// Points of one experiment; more are a mistake in its axes.
const POINTS_MAX: usize = 1_000_000;

/// An axis: rows of settings that vary together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) name: String,
    pub(super) place: String,
    pub(super) rows: Vec<Vec<Setting>>,
}

/// The points of an experiment: the product of all axes, the last one varying fastest.
pub(super) fn points(fixed: &[Setting], axes: &[Axis]) -> Result<Vec<Point>, LabError> {
    let count = axes.iter().try_fold(1usize, |count, axis| count.checked_mul(axis.rows.len()));
    let Some(count) = count.filter(|&count| count <= POINTS_MAX) else {
        let sizes: Vec<String> =
            axes.iter().map(|axis| format!("{} {}", axis.rows.len(), axis.name)).collect();
        return Err(LabError::new(format!(
            "the axes make more than {POINTS_MAX} points: {}",
            sizes.join(" × ")
        )));
    };
    refuse_clashes(fixed, axes)?;
    (0..count)
        .map(|mut number| {
            let mut chosen = Vec::with_capacity(axes.len());
            for axis in axes.iter().rev() {
                chosen.push(&axis.rows[number % axis.rows.len()]);
                number /= axis.rows.len();
            }
            let settings = chosen.into_iter().rev().flatten();
            point(&fixed.iter().chain(settings).cloned().collect::<Vec<_>>())
        })
        .collect()
}

/// A setting that two axes give would be that of the later one, without a word.
fn refuse_clashes(fixed: &[Setting], axes: &[Axis]) -> Result<(), LabError> {
    for (number, axis) in axes.iter().enumerate() {
        for (row, settings) in axis.rows.iter().enumerate() {
            let same = |other: &&Vec<Setting>| values(other) == values(settings);
            if let Some(first) =
                settings.first().filter(|_| axis.rows[..row].iter().any(|other| same(&other)))
            {
                let problem = format!("axis `{}`: this row stands there twice", axis.name);
                return Err(LabError::new(problem).at(first.place.clone()));
            }
            let of_fixed = |setting: &&Setting| fixed.iter().any(|theirs| theirs.key == setting.key);
            if let Some(setting) = settings.iter().find(of_fixed) {
                let problem =
                    format!("`{}` is fixed, and the axis `{}` gives it, too", setting.key, axis.name);
                return Err(LabError::new(problem).at(setting.place.clone()));
            }
        }
        for setting in axis.rows.iter().flatten() {
            let others = axes[..number].iter();
            let mut of_others = others.flat_map(|other| other.rows.iter().flatten().map(move |s| (other, s)));
            if let Some((other, _)) = of_others.find(|(_, theirs)| theirs.key == setting.key) {
                let problem =
                    format!("the axes `{}` and `{}` both give `{}`", other.name, axis.name, setting.key);
                return Err(LabError::new(problem)
                    .at(setting.place.clone())
                    .with_help("settings that vary together stand in the rows of one axis"));
            }
        }
    }
    Ok(())
}

/// Keys and values of a row, wherever they were written.
fn values(row: &[Setting]) -> Vec<(&str, &Value)> {
    row.iter().map(|setting| (setting.key.as_str(), &setting.value)).collect()
}
