// The second kernel of the versions of SSSP that lower costs in a copy of them with an atomic minimum.
#pragma once
#include "heddle.cuh"

// A vertex whose cost was lowered in the copy takes the lower cost and is active in the next iteration.
// The copy is never above the cost, so that nothing needs to be written back to it.
HEDDLE_INLINE bool take_lower_cost(u32 *cost, const u32 *updating_cost, u32 vertex) {
  u32 lower = __ldg(&updating_cost[vertex]);
  if (lower >= cost[vertex]) return false;
  cost[vertex] = lower;
  return true;
}
