// Topology-driven BFS, the base of table 18 of [Lakshminarayana14] (figure 75).
#include "bfs/topology.cuh"

HEDDLE_INLINE void expand_row(const Search &search, u32 start, u32 end) {
  for (u32 edge = start; edge < end; edge++) process(search, load(search, edge));
}
