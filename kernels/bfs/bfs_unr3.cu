// UNR3: three neighbours in each iteration ([Lakshminarayana14] section 5.5.1, after figure 78).
#include "bfs/topology.cuh"

HEDDLE_INLINE void expand_row(const Search &search, u32 start, u32 end) {
  u32 unroll_end = start + (end - start) / 3 * 3;
  u32 edge = start;
  for (; edge < unroll_end; edge += 3) {
    u32 third_id = __ldg(&search.edges[edge + 2]);
    Pair pair = load_pair(search, edge);
    Neighbour third = {third_id, __ldg(&search.visited[third_id])};
    process(search, pair);
    process(search, third);
  }
  // One or two are left, or none.
  if (edge != end) process(search, load(search, edge++));
  if (edge != end) process(search, load(search, edge));
}
