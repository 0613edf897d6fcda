// LS-SSSP: every vertex relaxes its edges in every launch, without a frontier. After `drelax` of LonestarGPU 0.9
// as [Lakshminarayana14] uses it (sections 2.3.2 and 5.1.2, tables 4 and 9): a thread goes on with the
// vertices that it has just relaxed as long as its slots in shared memory last (kernel unrolling).
//
// Buffers (10): noutgoing, nincoming, srcsrc, psrc, edgessrcdst, edgessrcwt, maxOutDegree, maxInDegree (the
// suite's graph; `drelax` reads five of the eight), dist, changed.
#include "lonestar.cuh"

HEDDLE_KERNEL initialize(u32 *dist, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex < vertices) dist[vertex] = INFINITE;
}

// An atomic minimum per edge: in a launch distances of several levels are on their way at once.
// A stale distance only costs another launch: the last launch is one in which nothing changed.
HEDDLE_KERNEL drelax(u32 *dist, const u32 *edgessrcdst, const u32 *edgessrcwt, const u32 *psrc,
                     const u32 *noutgoing, const u32 *srcsrc, u32 *changed, u32 vertices) {
  __shared__ u32 work[WORK_WORDS];
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  WorkList list = work_list_of_thread();
  work[list.tail++] = vertex;
  bool relaxed_any = false;
  while (list.head != list.tail) {
    u32 source = work[list.head++];
    u32 distance = dist[source];
    if (distance == INFINITE) continue;
    Row row = row_of(srcsrc, psrc, noutgoing, source);
    for (u32 edge = row.start; edge < row.end; edge++) {
      u32 target = __ldg(&edgessrcdst[edge]);
      u32 candidate = saturating_add(distance, __ldg(&edgessrcwt[edge]));
      if (candidate < atomicMin(&dist[target], candidate)) {
        relaxed_any = true;
        if (list.tail != list.end) work[list.tail++] = target;
      }
    }
  }
  if (relaxed_any) *changed = 1;
}
