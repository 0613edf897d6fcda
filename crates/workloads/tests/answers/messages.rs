//! A wrong answer is told where it is wrong, in words.

use super::shapes::{cycle, directed, empty, path, undirected, weighted};
use heddle_workloads::reference::bipartite::Bipartite;
use heddle_workloads::{NO_PARENT, UNREACHED, check};

/// The text of the error.
fn told<E: std::error::Error>(verdict: Result<(), E>) -> String {
    verdict.expect_err("the answer is wrong").to_string()
}

#[test]
fn lengths() {
    let graph = path(3);
    let text = "the answer has 2 entries for 3 vertices";
    assert_eq!(told(check::bfs::depths(&graph, 0, &[0, 1])), text);
    assert_eq!(told(check::bfs::parents(&graph, 0, &[0, 0])), text);
    assert_eq!(told(check::sssp::distances(&graph, 0, &[0, 1])), text);
    assert_eq!(told(check::sssp::parents(&graph, 0, &[0, 0])), text);
    assert_eq!(told(check::wcc::labels(&graph, &[0, 0])), text);
    assert_eq!(told(check::pagerank::ranks(&graph, 0.85, &[0.5, 0.5], 1.0)), text);
    assert_eq!(told(check::mis::set(&graph, &[true, false])), text);
    assert_eq!(told(check::colouring::colours(&graph, &[0, 1])), text);
    assert_eq!(told(check::betweenness::centrality(&graph, &[0], &[0.0, 0.0], 1.0)), text);
    assert_eq!(told(check::bipartite::verdict(&graph, &Bipartite::Sides(vec![true, false]))), text);
}

#[test]
fn depths_and_distances() {
    let graph = directed(3, [(0, 1)]);
    assert_eq!(told(check::bfs::depths(&graph, 0, &[0, 2, UNREACHED])), "vertex 1 has depth 2, expected 1");
    assert_eq!(told(check::bfs::depths(&graph, 0, &[0, 1, 2])), "vertex 2 has depth 2, expected unreached");
    assert_eq!(
        told(check::sssp::distances(&graph, 0, &[0, u64::MAX, u64::MAX])),
        "vertex 1 has distance unreached, expected 1"
    );
    assert_eq!(
        told(check::bfs::depths(&graph, 4, &[0; 3])),
        "vertex 4 does not exist; the graph has 3 vertices, counted from 0"
    );
}

#[test]
fn trees() {
    let graph = weighted(5, [(0, 1, 2), (0, 2, 9), (1, 2, 3), (4, 1, 1)]);
    let none = NO_PARENT;
    let told = |parents: [u32; 5]| told(check::sssp::parents(&graph, 0, &parents));
    assert_eq!(check::sssp::parents(&graph, 0, &[0, 0, 1, none, none]), Ok(()));
    assert_eq!(told([1, 0, 1, none, none]), "source 0 has parent 1, expected itself");
    assert_eq!(told([0, 0, 5, none, none]), "vertex 2 has parent 5; the graph has only 5 vertices");
    assert_eq!(told([0, 0, none, none, none]), "vertex 2 can be reached, but has no parent");
    assert_eq!(told([0, 0, 1, 2, none]), "vertex 3 cannot be reached, but has parent 2");
    assert_eq!(told([0, 2, 1, none, none]), "vertex 1 has parent 2, but no arc leads from 2 to 1");
    assert_eq!(told([0, 4, 1, none, none]), "vertex 1 has parent 4, which cannot be reached");
    assert_eq!(told([0, 0, 0, none, none]), "vertex 2 is 9 away through its parent 0, but 5 by another path");
}

#[test]
fn labels() {
    let graph = directed(4, [(2, 0), (1, 3)]);
    assert_eq!(
        told(check::wcc::labels(&graph, &[7, 8, 9, 8])),
        "an arc joins vertices 2 and 0, but their labels are 9 and 7"
    );
    assert_eq!(
        told(check::wcc::labels(&graph, &[7, 7, 7, 7])),
        "vertices 0 and 1 both have label 7, but no path joins them"
    );
}

#[test]
fn values() {
    let graph = cycle(4);
    assert_eq!(
        told(check::pagerank::ranks(&graph, 0.85, &[0.25, 0.5, 0.3, 0.25], 0.01)),
        "vertex 1 is furthest off: 0.5, expected 0.25 (relative tolerance 0.01)"
    );
    assert_eq!(
        told(check::pagerank::ranks(&graph, 1.0, &[0.25; 4], 0.01)),
        "damping is 1; expected at least 0 and below 1"
    );
    assert_eq!(
        told(check::betweenness::centrality(&path(3), &[0, 1, 2], &[0.0, f64::NAN, 5.0], 0.01)),
        "vertex 1 is furthest off: NaN, expected 2 (relative tolerance 0.01)"
    );
    assert_eq!(told(check::triangles::count(&cycle(3), 2)), "2 triangles, expected 1");
}

#[test]
fn sets_and_colours() {
    let graph = path(4);
    let told_set = |set: [bool; 4]| told(check::mis::set(&graph, &set));
    assert_eq!(told_set([false, true, true, false]), "vertex 1 and its neighbour 2 are both in the set");
    assert_eq!(
        told_set([true, false, false, false]),
        "vertex 2 could still be added: none of its neighbours is in the set"
    );
    let told_colours = |colours: [u32; 4]| told(check::colouring::colours(&graph, &colours));
    assert_eq!(told_colours([0, 1, 1, 0]), "vertex 1 and its neighbour 2 both have colour 1");
    assert_eq!(told_colours([0, 1, u32::MAX, 0]), "vertex 2 has no colour");
}

#[test]
fn forests() {
    let graph = weighted(4, [(0, 1, 1), (1, 2, 5), (2, 0, 3)]);
    let told = |edges: &[(u32, u32)]| told(check::mst::edges(&graph, edges));
    assert_eq!(check::mst::edges(&graph, &[(2, 0), (1, 0)]), Ok(()));
    assert_eq!(told(&[(0, 3)]), "the graph has no edge between 0 and 3");
    assert_eq!(told(&[(0, 9)]), "vertex 9 does not exist; the graph has 4 vertices, counted from 0");
    assert_eq!(told(&[(0, 1), (2, 0), (1, 2)]), "the edge between 1 and 2 closes a cycle");
    assert_eq!(
        told(&[(0, 1)]),
        "not spanning: the graph has an edge between 0 and 2, which are in different trees"
    );
    assert_eq!(
        told(&[(0, 1), (1, 2)]),
        "not minimal: the edge between 0 and 2 weighs only 3, less than some edge on the way between them \
         in the forest"
    );
}

#[test]
fn paths() {
    let graph = directed(4, [(0, 1), (1, 2), (2, 1)]);
    let told = |path: &[u32]| told(check::stcon::path(&graph, 0, 2, Some(path)));
    assert_eq!(told(&[]), "the path is empty");
    assert_eq!(told(&[1, 2]), "the path begins at 1, expected 0");
    assert_eq!(told(&[0, 1]), "the path ends at 1, expected 2");
    assert_eq!(told(&[0, 2]), "step 1 goes from 0 to 2, but no arc leads there");
    assert_eq!(told(&[0, 1, 2, 1, 2]), "vertex 1 is visited twice");
    assert_eq!(told(&[0, 8, 2]), "vertex 8 does not exist; the graph has 4 vertices, counted from 0");
    assert_eq!(
        check::stcon::path(&graph, 0, 2, None).unwrap_err().to_string(),
        "a path of 2 arcs leads from 0 to 2, beginning with the arc to 1"
    );
    assert!(check::stcon::path(&graph, 3, 3, None).is_err());
    assert_eq!(check::stcon::path(&graph, 2, 0, None), Ok(()));
}

#[test]
fn verdicts() {
    let graph = undirected(4, [(0, 1), (1, 2), (2, 0), (2, 3)]);
    let told = |verdict| told(check::bipartite::verdict(&graph, &verdict));
    assert_eq!(
        told(Bipartite::Sides(vec![false, true, false, true])),
        "an arc leads from 0 to 2, which are on the same side"
    );
    assert_eq!(told(Bipartite::OddCycle(vec![])), "the cycle has 0 vertices, which is not odd");
    assert_eq!(told(Bipartite::OddCycle(vec![0, 1, 0])), "vertex 0 is on the cycle twice");
    assert_eq!(
        told(Bipartite::OddCycle(vec![0, 1, 3])),
        "1 and 3 follow each other on the cycle, but no edge joins them"
    );
    assert_eq!(
        told(Bipartite::OddCycle(vec![0, 1, 4])),
        "vertex 4 does not exist; the graph has 4 vertices, counted from 0"
    );
    let verdict = Bipartite::OddCycle(vec![0]);
    assert!(check::bipartite::verdict(&empty(0), &verdict).is_err());
}
