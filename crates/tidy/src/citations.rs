//! Sources are cited by keys that `docs/sources.md` explains.
//!
//! A key is a name and two digits of a year in brackets, such as `Harish07`. In Rust files only comments and literals
//! are looked at, because code has brackets of its own. What is cited by the name of a file that only its owner has can
//! be checked by nobody, so names that consist of a number and a hash are refused.

use crate::Finding;
use crate::source::SourceFile;
use std::path::{Path, PathBuf};

/// The page that explains the keys.
pub const PAGE: &str = "docs/sources.md";

/// Folders whose files cite sources.
const FOLDERS: &[&str] = &[
    "benchmarks",
    "claims",
    "crates",
    "docs",
    "energy-tables",
    "examples",
    "fuzz",
    "kernels",
    "machines",
    "validation",
];
/// Endings of files that are written by hand.
const ENDINGS: &[&str] = &["rs", "toml", "md", "cu", "cuh", "tsv"];

/// Every file that may cite a source, by path. Rust files have their code apart from the rest.
pub fn files(root: &Path) -> std::io::Result<Vec<SourceFile>> {
    let mut folders: Vec<PathBuf> = FOLDERS.iter().map(|folder| root.join(folder)).collect();
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(root)? {
        paths.push(entry?.path());
    }
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else {
                paths.push(path);
            }
        }
    }
    let has_ending =
        |path: &PathBuf| path.extension().is_some_and(|e| ENDINGS.iter().any(|known| e == *known));
    paths.retain(|path| path.is_file() && has_ending(path));
    paths.sort();
    let relative = |path: &Path| path.strip_prefix(root).unwrap_or(path).to_path_buf();
    paths.iter().map(|path| Ok(SourceFile::new(relative(path), std::fs::read_to_string(path)?))).collect()
}

/// The keys that begin a row of a table of the page.
pub fn explained(page: &str) -> Vec<&str> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ["));
    rows.filter_map(|row| row.split_once(']')).map(|(key, _)| key).filter(|key| is_key(key)).collect()
}

/// Citations in `file` that `explained` does not have, and names of text dumps.
pub fn check(file: &SourceFile, explained: &[&str]) -> Vec<Finding> {
    let is_rust = file.path.extension().is_some_and(|ending| ending == "rs");
    let mut findings = Vec::new();
    for (index, (text, code)) in file.text.lines().zip(file.code.lines()).enumerate() {
        let mut found =
            |problem| findings.push(Finding { file: file.path.clone(), line: index + 1, problem });
        for (at, key) in keys(text) {
            let is_code = is_rust && code.as_bytes().get(at) == Some(&b'[');
            if !is_code && !explained.contains(&key) {
                found(format!("`[{key}]` is cited, and {PAGE} does not explain it"));
            }
        }
        if let Some(name) = dump_name(text) {
            found(format!("`{name}` is a file that no reader has; cite the document by its key in {PAGE}"));
        }
    }
    findings
}

/// The keys in brackets of a line, and where their brackets open. Doc comments have a backslash before each bracket.
fn keys(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.match_indices('[').filter_map(move |(at, _)| {
        let (inside, _) = line[at + 1..].split_once(']')?;
        let key = inside.strip_suffix('\\').unwrap_or(inside);
        is_key(key).then_some((at, key))
    })
}

/// A capital letter, letters, two digits.
fn is_key(key: &str) -> bool {
    let name = key.trim_end_matches(|c: char| c.is_ascii_digit());
    key.len() == name.len() + 2
        && name.len() > 1
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphabetic())
}

/// A word of three digits, an underscore and sixteen hexadecimal digits, as archives of extracted text name files.
fn dump_name(line: &str) -> Option<&str> {
    line.match_indices('_').find_map(|(at, _)| {
        let name = line.get(at.checked_sub(3)?..at + 17)?;
        let (number, hash) = name.split_once('_')?;
        let is_name = number.bytes().all(|byte| byte.is_ascii_digit())
            && hash.len() == 16
            && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_name.then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The problems of a text in which `<` and `>` are brackets, so that this file does not cite what it tests with.
    fn problems(path: &str, text: &str) -> Vec<String> {
        let text = text.replace('<', "[").replace('>', "]");
        check(&SourceFile::new(path, text), &["Known99"]).into_iter().map(|finding| finding.problem).collect()
    }

    #[test]
    fn a_key_that_is_not_explained_is_found() {
        assert_eq!(problems("a.toml", "x = 1 # <Known99> table 3, <T>\n"), Vec::<String>::new());
        assert_eq!(problems("a.toml", "x = 1 # <Other98>\n").len(), 1);
        assert_eq!(problems("a.rs", "/// As \\<Known99\\> and \\<Other98\\> do.\n").len(), 1);
        assert_eq!(problems("a.rs", "const S: &str = \"<Other98> table 3\";\n").len(), 1);
    }

    #[test]
    fn brackets_of_code_are_no_citation() {
        assert_eq!(problems("a.rs", "fn f(x: &<AtomicU64>) {}\n"), Vec::<String>::new());
    }

    #[test]
    fn names_of_text_dumps_are_found_also_in_comments() {
        for path in ["a.rs", "a.toml", "a.md", "a.cu"] {
            let line = concat!("// after 00", "7_0123456789abcdef.txt, table 3\n");
            assert_eq!(problems(path, line).len(), 1, "{path}");
        }
        assert_eq!(problems("a.rs", "let mask = 0x000_0123456789abcde;\n"), Vec::<String>::new());
    }

    #[test]
    fn rows_of_tables_explain_keys() {
        let page = "| key | what |\n|---|---|\n| <Known99> | A |\nsee <Other98>\n";
        assert_eq!(explained(&page.replace('<', "[").replace('>', "]")), ["Known99"]);
    }
}
