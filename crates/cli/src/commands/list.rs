//! `heddle graph list`.
//!
//! The figures of generated surrogates come from the record, because to generate all of them takes
//! minutes; `--measure` generates them now.

use crate::arguments::{CommonArguments, ListArguments};
use crate::failure::Failure;
use crate::progress::Bar;
use crate::view::list::{GeneratorEntry, Listing, SurrogateEntry};
use crate::{output, view};
use heddle_graph::error::nearest;
use heddle_graph::generate::GENERATORS;
use heddle_graph::surrogate::{self, Measured, Surrogate};

/// Lists what can be generated.
pub(super) fn run(arguments: &ListArguments, common: CommonArguments) -> Result<(), Failure> {
    let surrogates = surrogate::list();
    let surrogates = match &arguments.measure {
        None => {
            let recorded = |of: &Surrogate| entry(of, surrogate::recorded(&of.name));
            surrogates.iter().map(recorded).collect()
        }
        Some(names) => measured(&chosen(surrogates, names)?, common)?,
    };
    if arguments.tsv {
        return output::page(&view::list::tsv(&surrogates));
    }
    let listing = Listing { generators: GENERATORS.iter().map(GeneratorEntry::new).collect(), surrogates };
    match arguments.json {
        true => output::json(&listing),
        false => output::page(&view::list::page(&listing, arguments.measure.is_some())),
    }
}

fn entry(surrogate: &Surrogate, measured: Option<Measured>) -> SurrogateEntry {
    SurrogateEntry {
        name: surrogate.name.clone(),
        document: surrogate.document.clone(),
        recipe: surrogate.recipe.clone(),
        published: (&surrogate.published).into(),
        generated: measured.as_ref().map(Into::into),
        measured,
    }
}

/// The surrogates of these names, or all of them.
fn chosen(surrogates: Vec<Surrogate>, names: &[String]) -> Result<Vec<Surrogate>, Failure> {
    if names.is_empty() {
        return Ok(surrogates);
    }
    let find = |name: &String| {
        let name = name.strip_prefix("surrogate:").unwrap_or(name);
        surrogate::by_name(name).ok_or_else(|| unknown(&surrogates, name))
    };
    names.iter().map(find).collect()
}

fn unknown(surrogates: &[Surrogate], name: &str) -> Failure {
    let failure = Failure::new(format!("no surrogate is called `{name}`"));
    match nearest(name, surrogates.iter().flat_map(Surrogate::names)) {
        Some(near) => failure.with_help(format!("did you mean `{near}`?")),
        None => failure.with_help("`heddle graph list` shows them all"),
    }
}

fn measured(surrogates: &[Surrogate], common: CommonArguments) -> Result<Vec<SurrogateEntry>, Failure> {
    let progress = Bar::new(common.quiet);
    let measure = |surrogate: &Surrogate| {
        let graph = surrogate::generate(&surrogate.name, &progress)?.graph;
        Ok(entry(surrogate, Some(Measured::of(&graph))))
    };
    surrogates.iter().map(measure).collect()
}
