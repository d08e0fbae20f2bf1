use super::*;

struct Hand(Cell<Duration>);
impl Clock for Hand {
    fn elapsed(&self) -> Duration {
        self.0.get()
    }
}

#[test]
fn nothing_stops_a_search_before_it_is_armed() {
    let clock = Hand(Cell::new(Duration::from_secs(9)));
    let control = Control::new(
        Limits { nodes: Some(3), hard: Some(Duration::from_secs(1)), ..Limits::default() },
        &clock,
    );
    for _ in 0..100 {
        assert_eq!(control.tick(), Ok(()));
    }
    control.arm();
    assert_eq!(control.tick(), Err(Stop));
    assert_eq!(control.tick(), Err(Stop));
}

#[test]
#[cfg(feature = "threads")]
fn what_another_thread_has_settled_stops_it_even_if_no_limit_is_armed() {
    let clock = Hand(Cell::new(Duration::from_secs(9)));
    let control = Control::new(Limits::nodes(3), &clock);
    let stops = |settled| {
        control.until(&AtomicBool::new(settled), |inner| (0..10_000).any(|_| inner.tick().is_err()))
    };
    assert!(!stops(false) && stops(true));
    assert!(!control.is_stopped() && control.nodes() >= 10_000);
}

#[test]
fn the_node_limit_is_exact() {
    let clock = Hand(Cell::new(Duration::ZERO));
    for limit in [0, 1, 2, 1000] {
        let control = Control::new(Limits::nodes(limit), &clock);
        control.arm();
        assert_eq!((0..2000).take_while(|_| control.tick().is_ok()).count() as u64, limit);
    }
}

#[test]
fn the_largest_node_limit_is_none() {
    let clock = Hand(Cell::new(Duration::ZERO));
    let control = Control::new(Limits::nodes(u64::MAX), &clock);
    control.arm();
    assert!((0..10_000).all(|_| control.tick().is_ok()) && control.may_deepen());
}

#[test]
fn no_iteration_begins_at_the_soft_limit_or_with_all_nodes_used() {
    let clock = Hand(Cell::new(Duration::ZERO));
    let limits = Limits { soft: Some(Duration::from_secs(1)), ..Limits::nodes(2) };
    let control = Control::new(limits, &clock);
    assert!(control.may_deepen());
    clock.0.set(Duration::from_secs(1));
    assert!(!control.may_deepen());
    clock.0.set(Duration::from_nanos(999_999_999));
    assert!(control.may_deepen() && control.tick().is_ok() && control.may_deepen());
    assert!(control.tick().is_ok() && !control.may_deepen());
}

#[test]
fn the_clock_and_the_flag_stop_it_soon() {
    let clock = Hand(Cell::new(Duration::ZERO));
    let flag = AtomicBool::new(false);
    let limits = Limits { hard: Some(Duration::from_secs(1)), ..Limits::default() };
    let control = Control::new(limits, &clock).with_stop_flag(&flag);
    control.arm();
    assert!((0..100_000).all(|_| control.tick().is_ok()));
    clock.0.set(Duration::from_secs(2));
    assert!((0..4097).any(|_| control.tick().is_err()));

    let control = Control::new(Limits::default(), &clock).with_stop_flag(&flag);
    control.arm();
    assert!(control.tick().is_ok() && control.may_deepen());
    flag.store(true, Ordering::Relaxed);
    assert!((0..4097).any(|_| control.tick().is_err()) && !control.may_deepen());
}

#[test]
fn slow_first_positions_do_not_outrun_the_clock() {
    let clock = Hand(Cell::new(Duration::ZERO));
    let limits = Limits { hard: Some(Duration::from_millis(20)), ..Limits::default() };
    let control = Control::new(limits, &clock);
    // The first iteration, which always completes, was fast.
    assert!((0..7).all(|_| control.tick().is_ok()));
    control.arm();
    while control.tick().is_ok() {
        clock.0.set(clock.elapsed() + Duration::from_micros(700));
    }
    assert!(clock.elapsed() <= Duration::from_millis(21), "{:?}", clock.elapsed());
}

#[test]
fn who_had_to_wait_for_the_processor_stops_so_much_earlier() {
    let stopped_at = |wait: u64| {
        let clock = Hand(Cell::new(Duration::from_micros(1)));
        let limits = Limits { hard: Some(Duration::from_millis(100)), ..Limits::default() };
        let control = Control::new(limits, &clock);
        control.arm();
        let mut nodes = 0;
        while control.tick().is_ok() {
            nodes += 1;
            let wait = if nodes == 1000 { Duration::from_millis(wait) } else { Duration::ZERO };
            clock.0.set(clock.elapsed() + Duration::from_micros(1) + wait);
        }
        clock.elapsed().as_millis()
    };
    assert_eq!([0, 8, 60].map(stopped_at), [100, 91, 80]);
}

#[test]
fn the_clock_is_looked_at_as_often_as_positions_are_dear() {
    struct Counting {
        a_look: fn(u32) -> u64,
        micros: Cell<u64>,
        looks: Cell<u32>,
    }
    impl Clock for Counting {
        fn elapsed(&self) -> Duration {
            self.looks.set(self.looks.get() + 1);
            self.micros.set(self.micros.get() + (self.a_look)(self.looks.get()));
            Duration::from_micros(self.micros.get())
        }
    }
    // The nodes at which the clock is checked, if `a_look` gives the time of each check.
    let looks_at = |a_look: fn(u32) -> u64, count: usize| {
        let clock = Counting { a_look, micros: Cell::new(0), looks: Cell::new(0) };
        let limits = Limits { hard: Some(Duration::from_secs(100)), ..Limits::default() };
        let control = Control::new(limits, &clock);
        control.arm();
        let mut looks = Vec::new();
        while looks.len() < count {
            let before = clock.looks.get();
            assert_eq!(control.tick(), Ok(()));
            if clock.looks.get() > before {
                looks.push(control.nodes());
            }
        }
        looks
    };
    let fast = [1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 4095, 8191, 12287, 16383];
    assert_eq!(looks_at(|_| 50, 15), fast);
    assert_eq!(looks_at(|_| 51, 4), [1, 2, 3, 4]);
    // Slow from the eighth check on; the control itself made the first.
    let slow = [1, 3, 7, 15, 31, 63, 127, 159, 175, 183, 187, 189, 190];
    assert_eq!(looks_at(|look| if look < 8 { 50 } else { 51 }, 13), slow);
}

#[test]
fn a_stopwatch_runs_and_may_have_run_before() {
    let clock = Stopwatch::running_since(Duration::from_secs(5));
    assert!(clock.elapsed() >= Duration::from_secs(5));
    let clock = Stopwatch::start();
    let before = clock.elapsed();
    std::thread::sleep(Duration::from_millis(2));
    assert!(clock.elapsed() >= before + Duration::from_millis(2));
}

#[test]
fn a_control_tells_whether_it_has_stopped_and_what_it_limits() {
    let clock = Hand(Cell::new(Duration::ZERO));
    let control = Control::new(Limits::nodes(1), &clock);
    control.arm();
    assert!(control.tick().is_ok() && !control.is_stopped());
    assert!(control.tick().is_err() && control.is_stopped());
    assert!(format!("{control:?}").contains("nodes: Some(1)"), "{control:?}");
}

#[test]
fn an_iteration_begins_in_the_first_three_fifths() {
    let limits = Limits::time(Duration::from_secs(2));
    assert_eq!(limits.soft, Some(Duration::from_millis(1170)));
}

#[test]
fn the_reserve_follows_the_allowance() {
    let hard = |millis| Limits::time(Duration::from_millis(millis)).hard.unwrap().as_millis();
    assert_eq!((hard(0), hard(20), hard(200), hard(2000)), (0, 18, 190, 1950));
}
