// PageRank by push ([Salvador20] figure 1 and table III): a source loads its rank and divides it
// once, then adds the share to each of its targets by atomic addition, four arcs at a time so that relaxed
// atomics can overlap.
//
// The additions are single precision and come in any order: a sum of n shares may be off by n/2^24 of itself.
//
// Buffers (7): row, col, rank, next_rank, partial, dangling, over.
#include "pagerank/pagerank.cuh"

HEDDLE_KERNEL pagerank_push_init(f32 *rank, f32 *next_rank, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  rank[vertex] = 1.0f / vertices;
  next_rank[vertex] = 0;
}

HEDDLE_KERNEL pagerank_push(const u32 *row, const u32 *col, const f32 *rank, f32 *next_rank, u32 vertices) {
  u32 source = thread_in_grid();
  if (source >= vertices) return;
  u32 begin = __ldg(&row[source]);
  u32 end = __ldg(&row[source + 1]);
  if (begin == end) return;
  f32 share = __ldg(&rank[source]) / (end - begin);
  push_along(
      col, begin, end, [](u32) { return true; },
      [=](u32 target, bool) { reduceAdd(&next_rank[target], share); });
}

// The rank of vertices without outgoing arcs, block by block.
HEDDLE_KERNEL pagerank_push_dangling(const u32 *row, const f32 *rank, f64 *partial, u32 vertices) {
  u32 vertex = thread_in_grid();
  f64 dangling = 0;
  if (vertex < vertices && __ldg(&row[vertex]) == __ldg(&row[vertex + 1])) dangling = __ldg(&rank[vertex]);
  dangling = block_sum(dangling);
  if (thread_in_block() == 0) partial[block_in_grid()] = dangling;
}

// Makes ranks of what has arrived, and clears it.
HEDDLE_KERNEL pagerank_push_update(f32 *rank, f32 *next_rank, const f64 *dangling, u32 *over, f64 damping,
                                   f32 tolerance, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  f32 updated = rank_for_all(damping, __ldg(dangling), vertices) + damping * next_rank[vertex];
  next_rank[vertex] = 0;
  if (moves(rank[vertex], updated, tolerance)) *over = 1;
  rank[vertex] = updated;
}
