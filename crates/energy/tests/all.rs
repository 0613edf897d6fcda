//! Energy tables and power over time. One binary, because each further one costs the time of a link.

mod tables;
mod trace;
