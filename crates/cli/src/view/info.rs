//! The page of `heddle graph info`.

use super::page::Page;
use super::text::{bytes, share, thousands, yes_no};
use crate::describe::{Bfs, Bucket, Components, Degree, Description, Taxonomy};

/// Width of the longest bar of the histogram.
const BAR_WIDTH: u64 = 40;

/// The whole page.
pub(crate) fn page(description: &Description) -> String {
    let mut page = Page::new();
    input(&mut page, description);
    arcs(&mut page, description);
    degrees(&mut page, &description.degree);
    histogram(&mut page, &description.degree_histogram);
    let vertices = u64::from(description.vertices);
    if let Some(found) = &description.components {
        components(&mut page, found, vertices);
    }
    if let Some(bfs) = &description.bfs {
        search(&mut page, bfs, vertices);
    }
    diameter(&mut page, description);
    if let Some(classes) = &description.taxonomy {
        taxonomy(&mut page, classes);
    }
    if !description.notes.is_empty() {
        page.section("Notes");
        for note in &description.notes {
            page.line(&format!("  - {note}"));
        }
    }
    page.finish()
}

fn input(page: &mut Page, description: &Description) {
    page.section("Input");
    page.row("graph", &description.input);
    page.row("format", &description.format);
    if let Some(recipe) = &description.recipe {
        page.row("recipe", recipe);
    }
    if let Some(stored) = description.stored_bytes {
        page.row("on disk", bytes(stored));
    }
    page.section("Size");
    page.row("vertices", thousands(u64::from(description.vertices)));
    page.row("arcs", thousands(description.arcs));
    page.row("memory", format!("{} for one direction", bytes(description.memory_bytes)));
}

fn arcs(page: &mut Page, description: &Description) {
    let directed = if description.directed { "yes" } else { "no, every edge is held as two arcs" };
    let weighted = match description.weights {
        "none" => "no",
        "converted" => "yes, converted",
        "dropped" => "yes, not held",
        "generated" => "yes, generated",
        _ => "yes",
    };
    page.section("Arcs");
    page.row("directed", directed);
    page.row("weighted", weighted);
    page.row("self-loops", thousands(description.self_loops));
    page.row("duplicates", thousands(description.duplicates));
    page.row("symmetric", yes_no(description.symmetric));
}

fn degrees(page: &mut Page, degree: &Degree) {
    page.section("Out-degrees");
    page.row("minimum", thousands(degree.min));
    page.row("median", thousands(degree.median));
    page.row("mean", format!("{:.3}", degree.mean));
    page.row("standard deviation", format!("{:.3}", degree.standard_deviation));
    page.row("90th percentile", thousands(degree.p90));
    page.row("99th percentile", thousands(degree.p99));
    page.row("maximum", thousands(degree.max));
}

/// A bar for every range of degrees. The smallest non-empty range still shows.
fn histogram(page: &mut Page, buckets: &[Bucket]) {
    let most = buckets.iter().map(|bucket| bucket.vertices).max().unwrap_or(0);
    if most == 0 {
        return;
    }
    let bar = |vertices: u64| {
        let width = u128::from(vertices) * u128::from(BAR_WIDTH) / u128::from(most);
        let least = usize::from(vertices > 0);
        "#".repeat((width as usize).max(least))
    };
    let range = |bucket: &Bucket| match bucket.from == bucket.to {
        true => thousands(bucket.from),
        false => format!("{}-{}", thousands(bucket.from), thousands(bucket.to)),
    };
    let row = |bucket: &Bucket| vec![range(bucket), thousands(bucket.vertices), bar(bucket.vertices)];
    page.line("");
    page.table(&["degree", "vertices", ""], &[2], &buckets.iter().map(row).collect::<Vec<_>>());
}

fn components(page: &mut Page, components: &Components, vertices: u64) {
    page.section("Weakly connected components");
    page.row("count", thousands(components.count));
    let largest = components.largest;
    page.row("largest", format!("{} vertices ({})", thousands(largest), share(largest, vertices)));
}

fn search(page: &mut Page, bfs: &Bfs, vertices: u64) {
    let which = if bfs.source_given { "as asked" } else { "the first vertex of largest degree" };
    page.section("Breadth-first search");
    page.row("source", format!("{} ({which})", bfs.source));
    page.row("depth", format!("{} ({} iterations)", thousands(bfs.depth), thousands(bfs.iterations)));
    page.row("reached", format!("{} vertices ({})", thousands(bfs.reached), share(bfs.reached, vertices)));
}

fn diameter(page: &mut Page, description: &Description) {
    let (Some(least), Some(most)) = (description.diameter_estimate, description.diameter_upper_bound) else {
        return;
    };
    page.section(match description.directed {
        true => "Diameter of the largest component, arcs taken both ways",
        false => "Diameter of the largest component",
    });
    page.row("at least", thousands(least));
    page.row("at most", thousands(most));
}

fn taxonomy(page: &mut Page, taxonomy: &Taxonomy) {
    page.section("Taxonomy");
    page.row("machine", machine(taxonomy));
    page.row(
        "volume",
        format!("{:<12} {}", format!("{:.3} KiB", taxonomy.volume_kib), taxonomy.volume_class),
    );
    page.row("AN_L", format!("{:.3}", taxonomy.an_local));
    page.row("AN_R", format!("{:.3}", taxonomy.an_remote));
    page.row("reuse", format!("{:<12} {}", format!("{:.3}", taxonomy.reuse), taxonomy.reuse_class));
    page.row(
        "imbalance",
        format!("{:<12} {}", format!("{:.3}", taxonomy.imbalance), taxonomy.imbalance_class),
    );
}

fn machine(taxonomy: &Taxonomy) -> String {
    format!(
        "{} cores, L1 {}, L2 {}, thread blocks of {}, warps of {}",
        taxonomy.cores,
        bytes(taxonomy.l1_bytes),
        bytes(taxonomy.l2_bytes),
        taxonomy.thread_block,
        taxonomy.warp
    )
}
