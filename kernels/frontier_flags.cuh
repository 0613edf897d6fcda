// The second kernel of searches whose frontier is an array of flags that the first kernel does not write.
#pragma once
#include "heddle.cuh"

// The marked vertices become the frontier, count as visited and lose their marks; all others leave it.
HEDDLE_KERNEL build_frontier(u8 *frontier, u8 *next_frontier, u8 *visited, u32 *over, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  u8 reached = next_frontier[vertex];
  frontier[vertex] = reached;
  if (!reached) return;
  next_frontier[vertex] = 0;
  visited[vertex] = 1;
  *over = 1;
}
