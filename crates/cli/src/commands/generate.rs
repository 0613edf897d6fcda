//! `heddle graph generate`.

use crate::arguments::{CommonArguments, GenerateArguments};
use crate::export::export;
use crate::failure::Failure;
use crate::input;
use crate::progress::Bar;
use crate::target::Target;
use heddle_graph::generate::generate;
use heddle_graph::surrogate;
use std::path::Path;

/// Generates a graph and writes it.
pub(super) fn run(arguments: &GenerateArguments, common: CommonArguments) -> Result<(), Failure> {
    let recipe = &arguments.recipe;
    if Path::new(recipe).exists() {
        let help = format!("use heddle graph convert {recipe} {}", arguments.output.display());
        return Err(Failure::usage(format!("{recipe} is a file, not a recipe"), help));
    }
    let target = Target::new(&arguments.output, &arguments.write)?;
    let loaded = {
        let progress = Bar::new(common.quiet);
        let loaded = match recipe.strip_prefix(surrogate::SCHEME).and_then(|rest| rest.strip_prefix(':')) {
            Some(name) => surrogate::generate(name, &progress)?,
            None => generate(recipe, &progress)?,
        };
        input::apply(loaded, &arguments.transforms, &progress)
    };
    export(recipe, loaded, &target, arguments.write.json, common)
}
