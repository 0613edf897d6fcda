// What the versions of topology-driven BFS share: all but the loop over the edges of a vertex
// ([Lakshminarayana14] section 5.5, figures 75 to 78, table 18).
//
// Buffers (7): row_offsets, edges, frontier, next_frontier, visited, cost, over.
#pragma once
#include "frontier_flags.cuh"

// What a thread needs to process a neighbour.
struct Search {
  const u32 *edges;
  const u8 *visited;
  u8 *next_frontier;
  u32 *cost;
  u32 next_cost;
};

// A neighbour together with the flag that says whether it was visited before this launch.
struct Neighbour {
  u32 id;
  u8 visited;
};

HEDDLE_INLINE Neighbour load(const Search &search, u32 edge) {
  Neighbour neighbour;
  neighbour.id = __ldg(&search.edges[edge]);
  neighbour.visited = __ldg(&search.visited[neighbour.id]);
  return neighbour;
}

// Two neighbours, both identifiers first: the two loads of edges are on their way together.
struct Pair {
  Neighbour first, second;
};
HEDDLE_INLINE Pair load_pair(const Search &search, u32 edge) {
  Pair pair;
  pair.first.id = __ldg(&search.edges[edge]);
  pair.second.id = __ldg(&search.edges[edge + 1]);
  pair.first.visited = __ldg(&search.visited[pair.first.id]);
  pair.second.visited = __ldg(&search.visited[pair.second.id]);
  return pair;
}

HEDDLE_INLINE void process(const Search &search, Neighbour neighbour) {
  if (neighbour.visited) return;
  search.cost[neighbour.id] = search.next_cost;
  search.next_frontier[neighbour.id] = 1;
}
HEDDLE_INLINE void process(const Search &search, Pair pair) {
  process(search, pair.first);
  process(search, pair.second);
}

// The loop over edges [start, end): what each version defines.
HEDDLE_INLINE void expand_row(const Search &search, u32 start, u32 end);

HEDDLE_KERNEL expand(const u32 *row_offsets, const u32 *edges, const u8 *frontier, u8 *next_frontier,
                     const u8 *visited, u32 *cost, u32 next_cost, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices || !__ldg(&frontier[vertex])) return;
  Search search = {edges, visited, next_frontier, cost, next_cost};
  expand_row(search, __ldg(&row_offsets[vertex]), __ldg(&row_offsets[vertex + 1]));
}
