//! Functions and files that do two things.
//!
//! The best code of the field is short at the tail, not only at the median: a function of more than 70 lines
//! is split, and so is a file of more than 500.

use crate::Finding;
use crate::source::SourceFile;

/// Longest function, from its `fn` line to its closing brace.
pub const FUNCTION_LINES_MAX: usize = 70;
/// Longest file.
pub const FILE_LINES_MAX: usize = 500;

/// Everything in `file` that is too long.
pub fn check(file: &SourceFile) -> Vec<Finding> {
    let finding = |line, problem| Finding { file: file.path.clone(), line, problem };
    let mut findings: Vec<Finding> = functions(&file.code)
        .into_iter()
        .filter(|function| function.lines > FUNCTION_LINES_MAX)
        .map(|function| {
            let problem = format!(
                "function `{}` has {} lines; at most {FUNCTION_LINES_MAX}",
                function.name, function.lines
            );
            finding(function.line, problem)
        })
        .collect();
    let lines = file.text.lines().count();
    if lines > FILE_LINES_MAX {
        findings.push(finding(1, format!("the file has {lines} lines; at most {FILE_LINES_MAX}")));
    }
    if !file.text.trim_start().starts_with("//!") && !file.text.trim_start().starts_with("#!") {
        findings
            .push(finding(1, "the file does not begin with a `//!` page that says what it is for".into()));
    }
    findings
}

struct Function {
    name: String,
    line: usize,
    lines: usize,
}

/// The functions with a body in `code`, which has no comments and literals.
fn functions(code: &str) -> Vec<Function> {
    let mut functions = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let preceded =
            at > 0 && (code.as_bytes()[at - 1].is_ascii_alphanumeric() || code.as_bytes()[at - 1] == b'_');
        let name: String = code[at + 3..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if preceded || name.is_empty() {
            continue;
        }
        if let Some(length) = body_end(&code[at..]) {
            let line = code[..at].matches('\n').count() + 1;
            functions.push(Function { name, line, lines: code[at..at + length].matches('\n').count() + 1 });
        }
    }
    functions
}

/// Where the body that follows ends; none for a declaration without a body.
fn body_end(code: &str) -> Option<usize> {
    let (mut depth, mut brackets) = (0usize, 0usize);
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'(' | b'[' if depth == 0 => brackets += 1,
            b')' | b']' if depth == 0 => brackets = brackets.saturating_sub(1),
            b';' if depth == 0 && brackets == 0 => return None,
            b'{' => depth += 1,
            b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_function_is_found_by_name_and_line() {
        let body = "    work();\n".repeat(FUNCTION_LINES_MAX);
        let text = format!("//! Page.\n\nfn short() {{}}\nfn long(x: [u8; 4]) {{\n{body}}}\n");
        let findings = check(&SourceFile::new("a.rs", text));
        assert_eq!(findings.len(), 1);
        assert!(findings[0].problem.contains("`long` has 72 lines"), "{}", findings[0]);
        assert_eq!(findings[0].line, 4);
    }

    #[test]
    fn declarations_have_no_length() {
        let text =
            format!("//! Page.\ntrait T {{ fn f(&self); }}\nconst X: u8 = 1;\n{}", "// line\n".repeat(90));
        assert_eq!(check(&SourceFile::new("a.rs", text)), vec![]);
    }

    #[test]
    fn a_file_without_a_page_is_found() {
        assert_eq!(check(&SourceFile::new("a.rs", "fn f() {}\n")).len(), 1);
    }
}
