//! Comparisons of mechanisms.

use super::{QUIET, compare_arguments, comparing, words};
use crate::timing::synthetic;
use crate::view;

/// The page, the JSON and the files of a comparison made by so many threads.
fn compared(threads: usize, options: &[&str]) -> (String, String) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let arguments = compare_arguments(options);
    let comparison = pool.install(|| comparing::compare(&arguments, QUIET, &synthetic::build));
    let compared = comparison.map_err(|failure| failure.words().to_owned()).unwrap();
    compared.problems.into_result().unwrap();
    let comparison = compared.comparison;
    (view::compare::page(&comparison), serde_json::to_string(&comparison).unwrap())
}

#[test]
fn any_number_of_threads_says_the_same() {
    let options = ["--with", "none", "--with", "fast", "--with", "fast+other"];
    assert_eq!(compared(1, &options), compared(2, &options));
}

#[test]
fn the_baseline_comes_first_and_the_others_are_measured_by_it() {
    let (page, json) = compared(2, &["--with", "other", "--with", "fast+other"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let names: Vec<_> = json["columns"].as_array().unwrap().iter().map(|column| &column["name"]).collect();
    assert_eq!(names, ["none", "other", "fast+other"]);
    assert_eq!(json["columns"][0]["speedup"], 1.0);
    let speedup = json["columns"][2]["speedup"].as_f64().unwrap();
    assert!((speedup - 2.0).abs() < 1e-9);
    for words in [
        "none",
        "fast+other",
        "slots: busy",
        "L2 MPKI",
        "DRAM row hits",
        "dynamic energy",
        "static energy",
        "  2.000",
    ] {
        assert!(page.contains(words), "{words}:\n{page}");
    }
}

#[test]
fn a_folder_per_column_is_written() {
    let folder = tempfile::tempdir().unwrap();
    compared(2, &["--with", "fast+other", "--out", words(folder.path())]);
    for file in ["compare.json", "none/result.json", "fast+other/result.json", "fast+other/machine.toml"] {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
}

#[test]
fn the_first_column_that_fails_is_told_and_nonsense_is_refused() {
    for (options, problem) in [
        (&["--with", "fast", "--with", "broken"][..], "no mechanism 'broken'"),
        (&["--with", "none"], "nothing to compare"),
        (&["--with", "fast", "--with", "fast"], "--with fast is a duplicate"),
    ] {
        let failure =
            comparing::compare(&compare_arguments(options), QUIET, &synthetic::build).err().unwrap();
        assert!(failure.words().contains(problem), "{}", failure.words());
    }
}
