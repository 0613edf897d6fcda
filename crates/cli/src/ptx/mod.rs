//! PTX files on the command line: read, judged, described.

pub(crate) mod describe;
pub(crate) mod judge;
pub(crate) mod source;
