// LS-MST: Borůvka's algorithm on components that have a boss, after LonestarGPU, the suite of which
// [Lakshminarayana14] uses this program (section 2.3.4; the kernel that chapters 3 and 4 measure is
// boruvkaone). No colours spread and no cycles are looked for: a component joins another by compare-and-swap,
// and the edge of whoever comes second finds both ends under one boss already.
//
// A round: every vertex finds its lightest edge out of its component (boruvkaone), one vertex of those with
// the lightest edge of a component may go ahead (dfindelemin2, dfindcompmin), and the edges of these are used
// to unite components until none is left over (dfindboss, dunify, dcompress, repeated). Rounds end when the
// number of components stays the same.
//
// Which of several lightest edges a component takes does not matter: the chosen edges form trees of
// components with one cycle of equal weights each, and the compare-and-swap leaves out one edge of it.
//
// The original finds the two bosses and unites them in one kernel with a barrier across the grid between,
// which needs all blocks to be resident; here the kernel is split there, and srcboss and dstboss keep what
// registers kept. It also counts the weight only; eleminedge and mstedges name the edges.
//
// Buffers (23): noutgoing, nincoming, srcsrc, psrc, edgessrcdst, edgessrcwt, maxOutDegree, maxInDegree (the suite's
// graph; boruvkaone reads five of the eight), ele2comp, ncomponents, eleminwts, eleminedge, minwtcomponent, partners,
// phores, goaheadnodeofcomponent, processinnextiteration, srcboss, dstboss, mstedges, mstwt, edgecount, repeat. The
// document counts 25 allocations: the suite also keeps the sizes of components, which nothing reads, and the words
// of its barrier.
#include "heddle_more.cuh"
#include "lonestar.cuh"

// The boss of a component, in a launch that does not change bosses.
HEDDLE_INLINE u32 find(const u32 *ele2comp, u32 element) {
  u32 boss = __ldg(&ele2comp[element]);
  for (u32 next = __ldg(&ele2comp[boss]); next != boss; next = __ldg(&ele2comp[boss])) boss = next;
  return boss;
}

HEDDLE_KERNEL dcomponents(u32 *ele2comp, u32 nnodes) {
  u32 id = thread_in_grid();
  if (id < nnodes) ele2comp[id] = id;
}

HEDDLE_KERNEL dinit(u32 *eleminwts, u32 *eleminedge, u32 *minwtcomponent, u32 *partners, u32 *phores,
                    u8 *processinnextiteration, u32 *goaheadnodeofcomponent, u32 nnodes) {
  u32 id = thread_in_grid();
  if (id >= nnodes) return;
  eleminwts[id] = INFINITE;
  eleminedge[id] = INFINITE;
  minwtcomponent[id] = INFINITE;
  partners[id] = id;
  phores[id] = 0;
  processinnextiteration[id] = 0;
  goaheadnodeofcomponent[id] = nnodes;
}

// The lightest edge of a vertex that leaves its component, and the lightest weight of the component.
HEDDLE_KERNEL boruvkaone(const u32 *srcsrc, const u32 *psrc, const u32 *noutgoing, const u32 *edgessrcdst,
                         const u32 *edgessrcwt, const u32 *ele2comp, u32 *eleminwts, u32 *eleminedge,
                         u32 *partners, u32 *minwtcomponent, u32 nnodes) {
  u32 src = thread_in_grid();
  if (src >= nnodes) return;
  u32 boss = find(ele2comp, src);
  Row row = row_of(srcsrc, psrc, noutgoing, src);
  u32 lightest = INFINITE, index = INFINITE, partner = src;
  for (u32 edge = row.start; edge < row.end; edge++) {
    u32 weight = __ldg(&edgessrcwt[edge]);
    if (weight < lightest || index == INFINITE) {
      u32 dst = __ldg(&edgessrcdst[edge]);
      if (find(ele2comp, dst) != boss) {
        lightest = weight;
        index = edge;
        partner = dst;
      }
    }
  }
  if (index == INFINITE) return;
  eleminwts[src] = lightest;
  eleminedge[src] = index;
  partners[src] = partner;
  atomicMin(&minwtcomponent[boss], lightest);
}

// Of the vertices that have the lightest edge of their component, the first to pass its semaphore goes ahead.
HEDDLE_KERNEL dfindelemin2(const u32 *ele2comp, const u32 *eleminwts, const u32 *eleminedge,
                           const u32 *minwtcomponent, u32 *phores, u32 *goaheadnodeofcomponent, u32 nnodes) {
  u32 id = thread_in_grid();
  if (id >= nnodes || __ldg(&eleminedge[id]) == INFINITE) return;
  u32 boss = find(ele2comp, id);
  if (__ldg(&eleminwts[id]) != __ldg(&minwtcomponent[boss])) return;
  if (atomicInc(&phores[boss], nnodes) == 0) goaheadnodeofcomponent[boss] = id;
}

HEDDLE_KERNEL dfindcompmin(const u32 *ele2comp, const u32 *goaheadnodeofcomponent, u8 *processinnextiteration,
                           u32 nnodes) {
  u32 id = thread_in_grid();
  if (id >= nnodes) return;
  if (__ldg(&goaheadnodeofcomponent[find(ele2comp, id)]) == id) processinnextiteration[id] = 1;
}

// The bosses at the two ends of the edges that wait.
HEDDLE_KERNEL dfindboss(const u32 *ele2comp, const u32 *partners, const u8 *processinnextiteration,
                        u32 *srcboss, u32 *dstboss, u32 nnodes) {
  u32 id = thread_in_grid();
  if (id >= nnodes || !__ldg(&processinnextiteration[id])) return;
  srcboss[id] = find(ele2comp, id);
  dstboss[id] = find(ele2comp, __ldg(&partners[id]));
}

// Unites the two components of an edge by making the boss of the smaller number that of both. Only a boss that
// still is one can be replaced, and a replaced boss has a smaller number, so no ring of bosses can arise; who
// comes too late looks again.
HEDDLE_KERNEL dunify(const u32 *srcboss, const u32 *dstboss, const u32 *eleminwts, const u32 *eleminedge,
                     u8 *processinnextiteration, u32 *ele2comp, u32 *ncomponents, u8 *mstedges, u64 *mstwt,
                     u32 *edgecount, u8 *repeat, u32 nnodes) {
  u32 id = thread_in_grid();
  if (id >= nnodes || !processinnextiteration[id]) return;
  u32 src = __ldg(&srcboss[id]);
  u32 dst = __ldg(&dstboss[id]);
  if (src == dst) {
    processinnextiteration[id] = 0;
    return;
  }
  u32 boss = src < dst ? src : dst;
  u32 subordinate = src < dst ? dst : src;
  if (atomicCAS(&ele2comp[subordinate], subordinate, boss) != subordinate) {
    *repeat = 1;
    return;
  }
  processinnextiteration[id] = 0;
  mstedges[__ldg(&eleminedge[id])] = 1;
  atomicAdd(mstwt, (u64)__ldg(&eleminwts[id]));
  atomicAdd(edgecount, 1u);
  atomicAdd(ncomponents, 0xffffffffu);
}

// Every element follows its bosses to the last one. Others do the same meanwhile, and only shorten the way.
HEDDLE_KERNEL dcompress(u32 *ele2comp, u32 nnodes) {
  u32 id = thread_in_grid();
  if (id >= nnodes) return;
  u32 boss = load_racy(&ele2comp[id]);
  for (u32 next = load_racy(&ele2comp[boss]); next != boss; next = load_racy(&ele2comp[boss]))
    boss = next;
  store_racy(&ele2comp[id], boss);
}
