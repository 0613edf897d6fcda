//! docs/results-in-columns.md: every block of it runs, and pandas, Polars and DuckDB read what `heddle query` reads.
//!
//! Python's packages are installed by `scripts/python-columns` into a folder of the build; where they cannot be had, the
//! test of these blocks is skipped, and says so.

use crate::common::run_in;
use heddle_lab::experiment::Experiment;
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

/// A folder in which the sweep of the page has been run.
fn swept() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sectors.toml"), &blocks("toml")[0]).unwrap();
    let (sweep, _) = commands();
    let run = run_in(folder.path(), &words(&sweep));
    assert_eq!(run.code, Some(0), "heddle {}: {}", sweep.join(" "), run.stderr);
    folder
}

/// The words of a command, as they are given to it.
fn words(command: &[String]) -> Vec<&str> {
    command.iter().map(String::as_str).collect()
}

/// The commands of the page, in words: the sweep, and what comes behind it.
fn commands() -> (Vec<String>, Vec<Vec<String>>) {
    let text = blocks("sh").join("\n");
    let commands = text.lines().filter_map(|line| line.strip_prefix("heddle "));
    let words = |command: &str| command.split_whitespace().map(|word| word.replace('\'', "")).collect();
    let mut commands: Vec<Vec<String>> = commands.map(words).collect();
    assert!(commands.len() >= 7 && commands[0][0] == "sweep", "{commands:?}");
    (commands.remove(0), commands)
}

#[test]
fn every_command_of_the_page_runs() {
    let folder = swept();
    for command in commands().1 {
        let run = run_in(folder.path(), &words(&command));
        assert_eq!(run.code, Some(0), "heddle {}: {}", command.join(" "), run.stderr);
        assert!(run.stdout.lines().count() > 1, "heddle {}: {}", command.join(" "), run.stdout);
    }
    // Folders that the pages name are those that sweeps write.
    let experiment = Experiment::named("granularity", None).unwrap();
    let name = format!("results/{}", experiment.folder_name());
    for page in ["docs/results-in-columns.md", "docs/experiments.md"] {
        let page = std::fs::read_to_string(root().join(page)).unwrap();
        assert!(page.contains(&name) && !page.contains("results/granularity/"), "{name}");
    }
}

/// The harmonic means that `heddle query` finds, by mechanism.
fn speedups(folder: &Path) -> BTreeMap<String, f64> {
    let query = "query results/sectors --table launches --baseline with=none --ratio ipc --where with!=none --group with \
                 --harmonic ipc_ratio --json";
    let run = run_in(folder, &query.split_whitespace().collect::<Vec<_>>());
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let row = |row: &serde_json::Value| {
        (row["with"].as_str().unwrap().to_owned(), row["ipc_ratio_harmonic"].as_f64().unwrap())
    };
    answer["rows"].as_array().unwrap().iter().map(row).collect()
}

#[test]
fn every_python_block_of_the_page_runs_and_gives_the_same_figures() {
    let Some(python) = python() else { return };
    let folder = swept();
    let expected = speedups(folder.path());
    assert_eq!(expected.len(), 2, "{expected:?}");
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
