//! The games of search-core's examples, as the other libraries want them.

use crate::{breakthrough, connect_four};
use board_game::board::{self, Alternating, BoardDone, BoardMoves, PlayError, Player};
use internal_iterator::{Internal, IteratorExt as _};
use minimax::IterativeOptions;
use search_core::{MoveCode, Outcome, Position, Score, Sink};
use std::cell::Cell;
use std::cmp::Ordering;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

thread_local! {
    /// The moves that searches of counted positions have played.
    pub static PLAYED: Cell<u64> = const { Cell::new(0) };
}

/// A game with the evaluation that all libraries use, and what some of them ask for.
pub trait Evaluate: Position<Move: Eq + Send + Sync> + Eq + fmt::Debug + Send + Sync + 'static {
    /// The codes of all moves, legal or not.
    const CODES: Range<u32>;
    /// The code of a move that no position has. `minimax` passes with it in its null move search.
    const PASS: u32;
    /// The plies below which `minimax` on two threads shares no node, as it plays best (see `tune`).
    const SERIAL: u8;

    /// The position for the other player, as if the mover could pass.
    fn passed(&self) -> Self;
    fn evaluate(&self) -> Score;
    /// True for a move after which the evaluation is not to be trusted.
    fn is_noisy(&self, _: Self::Move) -> bool {
        false
    }
    /// The options with which `minimax` plays best (see `tune`).
    fn tuned(options: IterativeOptions) -> IterativeOptions {
        options
    }
}

impl Evaluate for connect_four::Board {
    const CODES: Range<u32> = 0..7;
    const PASS: u32 = 7;
    const SERIAL: u8 = 4;

    fn passed(&self) -> Self {
        Self { own: self.opponent, opponent: self.own }
    }
    fn evaluate(&self) -> Score {
        connect_four::evaluate(self)
    }
    fn tuned(options: IterativeOptions) -> IterativeOptions {
        options.with_double_step_increment().with_table_byte_size(1 << 20)
    }
}

impl Evaluate for breakthrough::Board {
    const CODES: Range<u32> = 0..25 << 8;
    const PASS: u32 = 0;
    const SERIAL: u8 = 4;

    fn passed(&self) -> Self {
        Self { own: breakthrough::turned(self.opponent), opponent: breakthrough::turned(self.own) }
    }
    fn evaluate(&self) -> Score {
        breakthrough::evaluate(self)
    }
    fn is_noisy(&self, step: breakthrough::Step) -> bool {
        // A man is taken.
        self.promise(step) >= 10
    }
    fn tuned(options: IterativeOptions) -> IterativeOptions {
        options.with_countermoves().with_countermove_history()
    }
}

// Lines for search-core.

/// A game that counts the moves played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted<P>(pub P);

impl<P: Evaluate> Position for Counted<P> {
    type Move = P::Move;
    type Undo = P::Undo;

    fn moves<S: Sink<P::Move>>(&self, sink: &mut S) {
        self.0.moves(sink);
    }
    fn is_legal(&self, mv: P::Move) -> bool {
        self.0.is_legal(mv)
    }
    fn play(&mut self, mv: P::Move) -> P::Undo {
        PLAYED.set(PLAYED.get() + 1);
        self.0.play(mv)
    }
    fn undo(&mut self, mv: P::Move, undo: P::Undo) {
        self.0.undo(mv, undo);
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
    fn key(&self) -> u64 {
        self.0.key()
    }
}

// Lines for nobody.

impl<P: Evaluate> Evaluate for Counted<P> {
    const CODES: Range<u32> = P::CODES;
    const PASS: u32 = P::PASS;
    const SERIAL: u8 = P::SERIAL;

    fn passed(&self) -> Self {
        PLAYED.set(PLAYED.get() + 1);
        Self(self.0.passed())
    }
    fn evaluate(&self) -> Score {
        self.0.evaluate()
    }
    fn is_noisy(&self, mv: P::Move) -> bool {
        self.0.is_noisy(mv)
    }
    fn tuned(options: IterativeOptions) -> IterativeOptions {
        P::tuned(options)
    }
}

// Lines for minimax and board-game.

/// The rules and the evaluation of a game for the other libraries.
#[derive(Debug, Clone)]
pub struct By<P>(PhantomData<fn() -> P>);

impl<P> Default for By<P> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

// Lines for minimax.

/// A position for `minimax`.
#[derive(Clone)]
pub struct ForMinimax<P>(pub P);

impl<P: Evaluate> minimax::Game for By<P> {
    type S = ForMinimax<P>;
    type M = P::Move;

    fn generate_moves(state: &Self::S, moves: &mut Vec<P::Move>) -> Option<minimax::Winner> {
        let winner = Self::get_winner(state);
        if winner.is_none() {
            moves.extend(state.0.move_list());
        }
        winner
    }
    fn apply(state: &mut Self::S, mv: P::Move) -> Option<Self::S> {
        if mv.to_code() == P::PASS {
            return Some(ForMinimax(state.0.passed()));
        }
        let mut next = state.0.clone();
        next.play(mv);
        Some(ForMinimax(next))
    }
    // Without it there is no table of countermoves either.
    fn null_move(_: &Self::S) -> Option<P::Move> {
        Some(P::Move::from_code(P::PASS))
    }
    fn get_winner(state: &Self::S) -> Option<minimax::Winner> {
        state.0.outcome().map(|outcome| match outcome {
            Outcome::Loss => minimax::Winner::PlayerJustMoved,
            Outcome::Draw => minimax::Winner::Draw,
            _ => minimax::Winner::PlayerToMove,
        })
    }
    fn zobrist_hash(state: &Self::S) -> u64 {
        state.0.key()
    }
    fn table_index(mv: P::Move) -> u16 {
        mv.to_code() as u16
    }
    fn max_table_index() -> u16 {
        1 << 13
    }
}

impl<P: Evaluate> minimax::Evaluator for By<P> {
    type G = Self;

    fn evaluate(&self, state: &ForMinimax<P>) -> minimax::Evaluation {
        state.0.evaluate().value() as minimax::Evaluation
    }
    fn generate_noisy_moves(&self, state: &ForMinimax<P>, moves: &mut Vec<P::Move>) {
        moves.extend(state.0.move_list().into_iter().filter(|&mv| state.0.is_noisy(mv)));
    }
}

// Lines for board-game.

/// A position for `board-game`, which must know the player to move and the outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForBoards<P> {
    position: P,
    player: Player,
    outcome: Option<board::Outcome>,
}

/// The code of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code(pub u32);

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

impl<P: Evaluate> fmt::Display for ForBoards<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.position)
    }
}

impl<P: Evaluate> ForBoards<P> {
    pub fn new(position: P) -> Self {
        let mut board = Self { position, player: Player::A, outcome: None };
        board.outcome = board.ended();
        board
    }
    fn ended(&self) -> Option<board::Outcome> {
        self.position.outcome().map(|outcome| match outcome {
            Outcome::Loss => board::Outcome::WonBy(self.player.other()),
            Outcome::Draw => board::Outcome::Draw,
            _ => board::Outcome::WonBy(self.player),
        })
    }
}

impl<P: Evaluate> board::Board for ForBoards<P> {
    type Move = Code;

    fn next_player(&self) -> Player {
        self.player
    }
    fn is_available_move(&self, mv: Code) -> Result<bool, BoardDone> {
        self.check_done()?;
        Ok(self.position.is_legal(P::Move::from_code(mv.0)))
    }
    // Without the check of the move, as `play` allows in a search.
    fn play(&mut self, mv: Code) -> Result<(), PlayError> {
        self.position.play(P::Move::from_code(mv.0));
        self.player = self.player.other();
        self.outcome = self.ended();
        Ok(())
    }
    fn outcome(&self) -> Option<board::Outcome> {
        self.outcome
    }
    fn can_lose_after_move() -> bool {
        false
    }
}

impl<P> Alternating for ForBoards<P> {}

impl<P: Evaluate> board::BoardSymmetry<Self> for ForBoards<P> {
    type Symmetry = board_game::symmetry::UnitSymmetry;
    type CanonicalKey = ();

    fn map(&self, _: Self::Symmetry) -> Self {
        self.clone()
    }
    fn map_move(&self, _: Self::Symmetry, mv: Code) -> Code {
        mv
    }
    fn canonical_key(&self) {}
}

impl<'a, P: Evaluate> BoardMoves<'a, Self> for ForBoards<P> {
    type AllMovesIterator = Internal<std::iter::Map<Range<u32>, fn(u32) -> Code>>;
    type AvailableMovesIterator = Internal<std::vec::IntoIter<Code>>;

    fn all_possible_moves() -> Self::AllMovesIterator {
        P::CODES.map(Code as fn(u32) -> Code).into_internal()
    }
    fn available_moves(&'a self) -> Result<Self::AvailableMovesIterator, BoardDone> {
        let codes: Vec<_> = self.position.move_list().into_iter().map(|mv| Code(mv.to_code())).collect();
        Ok(codes.into_iter().into_internal())
    }
}

impl<P: Evaluate> board_game::ai::minimax::Heuristic<ForBoards<P>> for By<P> {
    type V = i32;

    fn value(&self, board: &ForBoards<P>, depth: u32) -> i32 {
        match board.outcome {
            Some(board::Outcome::Draw) => 0,
            // Nobody loses by a move of their own.
            Some(_) => depth as i32 - 1_000_000,
            None => board.position.evaluate().value(),
        }
    }
    fn merge(old: i32, new: i32) -> (i32, Ordering) {
        (old.max(new), new.cmp(&old))
    }
}

// Lines for nobody.

#[cfg(test)]
mod tests {
    use super::*;
    use internal_iterator::InternalIterator as _;

    fn every_legal_move_is_possible<P: Evaluate>(start: P) {
        let board = ForBoards::new(start);
        let possible: Vec<_> = ForBoards::<P>::all_possible_moves().collect();
        let available: Vec<_> = board.available_moves().expect("the game goes on").collect();
        assert!(!available.is_empty() && available.iter().all(|mv| possible.contains(mv)));
    }

    #[test]
    fn every_legal_move_is_among_the_possible_ones() {
        every_legal_move_is_possible(connect_four::Board::default());
        every_legal_move_is_possible(breakthrough::Board::START);
    }
}
