//! `heddle ptx …`.

pub(super) mod check;
pub(super) mod info;
pub(super) mod run;
