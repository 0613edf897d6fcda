// H-SSSP: two kernels over all vertices and a frontier of flags; the relaxation is atomic. After the
// implementation of Harish and Narayanan that [Lakshminarayana14] uses (section 2.3.2, tables 4 and 9;
// kernels `DijkstraKernel1` and `DijkstraKernel2`).
//
// Buffers (7): graph_nodes, graph_edges, graph_weights, graph_updating_cost, graph_mask, cost, finished.
#include "heddle.cuh"

// Three loads and an atomic for each edge, as section 4.6 counts them: the cost of the vertex itself is read
// again each time, as the original's compiler did.
HEDDLE_KERNEL DijkstraKernel1(const u32 *graph_nodes, const u32 *graph_edges, const u32 *graph_weights,
                              u32 *graph_updating_cost, u8 *graph_mask, const u32 *cost, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices || !graph_mask[vertex]) return;
  graph_mask[vertex] = 0;
  u32 end = __ldg(&graph_nodes[vertex + 1]);
  for (u32 edge = __ldg(&graph_nodes[vertex]); edge < end; edge++) {
    u32 neighbour = __ldg(&graph_edges[edge]);
    u32 candidate = saturating_add(ldg_each_time(&cost[vertex]), __ldg(&graph_weights[edge]));
    atomicMin(&graph_updating_cost[neighbour], candidate);
  }
}

// Vertices whose cost was lowered form the next frontier; the copy of the costs follows them.
HEDDLE_KERNEL DijkstraKernel2(u32 *graph_updating_cost, u8 *graph_mask, u32 *cost, u32 *finished, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  if (cost[vertex] > graph_updating_cost[vertex]) {
    cost[vertex] = graph_updating_cost[vertex];
    graph_mask[vertex] = 1;
    *finished = 0;
  }
  graph_updating_cost[vertex] = cost[vertex];
}
