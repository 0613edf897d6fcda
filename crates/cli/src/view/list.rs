//! The pages of `heddle graph list`.

use super::page::Page;
use super::text::{or_dash, thousands};
use crate::figures::Figures;
use heddle_graph::generate::{Generator, Parameter, ParameterKind};
use heddle_graph::surrogate::Measured;
use serde::Serialize;

/// Everything that can be generated.
#[derive(Debug, Serialize)]
pub(crate) struct Listing {
    pub(crate) generators: Vec<GeneratorEntry>,
    pub(crate) surrogates: Vec<SurrogateEntry>,
}

/// A generator and its keys.
#[derive(Debug, Serialize)]
pub(crate) struct GeneratorEntry {
    name: &'static str,
    summary: &'static str,
    parameters: Vec<ParameterEntry>,
}

#[derive(Debug, Serialize)]
struct ParameterEntry {
    name: &'static str,
    default: &'static str,
    values: String,
    summary: &'static str,
}

/// A surrogate: what is published, and what is generated if that has been measured.
#[derive(Debug, Serialize)]
pub(crate) struct SurrogateEntry {
    pub(crate) name: String,
    pub(crate) document: String,
    pub(crate) recipe: String,
    pub(crate) published: Figures,
    pub(crate) generated: Option<Figures>,
    /// What `generated` was made from; the record has it line by line.
    #[serde(skip)]
    pub(crate) measured: Option<Measured>,
}

impl GeneratorEntry {
    pub(crate) fn new(generator: &Generator) -> GeneratorEntry {
        GeneratorEntry {
            name: generator.name,
            summary: generator.summary,
            parameters: generator.parameters.iter().map(ParameterEntry::new).collect(),
        }
    }
}

impl ParameterEntry {
    fn new(parameter: &Parameter) -> ParameterEntry {
        let values = match parameter.kind {
            ParameterKind::Integer { min, max } | ParameterKind::Size { min, max, .. } => range(min, max),
            ParameterKind::Real { min, max } => format!("{min} to {max}"),
            ParameterKind::Word(words) => words.join(", "),
        };
        ParameterEntry {
            name: parameter.name,
            default: parameter.default,
            values,
            summary: parameter.summary,
        }
    }
}

fn range(min: u64, max: u64) -> String {
    if max == u64::MAX { format!("{min} or more") } else { format!("{min} to {max}") }
}

/// The page for people.
pub(crate) fn page(listing: &Listing, measured: bool) -> String {
    let mut page = Page::new();
    page.section("Generators (GENERATOR:KEY=VALUE,…; keys that are left out have the value shown)");
    for generator in &listing.generators {
        page.line("");
        page.line(&format!("  {:14} {}", generator.name, generator.summary));
        for parameter in &generator.parameters {
            let set = match parameter.default {
                "" => parameter.name.to_owned(),
                default => format!("{}={default}", parameter.name),
            };
            page.line(&format!("    {set:20} {} ({})", parameter.summary, parameter.values));
        }
    }
    if !listing.surrogates.is_empty() {
        surrogates(&mut page, &listing.surrogates, measured);
    }
    page.finish()
}

fn surrogates(page: &mut Page, surrogates: &[SurrogateEntry], measured: bool) {
    let origin = if measured { "measured now" } else { "as recorded; --measure measures them now" };
    page.section(&format!(
        "Surrogates (surrogate:NAME or surrogate:NAME,shrink=K; generated figures {origin})"
    ));
    page.line("");
    let head = [
        "name",
        "figures",
        "vertices",
        "arcs",
        "degree",
        "max degree",
        "depth",
        "diameter",
        "class",
        "document",
    ];
    let mut rows = Vec::with_capacity(2 * surrogates.len());
    for surrogate in surrogates {
        rows.push(row(&surrogate.name, "published", Some(&surrogate.published), &surrogate.document));
        rows.push(row("", "generated", surrogate.generated.as_ref(), ""));
    }
    page.table(&head, &[0, 1, 8, 9], &rows);
    page.line("");
    page.line("  depth: iterations of a breadth-first search from the first vertex of largest degree");
    page.line("  diameter: the longer of that search and one from the vertex it reaches last, in hops along the arcs");
}

fn row(name: &str, which: &str, figures: Option<&Figures>, document: &str) -> Vec<String> {
    let number = |pick: fn(&Figures) -> Option<u64>| or_dash(figures.and_then(pick).map(thousands));
    vec![
        name.to_string(),
        which.to_string(),
        number(|figures| Some(figures.vertices)),
        number(|figures| Some(figures.arcs)),
        or_dash(figures.map(|figures| format!("{:.1}", figures.degree_average))),
        number(|figures| figures.degree_max),
        number(|figures| figures.depth),
        number(|figures| figures.diameter),
        or_dash(figures.and_then(|figures| figures.taxonomy.clone())),
        document.to_string(),
    ]
}

/// The generated figures as tab-separated text: the format of the record.
pub(crate) fn tsv(surrogates: &[SurrogateEntry]) -> String {
    let lines = surrogates.iter().filter_map(|entry| Some(entry.measured.as_ref()?.line(&entry.name)));
    std::iter::once(Measured::HEAD.to_string()).chain(lines).map(|line| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(arcs: u64, depth: Option<u64>) -> Figures {
        Figures {
            vertices: 1000,
            arcs,
            degree_average: arcs as f64 / 1000.0,
            degree_max: Some(90),
            depth,
            diameter: None,
            taxonomy: Some("HML".to_string()),
        }
    }

    fn listing(generated: Option<Figures>) -> Listing {
        let entry = SurrogateEntry {
            name: "tiny".to_string(),
            document: "a table".to_string(),
            recipe: "grid".to_string(),
            published: figures(2500, None),
            generated,
            measured: None,
        };
        Listing { generators: Vec::new(), surrogates: vec![entry] }
    }

    fn cells(page: &str, which: &str) -> Vec<String> {
        let line = page.lines().find(|line| line.starts_with("  ") && line.contains(which)).unwrap();
        line.split_whitespace().skip_while(|&cell| cell != which).map(str::to_string).collect()
    }

    #[test]
    fn published_figures_stand_above_generated_ones() {
        let page = page(&listing(Some(figures(2510, Some(7)))), false);
        let published = ["published", "1,000", "2,500", "2.5", "90", "-", "-", "HML", "a", "table"];
        assert_eq!(cells(&page, "published"), published);
        assert_eq!(cells(&page, "generated"), ["generated", "1,000", "2,510", "2.5", "90", "7", "-", "HML"]);
    }

    #[test]
    fn what_has_not_been_measured_is_a_dash_and_not_in_the_record() {
        let listing = listing(None);
        assert_eq!(cells(&page(&listing, false), "generated")[1..], ["-"; 7]);
        assert_eq!(tsv(&listing.surrogates), format!("{}\n", Measured::HEAD));
    }
}
