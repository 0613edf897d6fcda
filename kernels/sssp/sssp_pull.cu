// SSSP by pull: targets in the outer loop take the shortest way through an active source among their in-edges;
// no atomics ([Salvador20] figure 1).
//
// Buffers (8): in_offsets, in_edges, in_weights, distance, next_distance, active, next_active, changed. The
// host swaps distances and flags after each launch.
#include "heddle.cuh"

// Every vertex writes its own distance and no other. The source's flag stands in the inner loop: that is what
// push saves.
HEDDLE_KERNEL pull(const u32 *in_offsets, const u32 *in_edges, const u32 *in_weights, const u32 *distance,
                   u32 *next_distance, const u32 *active, u32 *next_active, u32 *changed, u32 vertices) {
  u32 target = thread_in_grid();
  if (target >= vertices) return;
  u32 before = __ldg(&distance[target]);
  u32 nearest = before;
  u32 end = __ldg(&in_offsets[target + 1]);
  for (u32 edge = __ldg(&in_offsets[target]); edge < end; edge++) {
    u32 source = __ldg(&in_edges[edge]);
    if (!__ldg(&active[source])) continue;
    u32 candidate = saturating_add(__ldg(&distance[source]), __ldg(&in_weights[edge]));
    nearest = candidate < nearest ? candidate : nearest;
  }
  next_distance[target] = nearest;
  next_active[target] = nearest < before;
  if (nearest < before) *changed = 1;
}
