// UNR2_SWP: two neighbours in each iteration while the next two are prefetched, with a check inside the loop
// ([Lakshminarayana14] figures 76 and 78).
#include "bfs/topology.cuh"

HEDDLE_INLINE void expand_row(const Search &search, u32 start, u32 end) {
  u32 unroll_end = start + (end - start) / 2 * 2;
  Pair next = {{0, 0}, {0, 0}};
  if (start < unroll_end) next = load_pair(search, start);
  for (u32 edge = start; edge < unroll_end; edge += 2) {
    Pair current = next;
    if (edge < unroll_end - 2) next = load_pair(search, edge + 2);
    process(search, current);
  }
  if (unroll_end != end) process(search, load(search, unroll_end));
}
