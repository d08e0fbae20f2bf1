//! The threads of a server, and its secrets.

use std::hash::{BuildHasher, Hasher};
use std::sync::Mutex;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use wire::Failure;

/// Returns a number that nobody can guess. The standard library's hashers are seeded by the system.
#[must_use]
pub fn secret() -> u64 {
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

/// Returns a token for requests that change something.
#[must_use]
pub fn token() -> String {
    format!("{:016x}{:016x}", secret(), secret())
}

/// Number of threads that read and write connections.
const CONNECTION_THREADS: usize = 2;
/// Maximum number of threads that work on requests.
const WORK_THREADS: usize = 16;
/// Time for the first of them to start.
const STARTS: Duration = Duration::from_secs(10);
/// Idle threads stay, because the system may refuse a new one.
const STAYS: Duration = Duration::from_secs(365 * 24 * 3600);

/// The threads of a server.
#[derive(Debug)]
pub struct ServerThreads(Runtime);

impl ServerThreads {
    /// Runs a server until the process ends.
    ///
    /// # Errors
    /// Those of the listener.
    pub fn run(self, server: impl Future<Output = std::io::Result<()>>) -> Result<(), Failure> {
        self.0.block_on(server).map_err(Failure::run)
    }
}

/// Starts the threads of a server, before other threads of this program that could take their places.
///
/// # Errors
/// A system with too few threads left.
pub fn start_threads() -> Result<ServerThreads, Failure> {
    let failed = |error| Failure::run(format!("cannot serve: {error}"));
    try_threads(CONNECTION_THREADS + 1).map_err(failed)?;
    let runtime = Builder::new_multi_thread()
        .worker_threads(CONNECTION_THREADS)
        .max_blocking_threads(WORK_THREADS)
        .thread_keep_alive(STAYS)
        .enable_io()
        .enable_time()
        .build()
        .map_err(failed)?;
    // Starts one working thread now, in case none can be started later.
    if !has_worker(&runtime, STARTS) {
        runtime.shutdown_background();
        return Err(failed(std::io::Error::other("no thread can be started")));
    }
    Ok(ServerThreads(runtime))
}

/// True once a thread works on requests. If the system refuses one, the runtime leaves the work to its busy threads,
/// which serve connections and never come to it.
fn has_worker(runtime: &Runtime, within: Duration) -> bool {
    let (works, has_worked) = std::sync::mpsc::channel();
    runtime.spawn_blocking(move || works.send(()));
    has_worked.recv_timeout(within).is_ok()
}

/// Starts and ends this many threads at the same time. The runtime panics if it cannot start its own.
fn try_threads(count: usize) -> std::io::Result<()> {
    let gate = Mutex::new(());
    std::thread::scope(|scope| {
        let _closed = gate.lock();
        let wait = || drop(gate.lock());
        (0..count).try_for_each(|_| std::thread::Builder::new().spawn_scoped(scope, wait).map(drop))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_whose_only_threads_are_busy_does_not_wait_for_another_one() {
        let runtime = Builder::new_multi_thread().worker_threads(1).max_blocking_threads(1).build().unwrap();
        assert!(has_worker(&runtime, Duration::from_secs(20)));
        let (free, is_free) = std::sync::mpsc::channel::<()>();
        runtime.spawn_blocking(move || is_free.recv());
        assert!(!has_worker(&runtime, Duration::from_millis(50)));
        drop(free);
    }
}
