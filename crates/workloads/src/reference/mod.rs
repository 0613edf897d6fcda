//! Right answers, computed on the host. One algorithm per file.
//!
//! | problem | file | answer |
//! |---|---|---|
//! | breadth-first search | [`bfs`] | depth of every vertex |
//! | single-source shortest paths | [`dijkstra`], [`delta_stepping`] | distance of every vertex |
//! | weakly connected components | [`wcc`] | smallest vertex of each vertex's component |
//! | PageRank | [`pagerank`] | rank of every vertex |
//! | maximal independent set | [`mis`] | membership of every vertex |
//! | colouring | [`colouring`] | colour of every vertex |
//! | betweenness centrality | [`betweenness`] | centrality of every vertex |
//! | minimum spanning forest | [`mst`] | edges, their weight, number of trees |
//! | S–T connectivity | [`stcon`] | a shortest path, or none |
//! | triangle count | [`triangles`] | one number |
//! | bipartite check | [`bipartite`] | two sides, or an odd cycle |

pub mod betweenness;
pub mod bfs;
pub mod bipartite;
pub mod colouring;
pub mod delta_stepping;
pub mod dijkstra;
pub mod mis;
pub mod mst;
pub mod pagerank;
mod path_count;
pub mod stcon;
pub mod triangles;
pub mod wcc;
