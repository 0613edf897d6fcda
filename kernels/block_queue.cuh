// A queue of a block in shared memory whose contents go to a queue in global memory: the way in which
// [Lakshminarayana14] builds data-driven frontiers (section 5.2).
#pragma once
#include "heddle.cuh"

// Vertices that the queue of a block holds; what comes when it is full goes to the global queue at once.
static const u32 BLOCK_QUEUE_VERTICES = 1024;

struct BlockQueue {
  u32 size;
  u32 base;
  u32 vertices[BLOCK_QUEUE_VERTICES];
};

// All threads of the block call this before the first push.
HEDDLE_INLINE void clear(BlockQueue *queue) {
  if (thread_in_block() == 0) queue->size = 0;
  __syncthreads();
}

// One atomic in shared memory, or one in global memory when the block's queue is full. The global queue must
// have room for all vertices of the graph, and nobody may push a vertex twice.
HEDDLE_INLINE void push(BlockQueue *queue, u32 vertex, u32 *global_queue, u32 *global_size) {
  u32 slot = atomicAdd(&queue->size, 1u);
  // The space is spelled out, or clang would join both stores into one whose space only the address tells.
  typedef __attribute__((address_space(3))) u32 *shared_words;
  if (slot < BLOCK_QUEUE_VERTICES)
    ((shared_words)queue->vertices)[slot] = vertex;
  else
    global_queue[atomicAdd(global_size, 1u)] = vertex;
}

// Copies the block's queue behind the global one, with one atomic for the block. All threads call this after
// their last push.
HEDDLE_INLINE void flush(BlockQueue *queue, u32 *global_queue, u32 *global_size) {
  __syncthreads();
  u32 size = queue->size < BLOCK_QUEUE_VERTICES ? queue->size : BLOCK_QUEUE_VERTICES;
  if (size == 0) return;
  if (thread_in_block() == 0) queue->base = atomicAdd(global_size, size);
  __syncthreads();
  for (u32 slot = thread_in_block(); slot < size; slot += block_threads())
    global_queue[queue->base + slot] = queue->vertices[slot];
}
