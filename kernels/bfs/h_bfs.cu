// H-BFS: two kernels over all vertices and a frontier of flags. After the implementation of Harish and
// Narayanan that [Lakshminarayana14] uses (section 2.3.1, figure 2; kernels `Kernel` and `Kernel2`).
//
// Buffers (7): graph_nodes, graph_edges, graph_mask, updating_graph_mask, graph_visited, cost, over.
#include "heddle.cuh"

// A row of the adjacency list, as the original stores it: one 8-byte load tells where it is and how long.
struct Node {
  uint2 start_and_degree;
};

// Expands every vertex of the frontier: unvisited neighbours get a cost and a mark in the updating mask.
// No atomics: all writers of one neighbour in one launch write the same value.
HEDDLE_KERNEL Kernel(const Node *graph_nodes, const u32 *graph_edges, u8 *graph_mask, u8 *updating_graph_mask,
                     const u8 *graph_visited, u32 *cost, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices || !graph_mask[vertex]) return;
  graph_mask[vertex] = 0;
  uint2 row = __ldg(&graph_nodes[vertex].start_and_degree);
  u32 end = row.x + row.y;
  for (u32 edge = row.x; edge < end; edge++) {
    u32 neighbour = __ldg(&graph_edges[edge]);
    if (!__ldg(&graph_visited[neighbour])) {
      cost[neighbour] = cost[vertex] + 1;
      updating_graph_mask[neighbour] = 1;
    }
  }
}

// Builds the next frontier from the updating mask and says whether there is one.
HEDDLE_KERNEL Kernel2(u8 *graph_mask, u8 *updating_graph_mask, u8 *graph_visited, u32 *over, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices || !updating_graph_mask[vertex]) return;
  graph_mask[vertex] = 1;
  graph_visited[vertex] = 1;
  *over = 1;
  updating_graph_mask[vertex] = 0;
}
