// Applications, written for this comparison after `gtx480` had its figures.
#define G extern "C" __global__ void
typedef unsigned u32;
__device__ __forceinline__ u32 mix(u32 x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; return x; }
#define TID (blockIdx.x * blockDim.x + threadIdx.x)

// --- sssp
G relax(const u32 *row, const u32 *col, const u32 *w, const u32 *din, u32 *dout, u32 n) {
  u32 v = TID; if (v >= n) return;
  u32 d = din[v]; if (d == 0x3fffffffu) return;
  u32 e = row[v], end = row[v + 1];
#pragma unroll 1
  for (; e < end; e++) atomicMin(&dout[col[e]], d + w[e]);
}
G relax_inplace(const u32 *row, const u32 *col, const u32 *w, u32 *dist, u32 *changed, u32 n) {
  u32 v = TID; if (v >= n) return;
  u32 d = dist[v]; if (d == 0x3fffffffu) return;
  u32 e = row[v], end = row[v + 1];
#pragma unroll 1
  for (; e < end; e++) { u32 t = col[e], nd = d + w[e]; if (nd < dist[t]) { if (atomicMin(&dist[t], nd) > nd) *changed = 1; } }
}
// --- atomics
G add_red(u32 *a, u32 mask, u32 steps) {
  u32 t = TID;
#pragma unroll 1
  for (u32 i = 0; i < steps; i++) atomicAdd(&a[mix(t + i * 7919) & mask], 1);
}
G add_ret(u32 *a, u32 *out, u32 mask, u32 steps) {
  u32 t = TID, s = 0;
#pragma unroll 1
  for (u32 i = 0; i < steps; i++) s += atomicAdd(&a[(t * 33 + s % 2 + i) & mask], 1);
  out[t] = s;
}
// --- pull
G pull(const u32 *row, const u32 *col, const float *x, float *y, u32 n) {
  u32 v = TID; if (v >= n) return;
  u32 e = row[v], end = row[v + 1]; float s = 0.f;
#pragma unroll 1
  for (; e < end; e++) s += x[col[e]];
  y[v] = 0.15f + 0.85f * s;
}
// --- worklist
G append(const u32 *key, u32 *queue, u32 *tail, u32 bound, u32 n) {
  u32 i = TID; if (i >= n) return;
  if (key[i] < bound) { u32 p = atomicAdd(tail, 1); queue[p] = i; }
}
G append_block(const u32 *key, u32 *queue, u32 *tail, u32 bound, u32 n) {
  __shared__ u32 count, base;
  u32 i = TID;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  u32 mine = i < n && key[i] < bound, p = 0;
  if (mine) p = atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) base = atomicAdd(tail, count);
  __syncthreads();
  if (mine) queue[base + p] = i;
}
G consume(const u32 *queue, const u32 *tail, const u32 *row, const u32 *col, u32 *level, u32 *next, u32 *ntail) {
  u32 i = TID; if (i >= *tail) return;
  u32 v = queue[i], e = row[v], end = row[v + 1];
#pragma unroll 1
  for (; e < end; e++) { u32 t = col[e]; if (level[t] == 0) { if (atomicExch(&level[t], 1) == 0) { u32 p = atomicAdd(ntail, 1); next[p] = t; } } }
}
G drain(const u32 *queue, u32 *head, u32 n, const u32 *x, u32 *out) {
#pragma unroll 1
  while (true) {
    u32 i = atomicAdd(head, 1);
    if (i >= n) return;
    u32 v = queue[i];
    out[v] = x[v] * 3 + i;
  }
}
// --- histograms
G hist_global(const u32 *key, u32 *bins, u32 mask, u32 n) {
#pragma unroll 1
  for (u32 i = TID; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[key[i] & mask], 1);
}
G hist_shared(const u32 *key, u32 *bins, u32 mask, u32 n) {
  __shared__ u32 s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll 1
  for (u32 i = TID; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[key[i] & mask], 1);
  __syncthreads();
  if (s[threadIdx.x]) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
// --- dense
G matmul(const float *A, const float *B, float *C, u32 n) {
  __shared__ float a[16][16], b[16][16];
  u32 tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * 16 + ty, c = blockIdx.x * 16 + tx;
  float s = 0.f;
#pragma unroll 1
  for (u32 k = 0; k < n; k += 16) {
    a[ty][tx] = A[r * n + k + tx]; b[ty][tx] = B[(k + ty) * n + c];
    __syncthreads();
#pragma unroll
    for (u32 j = 0; j < 16; j++) s += a[ty][j] * b[j][tx];
    __syncthreads();
  }
  C[r * n + c] = s;
}
G transpose(const float *A, float *B, u32 n) {
  __shared__ float t[16][16];
  u32 x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  t[threadIdx.y][threadIdx.x] = A[y * n + x];
  __syncthreads();
  B[(blockIdx.x * 16 + threadIdx.y) * n + blockIdx.y * 16 + threadIdx.x] = t[threadIdx.x][threadIdx.y];
}
G reduce(const u32 *x, u32 *out, u32 n) {
  __shared__ u32 s[256];
  u32 v = 0;
#pragma unroll 1
  for (u32 i = TID; i < n; i += gridDim.x * blockDim.x) v += x[i];
  s[threadIdx.x] = v;
  __syncthreads();
#pragma unroll 1
  for (u32 k = 128; k > 0; k >>= 1) { if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k]; __syncthreads(); }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
G stencil(const float *a, float *b, u32 n) {
  u32 x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= n - 1 || y >= n - 1) return;
  u32 i = y * n + x;
  b[i] = 0.2f * (a[i] + a[i - 1] + a[i + 1] + a[i - n] + a[i + n]);
}
// --- streams
G copy_read(const u32 *in, u32 *out, u32 stride, u32 mask) { u32 i = TID; out[i] = in[(i * stride) & mask]; }
G copy_write(const u32 *in, u32 *out, u32 stride, u32 mask) { u32 i = TID; out[(i * stride) & mask] = in[i]; }
G triad(const float *b, const float *c, float *a, float s, u32 n) { u32 i = TID; if (i < n) a[i] = b[i] + s * c[i]; }
G triad_loop(const float *b, const float *c, float *a, float s, u32 n) {
#pragma unroll 1
  for (u32 i = TID; i < n; i += gridDim.x * blockDim.x) a[i] = b[i] + s * c[i];
}
G chase(const u32 *next, u32 *out, u32 steps, u32 spread) {
  u32 t = TID, p = t * spread;
#pragma unroll 1
  for (u32 i = 0; i < steps; i++) p = next[p];
  out[t] = p;
}
G burst(u32 *out, u32 k, u32 pitch) {
  u32 i = TID;
#pragma unroll 1
  for (u32 j = 0; j < k; j++) out[i + j * pitch] = j;
}
