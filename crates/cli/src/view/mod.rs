//! Text pages of results. A page is a pure function of plain data, so that a pipe sees stable text.

pub(crate) mod energy;
pub(crate) mod dram;
pub(crate) mod info;
pub(crate) mod launch;
pub(crate) mod list;
pub(crate) mod page;
pub(crate) mod ptx_check;
pub(crate) mod ptx_info;
pub(crate) mod run;
pub(crate) mod text;
pub(crate) mod workloads;
