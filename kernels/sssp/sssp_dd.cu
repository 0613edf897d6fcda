// SSSP, data-driven: one thread relaxes the edges of each vertex of the frontier, which is a queue; a second
// kernel over all vertices builds the next queue ([Lakshminarayana14] sections 5.2 and 5.4.3).
//
// Buffers (7): row_offsets, edges, weights, cost, updating_cost, frontier, frontier_size.
#include "block_queue.cuh"
#include "sssp/relax.cuh"

HEDDLE_KERNEL relax(const u32 *row_offsets, const u32 *edges, const u32 *weights, const u32 *cost,
                    u32 *updating_cost, const u32 *frontier, const u32 *frontier_size) {
  u32 position = thread_in_grid();
  if (position >= __ldg(frontier_size)) return;
  u32 vertex = __ldg(&frontier[position]);
  u32 vertex_cost = __ldg(&cost[vertex]);
  u32 end = __ldg(&row_offsets[vertex + 1]);
  for (u32 edge = __ldg(&row_offsets[vertex]); edge < end; edge++) {
    u32 neighbour = __ldg(&edges[edge]);
    atomicMin(&updating_cost[neighbour], saturating_add(vertex_cost, __ldg(&weights[edge])));
  }
}

// The host sets the size of the queue to 0 before. A thread pushes at most one vertex.
HEDDLE_KERNEL build_frontier(u32 *cost, const u32 *updating_cost, u32 *frontier, u32 *frontier_size, u32 vertices) {
  __shared__ BlockQueue queue;
  clear(&queue);
  u32 vertex = thread_in_grid();
  if (vertex < vertices && take_lower_cost(cost, updating_cost, vertex)) push(&queue, vertex, frontier, frontier_size);
  flush(&queue, frontier, frontier_size);
}
