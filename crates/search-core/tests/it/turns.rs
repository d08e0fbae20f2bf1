//! A player who moves twice: the opponent has a single move between, the pass.

use search_core::testing::{conforms, random_positions};
use search_core::{
    Control, Evaluation, Limits, Options, Outcome, Position, Score, Search, Sink, Stopwatch, Table,
};

/// A heap from which one, two or three coins are taken. After two the same player moves again. The last coin loses.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Coins {
    left: u8,
    passes: bool,
}

impl Position for Coins {
    type Move = u8;
    type Undo = Self;

    fn moves<S: Sink<u8>>(&self, sink: &mut S) {
        (0..=3).filter(|&mv| self.is_legal(mv)).for_each(|mv| sink.push(mv));
    }
    fn is_legal(&self, mv: u8) -> bool {
        self.left > 0 && if self.passes { mv == 0 } else { (1..=self.left.min(3)).contains(&mv) }
    }
    fn play(&mut self, mv: u8) -> Self {
        std::mem::replace(self, Self { left: self.left - mv, passes: mv == 2 })
    }
    fn undo(&mut self, _: u8, before: Self) {
        *self = before;
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then_some(Outcome::Win)
    }
    fn key(&self) -> u64 {
        (u64::from(self.left) << 1 | u64::from(self.passes)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Returns true if the player who takes from `left` coins next wins. Counts without passes.
fn wins(left: u8) -> bool {
    left == 0 || [1, 3].into_iter().any(|mv| mv <= left && !wins(left - mv)) || left > 2 && wins(left - 2)
}

#[test]
fn a_player_moves_twice_if_the_other_passes_between() {
    let clock = Stopwatch::start();
    conforms(&Coins { left: 20, passes: false }, 1, 20, 40);
    assert!(random_positions(&Coins { left: 20, passes: false }, 1, 20, 5).iter().any(|at| at.passes));
    for left in 1..=16 {
        let control = Control::new(Limits::depth(40), &clock);
        let table = Table::with_bytes(1 << 14);
        let evaluation = Evaluation::new(|_: &Coins| Score::DRAW);
        let start = Coins { left, passes: false };
        let report = Search::new(evaluation, start, &table, &control, Options::EXACT).think(&mut |_| {});
        assert_eq!((report.score.is_win(), report.score.is_loss()), (wins(left), !wins(left)), "{left}");
    }
}
