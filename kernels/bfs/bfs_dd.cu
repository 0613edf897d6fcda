// BFS-DD: data-driven, one thread for each vertex of the frontier, which is a queue of vertices
// ([Lakshminarayana14] section 5.2, figure 53; table 9).
//
// Buffers (8): row_offsets, edges, visited, cost, frontier, next_frontier, frontier_size, next_frontier_size.
// The host swaps the two frontiers and their sizes after each launch.
#include "block_queue.cuh"

// The exchange decides which thread pushes a neighbour, so that no vertex is in a frontier twice.
HEDDLE_KERNEL expand(const u32 *row_offsets, const u32 *edges, u32 *visited, u32 *cost, const u32 *frontier,
                     u32 *next_frontier, const u32 *frontier_size, u32 *next_frontier_size, u32 next_cost) {
  __shared__ BlockQueue queue;
  clear(&queue);
  u32 position = thread_in_grid();
  // No return in between: the whole block meets again to copy its queue.
  if (position < __ldg(frontier_size)) {
    u32 vertex = __ldg(&frontier[position]);
    u32 end = __ldg(&row_offsets[vertex + 1]);
    for (u32 edge = __ldg(&row_offsets[vertex]); edge < end; edge++) {
      u32 neighbour = __ldg(&edges[edge]);
      if (visited[neighbour] == 0 && atomicExch(&visited[neighbour], 1u) == 0) {
        cost[neighbour] = next_cost;
        push(&queue, neighbour, next_frontier, next_frontier_size);
      }
    }
  }
  flush(&queue, next_frontier, next_frontier_size);
}
