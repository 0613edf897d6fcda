// UNR2_SWPNC: two neighbours in each iteration while the next two are prefetched, the last two outside the
// loop instead of a check ([Lakshminarayana14] figures 77 and 78).
#include "bfs/topology.cuh"

HEDDLE_INLINE void expand_row(const Search &search, u32 start, u32 end) {
  u32 unroll_end = start + (end - start) / 2 * 2;
  if (start < unroll_end) {
    Pair next = load_pair(search, start);
    for (u32 edge = start; edge < unroll_end - 2; edge += 2) {
      Pair current = next;
      next = load_pair(search, edge + 2);
      process(search, current);
    }
    process(search, next);
  }
  if (unroll_end != end) process(search, load(search, unroll_end));
}
