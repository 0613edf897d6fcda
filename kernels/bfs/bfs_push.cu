// BFS by push: sources in the outer loop, atomics on their targets ([Salvador20] figure 1).
// Levels are double-buffered: the previous iteration's are only read.
//
// Buffers (5): row_offsets, edges, level, next_level, changed.
#include "heddle.cuh"

// Four edges in each iteration and their atomics back to back: none needs another's answer, so that a machine
// with relaxed atomics overlaps them (section V-B).
HEDDLE_KERNEL push(const u32 *row_offsets, const u32 *edges, const u32 *level, u32 *next_level, u32 depth, u32 vertices) {
  u32 source = thread_in_grid();
  if (source >= vertices || __ldg(&level[source]) != depth) return;
  u32 end = __ldg(&row_offsets[source + 1]);
  u32 edge = __ldg(&row_offsets[source]);
  for (; end - edge >= 4; edge += 4) {
    u32 target0 = __ldg(&edges[edge]), target1 = __ldg(&edges[edge + 1]);
    u32 target2 = __ldg(&edges[edge + 2]), target3 = __ldg(&edges[edge + 3]);
    bool wanted0 = __ldg(&level[target0]) == INFINITE, wanted1 = __ldg(&level[target1]) == INFINITE;
    bool wanted2 = __ldg(&level[target2]) == INFINITE, wanted3 = __ldg(&level[target3]) == INFINITE;
    reduceMinIf(wanted0, &next_level[target0], depth + 1);
    reduceMinIf(wanted1, &next_level[target1], depth + 1);
    reduceMinIf(wanted2, &next_level[target2], depth + 1);
    reduceMinIf(wanted3, &next_level[target3], depth + 1);
  }
  for (; edge < end; edge++) {
    u32 target = __ldg(&edges[edge]);
    reduceMinIf(__ldg(&level[target]) == INFINITE, &next_level[target], depth + 1);
  }
}

// Makes this iteration's levels the previous ones and says whether there is a next frontier.
HEDDLE_KERNEL commit(u32 *level, const u32 *next_level, u32 *changed, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  u32 reached = __ldg(&next_level[vertex]);
  if (reached == level[vertex]) return;
  level[vertex] = reached;
  *changed = 1;
}
