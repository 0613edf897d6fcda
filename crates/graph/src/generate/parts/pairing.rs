//! The configuration model of an undirected graph: every vertex has as many stubs as its degree says, and
//! stubs are joined at random.
//!
//! Two kinds of structure are kept while joining. A share of the stubs is *local*: joined within its
//! block of 256 vertices. The others are joined along a line of *stages*, ranges of ids of which each
//! joins only its neighbours, so that a traversal needs a step for every stage.

use super::arrangement::BLOCK;
use super::edge_set::key;
use crate::csr::Vertex;
use crate::generate::random::Random;

/// Ranges of ids along which long links are confined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stages {
    vertices: u64,
    count: u64,
}

impl Stages {
    /// `count` ranges of nearly equal length.
    pub(crate) fn new(vertices: u64, count: u64) -> Stages {
        Stages { vertices, count: count.min(vertices).max(1) }
    }

    /// The stage of a vertex.
    pub(crate) fn of(&self, vertex: Vertex) -> u64 {
        u64::from(vertex) * self.count / self.vertices.max(1)
    }

    /// The vertices of a stage.
    pub(crate) fn range(&self, stage: u64) -> std::ops::Range<u64> {
        let first = |stage: u64| (stage * self.vertices).div_ceil(self.count);
        first(stage)..first(stage + 1)
    }

    /// Number of stages.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The stage of `vertex` or one of its neighbours, at random.
    pub(crate) fn near(&self, vertex: Vertex, random: &mut Random) -> u64 {
        let own = self.of(vertex);
        if self.count == 1 {
            return own;
        }
        // The ends of the line have one neighbour only; the draw that would leave it stays at home.
        (own + random.below(3)).saturating_sub(1).min(self.count - 1)
    }

    /// Whether a long link between the two may be.
    pub(crate) fn allow(&self, a: Vertex, b: Vertex) -> bool {
        self.of(a).abs_diff(self.of(b)) <= 1
    }
}

/// Joins all stubs. Self-loops and repeated edges occur; the [repair](super::repair) removes them.
pub(crate) fn pair(degrees: &[u32], local: f64, stages: Stages, random: &mut Random) -> Vec<u64> {
    let at_home = local_degrees(degrees, local);
    let stubs: u64 = degrees.iter().map(|&degree| u64::from(degree)).sum();
    let mut keys = Vec::with_capacity(stubs as usize / 2 + 1);
    let mut pool: Vec<Vertex> = Vec::new();
    for (block, counts) in at_home.chunks(BLOCK).enumerate() {
        pool.clear();
        for (lane, &count) in counts.iter().enumerate() {
            pool.extend(std::iter::repeat_n((block * BLOCK + lane) as Vertex, count as usize));
        }
        join(&mut pool, random, &mut keys);
    }
    // Half of a stage's stubs meet those of the stage before, half those of the stage after.
    let mut waiting: Vec<Vertex> = Vec::new();
    for stage in 0..stages.count() {
        let mut own: Vec<Vertex> = Vec::new();
        for vertex in stages.range(stage) {
            let away = degrees[vertex as usize] - at_home[vertex as usize];
            own.extend(std::iter::repeat_n(vertex as Vertex, away as usize));
        }
        random.shuffle(&mut own);
        let half = if stage + 1 == stages.count() { own.len() } else { own.len() / 2 };
        waiting.extend_from_slice(&own[..half]);
        join(&mut waiting, random, &mut keys);
        waiting.extend_from_slice(&own[half..]);
    }
    keys
}

/// Joins the stubs of `pool`; an odd one stays there.
fn join(pool: &mut Vec<Vertex>, random: &mut Random, keys: &mut Vec<u64>) {
    random.shuffle(pool);
    let odd = pool.len() % 2;
    keys.extend(pool[odd..].chunks_exact(2).map(|pair| key(pair[0], pair[1])));
    pool.truncate(odd);
}

/// How many stubs of each vertex are joined within its block: `local` of all, an even number per block,
/// and for no vertex more than half a block, so that simple graphs are found.
fn local_degrees(degrees: &[u32], local: f64) -> Vec<u32> {
    const MOST: f64 = BLOCK as f64 / 2.0;
    // Of the other stubs some meet in one block by chance.
    let chance = (BLOCK as f64 / degrees.len().max(1) as f64).min(1.0);
    let planned = if chance < local { (local - chance) / (1.0 - chance) } else { 0.0 };
    let wanted = planned * degrees.iter().map(|&degree| f64::from(degree)).sum::<f64>();
    let share = |rate: f64, degree: u32| (rate * f64::from(degree)).min(MOST);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..50 {
        let middle = (low + high) / 2.0;
        let sum: f64 = degrees.iter().map(|&degree| share(middle, degree)).sum();
        if sum < wanted { low = middle } else { high = middle }
    }
    let mut counts = Vec::with_capacity(degrees.len());
    let mut owed = 0.0;
    for block in degrees.chunks(BLOCK) {
        let first = counts.len();
        let mut sum = 0;
        for &degree in block {
            owed += share(high, degree);
            let count = (owed as u32).min(degree);
            owed -= f64::from(count);
            sum += u64::from(count);
            counts.push(count);
        }
        if sum % 2 == 1
            && let Some(count) = counts[first..].iter_mut().find(|count| **count > 0)
        {
            *count -= 1;
            owed += 1.0;
        }
    }
    counts
}
