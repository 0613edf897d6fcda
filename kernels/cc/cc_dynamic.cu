// CC with dynamic traversal: connected components by pointer jumping with compare-and-swap, after ECL-CC, the
// program that [Salvador20] adapts (section V-B). The vertices that read and update each other are
// found at run time along nstat, the array of representatives: a thread pulls the representatives of both ends
// of an edge and pushes the smaller one onto the larger. Neither can be told apart as source or target, and
// both kinds of access race with those of other threads.
//
// Every word of nstat names a vertex of the same component with a number that is not larger. Representatives
// name themselves; only those are changed by compare-and-swap, and jumping rewrites only the others, so no
// update is lost and no ring can arise.
//
// Buffers (3): nidx, nlist, nstat.
#include "heddle_more.cuh"

// Begins with the first neighbour that has a smaller number, which spares most of the hooking.
HEDDLE_KERNEL cc_init(const u32 *nidx, const u32 *nlist, u32 *nstat, u32 nodes) {
  u32 vertex = thread_in_grid();
  if (vertex >= nodes) return;
  u32 end = __ldg(&nidx[vertex + 1]);
  u32 label = vertex;
  for (u32 arc = __ldg(&nidx[vertex]); arc < end && label == vertex; arc++) {
    u32 neighbour = __ldg(&nlist[arc]);
    if (neighbour < vertex) label = neighbour;
  }
  nstat[vertex] = label;
}

// The representative of a vertex. On the way every vertex is made to name the one after its next
// (intermediate pointer jumping): half the way for whoever comes next.
HEDDLE_INLINE u32 representative(u32 *nstat, u32 vertex) {
  u32 current = load_racy(&nstat[vertex]);
  if (current == vertex) return current;
  u32 previous = vertex;
  for (u32 next = load_racy(&nstat[current]); next < current; next = load_racy(&nstat[current])) {
    store_racy(&nstat[previous], next);
    previous = current;
    current = next;
  }
  return current;
}

// Hooks the larger representative of every edge below the smaller one. Each edge is looked at from its larger
// end only. A thread keeps the representative it has reached for its next edge.
HEDDLE_KERNEL cc_compute(const u32 *nidx, const u32 *nlist, u32 *nstat, u32 nodes) {
  u32 vertex = thread_in_grid();
  if (vertex >= nodes) return;
  if (load_racy(&nstat[vertex]) == vertex) return;
  u32 own = representative(nstat, vertex);
  u32 end = __ldg(&nidx[vertex + 1]);
  for (u32 arc = __ldg(&nidx[vertex]); arc < end; arc++) {
    u32 neighbour = __ldg(&nlist[arc]);
    if (neighbour >= vertex) continue;
    u32 other = representative(nstat, neighbour);
    while (own != other) {
      if (own < other) {
        u32 found = atomicCAS(&nstat[other], other, own);
        if (found == other) break;
        other = found;
      } else {
        u32 found = atomicCAS(&nstat[own], own, other);
        own = found == own ? other : found;
      }
    }
  }
}

// Every vertex names its representative directly.
HEDDLE_KERNEL cc_flatten(u32 *nstat, u32 nodes) {
  u32 vertex = thread_in_grid();
  if (vertex >= nodes) return;
  u32 label = load_racy(&nstat[vertex]);
  for (u32 next = load_racy(&nstat[label]); next < label; next = load_racy(&nstat[label]))
    label = next;
  store_racy(&nstat[vertex], label);
}
