// MIS by push ([Salvador20] figure 1 and table III): undecided vertices send their priorities to
// their undecided neighbours by atomic minimum, those that nothing undercuts join the set, and the new
// members rule out their neighbours by atomic or. Four arcs at a time, so that relaxed atomics can overlap.
//
// Buffers (6): row, col, node_value, state, min, over.
#include "heddle_more.cuh"

// What is known of a vertex: nothing, it is out (a bit of its own, because neighbours set it by or), it has
// joined in this round, or it is in.
static const u32 UNDECIDED = 0;
static const u32 OUT = 1;
static const u32 JOINING = 2;
static const u32 IN = 4;

HEDDLE_KERNEL mis_push_init(u32 *node_value, u32 *state, u32 *min, u32 seed, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  node_value[vertex] = priority(vertex, seed);
  state[vertex] = UNDECIDED;
  min[vertex] = INFINITE;
}

HEDDLE_KERNEL mis_push_min(const u32 *row, const u32 *col, const u32 *node_value, const u32 *state, u32 *min,
                           u32 vertices) {
  u32 source = thread_in_grid();
  if (source >= vertices || __ldg(&state[source]) != UNDECIDED) return;
  u32 own = __ldg(&node_value[source]);
  push_along(
      col, __ldg(&row[source]), __ldg(&row[source + 1]),
      [=](u32 target) { return __ldg(&state[target]) == UNDECIDED; },
      [=](u32 target, bool open) { reduceMinIf(open, &min[target], own); });
}

// What a self-loop sends is the vertex's own priority, and priorities are unique: "not above the minimum" is
// "below all others".
HEDDLE_KERNEL mis_push_join(const u32 *node_value, u32 *state, u32 *min, u32 *over, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices || state[vertex] != UNDECIDED) return;
  if (__ldg(&node_value[vertex]) <= min[vertex]) {
    state[vertex] = JOINING;
  } else {
    min[vertex] = INFINITE;
    *over = 1;
  }
}

// No neighbour of a new member is a member, so only undecided vertices and those that are out get the bit;
// a self-loop must not give it to the member itself.
HEDDLE_KERNEL mis_push_exclude(const u32 *row, const u32 *col, u32 *state, u32 vertices) {
  u32 source = thread_in_grid();
  if (source >= vertices || state[source] != JOINING) return;
  state[source] = IN;
  push_along(
      col, __ldg(&row[source]), __ldg(&row[source + 1]), [=](u32 target) { return target != source; },
      [=](u32 target, bool other) { reduceOrIf(other, &state[target], OUT); });
}
