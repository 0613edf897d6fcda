//! What a sweep adds to the time of its points, and to the memory of the process.

use super::fake::{Fake, clock};
use super::is_long;
use heddle_lab::runner::Stop;
use heddle_lab::store::Timing;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// How much longer a sweep takes than its points, in percent.
fn added_percent(fake: &Fake, folder: &Path) -> f64 {
    let executed = AtomicU64::new(0);
    let execute = |index: usize, stop: &Stop<'_>| {
        let begun = clock();
        let result = fake.execute(index, stop);
        executed.fetch_add((clock() - begun).as_nanos() as u64, Ordering::Relaxed);
        result
    };
    let begun = clock();
    fake.run_with(folder, &fake.options(), &execute).0.unwrap();
    let all = (clock() - begun).as_secs_f64() * fake.threads as f64;
    (all / (executed.into_inner() as f64 / 1e9) - 1.0) * 100.0
}

#[test]
fn a_sweep_of_small_points_adds_little_to_their_time() {
    // The short test only sees that nothing is out of proportion.
    let (points, bound) = if is_long() { (1000, 5.0) } else { (100, 50.0) };
    let Timing { heartbeat, expiry } = Timing::default();
    let fake = Fake { points, micros: 20_000, payload: 5_000, heartbeat, expiry, ..Fake::default() };
    // What else the host and its disk do can only add to it, so that the least of some tries is the nearest.
    let mut tries = Vec::new();
    while tries.len() < 3 && !tries.iter().any(|&added| added < bound) {
        let folder = tempfile::tempdir().unwrap();
        tries.push(added_percent(&fake, folder.path()));
    }
    assert!(tries.iter().any(|&added| added < bound), "{tries:.2?} % for {points} points");
    if is_long() {
        let line = format!("a sweep of {points} points of 20 ms adds {tries:.2?} %\n");
        std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes()).unwrap();
    }
}

/// Peak memory of a process that runs so many points, in KiB.
fn peak_kib(points: usize) -> Option<u64> {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("sweep");
    fs::create_dir(folder.with_extension("runs")).unwrap();
    let fake = Fake { points, micros: 0, payload: 100_000, ..Fake::default() };
    assert!(fake.child(&folder).status().unwrap().success());
    let status = fs::read_to_string(folder.with_extension("runs").join("status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

#[test]
fn memory_does_not_grow_with_the_sweep() {
    let (few, many) = if is_long() { (100, 2000) } else { (20, 220) };
    let (Some(small), Some(large)) = (peak_kib(few), peak_kib(many)) else { return };
    // Kept in memory, every point more would cost 200 KB.
    let kept = (many - few) as u64 * 200;
    assert!(large < small + kept / 4, "{small} KiB for {few} points, {large} KiB for {many}");
}
