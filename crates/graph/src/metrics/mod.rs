//! What a graph looks like: degrees, loops and duplicates, components, depth, diameter, taxonomy.
//!
//! One metric per file. Work is cut into ranges of a fixed size and joined by exact integer sums, so no
//! figure depends on the number of threads; a ratio becomes a real number only at the very end.

pub mod components;
pub mod degree;
pub mod diameter;
pub mod multiplicity;
pub(crate) mod ranges;
pub(crate) mod seen;
pub mod taxonomy;
pub mod traversal;
mod two_means;

pub use components::{Components, weakly_connected};
pub use degree::{Bucket, DegreeStatistics, Histogram, degree_histogram, degree_statistics};
pub use diameter::DiameterEstimate;
pub use multiplicity::{duplicates, is_symmetric, self_loops};
pub use taxonomy::{Class, Taxonomy, TaxonomyMachine, classify};
pub use traversal::{Levels, UNREACHED, bfs_depths, bfs_levels};
