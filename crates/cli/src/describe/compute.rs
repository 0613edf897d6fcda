//! Measures a graph.

use super::{Bfs, Bucket, Components, Degree, Description, Taxonomy};
use crate::arguments::MachineArguments;
use crate::failure::Failure;
use heddle_graph::Csr;
use heddle_graph::metrics::taxonomy::{self, TaxonomyMachine};
use heddle_graph::metrics::{components, degree, diameter, multiplicity, traversal};
use heddle_graph::progress::Progress;
use heddle_graph::source::{Loaded, Origin, WeightsSeen};

/// What the user wants to know beside the plain figures.
pub(crate) struct Wanted {
    /// Where the search starts.
    pub(crate) source: Option<u32>,
    /// Without components and diameter.
    pub(crate) quick: bool,
    /// What the taxonomy measures against.
    pub(crate) machine: TaxonomyMachine,
    /// Whether a transform gave the graph its weights.
    pub(crate) weights_generated: bool,
}

/// The machine that the user names, if there can be one.
pub(crate) fn machine(arguments: MachineArguments) -> Result<TaxonomyMachine, Failure> {
    let MachineArguments { cores, l1, l2, thread_block, warp } = arguments;
    let machine = TaxonomyMachine { cores, l1_bytes: l1.0, l2_bytes: l2.0, thread_block, warp };
    let help = "see --cores, --l1, --l2, --thread-block and --warp";
    machine.check().map_err(|problem| Failure::usage(problem, help))?;
    Ok(machine)
}

/// Measures what was loaded as `input`.
pub(crate) fn describe(
    input: &str,
    loaded: Loaded,
    wanted: &Wanted,
    progress: &dyn Progress,
) -> Result<Description, Failure> {
    let Loaded { graph, origin, weights, mut notes } = loaded;
    let csr = graph.out_edges();
    let bfs = step(progress, "searching", || search(input, csr, wanted.source))?;
    let taxonomy = step(progress, "classifying", || classify(csr, &wanted.machine, &mut notes));
    if wanted.quick {
        notes.push("components and diameter are left out, as --quick asks".to_string());
    }
    // Before the diameter, which makes the incoming arcs, so that the two are not in memory at once.
    let components = (!wanted.quick).then(|| step(progress, "components", || connected(csr)));
    let diameter = (!wanted.quick).then(|| step(progress, "diameter", || diameter::estimate(&graph)));
    let weights = weights_word(weights, wanted.weights_generated);
    let (format, recipe, stored_bytes) = provenance(origin);
    Ok(Description {
        input: input.to_string(),
        format,
        recipe,
        stored_bytes,
        vertices: graph.num_vertices(),
        arcs: graph.num_arcs(),
        directed: graph.is_directed(),
        weighted: weights != "none",
        weights,
        self_loops: multiplicity::self_loops(csr),
        duplicates: step(progress, "comparing arcs", || multiplicity::duplicates(csr)),
        symmetric: step(progress, "comparing arcs", || multiplicity::graph_is_symmetric(&graph)),
        memory_bytes: csr.bytes(),
        degree: degrees(csr),
        degree_histogram: histogram(csr),
        components,
        bfs,
        diameter_estimate: diameter.map(|found| u64::from(found.lower_bound)),
        diameter_upper_bound: diameter.map(|found| u64::from(found.upper_bound)),
        taxonomy,
        notes,
    })
}

/// One step of unknown length.
fn step<T>(progress: &dyn Progress, name: &str, work: impl FnOnce() -> T) -> T {
    progress.begin(name, 1);
    let result = work();
    progress.advance(1);
    result
}

/// Format, recipe and size on disk.
fn provenance(origin: Origin) -> (String, Option<String>, Option<u64>) {
    match origin {
        Origin::File { format, stored_bytes, .. } => (format.name().to_string(), None, Some(stored_bytes)),
        Origin::Generated { recipe } => ("generated".to_string(), Some(recipe), None),
    }
}

fn weights_word(weights: WeightsSeen, generated: bool) -> &'static str {
    match weights {
        _ if generated => "generated",
        WeightsSeen::None => "none",
        WeightsSeen::Held => "held",
        WeightsSeen::Converted => "converted",
        WeightsSeen::Dropped => "dropped",
    }
}

fn degrees(csr: &Csr) -> Degree {
    let figures = degree::degree_statistics(csr);
    Degree {
        min: figures.min,
        max: figures.max,
        mean: figures.mean,
        standard_deviation: figures.standard_deviation,
        median: figures.median,
        p90: figures.p90,
        p99: figures.p99,
    }
}

fn histogram(csr: &Csr) -> Vec<Bucket> {
    let bucket =
        |bucket: degree::Bucket| Bucket { from: bucket.low, to: bucket.high, vertices: bucket.vertices };
    degree::degree_histogram(csr).buckets.into_iter().map(bucket).collect()
}

fn connected(csr: &Csr) -> Components {
    let found = components::weakly_connected(csr);
    Components { count: found.count, largest: found.largest }
}

fn search(input: &str, csr: &Csr, source: Option<u32>) -> Result<Option<Bfs>, Failure> {
    let vertices = csr.num_vertices();
    if let Some(source) = source.filter(|&source| source >= vertices) {
        let problem = format!("{input}: there is no vertex {source} to start at");
        let help = match vertices {
            0 => "leave --source out; the graph has no vertex".to_string(),
            _ => format!("vertices are 0 to {}", vertices - 1),
        };
        return Err(Failure::new(problem).with_help(help));
    }
    let Some(start) = source.or_else(|| csr.first_of_largest_degree()) else { return Ok(None) };
    let levels = traversal::bfs_levels(csr, start);
    Ok(Some(Bfs {
        source: start,
        source_given: source.is_some(),
        depth: u64::from(levels.depth),
        iterations: levels.iterations(),
        reached: levels.reached,
    }))
}

fn classify(csr: &Csr, machine: &TaxonomyMachine, notes: &mut Vec<String>) -> Option<Taxonomy> {
    match taxonomy::classify(csr, machine) {
        Ok(found) => Some(Taxonomy {
            volume_kib: found.volume_kib,
            an_local: found.an_local,
            an_remote: found.an_remote,
            reuse: found.reuse,
            imbalance: found.imbalance,
            volume_class: found.volume_class.to_string(),
            reuse_class: found.reuse_class.to_string(),
            imbalance_class: found.imbalance_class.to_string(),
            cores: machine.cores,
            l1_bytes: machine.l1_bytes,
            l2_bytes: machine.l2_bytes,
            thread_block: machine.thread_block,
            warp: machine.warp,
        }),
        Err(problem) => {
            notes.push(format!("no taxonomy: {problem}"));
            None
        }
    }
}
