// Vertex scheduling by a bit vector, one bit for each vertex ([Park15] sections 2 and 5):
// vertex programs set the bits of the vertices that have to run, a scheduling kernel turns the bits into a
// list of vertices and clears them.
#pragma once
#include "heddle.cuh"

static const u32 WORD_BITS = 32;

// One thread for each word of the bit vector. Words without a set bit cost one load.
HEDDLE_KERNEL schedule(u32 *active_vertex_list, u32 *scheduled, u32 *scheduled_size, u32 words) {
  u32 word = thread_in_grid();
  if (word >= words) return;
  u32 bits = active_vertex_list[word];
  if (bits == 0) return;
  active_vertex_list[word] = 0;
  u32 position = atomicAdd(scheduled_size, __popc(bits));
  for (; bits != 0; bits &= bits - 1) scheduled[position++] = word * WORD_BITS + __ffs(bits) - 1;
}

// Sets the bits of the `size` targets that start at `c_index`: the loop that PC_scatter_set takes over.
HEDDLE_INLINE void scatter_set(u32 *active_vertex_list, const u32 *c_out, u32 c_index, u32 size) {
  for (u32 edge = c_index; size != 0; edge++, size--) {
    u32 target = __ldg(&c_out[edge]);
    reduceOr(&active_vertex_list[target / WORD_BITS], 1u << (target % WORD_BITS));
  }
}
