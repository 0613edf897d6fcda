// PageRank in super-steps: vertex-centric and bulk-synchronous with the vertices scheduled by a bit vector,
// after figure 2 of 001_5c3b768a7015d194.txt. A vertex gathers V[C[i]] for its in-edges, where V holds what a
// vertex gives to each of its out-edges, Rank / N_out, brought up to date between the super-steps. The gather
// thus is one sparse word per edge, which is what the document's unit fetches.
//
// In PageRank every vertex is scheduled in every super-step, so active_vertex_list is all ones; it is read as
// in the other bit-vector kernels, because choosing vertices by it is part of the document's baseline.
//
// Buffers (9): R, C, V, N_out, Rank, active_vertex_list, partial, dangling, over.
#include "pagerank/pagerank.cuh"

HEDDLE_KERNEL pagerank_bsp_init(f32 *Rank, u32 *active_vertex_list, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  Rank[vertex] = 1.0f / vertices;
  if (vertex % 32 == 0) {
    u32 left = vertices - vertex;
    active_vertex_list[vertex / 32] = left < 32 ? (1u << left) - 1 : 0xffffffffu;
  }
}

// Between super-steps: what each vertex gives to each of its out-edges, or to everybody.
HEDDLE_KERNEL pagerank_bsp_share(const u32 *N_out, const f32 *Rank, f32 *V, f64 *partial, u32 vertices) {
  u32 vertex = thread_in_grid();
  f64 dangling = 0;
  if (vertex < vertices) {
    f32 rank = __ldg(&Rank[vertex]);
    u32 degree = __ldg(&N_out[vertex]);
    if (degree == 0)
      dangling = rank;
    else
      V[vertex] = rank / degree;
  }
  dangling = block_sum(dangling);
  if (thread_in_block() == 0) partial[block_in_grid()] = dangling;
}

HEDDLE_KERNEL pagerank_bsp_gather(const u32 *R, const u32 *C, const f32 *V, const u32 *active_vertex_list,
                                  const f64 *dangling, f32 *Rank, u32 *over, f64 damping, f32 tolerance,
                                  u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices || !((__ldg(&active_vertex_list[vertex / 32]) >> (vertex % 32)) & 1)) return;
  f64 sum = 0;
  u32 end = __ldg(&R[vertex + 1]);
  for (u32 i = __ldg(&R[vertex]); i < end; i++) sum += __ldg(&V[__ldg(&C[i])]);
  f32 rank = rank_for_all(damping, __ldg(dangling), vertices) + damping * sum;
  if (moves(Rank[vertex], rank, tolerance)) *over = 1;
  Rank[vertex] = rank;
}
