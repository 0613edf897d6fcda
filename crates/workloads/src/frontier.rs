//! One step of a frontier, in parallel when the frontier is long enough.

use heddle_graph::Vertex;
use rayon::prelude::*;

/// Vertices that one task works through. A frontier of one block is not worth waking a thread for.
const BLOCK_VERTICES: usize = 512;

/// Calls `visit` for every vertex of `frontier` and returns what the calls produced, in frontier order.
///
/// Calls of different blocks may run at the same time, so whatever they share must come out the same in any
/// order (a minimum, a count, a value that only one of them writes).
pub(crate) fn expand<T: Send>(frontier: &[Vertex], visit: impl Fn(Vertex, &mut Vec<T>) + Sync) -> Vec<T> {
    let expand_block = |block: &[Vertex]| {
        let mut produced = Vec::new();
        block.iter().for_each(|&vertex| visit(vertex, &mut produced));
        produced
    };
    if frontier.len() <= BLOCK_VERTICES {
        return expand_block(frontier);
    }
    let parts: Vec<Vec<T>> = frontier.par_chunks(BLOCK_VERTICES).map(expand_block).collect();
    let mut joined = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    parts.into_iter().for_each(|part| joined.extend(part));
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_stand_in_frontier_order() {
        let frontier: Vec<Vertex> = (0..5000).rev().collect();
        let doubled = expand(&frontier, |vertex, out| out.extend([vertex, vertex]));
        assert_eq!(doubled, frontier.iter().flat_map(|&v| [v, v]).collect::<Vec<_>>());
    }
}
