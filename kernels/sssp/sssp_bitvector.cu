// SSSP with bit-vector scheduling: gather along in-edges, scatter along out-edges
// ([Park15] sections 5 and 6).
//
// Buffers (9): r_in, c_in, w_in, r_out, c_out, distance, active_vertex_list, scheduled, scheduled_size.
#include "bit_vector.cuh"

// The shortest way to a vertex through its sources: the loop whose loads PC_gather takes over. A source that
// gets nearer in the same step may be seen before or after; it schedules this vertex again in any case.
HEDDLE_INLINE u32 gather_min(const u32 *distance, const u32 *c_in, const u32 *w_in, u32 c_index, u32 size) {
  u32 nearest = INFINITE;
  for (u32 edge = c_index; size != 0; edge++, size--) {
    u32 candidate = saturating_add(distance[__ldg(&c_in[edge])], __ldg(&w_in[edge]));
    nearest = candidate < nearest ? candidate : nearest;
  }
  return nearest;
}

// The source is scheduled in the first step and is nearer than its distance says (0 instead of infinite).
HEDDLE_KERNEL visit(const u32 *r_in, const u32 *c_in, const u32 *w_in, const u32 *r_out, const u32 *c_out,
                    u32 *distance, u32 *active_vertex_list, const u32 *scheduled, const u32 *scheduled_size,
                    u32 source) {
  u32 position = thread_in_grid();
  if (position >= __ldg(scheduled_size)) return;
  u32 vertex = __ldg(&scheduled[position]);
  u32 in_index = __ldg(&r_in[vertex]);
  u32 nearest = gather_min(distance, c_in, w_in, in_index, __ldg(&r_in[vertex + 1]) - in_index);
  if (vertex == source) nearest = 0;
  if (nearest >= distance[vertex]) return;
  distance[vertex] = nearest;
  u32 out_index = __ldg(&r_out[vertex]);
  scatter_set(active_vertex_list, c_out, out_index, __ldg(&r_out[vertex + 1]) - out_index);
}
