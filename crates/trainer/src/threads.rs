//! Work on several threads.

/// Does the parts 0 to `count` - 1 of some work at the same time, and returns their results in that order. A part for which
/// the system has no thread left is done after the others.
pub fn on_threads<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let work = &work;
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..count)
            .map(|part| std::thread::Builder::new().spawn_scoped(scope, move || work(part)))
            .collect();
        let done = parts.into_iter().enumerate().map(|(part, thread)| match thread {
            Ok(thread) => thread.join().expect("a worker does not panic"),
            Err(_) => work(part),
        });
        done.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::on_threads;

    #[test]
    fn results_stand_in_the_order_of_the_parts() {
        assert_eq!(on_threads(5, |part| part * part), [0, 1, 4, 9, 16]);
        assert!(on_threads(0, |part| part).is_empty());
    }
}
