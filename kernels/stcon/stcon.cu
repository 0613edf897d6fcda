// STCON: two simultaneous breadth-first searches, one along the arcs from S and one against them from T, until
// they meet or end. After the description of Harish and Narayanan that [Lakshminarayana14] follows
// (section 2.3.3; table 4).
//
// Buffers (10): out_offsets, out_edges, in_offsets, in_edges, frontier, reached, parent_from_s, parent_from_t,
// meeting, over. Initially S and T are reached and in the frontier of their search and are their own parents;
// all other parents are infinite.
#include "heddle.cuh"

// The bits of `frontier` and `reached`: one for each search.
static const u8 FROM_S = 1;
static const u8 FROM_T = 2;

// A vertex that the search has not reached notes where it was reached from. Several may: any of them is right.
HEDDLE_INLINE void expand_row(const u32 *offsets, const u32 *edges, const u8 *reached, u32 *parent, u8 search,
                              u32 vertex) {
  u32 end = __ldg(&offsets[vertex + 1]);
  for (u32 edge = __ldg(&offsets[vertex]); edge < end; edge++) {
    u32 neighbour = __ldg(&edges[edge]);
    if (!(__ldg(&reached[neighbour]) & search)) parent[neighbour] = vertex;
  }
}

HEDDLE_KERNEL expand(const u32 *out_offsets, const u32 *out_edges, const u32 *in_offsets, const u32 *in_edges,
                     const u8 *frontier, const u8 *reached, u32 *parent_from_s, u32 *parent_from_t, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  u8 searches = __ldg(&frontier[vertex]);
  if (searches & FROM_S) expand_row(out_offsets, out_edges, reached, parent_from_s, FROM_S, vertex);
  if (searches & FROM_T) expand_row(in_offsets, in_edges, reached, parent_from_t, FROM_T, vertex);
}

// Builds the next frontier of both searches. A vertex that both have reached lies on a path; the least such
// vertex is kept, so that the path does not depend on the order of threads.
HEDDLE_KERNEL build_frontier(u8 *frontier, u8 *reached, const u32 *parent_from_s, const u32 *parent_from_t,
                             u32 *meeting, u32 *over, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  u8 before = reached[vertex];
  u8 now = before;
  if (__ldg(&parent_from_s[vertex]) != INFINITE) now |= FROM_S;
  if (__ldg(&parent_from_t[vertex]) != INFINITE) now |= FROM_T;
  frontier[vertex] = now & ~before;
  if (now == before) return;
  reached[vertex] = now;
  *over = 1;
  if (now == (FROM_S | FROM_T)) atomicMin(meeting, vertex);
}
