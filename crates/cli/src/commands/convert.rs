//! `heddle graph convert`.

use crate::arguments::{CommonArguments, ConvertArguments};
use crate::export::export;
use crate::failure::Failure;
use crate::input;
use crate::outputs::Outputs;
use crate::progress::Bar;
use crate::target::Target;
use heddle_graph::read::WeightPolicy;
use std::path::Path;

/// Reads a graph, changes it as asked and writes it.
pub(super) fn run(arguments: &ConvertArguments, common: CommonArguments) -> Result<(), Failure> {
    let target = Target::new(&arguments.output, &arguments.write)?;
    if let Some(output) = &target.path {
        // What is read is not replaced, whatever is forced.
        let mut outputs = Outputs::new(true);
        let files = heddle_graph::read::files(Path::new(&arguments.input));
        files.iter().for_each(|file| outputs.reads("the graph to convert", file));
        outputs.writes("the output", output);
        outputs.check()?;
    }
    let loaded = {
        let progress = Bar::new(common.quiet);
        let loaded = input::load(&arguments.input, &arguments.read, WeightPolicy::Refuse, &progress)?;
        input::apply(loaded, &arguments.transforms, &progress)
    };
    export(&arguments.input.to_string_lossy(), loaded, &target, arguments.write.json, common)
}
