// WCC by bit-vector scheduling: vertex-centric and bulk-synchronous, after 001_5c3b768a7015d194.txt (sections 2,
// 3 and 6.1). In a super-step every vertex whose bit in active_vertex_list is set gathers the labels of its
// neighbours through R, C and V; if one is smaller than its own it takes it and sets the bits of its
// neighbours for the next super-step. At first all vertices are active, and fewer and fewer later.
//
// C holds both directions of every edge, so its in-edges are its out-edges and one pair R, C serves both the
// gather and the scatter. A label is the smallest vertex of a component in the end.
//
// Buffers (7): R, C, V, V_next, active_vertex_list, next_active_vertex_list, over.
#include "heddle_more.cuh"

// Every vertex is its own label, and active. The bits beyond the last vertex stay clear.
HEDDLE_KERNEL wcc_init(u32 *V, u32 *active_vertex_list, u32 *next_active_vertex_list, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  V[vertex] = vertex;
  if (vertex % 32 == 0) {
    u32 left = vertices - vertex;
    active_vertex_list[vertex / 32] = left < 32 ? (1u << left) - 1 : 0xffffffffu;
    next_active_vertex_list[vertex / 32] = 0;
  }
}

HEDDLE_INLINE bool is_active(const u32 *active_vertex_list, u32 vertex) {
  return (__ldg(&active_vertex_list[vertex / 32]) >> (vertex % 32)) & 1;
}

// Gather: the smallest label around. Scatter: whoever changed activates its neighbours.
HEDDLE_KERNEL wcc_gather(const u32 *R, const u32 *C, const u32 *V, u32 *V_next, const u32 *active_vertex_list,
                         u32 *next_active_vertex_list, u32 *over, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices || !is_active(active_vertex_list, vertex)) return;
  u32 begin = __ldg(&R[vertex]);
  u32 end = __ldg(&R[vertex + 1]);
  u32 own = __ldg(&V[vertex]);
  u32 smallest = own;
  for (u32 i = begin; i < end; i++) {
    u32 label = __ldg(&V[__ldg(&C[i])]);
    smallest = label < smallest ? label : smallest;
  }
  V_next[vertex] = smallest;
  if (smallest == own) return;
  *over = 1;
  for (u32 i = begin; i < end; i++) {
    u32 neighbour = __ldg(&C[i]);
    reduce_or(&next_active_vertex_list[neighbour / 32], 1u << (neighbour % 32));
  }
}

// The end of a super-step: labels take effect.
HEDDLE_KERNEL wcc_update(u32 *V, const u32 *V_next, const u32 *active_vertex_list, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices || !is_active(active_vertex_list, vertex)) return;
  V[vertex] = __ldg(&V_next[vertex]);
}

// The schedule of the next super-step: the lists change places, and the one to be filled is cleared.
HEDDLE_KERNEL wcc_schedule(u32 *active_vertex_list, u32 *next_active_vertex_list, u32 words) {
  u32 word = thread_in_grid();
  if (word >= words) return;
  active_vertex_list[word] = next_active_vertex_list[word];
  next_active_vertex_list[word] = 0;
}
