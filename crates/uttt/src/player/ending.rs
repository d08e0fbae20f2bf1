//! A position as its proof sees it: who wins within two plies has won, and moves that lose at once are none.
//!
//! Source: the critical cells of N. Elhage, minimax.dev/docs/ultimate (2020): a cell that sends the opponent where he
//! wins at once is out.

use super::classes::Look;
use crate::rules::{Boards, Cell, FULL, Side, State, completing, has_line};
use search_core::{Outcome, Position, Sink};

/// A position without the moves that let the opponent win at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ending {
    pub state: State,
    pub look: Look,
}

/// The cells of each board that win the game for a side that may play there.
struct Wins {
    cells: [u16; 9],
    /// The boards that have one.
    boards: u16,
}

impl Wins {
    #[inline]
    fn of(ending: &Ending, side: Side) -> Self {
        let state = &ending.state;
        let mut wins = Self { cells: [0; 9], boards: winning_boards(ending, side) };
        for board in Boards(wins.boards) {
            wins.cells[board] = completing(state.cells(side, board)) & state.empty(board);
        }
        wins
    }
}

/// The boards in which one cell would win the game for a side.
#[inline]
fn winning_boards(ending: &Ending, side: Side) -> u16 {
    completing(ending.state.won(side)) & ending.look.close[side.index()]
}

/// A move that wins the game, if the mover has one.
pub(super) fn winning_cell(state: &State) -> Option<Cell> {
    let wins = Wins::of(&Ending::new(*state), state.mover());
    let board = Boards(wins.boards & state.playable()).next()?;
    Boards(wins.cells[board]).next().map(|within| Cell::at(board, within))
}

impl Ending {
    pub fn new(state: State) -> Self {
        Self { state, look: Look::at(&state) }
    }

    /// The boards that the mover may play in, where the game is known to go on.
    #[inline]
    fn playable(&self) -> u16 {
        self.state.forced().map_or_else(|| open(&self.state), |board| 1 << board)
    }

    /// The moves of a board (nine bits) behind which the opponent does not win at once.
    #[inline]
    fn safe(&self, board: usize, theirs: &Wins) -> u16 {
        let state = &self.state;
        let empty = state.empty(board);
        if theirs.boards == 0 {
            return empty;
        }
        let own = state.cells(state.mover(), board);
        let elsewhere = theirs.boards & !(1 << board) != 0;
        let is_safe = |within: &usize| {
            let bit = 1 << within;
            let closes = has_line(own | bit) || empty == bit;
            // What is left to the opponent in the board that was played in.
            let here = !closes && theirs.cells[board] & !bit != 0;
            let is_closed = if *within == board { closes } else { state.closed() & bit != 0 };
            match is_closed {
                true => !elsewhere && !here,
                false if *within == board => !here,
                false => theirs.boards & bit == 0,
            }
        };
        Boards(empty).filter(is_safe).fold(0, |set, within| set | 1 << within)
    }

    /// The number of moves that do not lose at once.
    #[inline]
    pub fn count_safe(&self) -> u32 {
        let theirs = Wins::of(self, self.state.mover().other());
        Boards(self.playable()).map(|board| self.safe(board, &theirs).count_ones()).sum()
    }

    #[inline]
    fn has_safe(&self) -> bool {
        let theirs = Wins::of(self, self.state.mover().other());
        theirs.boards == 0 || Boards(self.playable()).any(|board| self.safe(board, &theirs) != 0)
    }
}

impl Position for Ending {
    type Move = Cell;
    type Undo = Self;

    #[inline]
    fn moves<S: Sink<Cell>>(&self, sink: &mut S) {
        if self.outcome().is_some() {
            return;
        }
        let theirs = Wins::of(self, self.state.mover().other());
        for board in Boards(self.playable()) {
            sink.push_all(Boards(self.safe(board, &theirs)).map(|within| Cell::at(board, within)));
        }
    }

    #[inline]
    fn is_legal(&self, cell: Cell) -> bool {
        let theirs = || Wins::of(self, self.state.mover().other());
        self.outcome().is_none()
            && self.state.is_legal(cell)
            && self.safe(cell.board(), &theirs()) >> cell.within() & 1 == 1
    }

    #[inline]
    fn play(&mut self, cell: Cell) -> Self {
        let before = *self;
        self.state.play(cell);
        self.look.follow(&before.state, cell.board(), &self.state);
        before
    }

    #[inline]
    fn undo(&mut self, _: Cell, before: Self) {
        *self = before;
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if let Some(outcome) = self.state.outcome() {
            return Some(outcome);
        }
        if winning_boards(self, self.state.mover()) & self.playable() != 0 {
            return Some(Outcome::Win);
        }
        (!self.has_safe()).then_some(Outcome::Loss)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.state.key()
    }
}

/// The boards that a set of closed ones leaves.
#[inline]
pub(super) fn open(state: &State) -> u16 {
    FULL & !state.closed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use search_core::{Outcome, Position};

    /// Positions of random games, of all lengths.
    fn positions(count: usize) -> Vec<State> {
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(9);
        let mut positions = Vec::new();
        while positions.len() < count {
            let mut state = State::start();
            while state.outcome().is_none() {
                let moves = state.move_list();
                state.play(moves[random.random_range(0..moves.len())]);
                if state.occupied() > 25 && state.outcome().is_none() {
                    positions.push(state);
                }
            }
        }
        positions
    }

    fn wins_at_once(state: &State) -> bool {
        state.move_list().into_iter().any(|cell| {
            let mut next = *state;
            next.play(cell);
            next.outcome() == Some(Outcome::Loss)
        })
    }

    #[test]
    fn a_move_is_left_out_exactly_where_the_opponent_wins_at_once_behind_it() {
        let (mut lost, mut left_out) = (0, 0);
        for state in positions(20_000) {
            let ending = Ending::new(state);
            assert_eq!(winning_cell(&state).is_some(), wins_at_once(&state), "{state}");
            if wins_at_once(&state) {
                assert_eq!(ending.outcome(), Some(Outcome::Win), "{state}");
                continue;
            }
            let safe: Vec<Cell> = state
                .move_list()
                .into_iter()
                .filter(|&cell| {
                    let mut next = state;
                    next.play(cell);
                    !wins_at_once(&next)
                })
                .collect();
            assert_eq!(ending.count_safe() as usize, safe.len(), "{state}");
            left_out += state.move_list().len() - safe.len();
            if safe.is_empty() {
                assert_eq!(ending.outcome(), Some(Outcome::Loss), "{state}");
                lost += 1;
            } else {
                assert_eq!(ending.outcome(), None, "{state}");
                assert_eq!(ending.move_list().into_iter().collect::<Vec<_>>(), safe, "{state}");
                assert!(safe.iter().all(|&cell| ending.is_legal(cell)));
            }
        }
        assert!(lost > 100 && left_out > 1_000, "{lost} lost, {left_out} moves left out");
    }
}
