//! Numbers of expressions beside the words of the table of claims: so that no figure of a band can be changed, every
//! number that an expression compares with stands in the claim's line of the table, or is listed with where it is from;
//! and every number of the words that say when a claim agrees is in an expression, or is listed with the reason.

use super::book::Claim;
use super::evaluation::{Evaluation, Measured};
use super::expression::{Kind, Node, Operator, Range};

/// What changes units, where something is multiplied or divided by it.
const UNITS: [f64; 3] = [100.0, 1000.0, 1024.0];

/// No difference, and the ratio of equals.
const NEUTRAL: [f64; 2] = [0.0, 1.0];

/// Numbers in words.
const WORDS: [(&str, f64); 10] = [
    ("half", 0.5),
    ("both", 2.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("ten", 10.0),
];

/// Numbers of a claim that come from nowhere, or that nothing looks at; in sentences.
pub fn problems(claim: &Claim) -> Vec<String> {
    let Evaluation::Measured(measured) = &claim.evaluation else { return Vec::new() };
    let published = &claim.published;
    let line = format!("{} {} {}", published.what, published.published, published.agrees_when);
    let mut said: Vec<f64> = numbers(&line, false).collect();
    said.extend(WORDS.iter().filter(|(word, _)| has_word(&line, word)).map(|(_, number)| number));
    let listed: Vec<f64> = measured.numbers.iter().flat_map(|numbers| numbers.are.clone()).collect();
    let mut written = Vec::new();
    measured.expressions().for_each(|node| literals(node, &mut written));
    let is_said = |number: f64| {
        NEUTRAL.contains(&number)
            || listed.contains(&number)
            || said.iter().any(|&said| is_close(said, number) || is_close(said / 100.0, number))
    };
    let unsaid = written.iter().filter(|&&number| !is_said(number));
    let unsaid =
        unsaid.map(|number| format!("{number} stands in no word of its line, and `numbers` lacks it"));
    let band = published.band();
    if band.is_some_and(|band| band.is_plain) {
        return unsaid.collect();
    }
    let uses_band = measured.expressions().any(|node| node.names().contains(&"band"));
    let lengths = lengths(measured);
    let is_used = |number: f64| {
        uses_band && band.is_some_and(|band| ends(&band.range).any(|end| is_percent_of(number, end)))
            || written.iter().any(|&written| is_percent_of(number, written))
            || listed.contains(&number)
            || NEUTRAL.contains(&number)
            || lengths.contains(&number)
            || is_named(measured, number)
    };
    let unused = numbers(&published.agrees_when, true).filter(|&number| !is_used(number));
    let unused = unused.map(|number| {
        format!(
            "no expression has the {number} of `{}`, and `numbers` does not say why",
            published.agrees_when
        )
    });
    unsaid.chain(unused).collect()
}

fn is_close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-12 * one.abs().max(other.abs())
}

/// Whether a number of the words, which may be percent or points, is a number of an expression.
fn is_percent_of(word: f64, written: f64) -> bool {
    is_close(word, written) || is_close(word / 100.0, written)
}

fn ends(range: &Range) -> impl Iterator<Item = f64> {
    range.low.into_iter().chain(range.high).map(|end| end.at)
}

/// The numbers that an expression writes, without decimals of rounding and changes of units.
fn literals(node: &Node, found: &mut Vec<f64>) {
    let is_unit = |node: &Node| matches!(node.kind, Kind::Number(number) if UNITS.contains(&number));
    match &node.kind {
        Kind::Number(number) => found.push(*number),
        Kind::Call(name, parts) if name == "round" => {
            parts.iter().take(1).for_each(|part| literals(part, found))
        }
        Kind::Call(_, parts) | Kind::List(parts) => parts.iter().for_each(|part| literals(part, found)),
        Kind::Negate(part) | Kind::Not(part) => literals(part, found),
        Kind::Binary(operator, left, right) => {
            let scales = matches!(operator, Operator::Multiply | Operator::Divide);
            let sides = [left, right].into_iter().filter(|side| !(scales && is_unit(side)));
            sides.for_each(|side| literals(side, found));
        }
        Kind::Range(low, high) => [low, high].into_iter().for_each(|end| literals(end, found)),
        Kind::Text(_) | Kind::Truth(_) | Kind::Name(_) | Kind::Selection(_) => {}
    }
}

/// How long the lists of the expressions are: `four of five` may be five comparisons.
fn lengths(measured: &Measured) -> Vec<f64> {
    let mut found = Vec::new();
    for node in measured.expressions() {
        node.visit(&mut |node| {
            if let Kind::List(parts) = &node.kind {
                found.push(parts.len() as f64);
            }
        });
    }
    found
}

/// Whether the value of a label has the number in it.
fn is_named(measured: &Measured, number: f64) -> bool {
    let selections = measured.expressions().flat_map(Node::selections);
    let mut values = selections.flat_map(|selection| &selection.filters).flat_map(|filter| &filter.values);
    values.any(|value| numbers(value, false).any(|named| is_close(named, number)))
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|other| other.eq_ignore_ascii_case(word))
}

/// The numbers of a text, without signs. Those of a name, such as the 2 of `L2`, are none; where names are left out,
/// neither is the 22 of `rgg-22`.
fn numbers(text: &str, without_names: bool) -> impl Iterator<Item = f64> + '_ {
    let is_split = |c: char| c.is_whitespace() || ",;()=".contains(c);
    let is_name = move |word: &&str| without_names && word.starts_with(char::is_alphabetic);
    let words = text.split(is_split).filter(move |word| !is_name(word));
    words.flat_map(|word| {
        let parts = word.split(|c: char| !(c.is_ascii_alphanumeric() || "._".contains(c)));
        parts.flat_map(|part| part.split("..")).filter_map(number)
    })
}

/// The number that a word begins with: `3x`, `.35`, `5376`; none of one that is a name.
fn number(word: &str) -> Option<f64> {
    let digits = word.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(word.len());
    let unit = &word[digits..];
    (unit.len() <= 1 && !unit.starts_with('_'))
        .then(|| word[..digits].trim_end_matches('.').parse().ok())
        .flatten()
}
