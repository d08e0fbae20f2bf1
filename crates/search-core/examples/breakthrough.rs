//! Plays breakthrough (Troyka 2000) on 5 × 5 against itself: a whole game with a move type of its own.
//!
//! `cargo run --release -p search-core --example breakthrough`

use search_core::{
    Control, Evaluation, Limits, MoveCode, Options, Outcome, Position, Score, Search, Sink, Stopwatch, Table,
};

/// A man's step to the next row: straight to an empty square, or diagonally to an empty square or onto an opponent's
/// man.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    from: u8,
    to: u8,
}

impl MoveCode for Step {
    fn to_code(self) -> u32 {
        u32::from(self.from) << 8 | u32::from(self.to)
    }
    fn from_code(word: u32) -> Self {
        Self { from: (word >> 8) as u8, to: word as u8 }
    }
}

/// The men of both sides, a bit each, row by row from the mover's side: the board is turned after every move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// The men of the player to move.
    pub own: u32,
    /// The men of the other player.
    pub opponent: u32,
}

const ROW: u32 = 0x1f;

/// The men as the other player sees them.
#[must_use]
pub fn turned(men: u32) -> u32 {
    men.reverse_bits() >> 7
}

impl Board {
    /// The start position, with two rows of men on each side.
    pub const START: Self = Self { own: 0x3ff, opponent: 0x3ff << 15 };

    /// No steps if the opponent has broken through.
    fn steps(self) -> impl Iterator<Item = Step> {
        let through = self.opponent & ROW != 0;
        let from = (0..20).filter(move |from| !through && self.own >> from & 1 == 1);
        let step = |from: u8| (from + 4..from + 7).map(move |to| Step { from, to });
        from.flat_map(step).filter(move |&step| self.allows(step))
    }
    /// The rank of a step in move ordering: steps that take a man first, then those near the goal.
    #[must_use]
    pub fn promise(self, step: Step) -> i32 {
        10 * (self.opponent >> step.to & 1) as i32 + i32::from(step.to / 5)
    }
    fn allows(self, Step { from, to }: Step) -> bool {
        let blocked = if to == from + 5 { self.own | self.opponent } else { self.own };
        to / 5 == from / 5 + 1 && blocked >> to & 1 == 0
    }
}

impl Position for Board {
    type Move = Step;
    type Undo = Self;

    fn moves<S: Sink<Step>>(&self, sink: &mut S) {
        self.steps().for_each(|step| sink.push(step));
    }
    fn is_legal(&self, step: Step) -> bool {
        self.steps().any(|own| own == step)
    }
    fn play(&mut self, step: Step) -> Self {
        let own = self.own & !(1 << step.from) | 1 << step.to;
        let opponent = self.opponent & !(1 << step.to);
        std::mem::replace(self, Self { own: turned(opponent), opponent: turned(own) })
    }
    fn undo(&mut self, _: Step, before: Self) {
        *self = before;
    }
    fn outcome(&self) -> Option<Outcome> {
        self.steps().next().is_none().then_some(Outcome::Loss)
    }
    fn key(&self) -> u64 {
        let key = (u64::from(self.own) << 25 | u64::from(self.opponent)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        key ^ key >> 32
    }
}

/// The difference in men.
#[must_use]
pub fn evaluate(board: &Board) -> Score {
    Score::new(board.own.count_ones() as i32 - board.opponent.count_ones() as i32)
}

fn main() {
    let table = Table::with_bytes(16 << 20);
    let mut board = Board::START;
    while board.outcome().is_none() {
        let clock = Stopwatch::start();
        let control = Control::new(Limits::depth(8), &clock);
        let heuristics = Evaluation::new(evaluate);
        let report = Search::new(heuristics, board, &table, &control, Options::EXACT).think(&mut |_| {});
        let step = report.best.expect("the game goes on");
        println!("{step:?}");
        board.play(step);
    }
    println!("{:?} for who is to move", board.outcome());
}
