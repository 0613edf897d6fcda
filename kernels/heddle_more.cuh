// What several of the undirected and the push kernels share, on top of heddle.cuh: priorities, atomics whose
// old value nobody wants, and the walk along a row that lets such atomics overlap.
#pragma once

#include "heddle.cuh"

// --- Random priorities ------------------------------------------------------------------------------------

// A priority for a vertex. Every step can be undone, so that two vertices never share a priority under one
// seed and no comparison needs a second key.
HEDDLE_INLINE u32 priority(u32 vertex, u32 seed) {
  u32 word = vertex ^ seed;
  word = (word ^ (word >> 16)) * 0x85ebca6bu;
  word = (word ^ (word >> 13)) * 0xc2b2ae35u;
  return word ^ (word >> 16);
}

// --- More reductions: atomics without an answer -----------------------------------------------------------

// Predicated instead of branched around: the reductions of an unrolled loop stand back to back.
#define HEDDLE_REDUCE_IF(name, type, operation, constraint)                                                        \
  HEDDLE_INLINE void name(bool condition, type *address, type value) {                                             \
    asm volatile("{\n\t.reg .pred wanted;\n\tsetp.ne.u32 wanted, %2, 0;\n\t@wanted red.global." operation         \
                 " [%0], %1;\n\t}"                                                                                 \
                 :                                                                                                 \
                 : "l"(address), constraint(value), "r"((u32)condition)                                            \
                 : "memory");                                                                                      \
  }
HEDDLE_REDUCE_IF(reduceMaxIf, u32, "max.u32", "r")
HEDDLE_REDUCE_IF(reduceMaxIf, s32, "max.s32", "r")
HEDDLE_REDUCE_IF(reduceOrIf, u32, "or.b32", "r")
HEDDLE_REDUCE_IF(reduceAddIf, f32, "add.f32", "f")

// --- Words that other threads of the launch read and change -----------------------------------------------

// Every call is an access of its own: the compiler keeps no value in a register and leaves no store out.
HEDDLE_INLINE u32 load_racy(const u32 *address) { return *(const volatile u32 *)address; }
HEDDLE_INLINE void store_racy(u32 *address, u32 value) { *(volatile u32 *)address = value; }

// --- The push loop ----------------------------------------------------------------------------------------

// Walks the arcs begin..end in fours: first the four targets, then what the update needs to know of them
// (`look`), then the four updates (`update`), with nothing between them that would wait for one. A machine
// that lets relaxed atomics overlap sees four of them at once; one that orders them sees the same four in
// the order of the row.
template <typename Look, typename Update>
HEDDLE_INLINE void push_along(const u32 *targets, u32 begin, u32 end, Look look, Update update) {
  u32 arc = begin;
  for (; end - arc >= 4; arc += 4) {
    u32 a = __ldg(&targets[arc]);
    u32 b = __ldg(&targets[arc + 1]);
    u32 c = __ldg(&targets[arc + 2]);
    u32 d = __ldg(&targets[arc + 3]);
    auto seen_a = look(a);
    auto seen_b = look(b);
    auto seen_c = look(c);
    auto seen_d = look(d);
    update(a, seen_a);
    update(b, seen_b);
    update(c, seen_c);
    update(d, seen_d);
  }
  for (; arc < end; arc++) {
    u32 target = __ldg(&targets[arc]);
    update(target, look(target));
  }
}
