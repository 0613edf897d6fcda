//! Connected components.

pub mod cc_dynamic;
