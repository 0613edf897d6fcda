//! `heddle graph info`.

use crate::arguments::{CommonArguments, InfoArguments};
use crate::describe::{Wanted, describe, machine};
use crate::failure::Failure;
use crate::progress::Bar;
use crate::{input, output, view};
use heddle_graph::read::WeightPolicy;
use heddle_graph::transform::Transform;
use std::ffi::OsStr;

/// What is described if the user names nothing.
const EXAMPLE: &str = "rmat:scale=16,degree=8";

/// Describes a graph.
pub(super) fn run(arguments: &InfoArguments, common: CommonArguments) -> Result<(), Failure> {
    let graph = arguments.graph.as_deref().unwrap_or(OsStr::new(EXAMPLE));
    let machine = machine(arguments.machine)?;
    let description = {
        let progress = Bar::new(common.quiet);
        let loaded = input::load(graph, &arguments.read, WeightPolicy::Describe, &progress)?;
        let loaded = input::apply(loaded, &arguments.transforms, &progress);
        let wanted = Wanted {
            source: arguments.source,
            quick: arguments.quick,
            machine,
            weights_generated: arguments.transforms.iter().any(|t| matches!(t, Transform::Weights { .. })),
        };
        describe(&graph.to_string_lossy(), loaded, &wanted, &progress)?
    };
    match arguments.json {
        true => output::json(&description),
        false => output::page(&view::info::page(&description)),
    }
}
