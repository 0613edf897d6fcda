//! A value that is made on first use, from inside parallel work too.
//!
//! A lock whose holder waits for the shared thread pool can wait for ever: while it waits, its thread takes up other
//! jobs of the pool, and one of those may ask for the same value, which this very thread is making; or every thread
//! of the pool blocks on the lock, and nobody is left to do the work that its holder waits for. So the value is made
//! by threads of its own, which take no jobs from elsewhere, and whoever asked first sleeps until they are done.
//! Other locks are banned from the libraries (`crates/tidy`).

use std::sync::OnceLock;

/// A value that is made on first use.
#[derive(Clone, Debug)]
pub(crate) struct Lazy<T>(OnceLock<T>);

impl<T: Send + Sync> Lazy<T> {
    /// Not made yet.
    pub(crate) const fn new() -> Lazy<T> {
        Lazy(OnceLock::new())
    }

    /// The value. `make` may run parallel work; it has as many threads for that as the caller's pool.
    pub(crate) fn get_or_make(&self, make: impl FnOnce() -> T + Send) -> &T {
        self.0.get_or_init(|| apart(make))
    }
}

/// Runs `make` on a pool of its own, without taking part in the caller's pool meanwhile.
fn apart<T: Send>(make: impl FnOnce() -> T + Send) -> T {
    let threads = rayon::current_num_threads();
    // A worker that waits for another pool goes on with jobs of its own pool; a thread that joins another does not.
    let made = std::thread::scope(|scope| scope.spawn(move || on_own_pool(threads, make)).join());
    made.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Runs `make` on a new pool: of this one thread where the host has no more to give.
fn on_own_pool<T: Send>(threads: usize, make: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let alone = || rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    match pool.build().or_else(|_| alone()) {
        Ok(pool) => pool.install(make),
        Err(error) => unreachable!("a pool of the thread that makes it needs nothing of the host: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::sync::mpsc;
    use std::time::Duration;

    /// Long enough for any host; a deadlock lasts for ever.
    const PATIENCE: Duration = Duration::from_secs(60);

    /// Asks for a value from all threads of a pool at once, many times over; none if they never come to an end.
    fn asked_in_parallel(rounds: u32) -> Option<u64> {
        let (done, answer) = mpsc::channel();
        // Not scoped: if it hangs, the test ends without it.
        std::thread::spawn(move || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
            let round = |_| {
                let lazy = Lazy::new();
                (0..256u32).into_par_iter().map(|_| *lazy.get_or_make(work)).sum::<u64>()
            };
            // Nobody listens any more where it came too late.
            done.send(pool.install(|| (0..rounds).map(round).sum())).unwrap_or_default();
        });
        answer.recv_timeout(PATIENCE).ok()
    }

    /// Parallel work, of which every piece takes a while.
    fn work() -> u64 {
        let spin = |piece: u64| (0..2_000u64).fold(piece, |value, step| std::hint::black_box(value ^ step));
        (0..64u64).into_par_iter().map(spin).max().map_or(0, |_| 1)
    }

    #[test]
    fn a_value_made_by_parallel_work_can_be_asked_for_by_parallel_work() {
        assert_eq!(asked_in_parallel(200), Some(200 * 256));
    }

    #[test]
    fn a_panic_of_the_maker_reaches_who_asked() {
        let lazy: Lazy<u32> = Lazy::new();
        let asked = std::thread::scope(|scope| scope.spawn(|| *lazy.get_or_make(|| panic!("made"))).join());
        assert!(asked.is_err());
        assert_eq!(*lazy.get_or_make(|| 7), 7, "the next one may try again");
    }
}
