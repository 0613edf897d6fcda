// SWPNC: software prefetching without a check, the last neighbour outside the loop
// ([Lakshminarayana14] figure 77; what is prefetched is element i + 1).
#include "bfs/topology.cuh"

HEDDLE_INLINE void expand_row(const Search &search, u32 start, u32 end) {
  if (start >= end) return;
  Neighbour next = load(search, start);
  for (u32 edge = start + 1; edge < end; edge++) {
    Neighbour current = next;
    next = load(search, edge);
    process(search, current);
  }
  process(search, next);
}
