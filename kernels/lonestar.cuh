// What the two LonestarGPU kernels share: the graph's arrays and a work list in shared memory.
#pragma once
#include "heddle.cuh"

// The whole 48 KB of shared memory, so that one block is resident per core ([Lakshminarayana14]
// section 3.4: 16 KB remain for the L1 cache).
static const u32 WORK_WORDS = 48 * 1024 / 4;

// A vertex's row through one indirection: position in srcsrc, then start and length of the row.
struct Row {
  u32 start, end;
};
HEDDLE_INLINE Row row_of(const u32 *srcsrc, const u32 *psrc, const u32 *noutgoing, u32 vertex) {
  u32 position = __ldg(&srcsrc[vertex]);
  u32 start = __ldg(&psrc[position]);
  Row row = {start, start + __ldg(&noutgoing[position])};
  return row;
}

// The slots of one thread in the work list: 12, whatever the size of the block, which is 1024 at most.
static const u32 WORK_WORDS_OF_THREAD = WORK_WORDS / 1024;
struct WorkList {
  u32 head, tail, end;
};
HEDDLE_INLINE WorkList work_list_of_thread() {
  u32 start = thread_in_block() * WORK_WORDS_OF_THREAD;
  WorkList list = {start, start, start + WORK_WORDS_OF_THREAD};
  return list;
}
