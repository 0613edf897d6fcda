//! What a newcomer meets: the bare command, help, version, completions, manual pages.

use crate::common::{run, run_in, stdout};

#[test]
fn the_bare_command_prints_what_one_can_do() {
    let run = run(&[]);
    assert_eq!(run.code, Some(0));
    for command in [
        "run",
        "compare",
        "stats",
        "diff",
        "query",
        "workloads",
        "claims",
        "machine list",
        "machine show",
        "mechanisms",
        "explain",
        "ptx check",
        "ptx info",
        "ptx run",
        "graph info",
        "graph generate",
        "graph convert",
        "graph list",
        "dram replay",
        "dram list",
        "completions",
        "man",
    ] {
        assert!(run.stdout.contains(command), "{command}");
    }
    assert!(run.stderr.is_empty());
}

/// The lines of the overview that can be pasted, without what a shell would do with `>`.
fn examples() -> Vec<String> {
    let overview = stdout(&[]);
    let pasted = overview.lines().filter_map(|line| line.strip_prefix("  heddle ").map(str::to_string));
    pasted.collect()
}

#[test]
fn the_examples_of_the_bare_command_run_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let examples = examples();
    assert!(examples.len() >= 5, "{examples:?}");
    for example in examples {
        let command = example.split(" > ").next().unwrap();
        let words: Vec<&str> = command.split_whitespace().collect();
        let run = run_in(folder.path(), &words);
        assert_eq!(run.code, Some(0), "heddle {example}: {}", run.stderr);
    }
}

#[test]
fn help_and_version_go_to_standard_output() {
    assert!(stdout(&["--help"]).contains("Usage: heddle"));
    assert_eq!(stdout(&["--version"]), format!("heddle {}\n", env!("CARGO_PKG_VERSION")));
    for command in ["info", "generate", "convert", "list"] {
        assert!(stdout(&["graph", command, "--help"]).contains(&format!("Usage: heddle graph {command}")));
    }
}

#[test]
fn a_mistyped_command_is_a_usage_error_with_a_suggestion() {
    let run = run(&["graph", "ifno"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("'info'"), "{}", run.stderr);
}

#[test]
fn shells_get_completions() {
    for (shell, sign) in [("bash", "_heddle()"), ("zsh", "#compdef heddle"), ("fish", "complete -c heddle")] {
        let script = stdout(&["completions", shell]);
        assert!(script.contains(sign), "{shell}");
        assert!(script.contains("memory-limit"), "{shell}");
    }
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    assert!(stdout(&["man"]).contains(".TH heddle 1"));
    let folder = tempfile::tempdir().unwrap();
    let run = run_in(folder.path(), &["man", "--out", "deep/man1"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for page in ["heddle", "heddle-graph-info", "heddle-graph-convert", "heddle-completions", "heddle-man"] {
        let text = std::fs::read_to_string(folder.path().join(format!("deep/man1/{page}.1"))).unwrap();
        assert!(text.contains(".SH SYNOPSIS"), "{page}");
    }
}
