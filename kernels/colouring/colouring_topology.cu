// CLR: colouring by random priorities, topology-driven, one thread per vertex, a frontier of flags. After
// section 2.3.5 and figure 46 of [Lakshminarayana14] (kernel CLR of table 9), which follows Pannotia.
//
// In round k every uncoloured vertex whose priority is the highest among its uncoloured neighbours takes
// colour k. The scan of a row ends at the first neighbour that is higher: the document names this as the
// reason why warps do not help colouring as they help searching (section 5.4.3.1). Rounds and colours are
// the same as those of colouring_dd, _wc, _push and _pull under the same seed.
//
// Buffers (7): row, col, node_value, color, active, mark, over. The document fills node_value on the host;
// here the first kernel does, by an explicit hash, so that nothing depends on a host's random numbers.
#include "colouring/colouring.cuh"

HEDDLE_KERNEL color_init(u32 *node_value, u32 *color, u32 *active, u32 *mark, u32 seed, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  node_value[vertex] = priority(vertex, seed);
  color[vertex] = UNCOLOURED;
  active[vertex] = 1;
  mark[vertex] = 0;
}

// Marks the active vertices that no uncoloured neighbour beats. A self-loop beats nobody, and parallel arcs
// only say the same again.
HEDDLE_KERNEL color_mark(const u32 *row, const u32 *col, const u32 *node_value, const u32 *color,
                         const u32 *active, u32 *mark, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices || !__ldg(&active[vertex])) return;
  u32 own = __ldg(&node_value[vertex]);
  u32 end = __ldg(&row[vertex + 1]);
  for (u32 arc = __ldg(&row[vertex]); arc < end; arc++) {
    u32 neighbour = __ldg(&col[arc]);
    if (__ldg(&color[neighbour]) == UNCOLOURED && __ldg(&node_value[neighbour]) > own) return;
  }
  mark[vertex] = 1;
}

// Gives the marked vertices the colour of this round and takes them out of the frontier.
HEDDLE_KERNEL color_assign(u32 *color, u32 *active, u32 *mark, u32 *over, u32 round, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices || !active[vertex]) return;
  if (mark[vertex]) {
    color[vertex] = round;
    active[vertex] = 0;
    mark[vertex] = 0;
  } else {
    *over = 1;
  }
}
