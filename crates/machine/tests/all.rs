//! Machine files, and the machines that they describe, in time. One binary, because each further one costs the time of a link.

mod anything;
mod assembled;
mod clocks;
mod kinds;
mod layers;
mod presets;
mod refusals;
mod roles;
