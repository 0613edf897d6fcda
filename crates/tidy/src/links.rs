//! Links between the pages of the repository: each must lead to a file.

use std::path::{Path, PathBuf};

/// The relative targets of the links in a Markdown page.
pub fn relative_targets(page: &str) -> Vec<&str> {
    let after_bracket = page.split("](").skip(1);
    let targets = after_bracket.filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    targets.filter(|target| !target.contains("://") && !target.starts_with('#')).collect()
}

/// The Markdown pages of the repository at `root`.
pub fn pages(root: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    for folder in [root.to_path_buf(), root.join("docs"), root.join("fuzz")] {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    Ok(pages)
}

/// Links that lead nowhere, in words.
pub fn check(root: &Path) -> std::io::Result<Vec<String>> {
    let mut findings = Vec::new();
    for path in pages(root)? {
        let text = std::fs::read_to_string(&path)?;
        let folder = path.parent().unwrap_or(root);
        let broken = relative_targets(&text).into_iter().filter(|target| {
            let file = target.split_once('#').map_or(*target, |(file, _)| file);
            !folder.join(file).exists()
        });
        findings.extend(broken.map(|target| format!("{}: no file at `{target}`", path.display())));
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_relative_targets_count() {
        let page = "[a](docs/a.md#part) [b](https://example.org) [c](#here)\n[d](LICENSE)";
        assert_eq!(relative_targets(page), ["docs/a.md#part", "LICENSE"]);
    }
}
