//! The table of surrogates, as the files under `data/surrogates` give it.

use super::{Published, Surrogate};
use serde::Deserialize;

/// One file per document and kind of graph, in the order of the list.
const FILES: &[(&str, &str)] = &[
    ("gpu-thesis-random.toml", include_str!("../../data/surrogates/gpu-thesis-random.toml")),
    ("gpu-thesis-real.toml", include_str!("../../data/surrogates/gpu-thesis-real.toml")),
    ("mff.toml", include_str!("../../data/surrogates/mff.toml")),
    ("coherence.toml", include_str!("../../data/surrogates/coherence.toml")),
    ("minnow-random.toml", include_str!("../../data/surrogates/minnow-random.toml")),
    ("minnow-real.toml", include_str!("../../data/surrogates/minnow-real.toml")),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    surrogate: Vec<Entry>,
}

/// The keys of a `[[surrogate]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    #[serde(default)]
    aliases: Vec<String>,
    document: String,
    vertices: u64,
    arcs: u64,
    degree_max: Option<u64>,
    depth: Option<u64>,
    diameter: Option<u64>,
    taxonomy: Option<String>,
    #[serde(default)]
    rounded: bool,
    recipe: String,
    note: Option<String>,
}

impl From<Entry> for Surrogate {
    fn from(entry: Entry) -> Surrogate {
        Surrogate {
            name: entry.name,
            aliases: entry.aliases,
            document: entry.document,
            published: Published {
                vertices: entry.vertices,
                arcs: entry.arcs,
                degree_max: entry.degree_max,
                depth: entry.depth,
                diameter: entry.diameter,
                taxonomy: entry.taxonomy,
                rounded: entry.rounded,
            },
            recipe: entry.recipe,
            note: entry.note,
        }
    }
}

/// Every entry of every file. The files are compiled in, so a mistake in one is a mistake in this crate,
/// which its tests find.
pub(super) fn parse_all() -> Vec<Surrogate> {
    let entries = |&(name, text): &(&str, &str)| {
        let file: File = toml::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        file.surrogate
    };
    FILES.iter().flat_map(entries).map(Surrogate::from).collect()
}
