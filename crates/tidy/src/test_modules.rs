//! Every file of tests belongs to a test binary.
//!
//! The integration tests of a crate are modules of one binary, because each further binary costs the time of a link. A
//! file that no binary names would be skipped in silence.

use crate::source::SourceFile;
use std::path::Path;

/// The files of tests that no `mod` line and no manifest names.
pub fn check(root: &Path, files: &[SourceFile]) -> Vec<String> {
    let tests = files.iter().filter(|file| file.path.iter().nth(2).is_some_and(|part| part == "tests"));
    let (mut findings, tests): (Vec<String>, Vec<&SourceFile>) = (Vec::new(), tests.collect());
    for file in &tests {
        let (folder, name) = place_of(&file.path);
        let line = format!("mod {name};");
        let named = tests.iter().any(|other| {
            let is_beside = other.path.parent() == Some(folder);
            is_beside
                && other.path != file.path
                && other.code.lines().any(|code| code.trim().ends_with(&line))
        });
        if !named && !is_target(root, &file.path, name) {
            findings.push(format!("{}: no test binary has `{line}`", file.path.display()));
        }
    }
    findings
}

/// The folder whose files can name a module, and its name.
fn place_of(path: &Path) -> (&Path, &str) {
    let folder = path.parent().unwrap_or(path);
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    match stem {
        "mod" => (
            folder.parent().unwrap_or(folder),
            folder.file_name().and_then(|n| n.to_str()).unwrap_or_default(),
        ),
        stem => (folder, stem),
    }
}

/// Whether the crate's manifest has a test target of this name.
fn is_target(root: &Path, path: &Path, name: &str) -> bool {
    let crate_folder: std::path::PathBuf = path.iter().take(2).collect();
    let manifest = std::fs::read_to_string(root.join(crate_folder).join("Cargo.toml")).unwrap_or_default();
    !manifest.contains("autotests = false") || manifest.contains(&format!("[[test]]\nname = \"{name}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_nobody_names_is_found() {
        let root = crate::source::workspace_root();
        let file = |path: &str, text: &str| SourceFile::new(path, text);
        let files = [
            file("crates/graph/tests/all.rs", "mod rows;\nmod nested;\n"),
            file("crates/graph/tests/rows.rs", ""),
            file("crates/graph/tests/nested/mod.rs", "pub(crate) mod inner;"),
            file("crates/graph/tests/nested/inner.rs", ""),
            file("crates/graph/tests/lost.rs", "mod lost;"),
            file("crates/graph/tests/nested/lost.rs", ""),
        ];
        assert_eq!(
            check(&root, &files),
            [
                "crates/graph/tests/lost.rs: no test binary has `mod lost;`",
                "crates/graph/tests/nested/lost.rs: no test binary has `mod lost;`"
            ]
        );
    }
}
