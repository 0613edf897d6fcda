//! S–T connectivity.

use super::counted::{arcs, count_with, path};
use heddle_workloads::library::{Answer, RunOptions};

#[test]
fn two_searches_meet_in_half_as_many_levels() {
    let options = RunOptions { source: Some(0), target: Some(1999), ..RunOptions::default() };
    let run = count_with("stcon", &path(2000), &options);
    assert_eq!(run.outcome.answer, Answer::Path(Some((0..2000).collect())));
    assert_eq!(run.outcome.iterations.len(), 1000);
    assert!(run.frontiers().iter().all(|&frontier| frontier == Some(2)));
}

#[test]
fn the_search_from_the_target_goes_against_the_arcs() {
    // Only arcs into the target lead anywhere from it; the other way round there is no path.
    let graph = arcs(5, [(0, 1), (1, 2), (3, 2), (2, 4)]);
    let there = RunOptions { source: Some(0), target: Some(4), ..RunOptions::default() };
    assert_eq!(count_with("stcon", &graph, &there).outcome.answer, Answer::Path(Some(vec![0, 1, 2, 4])));
    let back = RunOptions { source: Some(4), target: Some(0), ..RunOptions::default() };
    assert_eq!(count_with("stcon", &graph, &back).outcome.answer, Answer::Path(None));
}

#[test]
fn a_vertex_reaches_itself_without_a_launch() {
    let options = RunOptions { source: Some(3), target: Some(3), ..RunOptions::default() };
    let run = count_with("stcon", &path(9), &options);
    assert_eq!(run.outcome.answer, Answer::Path(Some(vec![3])));
    assert!(run.outcome.launches.is_empty());
}
