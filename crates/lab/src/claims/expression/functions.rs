//! Functions of expressions.

use super::Problem;
use super::evaluate::{Evaluator, Outcome};
use super::tree::{Kind, Node};
use super::value::{Series, Value, in_words};
use crate::record::Labels;
use std::collections::{BTreeMap, BTreeSet};

/// Every function, with its arguments and what it gives.
pub const FUNCTIONS: &[(&str, &str, &str)] = &[
    ("mean", "series", "arithmetic mean"),
    ("hmean", "series", "harmonic mean"),
    ("gmean", "series", "geometric mean"),
    ("median", "series", "median"),
    ("min", "series | [number, …]", "minimum"),
    ("max", "series | [number, …]", "maximum"),
    ("sum", "series", "sum"),
    ("only", "series", "the number of a series of one row; other series are refused"),
    ("count", "series | truths | set | [truth, …]", "how many rows; of truths, how many are true"),
    ("all", "truths | [truth, …]", "whether all are true"),
    ("any", "truths | [truth, …]", "whether one is true"),
    (
        "by",
        "label | [label, …], function, series",
        "the function of the rows with equal values of these labels: a series by them",
    ),
    (
        "where",
        "series, truths",
        "the rows for which the condition with the same labels is true; none is an error",
    ),
    ("lowest", "n, series", "the values of the label of the n least, of a series by one label"),
    ("highest", "n, series", "the values of the label of the n greatest, of a series by one label"),
    (
        "rank",
        "text, series",
        "the place of a value of the label, 1 for the greatest, of a series by one label",
    ),
    ("which", "truths", "the values of the label for which it is true, of truths by one label"),
    ("contains", "set, text", "whether a value is in a set"),
    ("overlap", "set, [text, …]", "how many of the texts are in a set"),
    ("abs", "number | series", "without sign"),
    ("round", "number | series, digits", "to a number of decimals"),
];

/// Calls a function.
pub(super) fn call(evaluator: &mut Evaluator, name: &str, parts: &[Node], column: usize) -> Outcome {
    let Some((_, arguments, _)) = FUNCTIONS.iter().find(|(known, ..)| *known == name) else {
        let known = FUNCTIONS.iter().map(|(known, ..)| *known);
        return Err(Problem::unknown(column, "function", name, known));
    };
    let wrong = || Problem::at(column, format!("it is called as {name}({arguments})"));
    if name == "by" {
        return by(evaluator, parts, column, &wrong);
    }
    let values = parts.iter().map(|part| evaluator.value(part)).collect::<Result<Vec<Value>, Problem>>()?;
    match (name, values.as_slice()) {
        ("where", [Value::Series(series), Value::Truths(condition)]) => {
            chosen(series, condition, column).map(Value::Series)
        }
        ("lowest" | "highest", [Value::Number(n), Value::Series(series)]) => {
            extremes(name == "lowest", *n, series, column).map(Value::Set)
        }
        ("rank", [Value::Text(text), Value::Series(series)]) => rank(text, series, column).map(Value::Number),
        ("which", [Value::Truths(truths)]) => which(truths, column).map(Value::Set),
        ("contains", [Value::Set(set), Value::Text(text)]) => Ok(Value::Truth(set.contains(text))),
        ("overlap", [Value::Set(set), Value::List(texts)]) => {
            let is_in = |value: &&Value| matches!(value, Value::Text(text) if set.contains(text));
            match texts.iter().all(|value| matches!(value, Value::Text(_))) {
                true => Ok(Value::Number(texts.iter().filter(is_in).count() as f64)),
                false => Err(wrong()),
            }
        }
        ("abs", [Value::Number(number)]) => Ok(Value::Number(number.abs())),
        ("abs", [Value::Series(series)]) => Ok(Value::Series(series.map(f64::abs))),
        ("round", [Value::Number(number), Value::Number(digits)]) if is_digits(*digits) => {
            Ok(Value::Number(rounded(*number, *digits)))
        }
        ("round", [Value::Series(series), Value::Number(digits)]) if is_digits(*digits) => {
            Ok(Value::Series(series.map(|number| rounded(number, *digits))))
        }
        (_, [value]) => reduce(name, value, column, &wrong),
        _ => Err(wrong()),
    }
}

fn is_digits(digits: f64) -> bool {
    (0.0..=12.0).contains(&digits) && digits.fract() == 0.0
}

fn rounded(number: f64, digits: f64) -> f64 {
    let factor = (0..digits as u32).fold(1.0, |factor, _| factor * 10.0);
    (number * factor).round() / factor
}

/// One value of many.
fn reduce(name: &str, value: &Value, column: usize, wrong: &dyn Fn() -> Problem) -> Outcome {
    match (name, value) {
        ("count", Value::Series(series)) => Ok(Value::Number(series.by_labels.len() as f64)),
        ("count", Value::Set(set)) => Ok(Value::Number(set.len() as f64)),
        ("count", Value::Truths(truths)) => {
            Ok(Value::Number(truths.values().filter(|&truth| truth).count() as f64))
        }
        ("all", Value::Truths(truths)) => Ok(Value::Truth(truths.values().all(|truth| truth))),
        ("any", Value::Truths(truths)) => Ok(Value::Truth(truths.values().any(|truth| truth))),
        ("only", Value::Series(series)) if series.by_labels.len() > 1 => {
            let rows = series.by_labels.len();
            let first = series.by_labels.keys().next().map(in_words).unwrap_or_default();
            Err(Problem::at(column, format!("one row is expected, and there are {rows}, the first {first}")))
        }
        ("count" | "all" | "any", Value::List(parts)) => {
            let truth = |part: &Value| match part {
                Value::Truth(truth) => Some(*truth),
                _ => None,
            };
            let truths = parts.iter().map(truth).collect::<Option<Vec<bool>>>().ok_or_else(wrong)?;
            Ok(match name {
                "count" => Value::Number(truths.iter().filter(|&&truth| truth).count() as f64),
                "all" => Value::Truth(truths.iter().all(|&truth| truth)),
                _ => Value::Truth(truths.iter().any(|&truth| truth)),
            })
        }
        (_, Value::Series(series)) => of_numbers(name, &series.values().collect::<Vec<_>>(), column, wrong),
        ("min" | "max", Value::List(parts)) => {
            let number = |part: &Value| match part {
                Value::Number(number) => Some(*number),
                _ => None,
            };
            let numbers = parts.iter().map(number).collect::<Option<Vec<f64>>>().ok_or_else(wrong)?;
            of_numbers(name, &numbers, column, wrong)
        }
        _ => Err(wrong()),
    }
}

fn of_numbers(name: &str, numbers: &[f64], column: usize, wrong: &dyn Fn() -> Problem) -> Outcome {
    let number = figure(name, numbers).ok_or_else(wrong)?;
    match number.is_finite() {
        true => Ok(Value::Number(number)),
        false => Err(Problem::at(column, format!("these numbers have no {name}"))),
    }
}

/// A figure of numbers, of which there is at least one; nothing for a name that is none of these.
fn figure(name: &str, numbers: &[f64]) -> Option<f64> {
    let count = numbers.len() as f64;
    let are_positive = numbers.iter().all(|&number| number > 0.0);
    Some(match name {
        "mean" => numbers.iter().sum::<f64>() / count,
        "hmean" if are_positive => count / numbers.iter().map(|number| 1.0 / number).sum::<f64>(),
        "gmean" if are_positive => {
            libm::exp(numbers.iter().map(|&number| libm::log(number)).sum::<f64>() / count)
        }
        // Of zero and negative numbers neither is defined.
        "hmean" | "gmean" => f64::NAN,
        "median" => median(numbers),
        "min" => numbers.iter().copied().fold(f64::INFINITY, f64::min),
        "max" => numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        "sum" | "only" => numbers.iter().sum(),
        _ => return None,
    })
}

fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        _ if sorted.is_empty() => f64::NAN,
        0 => (sorted[middle - 1] + sorted[middle]) / 2.0,
        _ => sorted[middle],
    }
}

/// `by(label, function, series)`, `by([label, label], function, series)`.
fn by(evaluator: &mut Evaluator, parts: &[Node], column: usize, wrong: &dyn Fn() -> Problem) -> Outcome {
    let [labels, function, series] = parts else { return Err(wrong()) };
    let Kind::Name(function_name) = &function.kind else { return Err(wrong()) };
    let label_nodes = match &labels.kind {
        Kind::List(nodes) if !nodes.is_empty() => nodes.as_slice(),
        _ => std::slice::from_ref(labels),
    };
    let Value::Series(series) = evaluator.value(series)? else { return Err(wrong()) };
    let mut groups: BTreeMap<Labels, Vec<f64>> = BTreeMap::new();
    for (labels, &number) in &series.by_labels {
        let mut group = Labels::new();
        for node in label_nodes {
            let Kind::Name(name) = &node.kind else { return Err(wrong()) };
            let Some(value) = labels.get(name) else {
                let known = labels.keys().map(String::as_str);
                return Err(Problem::unknown(node.column, "label", name, known));
            };
            group.insert(name.clone(), value.clone());
        }
        groups.entry(group).or_default().push(number);
    }
    let mut by_labels = BTreeMap::new();
    for (group, numbers) in groups {
        let Some(number) = figure_or_count(function_name, &numbers) else {
            let known = ["mean", "hmean", "gmean", "median", "min", "max", "sum", "count"];
            return Err(Problem::unknown(function.column, "function of a series", function_name, known));
        };
        if !number.is_finite() {
            return Err(Problem::at(column, format!("{} has no {function_name}", in_words(&group))));
        }
        by_labels.insert(group, number);
    }
    Ok(Value::Series(Series { by_labels }))
}

/// What `by` can take of each group.
fn figure_or_count(name: &str, numbers: &[f64]) -> Option<f64> {
    match name {
        "count" => Some(numbers.len() as f64),
        "only" => None,
        _ => figure(name, numbers),
    }
}

/// The rows for which a condition with the same labels is true.
fn chosen(series: &Series<f64>, condition: &Series<bool>, column: usize) -> Result<Series<f64>, Problem> {
    let judged = series.join(condition, column, |number, holds| (number, holds))?;
    let kept = judged.by_labels.into_iter().filter(|(_, (_, holds))| *holds);
    let by_labels: BTreeMap<_, _> = kept.map(|(labels, (number, _))| (labels, number)).collect();
    match by_labels.is_empty() {
        true => Err(Problem::at(column, "the condition is true for no row")),
        false => Ok(Series { by_labels }),
    }
}

/// The rows of a series by one label: the label's values, and what each has.
fn of_one_label<T: Copy>(series: &Series<T>, column: usize) -> Result<Vec<(T, String)>, Problem> {
    let mut rows = Vec::new();
    for (labels, &value) in &series.by_labels {
        match labels.values().next().filter(|_| labels.len() == 1) {
            Some(name) => rows.push((value, name.clone())),
            None => return Err(Problem::at(column, "the series must be by one label; see `by`")),
        }
    }
    Ok(rows)
}

/// The values of the label of the least or greatest rows. Of equal ones the first by name is taken.
fn extremes(
    are_lowest: bool,
    n: f64,
    series: &Series<f64>,
    column: usize,
) -> Result<BTreeSet<String>, Problem> {
    let mut rows = of_one_label(series, column)?;
    rows.sort_by(|one, other| {
        let order = one.0.total_cmp(&other.0);
        let order = if are_lowest { order } else { order.reverse() };
        order.then_with(|| one.1.cmp(&other.1))
    });
    match n >= 1.0 && n.fract() == 0.0 && n <= rows.len() as f64 {
        true => Ok(rows.into_iter().take(n as usize).map(|(_, value)| value).collect()),
        false => Err(Problem::at(column, format!("{n} of {} rows cannot be taken", rows.len()))),
    }
}

/// The place of a value of the label: one behind those that are greater. Equal ones share a place.
fn rank(name: &str, series: &Series<f64>, column: usize) -> Result<f64, Problem> {
    let rows = of_one_label(series, column)?;
    let Some(&(own, _)) = rows.iter().find(|(_, other)| other == name) else {
        let known = rows.iter().map(|(_, other)| other.as_str());
        return Err(Problem::unknown(column, "row of the series called", name, known));
    };
    Ok(rows.iter().filter(|(number, _)| *number > own).count() as f64 + 1.0)
}

/// The values of the label for which it is true; there may be none.
fn which(truths: &Series<bool>, column: usize) -> Result<BTreeSet<String>, Problem> {
    let rows = of_one_label(truths, column)?;
    Ok(rows.into_iter().filter(|(holds, _)| *holds).map(|(_, name)| name).collect())
}
