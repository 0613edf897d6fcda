//! What a result was made from: enough to know whether two results may be compared, and to repeat one.

use crate::failure::Failure;
use heddle_graph::Graph;
use heddle_lab::hash::{sha256, sha256_of_graph};
use heddle_workloads::library::Workload;
use serde::Serialize;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

/// Largest PTX file: that of plans.
const PTX_BYTES_MAX: u64 = 256 << 20;

/// What a result was made from.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Provenance {
    /// Version of the program.
    pub(crate) version: &'static str,
    /// Version of the result's shape.
    pub(crate) schema: u32,
    /// The words of the command.
    pub(crate) command: Vec<String>,
    pub(crate) graph: Option<Hashed>,
    /// The PTX texts.
    pub(crate) programs: Vec<Hashed>,
    /// The resolved machine file; none for functional execution.
    pub(crate) machine: Option<Hashed>,
}

/// Something with a name and a content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Hashed {
    pub(crate) name: String,
    pub(crate) sha256: String,
}

impl Provenance {
    /// What is known before a run, machine excepted.
    pub(crate) fn new(graph: Option<Hashed>, programs: Vec<Hashed>) -> Provenance {
        let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
        Provenance {
            version: env!("CARGO_PKG_VERSION"),
            schema: crate::result::SCHEMA,
            command: std::iter::once("heddle".to_owned()).chain(words).collect(),
            graph,
            programs,
            machine: None,
        }
    }
}

impl Hashed {
    /// A text; the hash is what `sha256sum` says of its file.
    pub(crate) fn text(name: &str, text: &[u8]) -> Hashed {
        Hashed { name: name.to_owned(), sha256: sha256(text) }
    }

    /// A graph as it is run, after its transforms: whether it is directed, offsets, targets, weights.
    pub(crate) fn graph(name: &str, graph: &Graph) -> Hashed {
        Hashed { name: name.to_owned(), sha256: sha256_of_graph(graph) }
    }

    /// The PTX texts of a workload.
    pub(crate) fn workload(workload: &Workload) -> Vec<Hashed> {
        workload.files.iter().map(|file| Hashed::text(file.file, file.text.as_bytes())).collect()
    }

    /// Files, by the names that they were asked for with.
    pub(crate) fn files(paths: &[PathBuf]) -> Result<Vec<Hashed>, Failure> {
        let file = |path: &PathBuf| {
            let mut text = Vec::new();
            let read = File::open(path).and_then(|file| file.take(PTX_BYTES_MAX + 1).read_to_end(&mut text));
            read.map_err(|error| Failure::at_path(path, &error))?;
            if text.len() as u64 > PTX_BYTES_MAX {
                return Err(Failure::new(format!("{}: larger than any PTX file, 256 MiB", path.display())));
            }
            Ok(Hashed::text(&path.display().to_string(), &text))
        };
        paths.iter().map(file).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_graph::Csr;

    #[test]
    fn a_text_has_the_hash_that_other_tools_say() {
        let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Hashed::text("abc", b"abc").sha256, sha256);
    }

    #[test]
    fn a_graph_is_known_by_its_arcs_and_not_by_its_name() {
        let graph = |target| Graph::directed(Csr::new(vec![0, 1, 1], vec![target], None).unwrap());
        let hash = |name, target| Hashed::graph(name, &graph(target)).sha256;
        assert_eq!(hash("a", 1), hash("b", 1));
        assert_ne!(hash("a", 0), hash("a", 1));
    }
}
