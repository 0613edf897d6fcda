// BFS by pull: targets in the outer loop look for a source of the frontier among their in-edges; no atomics
// ([Salvador20] figure 1).
//
// Buffers (5): in_offsets, in_edges, level, next_level, changed. The host swaps the levels after each launch.
#include "heddle.cuh"

// Every vertex writes its own level and no other, reached or not. All sources of the frontier offer the same
// level, so that the first one found ends the search.
HEDDLE_KERNEL pull(const u32 *in_offsets, const u32 *in_edges, const u32 *level, u32 *next_level, u32 *changed,
                   u32 depth, u32 vertices) {
  u32 target = thread_in_grid();
  if (target >= vertices) return;
  u32 reached = __ldg(&level[target]);
  if (reached == INFINITE) {
    u32 end = __ldg(&in_offsets[target + 1]);
    for (u32 edge = __ldg(&in_offsets[target]); edge < end; edge++) {
      if (__ldg(&level[__ldg(&in_edges[edge])]) == depth) {
        reached = depth + 1;
        *changed = 1;
        break;
      }
    }
  }
  next_level[target] = reached;
}
