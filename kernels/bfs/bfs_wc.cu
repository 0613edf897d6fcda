// BFS-WC: warp-centric and topology-driven with a frontier of flags. A warp is given 32 consecutive vertices
// and expands one active vertex after the other, its lanes reading consecutive edges
// ([Lakshminarayana14] section 5.1.1, figures 48 and 49; table 9).
//
// Buffers (7): row_offsets, edges, frontier, next_frontier, visited, cost, over.
#include "frontier_flags.cuh"

// Nothing passes between the lanes and the flags are not written here, so that any block size is right; with
// a multiple of 32 the 32 threads are one warp.
HEDDLE_KERNEL expand(const u32 *row_offsets, const u32 *edges, const u8 *frontier, u8 *next_frontier,
                     const u8 *visited, u32 *cost, u32 next_cost, u32 vertices) {
  u32 lane = thread_in_grid() % WARP_LANES;
  u32 first = thread_in_grid() - lane;
  u32 chunk = first < vertices ? vertices - first : 0;
  if (chunk > WARP_LANES) chunk = WARP_LANES;
  for (u32 vertex = first; vertex != first + chunk; vertex++) {
    if (!__ldg(&frontier[vertex])) continue;
    u32 end = __ldg(&row_offsets[vertex + 1]);
    u32 start = __ldg(&row_offsets[vertex]);
    // Counted from the row's start, because an edge number plus 32 might not fit in 32 bits.
    for (u32 index = lane; index < end - start; index += WARP_LANES) {
      u32 neighbour = __ldg(&edges[start + index]);
      if (!__ldg(&visited[neighbour])) {
        cost[neighbour] = next_cost;
        next_frontier[neighbour] = 1;
      }
    }
  }
}
