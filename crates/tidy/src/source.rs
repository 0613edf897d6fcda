//! The workspace's Rust files, and their code without comments and literals.

use std::path::{Path, PathBuf};

/// A Rust file of the workspace.
pub struct SourceFile {
    /// Path relative to the workspace.
    pub path: PathBuf,
    /// The text as it stands.
    pub text: String,
    /// The text with comments, strings and character literals blanked out, line for line.
    pub code: String,
}

impl SourceFile {
    /// A file with that text.
    pub fn new(path: impl Into<PathBuf>, text: impl Into<String>) -> SourceFile {
        let text = text.into();
        SourceFile { path: path.into(), code: code_only(&text), text }
    }

    /// The folder under `crates/` that the file belongs to.
    pub fn crate_folder(&self) -> Option<&str> {
        let mut parts = self.path.iter();
        (parts.next()? == "crates").then(|| parts.next()?.to_str())?
    }

    /// Whether this is a test, a benchmark, an example or a build script rather than the product.
    pub fn is_harness(&self) -> bool {
        let is_build_script = self.path.ends_with("build.rs") && self.path.iter().count() == 3;
        is_build_script
            || self.path.iter().any(|part| part == "tests" || part == "benches" || part == "examples")
    }
}

/// The root of this workspace.
pub fn workspace_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every Rust file under `crates/` and `fuzz/`, by path.
pub fn rust_files(root: &Path) -> std::io::Result<Vec<SourceFile>> {
    let mut files = Vec::new();
    let mut folders = vec![root.join("crates"), root.join("fuzz")];
    while let Some(folder) = folders.pop() {
        if !folder.is_dir() {
            continue;
        }
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let relative = path.strip_prefix(root).unwrap_or(&path).to_path_buf();
                files.push(SourceFile::new(relative, std::fs::read_to_string(&path)?));
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// Blanks out comments and literals; line breaks stay where they are.
pub fn code_only(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = match literal_end(bytes, at) {
            Some(end) => end.min(bytes.len()),
            None => {
                at += 1;
                continue;
            }
        };
        code[at..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at = end;
    }
    String::from_utf8_lossy(&code).into_owned()
}

/// Where the comment or literal that begins at `at` ends, if one begins there.
fn literal_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..];
    let after_word = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
    match rest {
        [b'/', b'/', ..] => Some(at + position(rest, b"\n").unwrap_or(rest.len())),
        [b'/', b'*', ..] => Some(at + block_comment_length(rest)),
        [b'r', b'"' | b'#', ..] if !after_word => raw_string_length(rest).map(|length| at + length),
        [b'"', ..] => Some(at + quoted_length(rest)),
        // A lifetime is a tick without a closing one; a character literal closes at once or is escaped.
        [b'\'', b'\\', ..] => Some(at + 2 + position(&rest[2..], b"'").map_or(rest.len(), |p| p + 1)),
        [b'\'', ..] => {
            let length = std::str::from_utf8(&rest[1..rest.len().min(5)])
                .or_else(|error| std::str::from_utf8(&rest[1..1 + error.valid_up_to()]))
                .ok()
                .and_then(|text| text.chars().next())
                .map_or(1, char::len_utf8);
            (rest.get(1 + length) == Some(&b'\'')).then_some(at + length + 2)
        }
        _ => None,
    }
}

fn position(bytes: &[u8], pattern: &[u8]) -> Option<usize> {
    bytes.windows(pattern.len()).position(|window| window == pattern)
}

fn block_comment_length(rest: &[u8]) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    while at + 1 < rest.len() {
        match &rest[at..at + 2] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

fn raw_string_length(rest: &[u8]) -> Option<usize> {
    let hashes = rest[1..].iter().take_while(|&&byte| byte == b'#').count();
    (rest.get(1 + hashes) == Some(&b'"')).then(|| {
        let close = [&b"\""[..], &b"#".repeat(hashes)].concat();
        let begin = hashes + 2;
        position(&rest[begin..], &close).map_or(rest.len(), |at| begin + at + close.len())
    })
}

fn quoted_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_vanish_and_lines_stay() {
        let text = "let a = \"HashMap\"; // HashMap\n/* HashMap\n /* nested */ */ let b = r#\"Hash\"Map\"#;\nlet c = '\"';";
        let code = code_only(text);
        assert!(!code.contains("Hash"), "{code}");
        assert_eq!(code.lines().count(), text.lines().count());
        assert!(code.contains("let b =") && code.contains("let c ="), "{code}");
    }

    #[test]
    fn lifetimes_are_not_literals() {
        assert_eq!(code_only("fn f<'a>(x: &'a str) { HashMap }"), "fn f<'a>(x: &'a str) { HashMap }");
        assert_eq!(code_only("('é', '\\n', 'x')").replace(' ', ""), "(,,)");
    }
}
