// Kernel-unrolled BFS: no frontier; a thread expands its vertex and goes on with vertices whose depth it has
// lowered, up to LIMIT vertices in one launch ([Lakshminarayana14] section 5.1.2, figures 50 and 51).
//
// Buffers (4): row_offsets, edges, depth, changed. Dynamic shared memory: LIMIT words for each thread.
#include "heddle.cuh"

extern __shared__ u32 work_queue[];

// Slot s of all threads of a block lies together, so that lanes in step use different banks.
HEDDLE_INLINE u32 *slot_of_thread(u32 slot) { return &work_queue[slot * block_threads() + thread_in_block()]; }

// With LIMIT 1 this is the version without unrolling. LIMIT 0 is no limit and not allowed.
HEDDLE_KERNEL expand(const u32 *row_offsets, const u32 *edges, u32 *depth, u32 *changed, u32 limit, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  *slot_of_thread(0) = vertex;
  u32 work_done = 1;
  bool lowered_any = false;
  for (u32 head = 0; head < work_done; head++) {
    u32 node = *slot_of_thread(head);
    u32 node_depth = depth[node];
    if (node_depth == INFINITE) continue;
    u32 end = __ldg(&row_offsets[node + 1]);
    for (u32 edge = __ldg(&row_offsets[node]); edge < end; edge++) {
      u32 neighbour = __ldg(&edges[edge]);
      if (node_depth + 1 < atomicMin(&depth[neighbour], node_depth + 1)) {
        lowered_any = true;
        if (work_done < limit) *slot_of_thread(work_done++) = neighbour;
      }
    }
  }
  if (lowered_any) *changed = 1;
}
