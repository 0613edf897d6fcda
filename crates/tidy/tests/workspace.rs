//! The workspace keeps to its own rules.

use heddle_tidy::source::{rust_files, workspace_root};
use heddle_tidy::{
    Finding, arrows, banned, circles, citations, detection, lengths, links, names, test_modules,
};

fn assert_none(findings: &[String]) {
    assert!(findings.is_empty(), "\n{}\n", findings.join("\n"));
}

fn all(check: fn(&heddle_tidy::source::SourceFile) -> Vec<Finding>) -> Vec<String> {
    let files = rust_files(&workspace_root()).unwrap();
    assert!(files.len() > 20, "the checks must see the workspace, not an empty folder");
    files.iter().flat_map(check).map(|finding| finding.to_string()).collect()
}

#[test]
fn crates_depend_only_along_the_arrows() {
    assert_none(&arrows::check(&workspace_root()).unwrap());
}

#[test]
fn files_call_each_other_in_one_direction() {
    let files = rust_files(&workspace_root()).unwrap();
    for folder in circles::ONE_WAY {
        assert_none(&circles::check(&files, folder));
    }
}

#[test]
fn no_name_stands_for_two_types_of_a_crate() {
    let files = rust_files(&workspace_root()).unwrap();
    for folder in names::DISTINCT {
        assert_none(&names::check(&files, folder));
    }
}

#[test]
fn links_between_pages_lead_to_files() {
    let root = workspace_root();
    assert!(links::pages(&root).unwrap().len() >= 5, "the checks must see the pages");
    assert_none(&links::check(&root).unwrap());
}

#[test]
fn no_banned_item_is_used() {
    assert_none(&all(banned::check));
}

#[test]
fn hardware_finds_loads_without_the_compiler() {
    assert_none(&all(detection::check));
    let folder = workspace_root().join("crates/gpu/src/core/inject");
    for file in detection::FILES {
        assert!(folder.join(file).exists(), "{file} is not there");
    }
}

#[test]
fn functions_and_files_are_short_and_begin_with_a_page() {
    assert_none(&all(lengths::check));
}

#[test]
fn every_crate_takes_the_shared_lints() {
    let root = workspace_root();
    for (folder, _) in arrows::ARROWS {
        let manifest = std::fs::read_to_string(root.join("crates").join(folder).join("Cargo.toml")).unwrap();
        assert!(
            manifest.contains("[lints]\nworkspace = true"),
            "crates/{folder} does not take the shared lints"
        );
    }
}

#[test]
fn every_file_of_tests_belongs_to_a_binary() {
    let root = workspace_root();
    assert_none(&test_modules::check(&root, &rust_files(&root).unwrap()));
}

#[test]
fn every_source_is_cited_by_a_key_that_is_explained() {
    let root = workspace_root();
    let page = std::fs::read_to_string(root.join(citations::PAGE)).unwrap();
    let explained = citations::explained(&page);
    assert!(explained.len() >= 20, "the check must see the tables of {}", citations::PAGE);
    let files = citations::files(&root).unwrap();
    assert!(files.len() > 300, "the check must see the workspace, not an empty folder");
    let findings: Vec<String> =
        files.iter().flat_map(|file| citations::check(file, &explained)).map(|f| f.to_string()).collect();
    assert_none(&findings);
}

#[test]
fn every_deviation_has_a_number_of_its_own() {
    let page = std::fs::read_to_string(workspace_root().join("DEVIATIONS.md")).unwrap();
    let mut numbers: Vec<u32> =
        page.lines().filter_map(|line| line.split_once(". **")?.0.parse().ok()).collect();
    numbers.sort_unstable();
    assert!(numbers.len() > 50, "the check must see the page");
    let twice: Vec<String> =
        numbers.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].to_string()).collect();
    assert_none(&twice);
}
