//! Where a graph is written to, and as what: settled and checked before any work is done.

use crate::arguments::{Compress, WriteArguments};
use crate::failure::Failure;
use heddle_graph::{Format, Graph};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

/// A checked destination.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// The file; `None` is standard output.
    pub(crate) path: Option<PathBuf>,
    /// What is written.
    pub(crate) format: Format,
    /// How it is compressed.
    pub(crate) compress: Compress,
}

impl Target {
    /// Settles what `output` and the options mean.
    pub(crate) fn new(output: &Path, arguments: &WriteArguments) -> Result<Target, Failure> {
        if output == Path::new("-") {
            return to_stdout(arguments);
        }
        let (stem, by_suffix) = compression_by_suffix(output);
        let compress = arguments.compress.unwrap_or(by_suffix);
        let format = arguments.to.map_or_else(|| format_by_extension(&stem), Ok)?;
        may_write(output, arguments.force)?;
        Ok(Target { path: Some(output.to_path_buf()), format, compress })
    }

    /// Refuses a graph that the name of the file promises not to be: GAP's tools go by that name.
    pub(crate) fn suits(&self, graph: &Graph) -> Result<(), Failure> {
        let Some(path) = self.path.as_ref().filter(|_| self.format == Format::Gap) else { return Ok(()) };
        let (stem, _) = compression_by_suffix(path);
        let failure = |problem: &str| Failure::new(format!("{}: {problem}", path.display()));
        match (extension(&stem).as_str(), graph.is_weighted()) {
            ("sg", true) => Err(failure("a .sg file holds no weights, and this graph has some")
                .with_help("name it .wsg, or leave weights out with --weights drop")),
            ("wsg", false) => Err(failure("a .wsg file holds weights, and this graph has none")
                .with_help("name it .sg, or add weights with --transform weights=1..100")),
            _ => Ok(()),
        }
    }

    /// What the user calls it.
    pub(crate) fn name(&self) -> String {
        self.path.as_ref().map_or_else(|| "-".to_string(), |path| path.display().to_string())
    }
}

fn to_stdout(arguments: &WriteArguments) -> Result<Target, Failure> {
    let format = arguments.to.unwrap_or(Format::EdgeList);
    if arguments.json {
        let help = "write the graph to a file, or leave --json out";
        return Err(Failure::usage("--json and the graph cannot both go to standard output", help));
    }
    if matches!(arguments.compress, Some(Compress::Gzip | Compress::Zstd)) {
        let help = "pipe it through gzip or zstd, or write to a file";
        return Err(Failure::usage("--compress needs a file to write to", help));
    }
    if matches!(format, Format::Galois | Format::Gap) && io::stdout().is_terminal() {
        let help = "redirect it to a file, or use --to edge-list";
        return Err(Failure::usage(format!("{format} is binary, and standard output is a terminal"), help));
    }
    Ok(Target { path: None, format, compress: Compress::None })
}

fn extension(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

fn compression_by_suffix(path: &Path) -> (PathBuf, Compress) {
    match extension(path).as_str() {
        "gz" => (path.with_extension(""), Compress::Gzip),
        "zst" => (path.with_extension(""), Compress::Zstd),
        _ => (path.to_path_buf(), Compress::None),
    }
}

fn format_by_extension(path: &Path) -> Result<Format, Failure> {
    let extension = extension(path);
    match extension.as_str() {
        "mtx" => Ok(Format::MatrixMarket),
        "el" | "wel" | "txt" | "tsv" => Ok(Format::EdgeList),
        "graph" | "metis" => Ok(Format::Metis),
        "sg" | "wsg" => Ok(Format::Gap),
        "gr" => Err(Failure::usage(
            format!("{}: .gr is both DIMACS and Galois", path.display()),
            "say --to dimacs or --to galois",
        )),
        _ => {
            let names: Vec<_> = heddle_graph::write::WRITABLE.iter().map(|format| format.name()).collect();
            let problem = format!("{}: its extension names no format that can be written", path.display());
            Err(Failure::usage(problem, format!("say --to with one of {}", names.join(", "))))
        }
    }
}

fn may_write(path: &Path, force: bool) -> Result<(), Failure> {
    if path.is_dir() {
        return Err(Failure::new(format!("{}: is a directory", path.display())));
    }
    // A dangling link is there too; a device or a pipe is not replaced but written to.
    let there = match path.metadata() {
        Ok(metadata) => metadata.is_file(),
        Err(_) => path.symlink_metadata().is_ok(),
    };
    if there && !force {
        let failure = Failure::new(format!("{}: exists already", path.display()));
        return Err(failure.with_help("replace it with --force"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => {
            Err(Failure::new(format!("{}: no such folder", folder.display())).with_help("make it first"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_graph::Csr;

    fn target(output: &str) -> Result<Target, Failure> {
        let arguments = WriteArguments { to: None, compress: None, force: false, json: false };
        Target::new(Path::new(output), &arguments)
    }

    #[test]
    fn extensions_name_format_and_compression() {
        let expect = |output, format, compress| {
            let target = target(output).unwrap();
            assert_eq!((target.format, target.compress), (format, compress), "{output}");
        };
        expect("absent.mtx", Format::MatrixMarket, Compress::None);
        expect("absent.MTX.gz", Format::MatrixMarket, Compress::Gzip);
        expect("absent.v2.tsv.zst", Format::EdgeList, Compress::Zstd);
        expect("absent.graph", Format::Metis, Compress::None);
        expect("absent.wsg", Format::Gap, Compress::None);
        expect("-", Format::EdgeList, Compress::None);
    }

    #[test]
    fn what_the_extension_leaves_open_is_asked_for() {
        for output in ["absent.gr", "absent.gr.gz", "absent", "absent.gz", "absent.exe"] {
            assert!(matches!(target(output), Err(Failure::Usage { .. })), "{output}");
        }
    }

    #[test]
    fn a_gap_file_is_named_after_its_weights() {
        let weighted = Graph::directed(Csr::new(vec![0, 1], vec![0], Some(vec![7])).unwrap());
        let plain = Graph::directed(Csr::empty(3));
        let suits = |output, graph| target(output).unwrap().suits(graph).is_ok();
        assert!(suits("absent.sg", &plain) && suits("absent.wsg.gz", &weighted));
        assert!(!suits("absent.sg", &weighted) && !suits("absent.wsg", &plain));
    }
}
