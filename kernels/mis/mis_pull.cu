// MIS by pull ([Salvador20] figure 1 and table III): an undecided vertex reads the priorities of
// its undecided neighbours, joins the set if all are higher, and is out if it then finds a member among them.
// No atomics. The states have two buffers in turn, so that each kernel reads one that nobody writes.
//
// Buffers (7): row, col, node_value, state, next_state, min, over.
#include "heddle_more.cuh"

static const u32 UNDECIDED = 0;
static const u32 OUT = 1;
static const u32 IN = 2;

HEDDLE_KERNEL mis_pull_init(u32 *node_value, u32 *state, u32 seed, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  node_value[vertex] = priority(vertex, seed);
  state[vertex] = UNDECIDED;
}

HEDDLE_KERNEL mis_pull_min(const u32 *row, const u32 *col, const u32 *node_value, const u32 *state, u32 *min,
                           u32 vertices) {
  u32 target = thread_in_grid();
  if (target >= vertices || __ldg(&state[target]) != UNDECIDED) return;
  u32 smallest = INFINITE;
  u32 end = __ldg(&row[target + 1]);
  for (u32 arc = __ldg(&row[target]); arc < end; arc++) {
    u32 source = __ldg(&col[arc]);
    if (__ldg(&state[source]) == UNDECIDED) {
      u32 value = __ldg(&node_value[source]);
      smallest = value < smallest ? value : smallest;
    }
  }
  min[target] = smallest;
}

// What a self-loop brings is the vertex's own priority, hence "not above".
HEDDLE_KERNEL mis_pull_join(const u32 *node_value, const u32 *state, u32 *next_state, const u32 *min,
                            u32 *over, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  u32 known = __ldg(&state[vertex]);
  if (known == UNDECIDED) {
    if (__ldg(&node_value[vertex]) <= __ldg(&min[vertex]))
      known = IN;
    else
      *over = 1;
  }
  next_state[vertex] = known;
}

// The scan ends at the first member. An undecided vertex has none among its neighbours but new ones.
HEDDLE_KERNEL mis_pull_exclude(const u32 *row, const u32 *col, const u32 *next_state, u32 *state,
                               u32 vertices) {
  u32 target = thread_in_grid();
  if (target >= vertices) return;
  u32 known = __ldg(&next_state[target]);
  if (known == UNDECIDED) {
    u32 end = __ldg(&row[target + 1]);
    for (u32 arc = __ldg(&row[target]); arc < end && known == UNDECIDED; arc++)
      known = __ldg(&next_state[__ldg(&col[arc])]) == IN ? OUT : UNDECIDED;
  }
  state[target] = known;
}
