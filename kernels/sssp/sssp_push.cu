// SSSP by push: sources in the outer loop, atomics on their targets ([Salvador20] figure 1 and
// table III: control and information lie with the source). Distances are double-buffered: the previous
// iteration's are only read.
//
// Buffers (7): row_offsets, edges, weights, distance, next_distance, active, changed.
#include "sssp/relax.cuh"

// The source's distance is read once; four edges in each iteration and their atomics back to back: none needs
// another's answer, so that a machine with relaxed atomics overlaps them (section V-B).
HEDDLE_KERNEL push(const u32 *row_offsets, const u32 *edges, const u32 *weights, const u32 *distance,
                   u32 *next_distance, const u32 *active, u32 vertices) {
  u32 source = thread_in_grid();
  if (source >= vertices || !__ldg(&active[source])) return;
  u32 near = __ldg(&distance[source]);
  u32 end = __ldg(&row_offsets[source + 1]);
  u32 edge = __ldg(&row_offsets[source]);
  for (; end - edge >= 4; edge += 4) {
    u32 target0 = __ldg(&edges[edge]), target1 = __ldg(&edges[edge + 1]);
    u32 target2 = __ldg(&edges[edge + 2]), target3 = __ldg(&edges[edge + 3]);
    u32 far0 = saturating_add(near, __ldg(&weights[edge]));
    u32 far1 = saturating_add(near, __ldg(&weights[edge + 1]));
    u32 far2 = saturating_add(near, __ldg(&weights[edge + 2]));
    u32 far3 = saturating_add(near, __ldg(&weights[edge + 3]));
    reduceMin(&next_distance[target0], far0);
    reduceMin(&next_distance[target1], far1);
    reduceMin(&next_distance[target2], far2);
    reduceMin(&next_distance[target3], far3);
  }
  for (; edge < end; edge++)
    reduceMin(&next_distance[__ldg(&edges[edge])], saturating_add(near, __ldg(&weights[edge])));
}

// Makes this iteration's distances the previous ones; those that were lowered are the active ones.
HEDDLE_KERNEL commit(u32 *distance, const u32 *next_distance, u32 *active, u32 *changed, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  bool lowered = take_lower_cost(distance, next_distance, vertex);
  active[vertex] = lowered;
  if (lowered) *changed = 1;
}
