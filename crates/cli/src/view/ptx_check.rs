//! The page of `heddle ptx check`.

use super::text::{plural, thousands};
use crate::ptx::judge::{FileJudgement, FindingEntry, Judgement};

/// Longest part of a source line that is shown.
const SOURCE_WIDTH: usize = 100;

/// The whole page.
pub(crate) fn page(judgement: &Judgement) -> String {
    let mut text = String::new();
    for file in &judgement.files {
        for finding in &file.findings {
            text += &show(&file.file, finding);
        }
        if file.findings.iter().all(|finding| finding.severity != "error") {
            text += &format!("{}: {}\n", file.file, correct(file));
        }
    }
    text += &summary(judgement);
    text
}

fn correct(file: &FileJudgement) -> String {
    let count = |number: Option<usize>, one: &str| plural(number.unwrap_or(0) as u64, one);
    format!(
        "correct, {}, {}, {}",
        count(file.kernels, "kernel"),
        count(file.functions, "device function"),
        count(file.instructions, "instruction"),
    )
}

fn summary(judgement: &Judgement) -> String {
    let files = judgement.files.len() as u64;
    let is_wrong = |file: &&FileJudgement| file.findings.iter().any(|finding| finding.severity == "error");
    let wrong = judgement.files.iter().filter(is_wrong).count() as u64;
    format!(
        "{}, {} correct; {}, {}, {}\n",
        plural(files, "file"),
        thousands(files - wrong),
        plural(judgement.errors as u64, "error"),
        plural(judgement.warnings as u64, "warning"),
        plural(judgement.notes as u64, "note"),
    )
}

fn show(file: &str, finding: &FindingEntry) -> String {
    let FindingEntry { severity, line, column, problem, help, source } = finding;
    let place = match (line, column) {
        (Some(line), Some(column)) => format!("{file}:{line}:{column}"),
        _ => file.to_string(),
    };
    let mut text = format!("{place}: {severity}: {problem}\n");
    if let (Some(source), Some(line), Some(column)) = (source, line, column) {
        let (shown, caret) = excerpt(source, *column as usize);
        text += &format!("{line:6} | {shown}\n       | {caret}^\n");
    }
    if let Some(help) = help {
        text += &format!("  help: {help}\n");
    }
    text
}

/// The part of a line around a column, and the blanks that lead to the column in it.
fn excerpt(line: &str, column: usize) -> (String, String) {
    let at = column.saturating_sub(1);
    let first = if at < SOURCE_WIDTH { 0 } else { at - SOURCE_WIDTH / 2 };
    // A tab keeps its width in both lines; what would move the cursor is blanked.
    let clean = |c: char| if c.is_control() && c != '\t' { ' ' } else { c };
    let shown: String = line.chars().skip(first).take(SOURCE_WIDTH).map(clean).collect();
    let blank = |c: char| if c == '\t' { '\t' } else { ' ' };
    let mut caret: String = line.chars().skip(first).take(at - first).map(blank).collect();
    caret.extend(std::iter::repeat_n(' ', (at - first).saturating_sub(caret.chars().count())));
    (shown.trim_end().to_string(), caret)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_under_its_column_also_behind_tabs_and_in_long_lines() {
        assert_eq!(excerpt("\tadd.s32 %r1;", 10), ("\tadd.s32 %r1;".to_string(), "\t        ".to_string()));
        let long = format!("{}X{}", "a".repeat(10_000), "b".repeat(10_000));
        let (shown, caret) = excerpt(&long, 10_001);
        assert_eq!(shown.chars().nth(caret.len()), Some('X'));
        assert_eq!(shown.len(), SOURCE_WIDTH);
    }

    #[test]
    fn a_column_behind_the_line_is_no_trouble() {
        assert_eq!(excerpt("ret", 6), ("ret".to_string(), "     ".to_string()));
        assert_eq!(excerpt("", 1), (String::new(), String::new()));
        assert_eq!(excerpt("x", 0), ("x".to_string(), String::new()));
    }
}
