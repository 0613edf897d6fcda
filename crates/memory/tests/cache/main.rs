//! Caches: their rules, and their agreement with a simple model.

mod common;
mod rules;
