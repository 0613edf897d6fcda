// UNR2: two neighbours in each iteration ([Lakshminarayana14] figure 78).
#include "bfs/topology.cuh"

HEDDLE_INLINE void expand_row(const Search &search, u32 start, u32 end) {
  u32 unroll_end = start + (end - start) / 2 * 2;
  u32 edge = start;
  for (; edge < unroll_end; edge += 2) process(search, load_pair(search, edge));
  if (edge != end) process(search, load(search, edge));
}
