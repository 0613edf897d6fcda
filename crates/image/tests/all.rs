//! The memory image. One binary, because each further one costs the time of a link.

mod atomic;
mod image;
