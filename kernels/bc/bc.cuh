// Numbers of shortest paths and what the two betweenness centralities do alike.
//
// A number of paths outgrows every machine number (a ladder of 1100 diamonds has 2^1100 of them), so it is
// sigma · 2^sigma_exponent, with sigma from 1 to below 2 once it is complete. Brandes' recurrence only needs
// the share that one number is of another, which is never more than 1.
#pragma once

#include "heddle_more.cuh"

// 2^exponent for exponents up to 0; what single precision cannot hold next to 1 is 0.
HEDDLE_INLINE f32 power_of_two(s32 exponent) {
  return exponent < -126 ? 0.0f : __builtin_bit_cast(f32, (u32)(exponent + 127) << 23);
}

// The exponent of a number that is at least 1.
HEDDLE_INLINE s32 exponent_of(f32 number) { return (s32)(__builtin_bit_cast(u32, number) >> 23) - 127; }

// The same number with its exponent taken out: from 1 to below 2.
HEDDLE_INLINE f32 mantissa_of(f32 number) {
  return __builtin_bit_cast(f32, (__builtin_bit_cast(u32, number) & 0x007fffffu) | 0x3f800000u);
}

// Which share of the paths to `below` comes through its predecessor `above`.
HEDDLE_INLINE f32 share_of_paths(const f32 *sigma, const s32 *sigma_exponent, u32 above, u32 below) {
  f32 ratio = __ldg(&sigma[above]) / __ldg(&sigma[below]);
  return ratio * power_of_two(__ldg(&sigma_exponent[above]) - __ldg(&sigma_exponent[below]));
}

HEDDLE_KERNEL bc_init(f32 *bc, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex < vertices) bc[vertex] = 0;
}

// Begins with one source: one path of no arcs leads to it.
HEDDLE_KERNEL bc_start(u32 *depth, f32 *sigma, s32 *sigma_exponent, f32 *delta, u32 source, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  depth[vertex] = vertex == source ? 0 : INFINITE;
  sigma[vertex] = vertex == source ? 1 : 0;
  sigma_exponent[vertex] = 0;
  delta[vertex] = 0;
}

// Adds what this source contributes. A source is not between itself and others.
HEDDLE_KERNEL bc_accumulate(const f32 *delta, f32 *bc, u32 source, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex < vertices && vertex != source) bc[vertex] += __ldg(&delta[vertex]);
}
