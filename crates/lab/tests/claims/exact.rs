//! Claims whose figures are exact: the published table agrees, and each figure of it matters.

use super::{observations, row};
use heddle_lab::claims::book::{Book, Claim};
use heddle_lab::claims::judge::judge;
use heddle_lab::claims::ledger::Verdict;
use heddle_lab::claims::observations::{Observation, Observations};
use heddle_lab::scale::Scale;

fn claim(id: &str) -> Claim {
    let book = Book::built_in().unwrap();
    book.claims.into_iter().find(|claim| claim.published.id == id).unwrap()
}

fn verdict(claim: &Claim, results: &Observations) -> Verdict {
    let entry = judge(claim, Scale::Study, results, &[]);
    assert_ne!(entry.verdict, Verdict::Incomplete, "{}", entry.why);
    entry.verdict
}

/// The rows agree; with any of these figures off by a part, they do not.
fn assert_exact(id: &str, rows: Vec<Observation>, figures: &[&str]) {
    let claim = claim(id);
    let rows = observations(rows);
    assert_eq!(verdict(&claim, &rows), Verdict::Agrees, "{id}");
    for index in 0..rows.rows.len() {
        for &name in figures {
            let mut changed = rows.clone();
            let Some(figure) = changed.rows[index].row.reals.get_mut(name) else { continue };
            *figure = *figure * 1.5 + 0.02;
            let words = format!("{id}: {name} of {:?}", changed.rows[index].labels);
            assert_eq!(verdict(&claim, &changed), Verdict::DoesNotAgree, "{words}");
            assert_eq!(verdict(&claim, &rows), Verdict::Agrees, "{words}");
        }
    }
}

#[test]
fn the_cost_of_table_2_is_exact() {
    let figures = [("bytes_per_core", 1365.0), ("register_file_bytes", 131_072.0)];
    let cheaper = [("bytes_per_core", 1332.0), ("register_file_bytes", 131_072.0)];
    let rows = vec![
        row(&[("mechanism", "spare-registers-table-2")], &figures),
        row(&[("mechanism", "c-spref")], &cheaper),
    ];
    assert_exact("ch3-cost", rows[..1].to_vec(), &["bytes_per_core", "register_file_bytes"]);
    assert_eq!(verdict(&claim("ch3-cost"), &observations(rows)), Verdict::Agrees);
}

#[test]
fn the_cost_of_section_4_5_6_is_exact() {
    let figures = [("l2.tag_bytes", 5376.0), ("l1.tag_bytes", 288.0), ("l1.table_bytes", 1024.0)];
    let rows = vec![row(&[("mechanism", "bc")], &figures)];
    assert_exact("byp-cost", rows, &["l2.tag_bytes", "l1.tag_bytes", "l1.table_bytes"]);
}

#[test]
fn the_spare_registers_of_table_4_are_exact() {
    let kernels = [
        ("h-bfs", "Kernel", 38.0),
        ("h-sssp", "DijkstraKernel1", 26.0),
        ("h-mst", "Kernel_Find_Min_Edge_Weight_Per_Vertex", 44.0),
        ("ls-bfs", "drelax", 52.0),
        ("ls-sssp", "drelax", 40.0),
        ("ls-mst", "boruvkaone", 76.0),
        ("stcon", "expand", 36.0),
    ];
    let rows = kernels.map(|(workload, kernel, kilobytes)| {
        let point = [("label", "document"), ("workload", workload), ("kernel", kernel)];
        row(&point, &[("unused_register_bytes", 1024.0 * kilobytes)])
    });
    assert_exact("ch3-spare", rows.to_vec(), &["unused_register_bytes"]);
}

#[test]
fn the_registers_of_table_18_keep_their_order_and_occupancy() {
    let versions = [
        ("bfs-topology", 13.0, 48.0),
        ("bfs-swp", 15.0, 48.0),
        ("bfs-swpnc", 16.0, 48.0),
        ("bfs-unr2", 19.0, 48.0),
        ("bfs-unr3", 24.0, 32.0),
        ("bfs-unr2-swp", 20.0, 48.0),
        ("bfs-unr2-swpnc", 20.0, 48.0),
    ];
    let rows = versions.map(|(workload, registers, warps)| {
        let point = [("label", "ours"), ("workload", workload), ("kernel", "expand")];
        row(&point, &[("registers", registers), ("resident_warps", warps)])
    });
    assert_exact("ch5-regs", rows.to_vec(), &["resident_warps"]);
    let claim = claim("ch5-regs");
    // Each version with the registers of the largest is out of order, and so is the largest with those of the least.
    for index in 0..rows.len() {
        let mut changed = rows.to_vec();
        let registers = if versions[index].0 == "bfs-unr3" { 13.0 } else { 24.0 };
        changed[index].row.reals.insert("registers".to_owned(), registers);
        assert_eq!(verdict(&claim, &observations(changed)), Verdict::DoesNotAgree, "{index}");
    }
}

#[test]
fn the_figures_of_table_ii_are_exact_to_its_digits() {
    let graph = |name: &str, figures: [f64; 6]| {
        let names = ["volume", "an_l", "an_r", "reuse", "imbalance", "blocks"];
        let pairs: Vec<(&str, f64)> = names.into_iter().zip(figures).collect();
        row(&[("graph", name)], &pairs)
    };
    let rows = vec![
        graph("wing", [79.4584, 0.0198, 3.8991, 0.0051, 0.0, 243.0]),
        graph("dictionary28", [60.0849, 1.2149, 2.1672, 0.3592, 18.0 / 206.0, 206.0]),
    ];
    assert_exact("coh-table2", rows, &["volume", "an_l", "an_r", "reuse", "imbalance"]);
}

#[test]
fn the_iterations_of_table_16_are_of_its_order() {
    let table = [
        ("in-2004", 26.0, 64.0),
        ("coPapersDBLP", 15.0, 76.0),
        ("great-britain", 6389.0, 6432.0),
        ("er-22", 7.0, 40.0),
        ("rgg-22", 1141.0, 2549.0),
    ];
    let rows: Vec<Observation> = table
        .iter()
        .flat_map(|&(graph, bfs, sssp)| [("bfs-dd", graph, bfs), ("sssp-dd", graph, sssp)])
        .map(|(workload, graph, passes)| {
            row(&[("workload", workload), ("graph", graph)], &[("iterations", passes)])
        })
        .collect();
    let claim = claim("ch5-iterations");
    assert_eq!(verdict(&claim, &observations(rows.clone())), Verdict::Agrees);
    for index in 0..rows.len() {
        for factor in [0.09, 11.0] {
            let mut changed = rows.clone();
            changed[index].row.reals.values_mut().for_each(|passes| *passes *= factor);
            assert_eq!(verdict(&claim, &observations(changed)), Verdict::DoesNotAgree, "{index}");
        }
    }
}

#[test]
fn software_prefetching_with_a_check_costs_instructions_and_gains_nothing() {
    // Instructions and seconds of the baseline, with a check in the loop, and without.
    let versions = |swp: f64, swpnc: f64, seconds: f64| {
        let versions = [("bfs-topology", 1e6, 1.0), ("bfs-swp", swp, seconds), ("bfs-swpnc", swpnc, 1.0)];
        let rows = versions.map(|(workload, instructions, seconds)| {
            let figures = [("warp_instructions", instructions), ("seconds", seconds)];
            row(&[("workload", workload), ("graph", "in-2004")], &figures)
        });
        observations(rows.to_vec())
    };
    let claim = claim("ch5-swp");
    assert_eq!(verdict(&claim, &versions(1.3e6, 1.1e6, 1.0)), Verdict::Agrees);
    for (swp, swpnc, seconds) in [(1.1e6, 1.3e6, 1.0), (0.9e6, 0.8e6, 1.0), (1.3e6, 1.1e6, 0.9)] {
        let found = verdict(&claim, &versions(swp, swpnc, seconds));
        assert_eq!(found, Verdict::DoesNotAgree, "{swp} {swpnc} {seconds}");
    }
}
