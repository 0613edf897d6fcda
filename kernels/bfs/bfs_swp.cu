// SWP: software prefetching with a check inside the loop ([Lakshminarayana14] figure 76; what is
// prefetched is element i + 1).
#include "bfs/topology.cuh"

HEDDLE_INLINE void expand_row(const Search &search, u32 start, u32 end) {
  Neighbour next = {0, 0};
  if (start < end) next = load(search, start);
  for (u32 edge = start; edge < end; edge++) {
    Neighbour current = next;
    if (edge < end - 1) next = load(search, edge + 1);
    process(search, current);
  }
}
