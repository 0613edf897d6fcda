//! The page of `heddle explain`.

use super::mechanisms;
use super::page::Page;
use crate::commands::{Explanation, Judgement};
use heddle_machine::{Parameter, ParameterOrigin};

/// Characters of a line of prose.
const WIDTH: usize = 100;

/// Makes the page.
pub(crate) fn page(explanation: &Explanation) -> String {
    let mut page = Page::new();
    page.section(&explanation.name);
    page.row("what it does", &explanation.description);
    page.row("described in", &explanation.source);
    if !explanation.settings.is_empty() {
        let sets = explanation.settings.iter().map(|(key, value)| format!("{key} = {value}"));
        page.row("sets", sets.collect::<Vec<_>>().join(", "));
    }
    page.section("How it works");
    match explanation.how.trim() {
        "" => page.line("  Its file does not say (`how`)."),
        how => prose(&mut page, how),
    }
    parameters(&mut page, explanation);
    page.section(&format!("Cost on {}", explanation.machine));
    match (explanation.bits, &explanation.refusal) {
        (Some(bits), _) => {
            page.row("bits", mechanisms::signed(bits));
            if bits != 0 {
                page.row("area", mechanisms::area(bits));
            }
        }
        (None, Some(refusal)) => page.line(&format!("  The machine cannot have it: {refusal}")),
        (None, None) => page.row("bits", "-"),
    }
    if !explanation.conflicts.is_empty() {
        page.section("Does not go together with");
        for (with, because) in &explanation.conflicts {
            page.row(with, because);
        }
    }
    judged_by(&mut page, explanation);
    page.finish()
}

/// Paragraphs, each broken into lines between words.
fn prose(page: &mut Page, text: &str) {
    for (number, paragraph) in text.split("\n\n").enumerate() {
        if number > 0 {
            page.line("");
        }
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
                page.line(&format!("  {line}"));
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        page.line(&format!("  {line}"));
    }
}

fn parameters(page: &mut Page, explanation: &Explanation) {
    let Some(parameters) = explanation.parameters.as_ref().filter(|parameters| !parameters.is_empty()) else {
        return;
    };
    page.section(&format!("Parameters on {} (--set KEY=VALUE)", explanation.machine));
    let row = |parameter: &Parameter| {
        let origin = match parameter.origin {
            Some(ParameterOrigin::Published) => "published",
            Some(ParameterOrigin::Chosen) => "chosen",
            None => "-",
        };
        vec![parameter.key.clone(), parameter.value.clone(), origin.to_owned(), parameter.because.clone()]
    };
    let rows: Vec<Vec<String>> = parameters.iter().map(row).collect();
    page.table(&["key", "value", "origin", "where, or why"], &[0, 2, 3], &rows);
}

fn judged_by(page: &mut Page, explanation: &Explanation) {
    page.section("Judged by (`heddle claims --only ID`)");
    if explanation.claims.is_empty() {
        page.line("  no claim");
    } else {
        let row = |claim: &Judgement| {
            [&claim.id, &claim.published, &claim.agrees_when, &claim.source, &claim.what]
                .map(Clone::clone)
                .into()
        };
        let rows: Vec<Vec<String>> = explanation.claims.iter().map(row).collect();
        page.table(&["claim", "published", "agrees when", "source", "what"], &[0, 1, 2, 3, 4], &rows);
    }
    page.section("Run by (`heddle sweep NAME`)");
    match explanation.experiments.as_slice() {
        [] => page.line("  no experiment"),
        names => page.line(&format!("  {}", names.join(", "))),
    }
}
