// SSSP, warp-centric: a warp is given 32 consecutive vertices and relaxes the edges of one active vertex after
// the other, its lanes reading consecutive edges ([Lakshminarayana14] sections 5.1.1 and 5.4.3).
//
// Buffers (7): row_offsets, edges, weights, cost, updating_cost, frontier, over.
#include "sssp/relax.cuh"

// Nothing passes between the lanes and the flags are not written here, so that any block size is right; with
// a multiple of 32 the 32 threads are one warp.
HEDDLE_KERNEL relax(const u32 *row_offsets, const u32 *edges, const u32 *weights, const u32 *cost,
                    u32 *updating_cost, const u8 *frontier, u32 vertices) {
  u32 lane = thread_in_grid() % WARP_LANES;
  u32 first = thread_in_grid() - lane;
  u32 chunk = first < vertices ? vertices - first : 0;
  if (chunk > WARP_LANES) chunk = WARP_LANES;
  for (u32 vertex = first; vertex != first + chunk; vertex++) {
    if (!__ldg(&frontier[vertex])) continue;
    u32 vertex_cost = __ldg(&cost[vertex]);
    u32 end = __ldg(&row_offsets[vertex + 1]);
    u32 start = __ldg(&row_offsets[vertex]);
    // Counted from the row's start, because an edge number plus 32 might not fit in 32 bits.
    for (u32 index = lane; index < end - start; index += WARP_LANES) {
      u32 neighbour = __ldg(&edges[start + index]);
      atomicMin(&updating_cost[neighbour], saturating_add(vertex_cost, __ldg(&weights[start + index])));
    }
  }
}

HEDDLE_KERNEL build_frontier(u32 *cost, const u32 *updating_cost, u8 *frontier, u32 *over, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  bool active = take_lower_cost(cost, updating_cost, vertex);
  frontier[vertex] = active;
  if (active) *over = 1;
}
