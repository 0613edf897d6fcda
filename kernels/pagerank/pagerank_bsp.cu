// PageRank in super-steps: a vertex program that only gathers, scheduled by a bit vector ([Park15]
// figure 2 and section 6). A vertex adds up V[C[i]] over its in-edges, where V holds what a vertex gives to each of
// its out-edges, Rank / N_out, brought up to date between the super-steps. The gather thus is one sparse word per
// edge, which is what the document's unit fetches.
//
// Every vertex runs in every super-step, so nothing is scattered: all bits are set once, and the list that
// `schedule` makes of them stays.
//
// Buffers (11): R, C, V, N_out, Rank, active_vertex_list, scheduled, scheduled_size, partial, dangling, over.
#include "bit_vector.cuh"
#include "pagerank/pagerank.cuh"

HEDDLE_KERNEL pagerank_bsp_init(f32 *Rank, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex < vertices) Rank[vertex] = 1.0f / vertices;
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

// What reaches a vertex along its in-edges: the loop whose loads PC_gather takes over.
HEDDLE_INLINE f64 gather_sum(const f32 *V, const u32 *C, u32 c_index, u32 size) {
  f64 sum = 0;
  for (u32 edge = c_index; size != 0; edge++, size--) sum += __ldg(&V[__ldg(&C[edge])]);
  return sum;
}

HEDDLE_KERNEL visit(const u32 *R, const u32 *C, const f32 *V, f32 *Rank, const u32 *scheduled,
                    const u32 *scheduled_size, const f64 *dangling, u32 *over, f64 damping, f32 tolerance,
                    u32 vertices) {
  u32 position = thread_in_grid();
  if (position >= __ldg(scheduled_size)) return;
  u32 vertex = __ldg(&scheduled[position]);
  u32 c_index = __ldg(&R[vertex]);
  f64 sum = gather_sum(V, C, c_index, __ldg(&R[vertex + 1]) - c_index);
  f32 rank = rank_for_all(damping, __ldg(dangling), vertices) + damping * sum;
  if (moves(Rank[vertex], rank, tolerance)) *over = 1;
  Rank[vertex] = rank;
}
