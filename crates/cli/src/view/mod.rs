//! Text pages of results. A page is a pure function of plain data, so that a pipe sees stable text.

pub(crate) mod claims;
pub(crate) mod compare;
pub(crate) mod diff;
pub(crate) mod dram;
pub(crate) mod energy;
pub(crate) mod explain;
pub(crate) mod info;
pub(crate) mod launch;
pub(crate) mod list;
pub(crate) mod machine;
pub(crate) mod mechanisms;
pub(crate) mod memory;
pub(crate) mod page;
pub(crate) mod pairs;
pub(crate) mod ptx_check;
pub(crate) mod ptx_info;
pub(crate) mod query;
pub(crate) mod run;
pub(crate) mod stats;
pub(crate) mod sweep;
pub(crate) mod text;
mod timing;
pub(crate) mod workloads;
