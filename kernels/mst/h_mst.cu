// H-MST: Borůvka's algorithm on super vertices that are colours. After the implementation of Harish, Vineet
// and Narayanan that [Lakshminarayana14] uses (section 2.3.4; the kernel that chapters 3 and 4 measure
// is its find-min-edge-weight, here Kernel_Find_Min_Edge_Weight_Per_Vertex).
//
// graph_colorindex[v] names the super vertex to which v belonged when the round began, and global_colors[s]
// the colour of super vertex s, so that one store recolours a whole super vertex. A round:
//   1  every vertex finds its lightest edge to another colour, every colour the lightest of those;
//   2  of a colour's edges of that weight, those to one other colour remain, and of these the first;
//   3  colours spread along the chosen edges until each tree of super vertices has one;
//   4  super vertices that no edge points to add their own edge and leave, until only cycles are left; all
//      edges of the cycles are added, and one of each is taken back;
//   5  vertices follow their super vertex to its new colour.
// The edges of a cycle all weigh the same, since no vertex of it prefers another, so taking back any one is
// right. Which colour comes first among equally light ones is decided by a hash: by number, a path whose
// vertices are numbered along it would become one chain, and step 4 takes a pass per link of a chain.
//
// Buffers (22, as in the document and in the original): graph_nodes, graph_edges, graph_weights,
// graph_MST_edges, graph_colorindex, global_colors, active_colors, active_vertices, updating_global_colors,
// degree, updating_degree, prev_colors, prev_colorindex, cycle_edge, min_edge_weight, min_edge_index,
// global_min_edge_weight, global_min_edge_index, global_min_c2, over, done, removing. prev_colors is kept from
// the original, which reads the old colour of a super vertex there after step 3; that is its own number.
//
// An edge is an arc of the symmetrised graph, and graph_MST_edges marks one of its two arcs.
#include "heddle_more.cuh"

// A row of the adjacency list: one 8-byte load tells where it starts and how long it is.
struct Node {
  uint2 start_and_degree;
};

// The colour of a vertex.
HEDDLE_INLINE u32 color_of(const u32 *graph_colorindex, const u32 *global_colors, u32 vertex) {
  return __ldg(&global_colors[__ldg(&graph_colorindex[vertex])]);
}

HEDDLE_KERNEL Kernel_Initialize(u32 *graph_colorindex, u32 *global_colors, u8 *active_vertices, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  graph_colorindex[vertex] = vertex;
  global_colors[vertex] = vertex;
  active_vertices[vertex] = 1;
}

// Clears what a round uses.
HEDDLE_KERNEL Kernel_Reinitialize(u8 *active_colors, u32 *min_edge_weight, u32 *min_edge_index,
                                  u32 *global_min_edge_weight, u32 *global_min_edge_index,
                                  u32 *global_min_c2, u32 *degree, u32 *updating_degree, u32 *cycle_edge,
                                  u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  active_colors[vertex] = 0;
  min_edge_weight[vertex] = INFINITE;
  min_edge_index[vertex] = INFINITE;
  global_min_edge_weight[vertex] = INFINITE;
  global_min_edge_index[vertex] = INFINITE;
  global_min_c2[vertex] = INFINITE;
  degree[vertex] = 0;
  updating_degree[vertex] = 0;
  cycle_edge[vertex] = INFINITE;
}

// Step 1. A vertex without an edge to another colour will never have one again.
HEDDLE_KERNEL Kernel_Find_Min_Edge_Weight_Per_Vertex(const Node *graph_nodes, const u32 *graph_edges,
                                                     const u32 *graph_weights, const u32 *graph_colorindex,
                                                     const u32 *global_colors, u8 *active_colors,
                                                     u32 *global_min_edge_weight, u32 *min_edge_weight,
                                                     u32 *min_edge_index, u8 *over, u8 *active_vertices,
                                                     u32 seed, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices || !active_vertices[vertex]) return;
  uint2 row = __ldg(&graph_nodes[vertex].start_and_degree);
  u32 end = row.x + row.y;
  u32 color = color_of(graph_colorindex, global_colors, vertex);
  u32 lightest = INFINITE, first_rank = INFINITE, index = INFINITE;
  for (u32 edge = row.x; edge < end; edge++) {
    u32 neighbour = __ldg(&graph_edges[edge]);
    u32 other = color_of(graph_colorindex, global_colors, neighbour);
    if (other == color) continue;
    u32 weight = __ldg(&graph_weights[edge]);
    if (weight > lightest) continue;
    u32 rank = priority(other, seed);
    if (weight < lightest || rank < first_rank || index == INFINITE) {
      lightest = weight;
      first_rank = rank;
      index = edge;
    }
  }
  if (index == INFINITE) {
    active_vertices[vertex] = 0;
    return;
  }
  min_edge_weight[vertex] = lightest;
  min_edge_index[vertex] = index;
  atomicMin(&global_min_edge_weight[color], lightest);
  active_colors[color] = 1;
  *over = 1;
}

// Step 2: the other colour that comes first among the lightest edges of a colour.
HEDDLE_KERNEL Kernel_Find_Min_C2(const u32 *graph_edges, const u32 *graph_colorindex, const u32 *global_colors,
                                 const u32 *global_min_edge_weight, const u32 *min_edge_weight,
                                 const u32 *min_edge_index, u32 *global_min_c2, u32 seed, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  u32 edge = __ldg(&min_edge_index[vertex]);
  if (edge == INFINITE) return;
  u32 color = color_of(graph_colorindex, global_colors, vertex);
  if (__ldg(&min_edge_weight[vertex]) != __ldg(&global_min_edge_weight[color])) return;
  u32 other = color_of(graph_colorindex, global_colors, __ldg(&graph_edges[edge]));
  atomicMin(&global_min_c2[color], priority(other, seed));
}

// Step 2: the first edge of a colour among the lightest ones to that other colour.
HEDDLE_KERNEL Kernel_Add_Edge_To_Global_Min(const u32 *graph_edges, const u32 *graph_colorindex,
                                            const u32 *global_colors, const u32 *global_min_edge_weight,
                                            const u32 *min_edge_weight, const u32 *min_edge_index,
                                            const u32 *global_min_c2, u32 *global_min_edge_index, u32 seed,
                                            u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  u32 edge = __ldg(&min_edge_index[vertex]);
  if (edge == INFINITE) return;
  u32 color = color_of(graph_colorindex, global_colors, vertex);
  if (__ldg(&min_edge_weight[vertex]) != __ldg(&global_min_edge_weight[color])) return;
  u32 other = color_of(graph_colorindex, global_colors, __ldg(&graph_edges[edge]));
  if (priority(other, seed) == __ldg(&global_min_c2[color])) atomicMin(&global_min_edge_index[color], edge);
}

// Counts the chosen edges that point to each colour, and keeps colours and indices as they are now.
HEDDLE_KERNEL Kernel_Find_Degree(const u32 *graph_edges, const u32 *graph_colorindex,
                                 const u32 *global_colors, const u8 *active_colors,
                                 const u32 *global_min_edge_index, u32 *degree, u32 *updating_degree,
                                 u32 *prev_colors, u32 *prev_colorindex, u32 *updating_global_colors,
                                 u32 vertices) {
  u32 color = thread_in_grid();
  if (color >= vertices) return;
  prev_colors[color] = __ldg(&global_colors[color]);
  prev_colorindex[color] = __ldg(&graph_colorindex[color]);
  updating_global_colors[color] = __ldg(&global_colors[color]);
  if (!__ldg(&active_colors[color])) return;
  u32 other = color_of(graph_colorindex, global_colors, __ldg(&graph_edges[__ldg(&global_min_edge_index[color])]));
  atomicAdd(&degree[other], 1u);
  atomicAdd(&updating_degree[other], 1u);
}

// Step 3: the colours at the two ends of a chosen edge, and the super vertices that stand for them, take the
// smaller of both.
HEDDLE_KERNEL Kernel_Prop_Colors1(const u32 *graph_edges, const u32 *graph_colorindex,
                                  const u32 *global_colors, const u8 *active_colors,
                                  const u32 *global_min_edge_index, u32 *updating_global_colors,
                                  u32 vertices) {
  u32 super = thread_in_grid();
  if (super >= vertices || !__ldg(&active_colors[super])) return;
  u32 other_super = __ldg(&graph_colorindex[__ldg(&graph_edges[__ldg(&global_min_edge_index[super])])]);
  u32 color = __ldg(&global_colors[super]);
  u32 other_color = __ldg(&global_colors[other_super]);
  if (color < other_color) {
    atomicMin(&updating_global_colors[other_super], color);
    atomicMin(&updating_global_colors[other_color], color);
  } else if (other_color < color) {
    atomicMin(&updating_global_colors[super], other_color);
    atomicMin(&updating_global_colors[color], other_color);
  }
}

// Step 3: takes the new colours over, following those that have changed themselves.
HEDDLE_KERNEL Kernel_Prop_Colors2(u32 *global_colors, const u8 *active_colors,
                                  const u32 *updating_global_colors, u8 *done, u32 vertices) {
  u32 super = thread_in_grid();
  if (super >= vertices || !__ldg(&active_colors[super])) return;
  u32 color = __ldg(&updating_global_colors[__ldg(&updating_global_colors[super])]);
  if (color < global_colors[super]) {
    global_colors[super] = color;
    *done = 1;
  }
}

// Between two passes of step 3: what the next one lowers starts from what this one reached.
HEDDLE_KERNEL Kernel_Prop_Colors3(const u32 *global_colors, const u8 *active_colors,
                                  u32 *updating_global_colors, u32 vertices) {
  u32 super = thread_in_grid();
  if (super >= vertices || !__ldg(&active_colors[super])) return;
  updating_global_colors[super] = __ldg(&global_colors[super]);
}

// Step 4: super vertices that no edge points to add their edge and leave.
HEDDLE_KERNEL Kernel_Dec_Degree1(const u8 *active_colors, const u32 *degree, u32 *global_min_edge_index,
                                 const u32 *graph_edges, const u32 *prev_colorindex, const u32 *prev_colors,
                                 u32 *updating_degree, u8 *graph_MST_edges, u32 vertices) {
  u32 super = thread_in_grid();
  if (super >= vertices || !__ldg(&active_colors[super]) || __ldg(&degree[super]) != 0) return;
  u32 edge = global_min_edge_index[super];
  if (edge == INFINITE) return;
  graph_MST_edges[edge] = 1;
  global_min_edge_index[super] = INFINITE;
  u32 other = color_of(prev_colorindex, prev_colors, __ldg(&graph_edges[edge]));
  atomicAdd(&updating_degree[other], 0xffffffffu);
}

// Step 4: whether that has freed others.
HEDDLE_KERNEL Kernel_Dec_Degree2(u32 *degree, const u8 *active_colors, const u32 *updating_degree,
                                 u8 *removing, u32 vertices) {
  u32 super = thread_in_grid();
  if (super >= vertices || !__ldg(&active_colors[super])) return;
  u32 left = __ldg(&updating_degree[super]);
  if (degree[super] > left) {
    degree[super] = left;
    *removing = 1;
  }
}

// Step 4: the edges of cycles.
HEDDLE_KERNEL Kernel_Add_Remaining_Edges(const u32 *global_min_edge_index, u8 *graph_MST_edges, u32 vertices) {
  u32 super = thread_in_grid();
  if (super >= vertices) return;
  u32 edge = __ldg(&global_min_edge_index[super]);
  if (edge != INFINITE) graph_MST_edges[edge] = 1;
}

// Step 4: every tree of super vertices has one cycle and one new colour, by which they find each other.
HEDDLE_KERNEL Kernel_Edge_Per_Cycle_New_Color(const u32 *global_min_edge_index, const u32 *global_colors,
                                              u32 *cycle_edge, u32 vertices) {
  u32 super = thread_in_grid();
  if (super >= vertices) return;
  u32 edge = __ldg(&global_min_edge_index[super]);
  if (edge != INFINITE) atomicMin(&cycle_edge[__ldg(&global_colors[super])], edge);
}

HEDDLE_KERNEL Kernel_Remove_Cycle_Edge_From_MST(const u32 *cycle_edge, u8 *graph_MST_edges, u32 vertices) {
  u32 color = thread_in_grid();
  if (color >= vertices) return;
  u32 edge = __ldg(&cycle_edge[color]);
  if (edge != INFINITE) graph_MST_edges[edge] = 0;
}

// Step 5.
HEDDLE_KERNEL Kernel_Update_Colorindex(u32 *graph_colorindex, const u32 *global_colors, u32 vertices) {
  u32 vertex = thread_in_grid();
  if (vertex >= vertices) return;
  graph_colorindex[vertex] = __ldg(&global_colors[graph_colorindex[vertex]]);
}
