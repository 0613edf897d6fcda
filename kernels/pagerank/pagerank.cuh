// What the three PageRanks share: where rank goes that no arc takes along, and when a rank has settled.
//
// The rank of a vertex is (1 - d) / V plus d times what arrives along its incoming arcs, each source spreading
// its rank evenly over its outgoing arcs (parallel ones carry a share each); a vertex without outgoing arcs
// spreads its rank over all vertices. Ranks are single precision, as in the documents. Sums are kept in double
// precision where one thread or one block makes them; the atomics of push are single precision.
#pragma once

#include "heddle_more.cuh"

static const u32 BLOCK_THREADS_MAX = 1024;

// The sum of one term per thread of the block, in thread 0, for any block size. All threads must call it.
HEDDLE_INLINE f64 block_sum(f64 term) {
  __shared__ f64 terms[BLOCK_THREADS_MAX];
  u32 thread = thread_in_block();
  terms[thread] = term;
  for (u32 width = block_threads(); width > 1;) {
    u32 half = (width + 1) / 2;
    __syncthreads();
    if (thread + half < width) terms[thread] += terms[thread + half];
    width = half;
  }
  return terms[thread];
}

// What every vertex gets, whoever its neighbours are. `dangling` is the rank of all vertices without arcs.
HEDDLE_INLINE f64 rank_for_all(f64 damping, f64 dangling, u32 vertices) {
  return (1.0 - damping + damping * dangling) / vertices;
}

// Whether a rank still moves by more than a share of itself.
HEDDLE_INLINE bool moves(f32 before, f32 after, f32 tolerance) {
  f32 change = after < before ? before - after : after - before;
  return change > tolerance * after;
}

// Adds the partial sums of the blocks up. One block, of any size.
HEDDLE_KERNEL pagerank_total(const f64 *partial, f64 *dangling, u32 blocks) {
  f64 sum = 0;
  for (u32 block = thread_in_block(); block < blocks; block += block_threads()) sum += __ldg(&partial[block]);
  sum = block_sum(sum);
  if (thread_in_block() == 0) *dangling = sum;
}
