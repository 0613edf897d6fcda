//! `heddle graph generate`.

use crate::arguments::{CommonArguments, GenerateArguments};
use crate::export::export;
use crate::failure::Failure;
use crate::input;
use crate::progress::Bar;
use crate::target::Target;
use heddle_graph::read::ReadOptions;
use heddle_graph::source;
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
        // A bare word that names no generator gets the generator's error, not the file reader's.
        let named = if input::is_recipe(recipe) { recipe.clone() } else { format!("{recipe}:") };
        let loaded = source::load(&named, &ReadOptions { progress: &progress, ..ReadOptions::default() })?;
        input::apply(loaded, &arguments.transforms, &progress)
    };
    export(recipe, loaded, &target, arguments.write.json, common)
}
