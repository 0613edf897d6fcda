// Betweenness centrality by push: Brandes' algorithm level by level ([Salvador20] figure 1 and
// table III). Forward, the vertices of a level send their numbers of paths along their outgoing arcs; backward,
// they send shares of their dependency along their incoming arcs to their predecessors. All updates of targets
// are atomic, four arcs at a time so that relaxed atomics can overlap.
//
// Numbers of different magnitude cannot be added before it is known which is the largest, so a level goes
// forward in two steps: the largest exponent by atomic maximum, then the sum by atomic addition. The additions
// are single precision and come in any order: a sum of n terms may be off by n/2^24 of itself.
//
// Buffers (10): row, col (outgoing), row_in, col_in (incoming arcs), depth, sigma, sigma_exponent, delta, bc, over.
#include "bc/bc.cuh"

// Forward: reaches the next level, and finds the largest exponent that arrives at each of its vertices. The
// numbers of this level are complete by now and get their final form.
HEDDLE_KERNEL bc_push_discover(const u32 *row, const u32 *col, u32 *depth, f32 *sigma, s32 *sigma_exponent,
                               u32 *over, u32 level, u32 vertices) {
  u32 source = thread_in_grid();
  if (source >= vertices || depth[source] != level) return;
  f32 sum = sigma[source];
  s32 exponent = sigma_exponent[source] + exponent_of(sum);
  sigma[source] = mantissa_of(sum);
  sigma_exponent[source] = exponent;
  push_along(
      col, __ldg(&row[source]), __ldg(&row[source + 1]), [=](u32 target) { return depth[target]; },
      [=](u32 target, u32 known) {
        if (known == INFINITE) {
          depth[target] = level + 1;
          *over = 1;
        }
        reduceMaxIf(known > level, &sigma_exponent[target], exponent);
      });
}

// Forward: adds the numbers of this level up at the next one.
HEDDLE_KERNEL bc_push_count(const u32 *row, const u32 *col, const u32 *depth, f32 *sigma,
                            const s32 *sigma_exponent, u32 level, u32 vertices) {
  u32 source = thread_in_grid();
  if (source >= vertices || __ldg(&depth[source]) != level) return;
  f32 own = sigma[source];
  s32 exponent = __ldg(&sigma_exponent[source]);
  push_along(
      col, __ldg(&row[source]), __ldg(&row[source + 1]),
      [=](u32 target) {
        if (__ldg(&depth[target]) != level + 1) return 0.0f;
        return own * power_of_two(exponent - __ldg(&sigma_exponent[target]));
      },
      [=](u32 target, f32 paths) { reduceAddIf(paths != 0, &sigma[target], paths); });
}

// Backward: the vertices of this level send their dependency to those from which paths come.
HEDDLE_KERNEL bc_push_depend(const u32 *row_in, const u32 *col_in, const u32 *depth, const f32 *sigma,
                             const s32 *sigma_exponent, f32 *delta, u32 level, u32 vertices) {
  u32 source = thread_in_grid();
  if (source >= vertices || __ldg(&depth[source]) != level) return;
  f32 dependency = 1 + delta[source];
  push_along(
      col_in, __ldg(&row_in[source]), __ldg(&row_in[source + 1]),
      [=](u32 target) {
        if (__ldg(&depth[target]) + 1 != level) return 0.0f;
        return share_of_paths(sigma, sigma_exponent, target, source) * dependency;
      },
      [=](u32 target, f32 part) { reduceAddIf(part != 0, &delta[target], part); });
}
