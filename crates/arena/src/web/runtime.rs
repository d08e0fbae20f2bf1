//! The threads of a server, and its secrets.

use std::hash::{BuildHasher, Hasher};
use std::sync::Mutex;
use std::time::Duration;
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
/// Idle threads stay, because the system may refuse a new one.
const STAYS: Duration = Duration::from_secs(365 * 24 * 3600);

/// Runs a server until the process ends.
///
/// # Errors
/// Those of the listener, and a system with too few threads left.
pub fn run(server: impl Future<Output = std::io::Result<()>>) -> Result<(), Failure> {
    let failed = |error| Failure::run(format!("cannot serve: {error}"));
    try_threads(CONNECTION_THREADS + 1).map_err(failed)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(CONNECTION_THREADS)
        .max_blocking_threads(WORK_THREADS)
        .thread_keep_alive(STAYS)
        .enable_io()
        .enable_time()
        .build()
        .map_err(failed)?;
    // Starts one working thread now, in case none can be started later.
    let first = runtime.spawn_blocking(|| {});
    let served = runtime.block_on(async {
        first.await.map_err(std::io::Error::other)?;
        server.await
    });
    served.map_err(Failure::run)
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
