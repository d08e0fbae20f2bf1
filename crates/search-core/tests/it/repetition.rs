//! Draws by repetition, on random graphs with cycles: every search against the values of an infinite game.

use crate::games::mix;
use search_core::proof::Prover;
use search_core::repetition::{Repeating, Repeats};
use search_core::testing::{agrees_with_negamax, conforms, random_positions};
use search_core::{
    Control, Depth, Evaluation, Limits, Options, Outcome, Position, Score, Search, Sink, Stopwatch, Table,
};

/// A walk on a random graph, where some nodes are lost for the player who has to move there. From the first half of the
/// nodes some edges lead to the second half, and none leads back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Graph {
    seed: u64,
    node: u8,
}

const HALF: u8 = 6;

impl Graph {
    fn hash(self, salt: u64) -> u64 {
        mix(self.seed << 32 | u64::from(self.node) << 8 | salt)
    }
    fn after(self, mv: u8) -> Self {
        let target = (self.hash(1 + u64::from(mv)) % u64::from(HALF)) as u8;
        let crosses = self.node >= HALF || self.hash(10 + u64::from(mv)).is_multiple_of(4);
        Self { node: if crosses { HALF + target } else { target }, ..self }
    }
}

impl Position for Graph {
    type Move = u8;
    type Undo = u8;

    fn moves<S: Sink<u8>>(&self, sink: &mut S) {
        (0..2).filter(|&mv| self.is_legal(mv)).for_each(|mv| sink.push(mv));
    }
    fn is_legal(&self, mv: u8) -> bool {
        mv < 2 && self.outcome().is_none()
    }
    fn play(&mut self, mv: u8) -> u8 {
        let next = self.after(mv);
        std::mem::replace(&mut self.node, next.node)
    }
    fn undo(&mut self, _: u8, before: u8) {
        self.node = before;
    }
    fn outcome(&self) -> Option<Outcome> {
        self.hash(0).is_multiple_of(5).then_some(Outcome::Loss)
    }
    fn key(&self) -> u64 {
        self.hash(9)
    }
}

impl Repeats for Graph {
    fn is_irreversible(&self, mv: u8) -> bool {
        self.node < HALF && self.after(mv).node >= HALF
    }
}

/// The value of each node for its mover, 1, 0 or −1, where a game without an end is drawn: worked out from the ends back.
fn values(seed: u64) -> Vec<i32> {
    let nodes = (0..2 * HALF).map(|node| Graph { seed, node });
    let mut values: Vec<i32> = nodes.clone().map(|at| -i32::from(at.outcome().is_some())).collect();
    for _ in 0..2 * HALF {
        for at in nodes.clone().filter(|at| at.outcome().is_none()) {
            let after = at.move_list().into_iter().map(|mv| -values[usize::from(at.after(mv).node)]);
            values[usize::from(at.node)] = after.max().unwrap();
        }
    }
    values
}

fn evaluate(game: &Repeating<Graph>) -> Score {
    Score::new((game.position().key() % 200) as i32 - 100)
}

fn open_graphs(seeds: std::ops::Range<u64>) -> impl Iterator<Item = Graph> {
    seeds.map(|seed| Graph { seed, node: 0 }).filter(|start| start.outcome().is_none())
}

#[test]
fn a_game_that_runs_in_circles_ends_and_conforms() {
    for start in open_graphs(0..40) {
        conforms(&Repeating::new(start, 2), start.seed, 20, 2 * usize::from(HALF) * 2 + 1);
        conforms(&Repeating::new(start, 3), start.seed, 20, 4 * usize::from(HALF) * 2 + 1);
    }
}

#[test]
fn the_table_does_not_confuse_paths() {
    for start in open_graphs(0..20) {
        for times in [2, 3] {
            let positions = random_positions(&Repeating::new(start, times), start.seed, 3, 4);
            agrees_with_negamax(&positions, 1..=9, |_| Evaluation::new(evaluate));
        }
    }
}

#[test]
fn searches_and_proofs_find_the_value_of_the_infinite_game() {
    let clock = Stopwatch::start();
    let mut seen = [0; 3];
    for start in open_graphs(0..120) {
        let expected = values(start.seed)[0];
        seen[(expected + 1) as usize] += 1;
        // No game is longer.
        let control = Control::new(Limits::depth(2 * Depth::from(2 * HALF) + 1), &clock);
        let table = Table::with_bytes(1 << 16);
        let game = Repeating::new(start, 2);
        let mut search =
            Search::new(Evaluation::new(evaluate), game.clone(), &table, &control, Options::EXACT);
        let report = search.think(&mut |_| {});
        assert_eq!(report.score.value().signum(), expected, "{start:?}");
        let control = Control::new(Limits::default(), &clock);
        let solution = Prover::new(1 << 16).solve(&mut game.clone(), 1_000_000, &control);
        let outcome = [Outcome::Loss, Outcome::Draw, Outcome::Win][(expected + 1) as usize];
        assert_eq!(solution.outcome(), Some(outcome), "{start:?}");
    }
    assert!(seen.iter().all(|&count| count > 3), "{seen:?}");
}

#[test]
fn a_position_is_drawn_at_the_given_time_with_the_same_mover() {
    /// A man who steps to and fro.
    #[derive(Debug, Clone, PartialEq)]
    struct ToAndFro(bool);
    impl Position for ToAndFro {
        type Move = u8;
        type Undo = ();
        fn moves<S: Sink<u8>>(&self, sink: &mut S) {
            sink.push(0);
        }
        fn is_legal(&self, mv: u8) -> bool {
            mv == 0
        }
        fn play(&mut self, _: u8) {
            self.0 = !self.0;
        }
        fn undo(&mut self, _: u8, (): ()) {
            self.0 = !self.0;
        }
        fn outcome(&self) -> Option<Outcome> {
            None
        }
        fn key(&self) -> u64 {
            u64::from(self.0) + 1
        }
    }
    impl Repeats for ToAndFro {}
    for times in 2..5 {
        let mut game = Repeating::new(ToAndFro(false), times);
        let mut plies = 0;
        while game.outcome().is_none() {
            assert_eq!(game.occurrences(), plies / 2 + 1);
            game.play(0);
            plies += 1;
        }
        assert_eq!((plies, game.outcome()), (2 * (times - 1), Some(Outcome::Draw)));
        assert!(game.move_list().is_empty() && !game.is_legal(0));
    }
}
