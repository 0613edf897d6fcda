// PageRank by pull ([Salvador20] figure 1 and table III): a target reads rank and out-degree of
// each of its sources and divides, once per arc, because what push hoists out of its inner loop sits in the
// inner loop here (the document classifies PageRank's information as "source" for that). No atomics.
//
// Buffers (8): row, col (of the incoming arcs), out_degree, rank, next_rank, partial, dangling, over. The host
// swaps rank and next_rank after each iteration.
#include "pagerank/pagerank.cuh"

HEDDLE_KERNEL pagerank_pull_init(f32 *rank, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex < vertices) rank[vertex] = 1.0f / vertices;
}

// The rank of vertices without outgoing arcs, block by block.
HEDDLE_KERNEL pagerank_pull_dangling(const u32 *out_degree, const f32 *rank, f64 *partial, u32 vertices) {
  u32 vertex = thread_in_grid();
  f64 dangling = 0;
  if (vertex < vertices && __ldg(&out_degree[vertex]) == 0) dangling = __ldg(&rank[vertex]);
  dangling = block_sum(dangling);
  if (thread_in_block() == 0) partial[block_in_grid()] = dangling;
}

HEDDLE_KERNEL pagerank_pull(const u32 *row, const u32 *col, const u32 *out_degree, const f32 *rank,
                            f32 *next_rank, const f64 *dangling, u32 *over, f64 damping, f32 tolerance,
                            u32 vertices) {
  u32 target = thread_in_grid();
  if (target >= vertices) return;
  f64 sum = 0;
  u32 end = __ldg(&row[target + 1]);
  for (u32 arc = __ldg(&row[target]); arc < end; arc++) {
    u32 source = __ldg(&col[arc]);
    sum += __ldg(&rank[source]) / __ldg(&out_degree[source]);
  }
  f32 updated = rank_for_all(damping, __ldg(dangling), vertices) + damping * sum;
  if (moves(__ldg(&rank[target]), updated, tolerance)) *over = 1;
  next_rank[target] = updated;
}
