// MIS: a maximal independent set by Luby's algorithm with priorities that stay, one thread per vertex, flags
// for the active vertices. After section 2.3.6 of [Lakshminarayana14] (kernel MIS of table 9), which
// follows Pannotia.
//
// In each round an active vertex whose priority is the lowest among its active neighbours joins the set, and
// itself marks all its neighbours inactive: plain stores, because whoever writes such a flag writes 0.
//
// Buffers (7): row, col, node_value, active, mis, candidate, over. The document fills node_value on the host;
// here the first kernel does, by an explicit hash.
#include "heddle_more.cuh"

HEDDLE_KERNEL mis_init(u32 *node_value, u32 *active, u32 *mis, u32 *candidate, u32 seed, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  node_value[vertex] = priority(vertex, seed);
  active[vertex] = 1;
  mis[vertex] = 0;
  candidate[vertex] = 0;
}

// Finds the active vertices that no active neighbour undercuts. The scan ends at the first that does. A
// vertex that is beaten may stay active, so there will be another round.
HEDDLE_KERNEL mis_find(const u32 *row, const u32 *col, const u32 *node_value, const u32 *active,
                       u32 *candidate, u32 *over, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices || !__ldg(&active[vertex])) return;
  u32 own = __ldg(&node_value[vertex]);
  u32 end = __ldg(&row[vertex + 1]);
  for (u32 arc = __ldg(&row[vertex]); arc < end; arc++) {
    u32 neighbour = __ldg(&col[arc]);
    if (__ldg(&active[neighbour]) && __ldg(&node_value[neighbour]) < own) {
      *over = 1;
      return;
    }
  }
  candidate[vertex] = 1;
}

// Lets the candidates join and switches them and their neighbours off. Two candidates are never neighbours.
HEDDLE_KERNEL mis_join(const u32 *row, const u32 *col, u32 *active, u32 *mis, u32 *candidate, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices || !candidate[vertex]) return;
  candidate[vertex] = 0;
  mis[vertex] = 1;
  active[vertex] = 0;
  u32 end = __ldg(&row[vertex + 1]);
  for (u32 arc = __ldg(&row[vertex]); arc < end; arc++) active[__ldg(&col[arc])] = 0;
}
