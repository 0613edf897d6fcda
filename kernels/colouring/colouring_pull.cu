// CLR by pull ([Salvador20] figure 1 and table III): every uncoloured vertex is a target, reads
// the priorities of its uncoloured neighbours and keeps the largest. No atomics: a word has one writer. The
// whole row is read, as by push, which makes the two comparable; colouring_topology leaves early instead.
//
// Buffers (6): row, col, node_value, color, max, over.
#include "colouring/colouring.cuh"

HEDDLE_KERNEL color_pull_init(u32 *node_value, u32 *color, u32 *max, u32 seed, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  node_value[vertex] = priority(vertex, seed);
  color[vertex] = UNCOLOURED;
  max[vertex] = 0;
}

HEDDLE_KERNEL color_pull_max(const u32 *row, const u32 *col, const u32 *node_value, const u32 *color,
                             u32 *max, u32 vertices) {
  u32 target = thread_in_grid();
  if (target >= vertices || __ldg(&color[target]) != UNCOLOURED) return;
  u32 largest = 0;
  u32 end = __ldg(&row[target + 1]);
  for (u32 arc = __ldg(&row[target]); arc < end; arc++) {
    u32 source = __ldg(&col[arc]);
    if (__ldg(&color[source]) == UNCOLOURED) {
      u32 value = __ldg(&node_value[source]);
      largest = value > largest ? value : largest;
    }
  }
  max[target] = largest;
}

// Colours the vertices that nobody beat. A self-loop brings the vertex's own priority, hence "not below".
HEDDLE_KERNEL color_pull_assign(const u32 *node_value, u32 *color, const u32 *max, u32 *over, u32 round,
                                u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices || color[vertex] != UNCOLOURED) return;
  if (__ldg(&node_value[vertex]) >= __ldg(&max[vertex]))
    color[vertex] = round;
  else
    *over = 1;
}
