//! Whole files: everything in the folder that `HEDDLE_PTX` names is read, printed and read again.
//!
//! Without the variable, the kernels of the library are read, where the tree has them.

use heddle_ptx::ir::Module;
use heddle_ptx::syntax;
use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels");
    let mut folders = vec![std::env::var_os("HEDDLE_PTX").map_or(library, PathBuf::from)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "ptx" => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

#[test]
fn every_file_is_read_and_its_print_reads_the_same() {
    let mut problems = Vec::new();
    for path in files() {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let file = path.display().to_string();
        match syntax::parse(&file, &text) {
            Err(errors) => problems.push(errors.to_string()),
            Ok(tree) => {
                let again = syntax::parse("again", &syntax::print(&tree)).map(syntax::Tree::without_places);
                assert_eq!(again, Ok(tree.without_places()), "{file}");
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// What programs ask the machine for.
const EXTERNALS: &[&str] = &["vprintf", "__assertfail", "malloc", "free"];

#[test]
fn every_file_that_loads_is_the_same_program_after_printing() {
    for path in files() {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let file = path.display().to_string();
        let module = match heddle_ptx::load(&file, &text, EXTERNALS) {
            Ok(module) => module,
            // A corpus may use what is not supported; the library does not.
            Err(_) if std::env::var_os("HEDDLE_PTX").is_some() => continue,
            Err(errors) => panic!("{errors}"),
        };
        let printed = syntax::parse(&file, &text).map(|tree| syntax::print(&tree)).unwrap_or_default();
        let again = heddle_ptx::load("again", &printed, EXTERNALS);
        assert!(again.map(Module::without_places) == Ok(module.without_places()), "{file}");
    }
}
