//! Positions for the proof search: a win within two plies ends the game, and moves that lose at once are left out.
//!
//! Source: the critical cells of N. Elhage, minimax.dev/docs/ultimate (2020): a move that sends the opponent where it
//! wins at once is left out.

use super::classes::{BoardClass, Summary};
use crate::rules::{Boards, Cell, FULL, Side, State, completing};
use search_core::{Outcome, Position, Sink};

/// A position whose moves do not let the opponent win at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ending {
    /// Its hash key is not kept up to date.
    pub state: State,
    pub summary: Summary,
}

/// Returns a move that wins the game at once, if there is one.
pub(super) fn winning_cell(state: &State) -> Option<Cell> {
    let ending = Ending::new(*state);
    let board = Boards(ending.winning_boards(state.mover()) & state.playable()).next()?;
    Boards(ending.winning_cells(state.mover(), board)).next().map(|within| Cell::at(board, within))
}

impl Ending {
    pub fn new(state: State) -> Self {
        Self { state, summary: Summary::at(&state) }
    }

    /// The number of empty cells in all open boards.
    fn cells_left(&self) -> u32 {
        Boards(open(&self.state)).map(|board| self.state.empty(board).count_ones()).sum()
    }

    /// Visits the moves that do not lose at once, with the summary of the position after each. The side to move must
    /// not have an immediate win; after these moves, the opponent has none either.
    #[inline]
    pub fn successors(&self, mut visit: impl FnMut(Cell, &Summary, End)) {
        let state = &self.state;
        let (mover, other) = (state.mover(), state.mover().other());
        let won = [Side::X, Side::O].map(|side| state.won(side));
        let mut cells_left = None;
        for (board, cells) in self.safe_moves() {
            let here = 1 << board;
            let (empty, own) = (state.empty(board), state.cells(mover, board));
            let winning = completing(own) & empty;
            let closing = if empty & (empty - 1) == 0 { empty } else { winning };
            let board_class = BoardClass::new(state, board);
            for within in Boards(cells) {
                let bit = 1 << within;
                let (closes, wins) = (closing & bit != 0, winning & bit != 0);
                let (mut won_after, mut closed) = (won, state.closed());
                if wins {
                    won_after[mover.index()] |= here;
                }
                if closes {
                    closed |= here;
                }
                let class = board_class.after(mover, within, closes, wins);
                let summary = self.summary.after(board, board_class.class, class, won_after);
                let forced = (closed >> within & 1 == 0).then_some(within);
                let playable = forced.map_or(FULL & !closed, |board| 1 << board);
                let theirs = completing(won_after[mover.index()]) & summary.close[mover.index()];
                let safe = match forced {
                    Some(next) if theirs == 0 => state.empty(next).count_ones() - u32::from(next == board),
                    None if theirs == 0 => {
                        let closing = if closed == state.closed() { 1 } else { empty.count_ones() };
                        *cells_left.get_or_insert_with(|| self.cells_left()) - closing
                    }
                    _ => Boards(playable)
                        .map(|next| {
                            let new = if next == board { bit } else { 0 };
                            let (own, other) = (state.cells(other, next), state.cells(mover, next) | new);
                            safe_cells(own, other, next, closed, theirs).count_ones()
                        })
                        .sum(),
                };
                let end = if closed == FULL {
                    End::Over(Outcome::Draw)
                } else if safe == 0 {
                    End::Over(Outcome::Loss)
                } else {
                    End::Open { safe, forced }
                };
                visit(Cell::at(board, within), &summary, end);
            }
        }
    }

    /// The number of moves that do not lose at once. The game must go on, without an immediate win for the side to
    /// move.
    pub fn count_safe(&self) -> u32 {
        self.safe_moves().map(|(_, cells)| cells.count_ones()).sum()
    }

    /// Returns whether the side to move of an unfinished game wins at once.
    #[inline]
    fn is_won(&self) -> bool {
        self.winning_boards(self.state.mover()) & self.playable() != 0
    }

    /// The boards in which one cell would win the game for `side`.
    #[inline]
    fn winning_boards(&self, side: Side) -> u16 {
        completing(self.state.won(side)) & self.summary.close[side.index()]
    }

    /// The cells of such a board that win the game.
    #[inline]
    fn winning_cells(&self, side: Side, board: usize) -> u16 {
        completing(self.state.cells(side, board)) & self.state.empty(board)
    }

    /// The boards that the side to move may play in, in an unfinished game.
    #[inline]
    fn playable(&self) -> u16 {
        self.state.forced().map_or_else(|| open(&self.state), |board| 1 << board)
    }

    /// The boards that the side to move may play in, each with its moves (nine bits) that do not lose at once.
    #[inline]
    fn safe_moves(&self) -> impl Iterator<Item = (usize, u16)> {
        let theirs = self.winning_boards(self.state.mover().other());
        Boards(self.playable()).map(move |board| (board, self.safe(board, theirs)))
    }

    /// The moves in `board` (nine bits) after which the opponent has no immediate win. The opponent's winning boards
    /// are `theirs`.
    #[inline]
    fn safe(&self, board: usize, theirs: u16) -> u16 {
        let state = &self.state;
        let (own, other) = (state.mover(), state.mover().other());
        safe_cells(state.cells(own, board), state.cells(other, board), board, state.closed(), theirs)
    }
}

/// As [`Ending::safe`], for a board of `own` and `other` cells (nine bits each).
#[inline]
fn safe_cells(own: u16, other: u16, board: usize, closed: u16, theirs: u16) -> u16 {
    let empty = FULL & !(own | other);
    if theirs == 0 {
        return empty;
    }
    let here = 1 << board;
    let last = if empty & (empty - 1) == 0 { empty } else { 0 };
    let closing = completing(own) & empty | last;
    let winning = if theirs & here == 0 { 0 } else { completing(other) & empty };
    // Moves that leave the opponent a winning cell in this board. If there is only one such cell, the move can take it.
    let only = if winning & winning.wrapping_sub(1) == 0 { winning } else { 0 };
    let leaving = if winning == 0 { 0 } else { empty & !closing & !only };
    // Moves after which the opponent may play in any board, and moves that send it to another board.
    let anywhere = empty & (closed | closing & here);
    let elsewhere = empty & !anywhere & !here;
    let good_anywhere = if theirs & !here == 0 { anywhere & !leaving } else { 0 };
    good_anywhere | elsewhere & !theirs | empty & !anywhere & here & !leaving
}

/// The state of the game after a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The game is over, or the side to move loses whatever it plays.
    Over(Outcome),
    /// The game goes on: the number of moves that do not lose at once, and the board to play in.
    Open { safe: u32, forced: Option<usize> },
}

impl Position for Ending {
    type Move = Cell;
    type Undo = Self;

    #[inline]
    fn moves<S: Sink<Cell>>(&self, sink: &mut S) {
        if self.outcome().is_some() {
            return;
        }
        for (board, cells) in self.safe_moves() {
            sink.push_all(Boards(cells).map(|within| Cell::at(board, within)));
        }
    }

    #[inline]
    fn is_legal(&self, cell: Cell) -> bool {
        self.outcome().is_none()
            && self.state.is_legal(cell)
            && self.safe(cell.board(), self.winning_boards(self.state.mover().other())) >> cell.within() & 1
                == 1
    }

    #[inline]
    fn play(&mut self, cell: Cell) -> Self {
        let before = *self;
        let (board, mover) = (cell.board(), before.state.mover());
        self.state.play_unkeyed(cell);
        let state = &self.state;
        let board_class = BoardClass::new(&before.state, board);
        let (closes, wins) = (state.closed() >> board & 1 == 1, state.won(mover) >> board & 1 == 1);
        let class = board_class.after(mover, cell.within(), closes, wins);
        let won = [Side::X, Side::O].map(|side| state.won(side));
        self.summary = before.summary.after(board, board_class.class, class, won);
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
        if self.is_won() {
            return Some(Outcome::Win);
        }
        (self.count_safe() == 0).then_some(Outcome::Loss)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.summary.key(self.state.forced(), self.state.mover())
    }
}

/// The open boards, one bit each.
#[inline]
pub(super) fn open(state: &State) -> u16 {
    FULL & !state.closed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use search_core::{Outcome, Position};

    /// Positions of random games of all lengths.
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
    fn a_move_is_left_out_exactly_if_the_opponent_wins_at_once_after_it() {
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

    #[test]
    fn the_summary_after_a_move_equals_one_computed_from_scratch() {
        let mut closing = 0;
        for state in positions(2_000) {
            let ending = Ending::new(state);
            for cell in state.move_list() {
                let mut next = state;
                next.play(cell);
                let (mut followed, fresh) = (ending, Ending::new(next));
                followed.play(cell);
                assert_eq!(followed.summary, fresh.summary, "{state} {cell}");
                assert_eq!(followed.outcome(), fresh.outcome(), "{state} {cell}");
                closing += u32::from(state.closes_board(cell));
            }
        }
        assert!(closing > 1_000, "{closing} moves close a board");
    }
}
