//! Faults that the conformance suite detects, and a search with an evaluation alone.

use crate::games::{Corner, CornerHeuristics, DagGame, DagHeuristics, Take};
use search_core::beam::Beam;
use search_core::proof::Prover;
use search_core::testing::{aborts_cleanly, agrees_with, conforms, random_positions, repeats_exactly};
use search_core::{
    Control, Evaluation, Heuristics, Limits, Options, Outcome, Position, Score, Search, Sink, Stopwatch,
    Table, TableCut,
};
use std::cell::Cell;

/// A row with a fault: its first move is listed twice, or moves are not taken back.
#[derive(Debug, Clone, PartialEq)]
struct Broken {
    squares: u32,
    twice: bool,
}

impl Position for Broken {
    type Move = Take;
    type Undo = ();

    fn moves<S: Sink<Take>>(&self, sink: &mut S) {
        let row = Corner { squares: self.squares };
        row.moves(sink);
        if self.twice && self.squares > 0 {
            sink.push(Take(1));
        }
    }
    fn is_legal(&self, mv: Take) -> bool {
        Corner { squares: self.squares }.is_legal(mv)
    }
    fn play(&mut self, mv: Take) {
        self.squares = self.squares.saturating_sub(mv.0);
    }
    fn undo(&mut self, mv: Take, (): ()) {
        self.squares += if self.twice { mv.0 } else { 0 };
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.squares == 0).then_some(Outcome::Loss)
    }
    fn key(&self) -> u64 {
        Corner { squares: self.squares }.key()
    }
}

#[test]
#[should_panic(expected = "Take(1) stands twice")]
fn a_move_that_stands_twice_is_refused() {
    conforms(&Broken { squares: 5, twice: true }, 1, 1, 9);
}

#[test]
#[should_panic(expected = "undoing Take(1) does not restore")]
fn a_move_that_is_not_taken_back_is_refused() {
    conforms(&Broken { squares: 5, twice: false }, 1, 1, 9);
}

#[test]
#[should_panic(expected = "plain, depth 2")]
fn a_search_that_gives_another_value_is_refused() {
    let positions = random_positions(&DagGame::new(3), 3, 3, 3);
    agrees_with(&positions, 2..=2, |_| DagHeuristics, |_, _| Score::new(12_345));
}

#[test]
#[should_panic(expected = "score")]
fn a_search_that_does_not_repeat_itself_is_refused() {
    /// Evaluates a position differently each time.
    struct Fickle(i32);
    impl Heuristics for Fickle {
        type Position = DagGame;
        type Frame = ();
        fn evaluate(&mut self, _: &DagGame) -> Score {
            Score::new(self.0)
        }
    }
    let asked = Cell::new(0);
    let positions = random_positions(&DagGame::new(3), 3, 3, 3);
    repeats_exactly(&positions, 50, Options::EXACT, |_| Fickle(asked.replace(asked.get() + 1)));
}

/// Heuristics for a row whose moves are not taken back.
struct Draw;

impl Heuristics for Draw {
    type Position = Broken;
    type Frame = ();
    fn evaluate(&mut self, _: &Broken) -> Score {
        Score::DRAW
    }
}

#[test]
#[should_panic(expected = "stopped after 0 nodes")]
fn a_search_that_leaves_another_position_is_refused() {
    let broken = Broken { squares: 9, twice: false };
    aborts_cleanly(&[broken], 2, Options::EXACT, |_| Draw);
}

#[test]
fn a_search_plays_by_its_evaluation_and_a_table_forgets_when_told_to() {
    let odd = |row: &Corner| Score::new(if row.squares % 2 == 1 { 50 } else { -50 });
    let best = |squares| {
        let clock = Stopwatch::start();
        let control = Control::new(Limits::depth(1), &clock);
        let table = Table::with_bytes(1 << 16);
        let heuristics = Evaluation::new(odd);
        Search::new(heuristics, Corner { squares }, &table, &control, Options::EXACT).think(&mut |_| {}).best
    };
    // An even row is bad for the opponent, who is to move there.
    assert_eq!([21, 20].map(best), [Some(Take(1)), Some(Take(2))]);
    let options = Options { table_cut: TableCut::AtLeast, ..Options::EXACT };
    let nodes = |table: &Table<Take>| {
        let clock = Stopwatch::start();
        let control = Control::new(Limits::depth(9), &clock);
        Search::new(CornerHeuristics, Corner { squares: 60 }, table, &control, options)
            .think(&mut |_| {})
            .nodes
    };
    let mut table = Table::with_bytes(1 << 16);
    let (fresh, learnt) = (nodes(&table), nodes(&table));
    assert!(learnt < fresh, "{learnt} of {fresh}");
    table.forget();
    assert_eq!(nodes(&table), fresh);
}

#[test]
fn what_holds_memory_names_itself() {
    let names = [format!("{:?}", Prover::new(64)), format!("{:?}", Beam::<u8, u8>::default())];
    let names = names.map(|text| text.split_whitespace().next().unwrap_or_default().to_owned());
    assert_eq!(names, ["Prover", "Beam"]);
}
