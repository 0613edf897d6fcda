//! What the tests of the surrogates measure on a graph: degrees, depth, and the taxonomy of
//! 002_4488ae5b21985a34.txt, written apart from the crate's own metrics so that each checks the other.

use heddle_graph::{Csr, Graph, Vertex};

pub(crate) const BLOCK: usize = 256;
pub(crate) const WARP: usize = 32;

pub(crate) struct Structure {
    pub(crate) vertices: u64,
    pub(crate) arcs: u64,
    pub(crate) degree_max: u64,
    pub(crate) degree_average: f64,
    pub(crate) degree_deviation: f64,
    /// Degrees that a half, nine tenths and 99 of 100 vertices do not exceed.
    pub(crate) degree_quantiles: [u64; 3],
    /// AN_L and AN_R.
    pub(crate) local: f64,
    pub(crate) remote: f64,
    pub(crate) reuse: f64,
    pub(crate) imbalance: f64,
    /// Iterations of a breadth-first search from the first vertex of largest degree.
    pub(crate) depth: u64,
    /// Vertices that it reaches.
    pub(crate) reached: u64,
    /// Longest distance of repeated sweeps that follow arcs both ways.
    pub(crate) diameter: u64,
}

impl Structure {
    pub(crate) fn of(graph: &Graph) -> Structure {
        let csr = graph.out_edges();
        let vertices = csr.num_vertices() as f64;
        let degrees: Vec<u64> = csr.vertices().map(|v| csr.degree(v)).collect();
        let average = csr.num_arcs() as f64 / vertices;
        let squares: f64 = degrees.iter().map(|&d| (d as f64 - average).powi(2)).sum();
        let at_home = csr.arcs().filter(|&(a, b)| a as usize / BLOCK == b as usize / BLOCK).count() as f64;
        let (local, remote) = (at_home / vertices, (csr.num_arcs() as f64 - at_home) / vertices);
        let source = csr.first_of_largest_degree().unwrap();
        let (depth, reached, _) = search(&[csr], source);
        Structure {
            vertices: u64::from(csr.num_vertices()),
            arcs: csr.num_arcs(),
            degree_max: *degrees.iter().max().unwrap(),
            degree_average: average,
            degree_deviation: (squares / vertices).sqrt(),
            degree_quantiles: quantiles(&degrees),
            local,
            remote,
            reuse: 0.5 * (1.0 + (local - remote) / average),
            imbalance: imbalance(&degrees),
            depth,
            reached,
            diameter: diameter(graph, source),
        }
    }

    /// Classes of volume, reuse and imbalance on 15 cores with 32 KB of L1 and 4 MB of L2, both `shrink`
    /// times smaller.
    pub(crate) fn taxonomy(&self, shrink: f64) -> String {
        let volume = (self.vertices + self.arcs) as f64 * 4.0 / 1024.0 / 15.0;
        let class = |value: f64, low: f64, high: f64| match value {
            value if value < low => 'L',
            value if value > high => 'H',
            _ => 'M',
        };
        let volume = class(volume, 1.5 * 32.0 / shrink, 4096.0 / 15.0 / shrink);
        [volume, class(self.reuse, 0.15, 0.40), class(self.imbalance, 0.05, 0.25)].iter().collect()
    }
}

/// Levels below the source, vertices reached, and one of those reached last.
fn search(rows: &[&Csr], source: Vertex) -> (u64, u64, Vertex) {
    let mut seen = vec![false; rows[0].num_vertices() as usize];
    seen[source as usize] = true;
    let (mut frontier, mut next) = (vec![source], Vec::new());
    let (mut depth, mut reached, mut last) = (0, 1, source);
    loop {
        for &vertex in &frontier {
            for &target in rows.iter().flat_map(|csr| csr.neighbours(vertex)) {
                if !std::mem::replace(&mut seen[target as usize], true) {
                    next.push(target);
                }
            }
        }
        let Some(&first) = next.first() else { return (depth, reached, last) };
        depth += 1;
        reached += next.len() as u64;
        last = first;
        frontier.clear();
        std::mem::swap(&mut frontier, &mut next);
    }
}

fn quantiles(degrees: &[u64]) -> [u64; 3] {
    let mut sorted = degrees.to_vec();
    sorted.sort_unstable();
    [50, 90, 99].map(|percent| sorted[sorted.len() * percent / 100])
}

fn diameter(graph: &Graph, source: Vertex) -> u64 {
    let both: &[&Csr] =
        if graph.is_directed() { &[graph.out_edges(), graph.in_edges()] } else { &[graph.out_edges()] };
    let (mut longest, _, mut last) = search(both, source);
    loop {
        let (depth, _, next) = search(both, last);
        if depth <= longest {
            return longest;
        }
        (longest, last) = (depth, next);
    }
}

/// Fraction of blocks whose warps' largest degrees have optimal two-means more than 10 apart.
fn imbalance(degrees: &[u64]) -> f64 {
    let marked = |block: &[u64]| {
        let mut maxima: Vec<f64> =
            block.chunks(WARP).map(|warp| *warp.iter().max().unwrap() as f64).collect();
        maxima.sort_by(f64::total_cmp);
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        let spread = |part: &[f64]| part.iter().map(|value| (value - mean(part)).powi(2)).sum::<f64>();
        let splits = (1..maxima.len()).map(|cut| {
            let (low, high) = maxima.split_at(cut);
            (spread(low) + spread(high), mean(high) - mean(low))
        });
        splits.min_by(|a, b| a.0.total_cmp(&b.0)).is_some_and(|(_, apart)| apart > 10.0)
    };
    let blocks = degrees.chunks(BLOCK);
    let count = blocks.len();
    degrees.chunks(BLOCK).filter(|block| marked(block)).count() as f64 / count as f64
}
