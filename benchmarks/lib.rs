//! Benchmarks only: see the files beside this one, and docs/performance.md.
