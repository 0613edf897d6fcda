//! Sweeps that survive: real files, real processes, and points that only pretend to be simulated.

mod builds;
mod child;
mod damage;
mod disk;
mod estimates;
mod fake;
mod kills;
mod leases;
mod overhead;
mod packing;
mod pool;

/// Whether the long tests are asked for, by `scripts/sweeps-survive`.
fn is_long() -> bool {
    std::env::var_os("HEDDLE_LONG").is_some()
}

/// Says that a test could not be done, past the harness, which shows what tests print only if they fail.
#[cfg(target_os = "linux")]
fn skipped(why: &str) {
    use std::io::Write;
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let line = format!("SKIPPED {test}: {why}\n");
    std::io::stderr().write_all(line.as_bytes()).expect("standard error can be written to");
}
