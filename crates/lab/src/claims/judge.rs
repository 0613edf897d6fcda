//! A claim beside the results of its experiment: value, range over invocations, verdict.

use super::book::{Cause, Claim};
use super::evaluation::{Evaluation, Measured, Shown};
use super::expression::{Names, Node, Value, evaluate, lacking};
use super::ledger::{Entry, Verdict};
use super::observations::Observations;
use crate::scale::Scale;
use std::collections::BTreeSet;

/// Effects smaller than this have no sign: half a percent is nothing that a change of scale could turn around.
const EFFECT_MIN: f64 = 0.005;
/// How many points without figures are named.
const ABSENT_SHOWN: usize = 3;

/// A value of a claim in the committed ledger of a larger scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Larger {
    /// The scale.
    pub scale: Scale,
    /// The value.
    pub value: f64,
}

/// Judges a claim. `results` are those of its experiment at this scale; claims that need more than there is look at none.
pub fn judge(claim: &Claim, scale: Scale, results: &Observations, larger: &[Larger]) -> Entry {
    let entry = Entry::new(&claim.published, scale);
    let measured = match &claim.evaluation {
        Evaluation::NotYet(needs) => {
            return entry.with(Verdict::NotYet, format!("needs {}", needs.join("; ")));
        }
        Evaluation::Measured(measured) => measured,
    };
    if results.rows.is_empty() && results.absent.is_empty() {
        let why = format!("experiment {} has no results at the scale {scale}", measured.experiments());
        return entry.with(Verdict::Incomplete, why);
    }
    let mut figures = Figures::default();
    let judged = figures.measure(claim, measured, scale, results);
    let entry = Entry {
        ours: figures.ours(measured.shown),
        value: figures.number(),
        minimum: figures.minimum,
        maximum: figures.maximum,
        range: figures.range_in_words(measured.shown),
        invocations: figures.invocations,
        ..entry
    };
    if !figures.absent.is_empty() {
        let all = measured.expressions_at(scale).map(|node| lacking(node, results));
        figures.absent.extend(all.flatten());
        return Entry { ours: None, value: None, ..entry }
            .with(Verdict::Incomplete, absence(&figures.absent));
    }
    let agrees = match judged {
        Ok(agrees) => agrees,
        Err(problem) => {
            let why = format!("experiment {}: {problem}", measured.experiments());
            return entry.with(Verdict::Incomplete, why);
        }
    };
    if let Some(other) = turned(figures.number(), measured.shown, larger) {
        let there = written(other.value, measured.shown);
        let why = format!("the effect has the other sign at {} ({there})", other.scale);
        return entry.with(Verdict::NotJudged, why);
    }
    match agrees {
        true => entry.with(Verdict::Agrees, String::new()),
        false => entry.with(Verdict::DoesNotAgree, cause(claim)),
    }
}

/// Why ours differs: a cause is one that an experiment has shown, whatever else is known.
fn cause(claim: &Claim) -> String {
    match &claim.cause {
        Some(Cause::Shown(shown)) => format!("{} (experiment {})", shown.cause, shown.experiment),
        Some(Cause::Unknown(remark)) => format!("unknown: {remark}"),
        None => "unknown".to_owned(),
    }
}

fn absence(absent: &BTreeSet<String>) -> String {
    let named: Vec<&str> = absent.iter().take(ABSENT_SHOWN).map(String::as_str).collect();
    let more = absent.len().saturating_sub(ABSENT_SHOWN);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let have = if absent.len() == 1 { "has" } else { "have" };
    format!("{} of its points {have} no figures: {}{more}", absent.len(), named.join("; "))
}

/// What is measured of a claim.
#[derive(Default)]
struct Figures {
    value: Option<Value>,
    /// What `holds` gave, where there is no value to show.
    holds: Option<bool>,
    minimum: Option<f64>,
    maximum: Option<f64>,
    invocations: Option<usize>,
    absent: BTreeSet<String>,
}

impl Figures {
    /// Evaluates all expressions of a claim. Gives whether it agrees, or why that is unknown.
    fn measure(
        &mut self,
        claim: &Claim,
        measured: &Measured,
        scale: Scale,
        results: &Observations,
    ) -> Result<bool, String> {
        let mut names = Names::new();
        let band = claim.published.band();
        names.extend(band.map(|band| ("band".to_owned(), Value::Range(band.range))));
        for (name, definition) in &measured.definitions {
            let value = self.evaluate(&format!("let.{name}"), definition.at(scale), results, &names)?;
            names.insert(name.clone(), value);
        }
        if let Some(each) = &measured.each {
            let each = self.evaluate("each", each, results, &names)?;
            self.take_range(&each);
            names.insert("each".to_owned(), each);
        }
        if let Some(value) = &measured.value {
            let value = self.evaluate("value", value, results, &names)?;
            self.value = Some(value.clone());
            names.insert("value".to_owned(), value);
        }
        if let Some(holds) = &measured.holds {
            let Value::Truth(holds) = self.evaluate("holds", holds, results, &names)? else {
                return Err("`holds` must give true or false".to_owned());
            };
            self.holds = Some(holds);
            return Ok(holds);
        }
        match (&self.value, band) {
            (Some(Value::Number(value)), Some(band)) => Ok(band.range.contains(*value)),
            _ => Err("`value` must give a number, which the band judges".to_owned()),
        }
    }

    /// Evaluates the expression of a key.
    fn evaluate(
        &mut self,
        key: &str,
        node: &Node,
        results: &Observations,
        names: &Names,
    ) -> Result<Value, String> {
        let evaluated = evaluate(node, results, names);
        self.absent.extend(evaluated.absent);
        evaluated.value.map_err(|problem| format!("{key}: {problem}"))
    }

    /// Minimum, maximum and count over the invocations.
    fn take_range(&mut self, each: &Value) {
        if let Value::Series(series) = each {
            self.minimum = series.values().reduce(f64::min);
            self.maximum = series.values().reduce(f64::max);
            self.invocations = Some(series.by_labels.len());
        }
    }

    fn range_in_words(&self, shown: Shown) -> Option<String> {
        Some(format!("{} to {}", written(self.minimum?, shown), written(self.maximum?, shown)))
    }

    fn number(&self) -> Option<f64> {
        match self.value {
            Some(Value::Number(number)) => Some(number),
            _ => None,
        }
    }

    /// The value in words.
    fn ours(&self, shown: Shown) -> Option<String> {
        match (&self.value, self.holds) {
            (Some(Value::Number(number)), _) => Some(written(*number, shown)),
            (Some(Value::List(values)), _) => {
                let number = |value: &Value| match value {
                    Value::Number(number) => written(*number, shown),
                    Value::Text(text) => text.clone(),
                    other => other.kind().to_owned(),
                };
                Some(values.iter().map(number).collect::<Vec<_>>().join(", "))
            }
            (Some(Value::Set(set)), _) => Some(set.iter().cloned().collect::<Vec<_>>().join(", ")),
            (_, Some(true)) => Some("holds".to_owned()),
            (_, Some(false)) => Some("does not hold".to_owned()),
            _ => None,
        }
    }
}

/// A number as the ledger shows it.
pub fn written(number: f64, shown: Shown) -> String {
    match shown {
        Shown::Ratio => format!("{number:.3}"),
        Shown::Gain => format!("{:+.1} %", 100.0 * number),
        Shown::Share => format!("{:.1} %", 100.0 * number),
        Shown::Figure if number.fract() == 0.0 => format!("{number}"),
        Shown::Figure => {
            let text = format!("{number:.4}");
            text.trim_end_matches('0').to_owned()
        }
    }
}

/// The larger scale at which the effect has the other sign, if there is one.
fn turned(value: Option<f64>, shown: Shown, larger: &[Larger]) -> Option<Larger> {
    let neutral = match shown {
        Shown::Ratio => 1.0,
        Shown::Gain => 0.0,
        Shown::Share | Shown::Figure => return None,
    };
    let effect = value? - neutral;
    let is_opposite = |other: &&Larger| {
        let there = other.value - neutral;
        effect.abs() >= EFFECT_MIN && there.abs() >= EFFECT_MIN && effect * there < 0.0
    };
    larger.iter().find(is_opposite).copied()
}
