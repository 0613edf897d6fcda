// Betweenness centrality by pull: Brandes' algorithm level by level ([Salvador20] figure 1 and
// table III). Forward, every vertex that is not reached yet looks for sources of the current level along its
// incoming arcs and adds up their numbers of paths; backward, the vertices of a level look along their outgoing
// arcs for those of the next one. No atomics: every sum is made by one thread, in double precision.
//
// Buffers (10): row, col (outgoing), row_in, col_in (incoming arcs), depth, sigma, sigma_exponent, delta, bc, over.
#include "bc/bc.cuh"

// Forward. Depths change meanwhile, but only from "not reached" to the next level, and neither is looked for.
HEDDLE_KERNEL bc_pull_count(const u32 *row_in, const u32 *col_in, u32 *depth, f32 *sigma, s32 *sigma_exponent,
                            u32 *over, u32 level, u32 vertices) {
  u32 target = thread_in_grid();
  if (target >= vertices || depth[target] != INFINITE) return;
  f64 sum = 0;
  s32 exponent = 0;
  u32 end = __ldg(&row_in[target + 1]);
  for (u32 arc = __ldg(&row_in[target]); arc < end; arc++) {
    u32 source = __ldg(&col_in[arc]);
    if (depth[source] != level) continue;
    s32 source_exponent = sigma_exponent[source];
    if (source_exponent > exponent) {
      sum *= power_of_two(exponent - source_exponent);
      exponent = source_exponent;
    }
    sum += sigma[source] * power_of_two(source_exponent - exponent);
  }
  if (sum == 0) return;
  f32 paths = sum;
  depth[target] = level + 1;
  sigma[target] = mantissa_of(paths);
  sigma_exponent[target] = exponent + exponent_of(paths);
  *over = 1;
}

// Backward: what the vertices of this level pass on to those below.
HEDDLE_KERNEL bc_pull_depend(const u32 *row, const u32 *col, const u32 *depth, const f32 *sigma,
                             const s32 *sigma_exponent, f32 *delta, u32 level, u32 vertices) {
  u32 target = thread_in_grid();
  if (target >= vertices || __ldg(&depth[target]) != level) return;
  f64 sum = 0;
  u32 end = __ldg(&row[target + 1]);
  for (u32 arc = __ldg(&row[target]); arc < end; arc++) {
    u32 source = __ldg(&col[arc]);
    if (__ldg(&depth[source]) == level + 1)
      sum += share_of_paths(sigma, sigma_exponent, target, source) * (1 + delta[source]);
  }
  delta[target] = sum;
}
