// CLR, warp-centric: a warp owns a chunk of 32 vertices and works on them one after the other, its lanes side
// by side along the row, so that they read neighbouring words of the edge list. After section 5.1.1 and
// figure 49 of [Lakshminarayana14]. The warp votes after each piece of a row and leaves it as soon as
// one lane has found a higher neighbour.
//
// A block whose size is no multiple of 32 ends with a short warp, which takes shorter steps.
//
// Buffers (6): row, col, node_value, color, active, over.
#include "colouring/colouring.cuh"

HEDDLE_KERNEL color_wc_init(u32 *node_value, u32 *color, u32 *active, u32 seed, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  node_value[vertex] = priority(vertex, seed);
  color[vertex] = UNCOLOURED;
  active[vertex] = 1;
}

// Whether no uncoloured neighbour beats the vertex; the answer is the same in all lanes. The colour of this
// round counts as uncoloured, because other warps are giving it to vertices meanwhile.
HEDDLE_INLINE bool warp_is_highest(const u32 *row, const u32 *col, const u32 *node_value, const u32 *color,
                                   u32 vertex, u32 round, u32 lane, u32 lanes) {
  u32 own = __ldg(&node_value[vertex]);
  u32 end = __ldg(&row[vertex + 1]);
  for (u32 first = __ldg(&row[vertex]); first < end; first += lanes) {
    bool beaten = false;
    u32 arc = first + lane;
    if (arc < end) {
      u32 neighbour = __ldg(&col[arc]);
      u32 neighbour_color = color[neighbour];
      bool open = neighbour_color == UNCOLOURED || neighbour_color == round;
      beaten = open && __ldg(&node_value[neighbour]) > own;
    }
    if (__any(beaten)) return false;
  }
  return true;
}

HEDDLE_KERNEL color_wc(const u32 *row, const u32 *col, const u32 *node_value, u32 *color, u32 *active,
                       u32 *over, u32 round, u32 vertices) {
  u32 warps_per_block = (block_threads() + WARP_LANES - 1) / WARP_LANES;
  u32 warp_in_block = thread_in_block() / WARP_LANES;
  u32 lane = thread_in_block() % WARP_LANES;
  u32 left = block_threads() - warp_in_block * WARP_LANES;
  u32 lanes = left < WARP_LANES ? left : WARP_LANES;
  u32 warp = block_in_grid() * warps_per_block + warp_in_block;
  u32 chunks = (vertices + WARP_LANES - 1) / WARP_LANES;
  if (warp >= chunks) return;
  u32 chunk_end = (warp + 1) * WARP_LANES;
  if (chunk_end > vertices) chunk_end = vertices;
  for (u32 vertex = warp * WARP_LANES; vertex < chunk_end; vertex++) {
    if (!active[vertex]) continue;
    bool highest = warp_is_highest(row, col, node_value, color, vertex, round, lane, lanes);
    if (lane != 0) continue;
    if (highest) {
      color[vertex] = round;
      active[vertex] = 0;
    } else {
      *over = 1;
    }
  }
}
