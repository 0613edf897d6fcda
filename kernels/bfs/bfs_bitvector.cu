// BFS with bit-vector scheduling: scatter only ([Park15] section 6).
//
// Buffers (6): r_out, c_out, level, active_vertex_list, scheduled, scheduled_size.
#include "bit_vector.cuh"

// A scheduled vertex that no earlier step has reached takes the step as its level and schedules all its
// targets; that a target was reached before is found out when it runs.
HEDDLE_KERNEL visit(const u32 *r_out, const u32 *c_out, u32 *level, u32 *active_vertex_list, const u32 *scheduled,
                    const u32 *scheduled_size, u32 step) {
  u32 position = thread_in_grid();
  if (position >= __ldg(scheduled_size)) return;
  u32 vertex = __ldg(&scheduled[position]);
  if (level[vertex] != INFINITE) return;
  level[vertex] = step;
  u32 c_index = __ldg(&r_out[vertex]);
  scatter_set(active_vertex_list, c_out, c_index, __ldg(&r_out[vertex + 1]) - c_index);
}
