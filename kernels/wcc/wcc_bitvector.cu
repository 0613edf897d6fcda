// WCC with bit-vector scheduling: a vertex program that gathers and scatters ([Park15] sections 5
// and 6). A scheduled vertex gathers the labels of its neighbours; if one is smaller than its own it takes it and
// schedules its neighbours. At first all vertices are scheduled, and fewer and fewer later. In the end a label is
// the smallest vertex of its component.
//
// C holds both directions of every edge, so its in-edges are its out-edges, and one pair R, C serves the gather
// and the scatter.
//
// Buffers (6): R, C, V, active_vertex_list, scheduled, scheduled_size.
#include "bit_vector.cuh"

// The smallest label around a vertex: the loop whose loads PC_gather takes over. A neighbour whose label gets
// smaller in the same step may be seen before or after; it schedules this vertex again in any case.
HEDDLE_INLINE u32 gather_min(const u32 *V, const u32 *C, u32 c_index, u32 size) {
  u32 smallest = INFINITE;
  for (u32 edge = c_index; size != 0; edge++, size--) {
    u32 label = V[__ldg(&C[edge])];
    smallest = label < smallest ? label : smallest;
  }
  return smallest;
}

HEDDLE_KERNEL visit(const u32 *R, const u32 *C, u32 *V, u32 *active_vertex_list, const u32 *scheduled,
                    const u32 *scheduled_size) {
  u32 position = thread_in_grid();
  if (position >= __ldg(scheduled_size)) return;
  u32 vertex = __ldg(&scheduled[position]);
  u32 c_index = __ldg(&R[vertex]);
  u32 size = __ldg(&R[vertex + 1]) - c_index;
  u32 smallest = gather_min(V, C, c_index, size);
  if (smallest >= V[vertex]) return;
  V[vertex] = smallest;
  scatter_set(active_vertex_list, C, c_index, size);
}
