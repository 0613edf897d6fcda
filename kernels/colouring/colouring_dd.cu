// CLR, data-driven: a round has as many threads as vertices are still uncoloured, and these stand in a queue
// of vertex numbers. After section 5.2 and figure 53 of [Lakshminarayana14]: a thread puts its vertex
// into the queue of its block in shared memory, a full queue spills to the one in global memory, and at the
// end the block copies its queue there.
//
// Whoever takes a colour does so while neighbours are still looking. They count both "uncoloured" and "the
// colour of this round" as uncoloured, so they decide the same whether they see the old word or the new one.
//
// Buffers (7): row, col, node_value, color, queue_in, queue_out, queue_size.
#include "block_queue.cuh"
#include "colouring/colouring.cuh"

HEDDLE_KERNEL color_dd_init(u32 *node_value, u32 *color, u32 *queue_in, u32 seed, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  node_value[vertex] = priority(vertex, seed);
  color[vertex] = UNCOLOURED;
  queue_in[vertex] = vertex;
}

HEDDLE_INLINE bool is_highest(const u32 *row, const u32 *col, const u32 *node_value, const u32 *color,
                              u32 vertex, u32 round) {
  u32 own = __ldg(&node_value[vertex]);
  u32 end = __ldg(&row[vertex + 1]);
  for (u32 arc = __ldg(&row[vertex]); arc < end; arc++) {
    u32 neighbour = __ldg(&col[arc]);
    u32 neighbour_color = color[neighbour];
    bool open = neighbour_color == UNCOLOURED || neighbour_color == round;
    if (open && __ldg(&node_value[neighbour]) > own) return false;
  }
  return true;
}

// A thread pushes at most one vertex. The host sets the size of the queue to 0 before.
HEDDLE_KERNEL color_dd(const u32 *row, const u32 *col, const u32 *node_value, u32 *color, const u32 *queue_in,
                       u32 *queue_out, u32 *queue_size, u32 entries, u32 round) {
  __shared__ BlockQueue queue;
  clear(&queue);
  u32 entry = thread_in_grid();
  if (entry < entries) {
    u32 vertex = __ldg(&queue_in[entry]);
    if (is_highest(row, col, node_value, color, vertex, round))
      color[vertex] = round;
    else
      push(&queue, vertex, queue_out, queue_size);
  }
  flush(&queue, queue_out, queue_size);
}
