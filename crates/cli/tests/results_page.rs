//! docs/results-in-columns.md: every block of it runs, and pandas, Polars and DuckDB read what `heddle query` reads.
//!
//! Python's packages are installed by `scripts/python-columns` into a folder of the build; where they cannot be had, the
//! test of these blocks is skipped, and says so.

use crate::common::{results, run_in};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The blocks of the page in a language.
fn blocks(language: &str) -> Vec<String> {
    let page = std::fs::read_to_string(root().join("docs/results-in-columns.md")).unwrap();
    let begin = format!("```{language}\n");
    page.split(&begin).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// What each block leaves in `speedup`, as a map from mechanism to figure, in a line of JSON.
const TOLD: [(&str, &str); 3] = [
    ("import pandas", "print(json.dumps(speedup.astype(float).to_dict()))"),
    ("import polars", "import json\nprint(json.dumps(dict(speedup.rows())))"),
    ("import duckdb", "import json\nprint(json.dumps({row[0]: row[1] for row in speedup.fetchall()}))"),
];

/// The Python that has the packages, or none where they cannot be had.
fn python() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python-columns");
    let made = Command::new(root().join("scripts/python-columns")).arg(&folder).output();
    let said = match made {
        Ok(made) if made.status.success() => {
            return Some(PathBuf::from(String::from_utf8(made.stdout).unwrap().trim()));
        }
        Ok(made) => String::from_utf8_lossy(&made.stderr).lines().last().unwrap_or_default().to_owned(),
        Err(error) => error.to_string(),
    };
    let line = format!("SKIPPED results_page: no pandas, Polars and DuckDB: {said}\n");
    std::io::stderr().write_all(line.as_bytes()).expect("standard error can be written to");
    None
}

#[test]
fn every_command_of_the_page_runs() {
    let folder = tempfile::tempdir().unwrap();
    results::write(folder.path());
    let commands = blocks("sh").join("\n");
    let commands: Vec<&str> = commands.lines().filter_map(|line| line.strip_prefix("heddle ")).collect();
    assert!(commands.len() >= 6, "{commands:?}");
    for command in commands {
        let words: Vec<String> = command.split_whitespace().map(|word| word.replace('\'', "")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = run_in(folder.path(), &words);
        assert_eq!(run.code, Some(0), "heddle {command}: {}", run.stderr);
        assert!(run.stdout.lines().count() > 1, "heddle {command}: {}", run.stdout);
    }
}

#[test]
fn every_python_block_of_the_page_runs_and_gives_the_same_figures() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    results::write(folder.path());
    let expected = results::speedups();
    let mut compared = 0;
    for block in blocks("python") {
        let told = TOLD.iter().find(|(begin, _)| block.contains(begin)).map(|(_, told)| *told);
        let script = format!("{block}\n{}\n", told.unwrap_or_default());
        let run = Command::new(&python).arg("-c").arg(&script).current_dir(folder.path()).output().unwrap();
        let (stdout, stderr) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        assert!(run.status.success(), "{script}\n{stderr}");
        if told.is_some() {
            let last = stdout.trim_end().lines().last().unwrap();
            let figures: BTreeMap<String, f64> = serde_json::from_str(last).unwrap();
            assert_eq!(figures.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{stdout}");
            for (with, figure) in figures {
                assert!((figure - expected[&with]).abs() < 1e-12, "{with}: {figure}\n{stdout}");
            }
            compared += 1;
        }
    }
    assert_eq!(compared, TOLD.len());
}
