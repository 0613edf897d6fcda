//! Caches: their rules, and their agreement with a simple model.

mod agreement;
mod bypass;
mod common;
mod flexclusion;
mod lazy;
mod model;
mod policies;
mod regions;
mod rules;
