//! Nothing is.

#[derive(Clone, Copy, Debug)]
pub(crate) struct NoPrefetch;
