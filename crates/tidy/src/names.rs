//! One name per thing: in the crates named here, no two types that more than their own file can see have one name.

use crate::source::SourceFile;
use std::collections::BTreeMap;

/// The folders of crates whose types have names of their own.
pub const DISTINCT: &[&str] = &["engine", "memory", "gpu", "machine", "energy"];

/// The types that a file makes known beyond itself, with their lines. What a macro declares is seen if it says `pub`.
fn types(file: &SourceFile) -> Vec<(String, usize)> {
    let product = file.code.split("#[cfg(test)]").next().unwrap_or_default();
    let declared = product.lines().enumerate().filter_map(|(line, text)| {
        let rest = text.trim_start().strip_prefix("pub")?;
        let rest = match rest.strip_prefix('(') {
            Some(inside) => inside.split_once(')')?.1,
            None => rest,
        };
        let kinds = ["struct ", "enum ", "trait ", "type ", "union "];
        let name = kinds.iter().find_map(|kind| rest.trim_start().strip_prefix(kind))?;
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
        (end > 0).then(|| (name[..end].to_owned(), line + 1))
    });
    declared.collect()
}

/// Names that stand for two types of a crate, in words.
pub fn check(files: &[SourceFile], folder: &str) -> Vec<String> {
    let source = format!("crates/{folder}/src/");
    let mut known: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.path.to_string_lossy().starts_with(&source)) {
        for (name, line) in types(file) {
            known.entry(name).or_default().push(format!("{}:{line}", file.path.display()));
        }
    }
    let twice = known.into_iter().filter(|(_, places)| places.len() > 1);
    twice
        .map(|(name, places)| format!("`{name}` stands for two things: {}; rename one", places.join(", ")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_two_types_is_found_and_private_ones_are_not() {
        let file = |name: &str, text: &str| SourceFile::new(format!("crates/memory/src/{name}"), text);
        let files = [
            file("a.rs", "pub struct Entry;\nstruct Row;\npub(crate) enum Why { A }\n"),
            file("b.rs", "pub(in crate::x) type Entry<T> = T;\nstruct Row;\nimpl A { type Why = u8; }\n"),
            file("c.rs", "#[cfg(test)]\nmod tests {\n    pub struct Why;\n}\n"),
        ];
        let found = check(&files, "memory");
        let words =
            "`Entry` stands for two things: crates/memory/src/a.rs:1, crates/memory/src/b.rs:1; rename one";
        assert_eq!(found, [words]);
        assert_eq!(check(&files, "gpu"), Vec::<String>::new());
    }
}
