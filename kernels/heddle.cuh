// What CUDA C needs here without a CUDA toolkit: Debian's clang and this header compile every kernel.
//
// The architecture is sm_35: the oldest one with ld.global.nc, which marks the arrays that a kernel only
// reads. The machine k40c is of that generation; the machine fermi takes .nc as an ordinary load that is
// known to be read-only. sm_35 predates independent thread scheduling, so warp votes and shuffles are the
// forms without a member mask, and a kernel may call them only where all lanes of the warp arrive together.
//
// Rules for kernels:
// - an array that no thread of the launch writes is loaded with __ldg, every other one never is;
// - kernels are extern "C" (HEDDLE_KERNEL), so that their PTX names are their names;
// - every kernel starts with a bounds check against its vertex or queue count, so that any grid that has
//   enough threads is right, and an empty graph needs no special case;
// - vertex identifiers, offsets, weights and distances are 32-bit and unsigned.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define HEDDLE_KERNEL extern "C" __global__ void
#define HEDDLE_INLINE static __device__ __forceinline__

typedef unsigned char u8;
typedef int s32;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;

// Two consecutive words that one vector load reads.
struct __attribute__((aligned(8))) uint2 {
  u32 x, y;
};

static const u32 WARP_LANES = 32;
// "No distance yet", "no vertex": larger than every real value.
static const u32 INFINITE = 0xffffffffu;

// --- Position in the grid -------------------------------------------------------------------------------

HEDDLE_INLINE u32 thread_in_block() { return __nvvm_read_ptx_sreg_tid_x(); }
HEDDLE_INLINE u32 block_threads() { return __nvvm_read_ptx_sreg_ntid_x(); }
HEDDLE_INLINE u32 block_in_grid() { return __nvvm_read_ptx_sreg_ctaid_x(); }
HEDDLE_INLINE u32 grid_blocks() { return __nvvm_read_ptx_sreg_nctaid_x(); }
// One-dimensional launches only: x is the whole index. 2^32 threads or more are beyond a vertex identifier.
HEDDLE_INLINE u32 thread_in_grid() { return block_in_grid() * block_threads() + thread_in_block(); }
HEDDLE_INLINE u32 grid_threads() { return grid_blocks() * block_threads(); }
HEDDLE_INLINE u32 lane_in_warp() { return __nvvm_read_ptx_sreg_laneid(); }

// --- Loads from arrays that no thread of the launch writes (ld.global.nc) -------------------------------

HEDDLE_INLINE u32 __ldg(const u32 *address) { return __nvvm_ldg_ui(address); }
HEDDLE_INLINE s32 __ldg(const s32 *address) { return __nvvm_ldg_i(address); }
HEDDLE_INLINE u8 __ldg(const u8 *address) { return __nvvm_ldg_uc(address); }
HEDDLE_INLINE u64 __ldg(const u64 *address) { return __nvvm_ldg_ull(address); }
HEDDLE_INLINE f32 __ldg(const f32 *address) { return __nvvm_ldg_f(address); }
HEDDLE_INLINE f64 __ldg(const f64 *address) { return __nvvm_ldg_d(address); }
HEDDLE_INLINE uint2 __ldg(const uint2 *address) {
  typedef u32 pair __attribute__((ext_vector_type(2)));
  pair words = __nvvm_ldg_ui2((const pair *)address);
  uint2 result = {words.x, words.y};
  return result;
}

// The same load, but one that the compiler neither moves out of a loop nor merges with another.
HEDDLE_INLINE u32 ldg_each_time(const u32 *address) {
  u32 value;
  asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(value) : "l"(address));
  return value;
}

// --- Atomics: relaxed, at the scope of the device -------------------------------------------------------

HEDDLE_INLINE u32 atomicAdd(u32 *address, u32 value) { return __nvvm_atom_add_gen_i((s32 *)address, value); }
HEDDLE_INLINE s32 atomicAdd(s32 *address, s32 value) { return __nvvm_atom_add_gen_i(address, value); }
HEDDLE_INLINE u64 atomicAdd(u64 *address, u64 value) {
  return __nvvm_atom_add_gen_ll((long long *)address, value);
}
HEDDLE_INLINE f32 atomicAdd(f32 *address, f32 value) { return __nvvm_atom_add_gen_f(address, value); }
HEDDLE_INLINE u32 atomicMin(u32 *address, u32 value) { return __nvvm_atom_min_gen_ui(address, value); }
HEDDLE_INLINE s32 atomicMin(s32 *address, s32 value) { return __nvvm_atom_min_gen_i(address, value); }
HEDDLE_INLINE u64 atomicMin(u64 *address, u64 value) { return __nvvm_atom_min_gen_ull(address, value); }
HEDDLE_INLINE u32 atomicMax(u32 *address, u32 value) { return __nvvm_atom_max_gen_ui(address, value); }
HEDDLE_INLINE s32 atomicMax(s32 *address, s32 value) { return __nvvm_atom_max_gen_i(address, value); }
HEDDLE_INLINE u64 atomicMax(u64 *address, u64 value) { return __nvvm_atom_max_gen_ull(address, value); }
HEDDLE_INLINE u32 atomicExch(u32 *address, u32 value) { return __nvvm_atom_xchg_gen_i((s32 *)address, value); }
HEDDLE_INLINE u64 atomicExch(u64 *address, u64 value) {
  return __nvvm_atom_xchg_gen_ll((long long *)address, value);
}
HEDDLE_INLINE u32 atomicCAS(u32 *address, u32 expected, u32 value) {
  return __nvvm_atom_cas_gen_i((s32 *)address, expected, value);
}
HEDDLE_INLINE u64 atomicCAS(u64 *address, u64 expected, u64 value) {
  return __nvvm_atom_cas_gen_ll((long long *)address, expected, value);
}
HEDDLE_INLINE u32 atomicOr(u32 *address, u32 value) { return __nvvm_atom_or_gen_i((s32 *)address, value); }
HEDDLE_INLINE u32 atomicAnd(u32 *address, u32 value) { return __nvvm_atom_and_gen_i((s32 *)address, value); }
HEDDLE_INLINE u32 atomicXor(u32 *address, u32 value) { return __nvvm_atom_xor_gen_i((s32 *)address, value); }
HEDDLE_INLINE u32 atomicInc(u32 *address, u32 bound) { return __nvvm_atom_inc_gen_ui(address, bound); }

// --- Reductions: atomics without an answer, so that several can be under way at once ---------------------

HEDDLE_INLINE void reduceMin(u32 *address, u32 value) {
  asm volatile("red.global.min.u32 [%0], %1;" : : "l"(address), "r"(value) : "memory");
}
HEDDLE_INLINE void reduceOr(u32 *address, u32 value) {
  asm volatile("red.global.or.b32 [%0], %1;" : : "l"(address), "r"(value) : "memory");
}
HEDDLE_INLINE void reduceAdd(u32 *address, u32 value) {
  asm volatile("red.global.add.u32 [%0], %1;" : : "l"(address), "r"(value) : "memory");
}
HEDDLE_INLINE void reduceAdd(f32 *address, f32 value) {
  asm volatile("red.global.add.f32 [%0], %1;" : : "l"(address), "f"(value) : "memory");
}
// Predicated instead of branched around: the reductions of an unrolled loop stand back to back.
HEDDLE_INLINE void reduceMinIf(bool condition, u32 *address, u32 value) {
  asm volatile("{\n\t.reg .pred wanted;\n\tsetp.ne.u32 wanted, %2, 0;\n\t@wanted red.global.min.u32 [%0], %1;\n\t}"
               :
               : "l"(address), "r"(value), "r"((u32)condition)
               : "memory");
}

// --- Barriers and fences ----------------------------------------------------------------------------------

// __syncthreads() is known to clang itself (bar.sync 0).
HEDDLE_INLINE void __threadfence() { __nvvm_membar_gl(); }
HEDDLE_INLINE void __threadfence_block() { __nvvm_membar_cta(); }

// --- Warp votes and shuffles: all lanes of the warp must arrive together ----------------------------------

HEDDLE_INLINE u32 __ballot(u32 condition) {
  u32 lanes;
  asm volatile("{\n\t.reg .pred vote;\n\tsetp.ne.u32 vote, %1, 0;\n\tvote.ballot.b32 %0, vote;\n\t}"
               : "=r"(lanes)
               : "r"(condition));
  return lanes;
}
HEDDLE_INLINE bool __any(u32 condition) { return __ballot(condition) != 0; }
// The lanes that are switched off vote neither way, so "all" asks whether nobody objects.
HEDDLE_INLINE bool __all(u32 condition) { return __ballot(!condition) == 0; }
HEDDLE_INLINE u32 __shfl(u32 value, u32 lane) { return __nvvm_shfl_idx_i32(value, lane, 31); }
HEDDLE_INLINE u32 __shfl_up(u32 value, u32 distance) { return __nvvm_shfl_up_i32(value, distance, 0); }
HEDDLE_INLINE u32 __shfl_down(u32 value, u32 distance) { return __nvvm_shfl_down_i32(value, distance, 31); }
HEDDLE_INLINE u32 __shfl_xor(u32 value, u32 mask) { return __nvvm_shfl_bfly_i32(value, mask, 31); }
HEDDLE_INLINE f32 __shfl_xor(f32 value, u32 mask) { return __nvvm_shfl_bfly_f32(value, mask, 31); }
HEDDLE_INLINE f32 __shfl_down(f32 value, u32 distance) { return __nvvm_shfl_down_f32(value, distance, 31); }

HEDDLE_INLINE u32 __popc(u32 word) { return __builtin_popcount(word); }
HEDDLE_INLINE u32 __clz(u32 word) { return word == 0 ? 32 : __builtin_clz(word); }
// One more than the number of the lowest set bit, 0 if none is set.
HEDDLE_INLINE u32 __ffs(u32 word) { return __builtin_ffs(word); }

// --- Arithmetic shared by several kernels -----------------------------------------------------------------

// A distance plus a weight that stays at INFINITE instead of wrapping. Host drivers refuse graphs on which
// a real distance could reach INFINITE, so saturation only keeps "unreached" unreached.
HEDDLE_INLINE u32 saturating_add(u32 distance, u32 weight) {
  u32 sum = distance + weight;
  return sum < distance ? INFINITE : sum;
}
