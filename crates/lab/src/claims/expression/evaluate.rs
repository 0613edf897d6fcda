//! Tree to value.

use super::Problem;
use super::functions::call;
use super::select::{absent, select};
use super::tree::{Kind, Node, Operator, Selection};
use super::value::{Range, Series, Value, in_words};
use crate::claims::observations::Observations;
use std::collections::{BTreeMap, BTreeSet};

/// Words that a claim defines.
pub type Names = BTreeMap<String, Value>;

/// What came out, and what it lacks.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated {
    /// The value, or why there is none.
    pub value: Result<Value, Problem>,
    /// Points without figures that the expression selects, and why they have none.
    pub absent: BTreeSet<String>,
}

/// Evaluates an expression.
pub fn evaluate(node: &Node, observations: &Observations, names: &Names) -> Evaluated {
    let mut evaluator = Evaluator { observations, names, absent: BTreeSet::new() };
    let value = evaluator.value(node);
    Evaluated { value, absent: evaluator.absent }
}

/// Points without figures that an expression would select, also behind the selection that an evaluation ends at.
pub fn lacking(node: &Node, observations: &Observations) -> BTreeSet<String> {
    let selections = node.selections();
    selections.into_iter().flat_map(|selection| lacked(observations, selection)).collect()
}

fn lacked<'a>(
    observations: &'a Observations,
    selection: &'a Selection,
) -> impl Iterator<Item = String> + use<'a> {
    let missing = absent(observations, selection);
    missing.map(|point| format!("{}: {}", in_words(&point.labels), point.why))
}

pub(super) struct Evaluator<'a> {
    observations: &'a Observations,
    names: &'a Names,
    absent: BTreeSet<String>,
}

pub(super) type Outcome = Result<Value, Problem>;

impl Evaluator<'_> {
    pub(super) fn value(&mut self, node: &Node) -> Outcome {
        let column = node.column;
        match &node.kind {
            Kind::Number(number) => Ok(Value::Number(*number)),
            Kind::Text(text) => Ok(Value::Text(text.clone())),
            Kind::Truth(truth) => Ok(Value::Truth(*truth)),
            Kind::Name(name) => match self.names.get(name) {
                Some(value) => Ok(value.clone()),
                None => self.selected(&Selection { metric: name.clone(), filters: Vec::new() }, column),
            },
            Kind::Selection(selection) => self.selected(selection, column),
            Kind::List(parts) => {
                Ok(Value::List(parts.iter().map(|part| self.value(part)).collect::<Result<_, _>>()?))
            }
            Kind::Negate(part) => {
                let negated = arithmetic(Operator::Subtract, &Value::Number(0.0), &self.value(part)?, column);
                negated.map_err(|problem| Problem::at(column, problem.message))
            }
            Kind::Not(part) => match self.value(part)? {
                Value::Truth(truth) => Ok(Value::Truth(!truth)),
                Value::Truths(truths) => Ok(Value::Truths(truths.map(|truth| !truth))),
                other => {
                    Err(Problem::at(column, format!("`not` is for truths, and this is {}", other.kind())))
                }
            },
            Kind::Binary(operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                binary(*operator, &left, &right, column)
            }
            Kind::Range(low, high) => match (self.value(low)?, self.value(high)?) {
                (Value::Number(low), Value::Number(high)) if low <= high => {
                    Ok(Value::Range(Range::between(low, high)))
                }
                (Value::Number(_), Value::Number(_)) => Err(Problem::at(column, "the range is empty")),
                _ => Err(Problem::at(column, "a range is between two numbers")),
            },
            Kind::Call(name, parts) => call(self, name, parts, column),
        }
    }

    fn selected(&mut self, selection: &Selection, column: usize) -> Outcome {
        self.absent.extend(lacked(self.observations, selection));
        let words = self.names.keys().map(String::as_str);
        select(self.observations, selection, column, words).map(Value::Series)
    }
}

fn binary(operator: Operator, left: &Value, right: &Value, column: usize) -> Outcome {
    match operator {
        Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide => {
            arithmetic(operator, left, right, column)
        }
        Operator::And | Operator::Or => logic(operator, left, right, column),
        Operator::Within => within(left, right, column),
        _ => comparison(operator, left, right, column),
    }
}

/// Numbers and series; a number goes with each of a series.
fn arithmetic(operator: Operator, left: &Value, right: &Value, column: usize) -> Outcome {
    let compute = |one: f64, other: f64| match operator {
        Operator::Add => one + other,
        Operator::Subtract => one - other,
        Operator::Multiply => one * other,
        _ => one / other,
    };
    let finite = |series: Series<f64>| {
        let bad = series.by_labels.iter().find(|(_, number)| !number.is_finite());
        match bad {
            None => Ok(Value::Series(series)),
            Some((labels, _)) => Err(Problem::at(column, format!("no number for {}", in_words(labels)))),
        }
    };
    match (left, right) {
        (Value::Number(one), Value::Number(other)) => match compute(*one, *other) {
            number if number.is_finite() => Ok(Value::Number(number)),
            _ => Err(Problem::at(column, "this gives no number (a division by zero?)")),
        },
        (Value::Series(one), Value::Number(other)) => finite(one.map(|one| compute(one, *other))),
        (Value::Number(one), Value::Series(other)) => finite(other.map(|other| compute(*one, other))),
        (Value::Series(one), Value::Series(other)) => finite(one.join(other, column, compute)?),
        _ => Err(unfit("computes with numbers and series", left, right, column)),
    }
}

fn comparison(operator: Operator, left: &Value, right: &Value, column: usize) -> Outcome {
    let compare = |one: f64, other: f64| match operator {
        Operator::Less => one < other,
        Operator::AtMost => one <= other,
        Operator::Greater => one > other,
        Operator::AtLeast => one >= other,
        Operator::Equal => one == other,
        _ => one != other,
    };
    match (left, right) {
        (Value::Number(one), Value::Number(other)) => Ok(Value::Truth(compare(*one, *other))),
        (Value::Series(one), Value::Number(other)) => Ok(Value::Truths(one.map(|one| compare(one, *other)))),
        (Value::Number(one), Value::Series(other)) => {
            Ok(Value::Truths(other.map(|other| compare(*one, other))))
        }
        (Value::Series(one), Value::Series(other)) => Ok(Value::Truths(one.join(other, column, compare)?)),
        (Value::Set(set), Value::List(list)) | (Value::List(list), Value::Set(set))
            if matches!(operator, Operator::Equal | Operator::Unequal) =>
        {
            let named: Option<BTreeSet<String>> = list.iter().map(text).collect();
            let named = named.ok_or_else(|| unfit("compares a set with texts", left, right, column))?;
            Ok(Value::Truth((*set == named) == (operator == Operator::Equal)))
        }
        (Value::Text(_), Value::Text(_))
        | (Value::Truth(_), Value::Truth(_))
        | (Value::List(_), Value::List(_))
        | (Value::Set(_), Value::Set(_)) => match operator {
            Operator::Equal => Ok(Value::Truth(left == right)),
            Operator::Unequal => Ok(Value::Truth(left != right)),
            _ => Err(unfit("orders numbers and series", left, right, column)),
        },
        _ => Err(unfit("compares like with like", left, right, column)),
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    }
}

fn logic(operator: Operator, left: &Value, right: &Value, column: usize) -> Outcome {
    let decide = |one: bool, other: bool| match operator {
        Operator::And => one && other,
        _ => one || other,
    };
    match (left, right) {
        (Value::Truth(one), Value::Truth(other)) => Ok(Value::Truth(decide(*one, *other))),
        (Value::Truths(one), Value::Truths(other)) => Ok(Value::Truths(one.join(other, column, decide)?)),
        _ => Err(unfit("`and` and `or` are for truths", left, right, column)),
    }
}

fn within(left: &Value, right: &Value, column: usize) -> Outcome {
    match (left, right) {
        (Value::Number(number), Value::Range(range)) => Ok(Value::Truth(range.contains(*number))),
        (Value::Series(series), Value::Range(range)) => {
            Ok(Value::Truths(series.map(|number| range.contains(number))))
        }
        _ => Err(unfit("`in` is for numbers and a range", left, right, column)),
    }
}

fn unfit(what: &str, left: &Value, right: &Value, column: usize) -> Problem {
    Problem::at(column, format!("{what}: here are {} and {}", left.kind(), right.kind()))
}
