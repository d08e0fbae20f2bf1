use super::*;
use crate::limits::{Limits, Stopwatch};
use std::collections::HashSet;

/// Visits all marked nodes of a small graph in the fewest turns.
struct Tour {
    edges: Vec<Vec<u8>>,
    marked: u32,
}

impl Tour {
    fn new(seed: u64) -> Self {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % below) as u8
        };
        // A ring with chords, so that every node is reachable.
        let edges = (0..14u8).map(|node| vec![(node + 1) % 14, draw(14), draw(14)]).collect();
        Self { edges, marked: 0b10_0110_1101_0110 }
    }

    fn fewest_turns(&self) -> usize {
        let mut layer = HashSet::from([(0u8, self.marked)]);
        let mut turns = 0;
        while !layer.iter().any(|&(_, left)| left == 0) {
            let next = layer.iter().flat_map(|&(node, left)| {
                self.edges[node as usize].iter().map(move |&to| (to, left & !(1 << to)))
            });
            layer = next.collect();
            turns += 1;
        }
        turns
    }
}

impl Plan for Tour {
    type State = (u8, u32);
    type Action = u8;
    fn successors<S: Sink<(u8, (u8, u32))>>(&mut self, &(node, left): &(u8, u32), _: usize, sink: &mut S) {
        self.edges[node as usize].iter().for_each(|&to| sink.push((to, (to, left & !(1 << to)))));
    }
    fn key(&self, &(node, left): &(u8, u32)) -> u64 {
        u64::from(left) << 8 | u64::from(node)
    }
    fn secured(&self, _: &(u8, u32)) -> i64 {
        0
    }
    fn estimate(&mut self, state: &(u8, u32), turn: usize) -> i64 {
        -(turn as i64) * 100 - i64::from(state.1.count_ones())
    }
    fn is_complete(&self, state: &(u8, u32)) -> bool {
        state.1 == 0
    }
}

fn search(tour: &mut Tour, width: usize, limits: Limits) -> Found<u8> {
    let clock = Stopwatch::start();
    let control = Control::new(limits, &clock);
    control.arm();
    let root = (0, tour.marked);
    Beam::default().search(tour, root, Configuration { width, turns: 60, first_complete: true }, &control)
}

#[test]
fn a_beam_wide_enough_is_exact_and_a_narrow_one_still_arrives() {
    for seed in 0..30 {
        let mut tour = Tour::new(seed);
        let wide = search(&mut tour, 1 << 20, Limits::default());
        assert!(wide.complete);
        assert_eq!(wide.actions.len(), tour.fewest_turns(), "seed {seed}");
        let narrow = search(&mut tour, 4, Limits::default());
        assert!(narrow.complete && narrow.actions.len() >= wide.actions.len());
        // The actions must form a walk that visits every marked node.
        let mut at = 0u8;
        let mut left = tour.marked;
        for to in narrow.actions {
            assert!(tour.edges[at as usize].contains(&to));
            at = to;
            left &= !(1 << to);
        }
        assert_eq!(left, 0);
    }
}

#[test]
fn a_search_broken_off_still_has_a_plan_and_the_same_limit_gives_the_same_one() {
    let mut tour = Tour::new(7);
    let cut = |tour: &mut Tour| search(tour, 64, Limits::nodes(60));
    let found = cut(&mut tour);
    assert!(!found.complete && !found.actions.is_empty());
    assert_eq!(found, cut(&mut tour));
}

/// A walk that collects rewards from nodes. Rewards left lose value each turn, so that a bound is useful.
struct Harvest {
    tour: Tour,
    bounded: bool,
}

impl Harvest {
    fn pay(&self, node: u8) -> i64 {
        20 + i64::from(node) * 7 % 11
    }

    fn left(&self, left: u32) -> i64 {
        (0..14).filter(|node| left >> node & 1 == 1).map(|node| self.pay(node)).sum()
    }
}

impl Plan for Harvest {
    /// The node, the nodes with rewards left, and the rewards earned.
    type State = (u8, u32, i64);
    type Action = u8;
    fn successors<S: Sink<(u8, Self::State)>>(&mut self, state: &Self::State, turn: usize, sink: &mut S) {
        let &(node, left, earned) = state;
        for &to in &self.tour.edges[node as usize] {
            let gain = if left >> to & 1 == 1 { self.pay(to) - turn as i64 } else { 0 };
            sink.push((to, (to, left & !(1 << to), earned + gain)));
        }
    }
    fn key(&self, &(node, left, _): &Self::State) -> u64 {
        u64::from(left) << 8 | u64::from(node)
    }
    fn secured(&self, state: &Self::State) -> i64 {
        state.2
    }
    fn estimate(&mut self, state: &Self::State, _: usize) -> i64 {
        state.2
    }
    fn bound(&self, state: &Self::State, turn: usize) -> i64 {
        let turns = turn as i64 * i64::from(state.1.count_ones());
        if self.bounded { state.2 + self.left(state.1) - turns } else { i64::MAX }
    }
    fn is_complete(&self, state: &Self::State) -> bool {
        state.1 == 0
    }
}

/// The nodes, and the sums of the plans' values, lengths and completions.
fn harvested(width: usize, first_complete: bool, bounded: bool) -> (u64, i64, usize, usize) {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::default(), &clock);
    let mut beam = Beam::default();
    let (mut values, mut lengths, mut complete) = (0, 0, 0);
    for seed in 0..20 {
        let tour = Tour::new(seed);
        let root = (0, tour.marked, 0);
        let configuration = Configuration { width, turns: 24, first_complete };
        let found = beam.search(&mut Harvest { tour, bounded }, root, configuration, &control);
        values += found.value;
        lengths += found.actions.len();
        complete += usize::from(found.complete);
    }
    (control.nodes(), values, lengths, complete)
}

#[test]
fn a_bound_saves_nodes_and_loses_nothing() {
    let [without, with] = [false, true].map(|bounded| harvested(1 << 16, false, bounded));
    assert_eq!((without.1, without.3), (with.1, with.3));
    assert!(with.0 < without.0, "{with:?} {without:?}");
}

#[test]
fn a_plan_whose_ways_on_are_bounded_is_no_better_than_it_can_become() {
    /// One step ends at 10; another has the estimate 12 but can only end at 8.
    struct Overestimated {
        bounded: bool,
    }
    impl Plan for Overestimated {
        type State = u8;
        type Action = u8;
        fn successors<S: Sink<(u8, u8)>>(&mut self, state: &u8, _: usize, sink: &mut S) {
            let next: &[u8] = if *state == 0 { &[10, 12] } else { &[8] };
            next.iter().for_each(|&next| sink.push((next, next)));
        }
        fn key(&self, state: &u8) -> u64 {
            (*state).into()
        }
        fn secured(&self, _: &u8) -> i64 {
            0
        }
        fn estimate(&mut self, state: &u8, _: usize) -> i64 {
            (*state).into()
        }
        fn bound(&self, state: &u8, _: usize) -> i64 {
            if self.bounded && *state == 8 { 8 } else { i64::MAX }
        }
        fn is_complete(&self, state: &u8) -> bool {
            [8, 10].contains(state)
        }
    }
    let clock = Stopwatch::start();
    let control = Control::new(Limits::default(), &clock);
    let configuration = Configuration { width: 8, turns: 9, first_complete: false };
    for bounded in [false, true] {
        let found = Beam::default().search(&mut Overestimated { bounded }, 0, configuration, &control);
        assert_eq!((found.actions, found.value, found.complete), (vec![10], 10, true), "{bounded}");
    }
}

#[test]
fn fixed_searches_keep_their_signature() {
    let found = [
        harvested(1, false, true),
        harvested(8, false, false),
        harvested(8, false, true),
        harvested(8, true, true),
        harvested(1 << 16, false, true),
    ];
    // Nodes, sum of values, sum of lengths, and complete plans of 20.
    let expected = [
        (1011, 3159, 335, 17),
        (5664, 3419, 211, 20),
        (4557, 3419, 211, 20),
        (4143, 3417, 209, 20),
        (78048, 3423, 206, 20),
    ];
    assert_eq!(found, expected);
}

#[test]
fn of_two_ways_to_a_state_the_one_that_secured_more_is_kept() {
    /// A plan of two steps. The first may pay, and all its choices lead to states with the same key.
    struct Twice;
    impl Plan for Twice {
        type State = (u8, i64);
        type Action = u8;
        fn successors<S: Sink<(u8, (u8, i64))>>(&mut self, state: &(u8, i64), _: usize, sink: &mut S) {
            for pay in [3, 9, 5] {
                sink.push((pay, (state.0 + 1, state.1 + i64::from(pay))));
            }
        }
        fn key(&self, state: &(u8, i64)) -> u64 {
            state.0.into()
        }
        fn secured(&self, state: &(u8, i64)) -> i64 {
            state.1
        }
        fn estimate(&mut self, state: &(u8, i64), _: usize) -> i64 {
            state.1
        }
        fn is_complete(&self, state: &(u8, i64)) -> bool {
            state.0 == 2
        }
    }
    let clock = Stopwatch::start();
    let control = Control::new(Limits::default(), &clock);
    let configuration = Configuration { width: 5, turns: 9, first_complete: false };
    let found = Beam::default().search(&mut Twice, (0, 0), configuration, &control);
    assert_eq!((found.actions, found.value, found.complete), (vec![9, 9], 18, true));
    assert_eq!(control.nodes(), 6, "one state a turn goes on");
}

/// Stops or goes on, with a value for each; future values are not bounded.
struct StopOrGoOn(&'static [(i64, i64)]);

impl Plan for StopOrGoOn {
    /// The number of turns gone on, whether it has stopped, and the value.
    type State = (usize, bool, i64);
    type Action = &'static str;
    fn successors<S: Sink<(Self::Action, Self::State)>>(
        &mut self,
        &(turn, ..): &Self::State,
        _: usize,
        sink: &mut S,
    ) {
        if let Some(&(stop, go_on)) = self.0.get(turn) {
            sink.push(("stop", (turn + 1, true, stop)));
            sink.push(("stop again", (turn + 1, true, stop)));
            sink.push(("go on", (turn + 1, false, go_on)));
        }
    }
    fn key(&self, &(turn, stopped, _): &Self::State) -> u64 {
        turn as u64 * 2 + u64::from(stopped)
    }
    fn secured(&self, state: &Self::State) -> i64 {
        state.2
    }
    fn estimate(&mut self, state: &Self::State, _: usize) -> i64 {
        state.2
    }
    fn is_complete(&self, state: &Self::State) -> bool {
        state.1
    }
}

fn decided(worths: &'static [(i64, i64)]) -> (Vec<&'static str>, i64, bool) {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::default(), &clock);
    let configuration = Configuration { width: 8, turns: 9, first_complete: false };
    let found = Beam::default().search(&mut StopOrGoOn(worths), (0, false, 0), configuration, &control);
    (found.actions, found.value, found.complete)
}

#[test]
fn what_is_not_bounded_may_still_be_better() {
    assert_eq!(decided(&[(5, 0), (9, 0)]), (vec!["go on", "stop"], 9, true));
}

#[test]
fn a_complete_plan_gives_way_to_an_open_one_that_is_worth_more_only() {
    assert_eq!(decided(&[(5, 6)]), (vec!["go on"], 6, false));
    assert_eq!(decided(&[(5, 5)]), (vec!["stop"], 5, true));
}

#[test]
fn of_two_ways_to_a_state_that_secure_as_much_the_first_is_kept() {
    assert_eq!(decided(&[(5, 4)]), (vec!["stop"], 5, true));
}
