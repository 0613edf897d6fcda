// CLR by push ([Salvador20] figure 1 and table III): every uncoloured vertex is a source and
// sends its priority to its uncoloured neighbours by atomic maximum; then each vertex compares what arrived
// with its own. Four arcs at a time, so that relaxed atomics can overlap.
//
// The maximum that a self-loop sends is the vertex's own priority, and priorities are unique, so "not below
// the maximum" is "above all others".
//
// Buffers (6): row, col, node_value, color, max, over.
#include "colouring/colouring.cuh"

HEDDLE_KERNEL color_push_init(u32 *node_value, u32 *color, u32 *max, u32 seed, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  node_value[vertex] = priority(vertex, seed);
  color[vertex] = UNCOLOURED;
  max[vertex] = 0;
}

HEDDLE_KERNEL color_push_max(const u32 *row, const u32 *col, const u32 *node_value, const u32 *color,
                             u32 *max, u32 vertices) {
  u32 source = thread_in_grid();
  if (source >= vertices || __ldg(&color[source]) != UNCOLOURED) return;
  u32 own = __ldg(&node_value[source]);
  push_along(
      col, __ldg(&row[source]), __ldg(&row[source + 1]),
      [=](u32 target) { return __ldg(&color[target]) == UNCOLOURED; },
      [=](u32 target, bool open) { reduceMaxIf(open, &max[target], own); });
}

// Colours the vertices that nobody beat, and clears the maxima for the next round.
HEDDLE_KERNEL color_push_assign(const u32 *node_value, u32 *color, u32 *max, u32 *over, u32 round,
                                u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices || color[vertex] != UNCOLOURED) return;
  if (__ldg(&node_value[vertex]) >= max[vertex]) {
    color[vertex] = round;
  } else {
    max[vertex] = 0;
    *over = 1;
  }
}
