//! The network's input features of a position.

use crate::rules::{Boards, Cell, Side, State, completing};

/// Number of features: own cells (81), the opponent's (81), empty cells that would win their board for oneself (81) and
/// for the opponent (81), own boards (9), the opponent's (9), drawn boards (9), the board to play in (9, and one for
/// any).
pub const FEATURES: usize = 361;

const THEIR_CELLS: usize = 81;
const THREATS: usize = 162;
const OWN_BOARDS: usize = 324;
const THEIR_BOARDS: usize = 333;
const DRAWN_BOARDS: usize = 342;
const FORCED: usize = 351;
const ANY: usize = 360;

/// The side from whose view features are numbered: its cells are "own".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Perspective(Side);

impl Perspective {
    /// The view of `side`.
    #[must_use]
    pub fn of(side: Side) -> Self {
        Self(side)
    }

    fn cell(self, side: Side, cell: Cell) -> u16 {
        (cell.index() + if side == self.0 { 0 } else { THEIR_CELLS }) as u16
    }

    fn threat(self, side: Side, cell: Cell) -> u16 {
        THREATS as u16 + self.cell(side, cell)
    }

    fn closed(self, board: usize, owner: Option<Side>) -> u16 {
        let first = match owner {
            None => DRAWN_BOARDS,
            Some(side) if side == self.0 => OWN_BOARDS,
            Some(_) => THEIR_BOARDS,
        };
        (first + board) as u16
    }
}

/// The features that a change adds and removes.
#[derive(Debug, Clone)]
pub struct Features {
    entering: [u16; MOST],
    leaving: [u16; MOST_LEAVING],
    entering_len: u8,
    leaving_len: u8,
}

/// An upper bound on the features of a position. An open board has at most eight cells, each taken or threatened by a
/// side; a closed board has one feature, and so has the board to play in.
const MOST: usize = 9 * 16 + 1;
/// The most features that one board can lose.
const MOST_LEAVING: usize = 24;

impl Features {
    /// An empty change.
    #[must_use]
    pub const fn new() -> Self {
        Self { entering: [0; MOST], leaving: [0; MOST_LEAVING], entering_len: 0, leaving_len: 0 }
    }

    /// Empties the change.
    #[inline]
    pub fn clear(&mut self) {
        (self.entering_len, self.leaving_len) = (0, 0);
    }

    /// The features added.
    #[must_use]
    pub fn entering(&self) -> &[u16] {
        &self.entering[..usize::from(self.entering_len)]
    }

    /// The features removed.
    #[must_use]
    pub fn leaving(&self) -> &[u16] {
        &self.leaving[..usize::from(self.leaving_len)]
    }

    #[inline]
    fn push(&mut self, feature: u16) {
        self.entering[usize::from(self.entering_len)] = feature;
        self.entering_len += 1;
    }

    #[inline]
    fn push_leaving(&mut self, feature: u16) {
        self.leaving[usize::from(self.leaving_len)] = feature;
        self.leaving_len += 1;
    }

    /// Adds all features of a position except the board to play in.
    pub fn of_cells(&mut self, state: &State, view: Perspective) {
        for board in open_boards(state) {
            let empty = state.empty(board);
            for side in [Side::X, Side::O] {
                let cells = state.cells(side, board);
                for within in Boards(cells) {
                    self.push(view.cell(side, Cell::at(board, within)));
                }
                for within in Boards(completing(cells) & empty) {
                    self.push(view.threat(side, Cell::at(board, within)));
                }
            }
        }
        for board in Boards(state.closed()) {
            let owner = [Side::X, Side::O].into_iter().find(|&side| state.won(side) >> board & 1 == 1);
            self.push(view.closed(board, owner));
        }
    }

    /// Adds the feature of the board to play in; `None` means any board.
    pub fn push_forced(&mut self, board: Option<usize>) {
        self.push(board.map_or(ANY, |board| FORCED + board) as u16);
    }

    /// Adds the change of a board when the side to move takes a cell that does not close it.
    #[inline]
    pub fn push_move(&mut self, state: &State, view: Perspective, cell: Cell) {
        let (board, bit) = (cell.board(), 1 << cell.within());
        let (side, other) = (state.mover(), state.mover().other());
        self.push(view.cell(side, cell));
        let (own, empty) = (state.cells(side, board), state.empty(board));
        let before = completing(own) & empty;
        // The cell itself cannot have been a threat of its side: the move would win the board.
        for within in Boards(completing(own | bit) & empty & !bit & !before) {
            self.push(view.threat(side, Cell::at(board, within)));
        }
        if completing(state.cells(other, board)) & bit != 0 {
            self.push_leaving(view.threat(other, cell));
        }
    }

    /// Adds the change of a board when a move closes it: all its features leave, and its owner's or the draw's enters.
    pub fn push_closing(&mut self, state: &State, view: Perspective, board: usize, owner: Option<Side>) {
        let empty = state.empty(board);
        for side in [Side::X, Side::O] {
            let cells = state.cells(side, board);
            for within in Boards(cells) {
                self.push_leaving(view.cell(side, Cell::at(board, within)));
            }
            for within in Boards(completing(cells) & empty) {
                self.push_leaving(view.threat(side, Cell::at(board, within)));
            }
        }
        self.push(view.closed(board, owner));
    }
}

impl Default for Features {
    fn default() -> Self {
        Self::new()
    }
}

/// The open boards, the only ones whose cells are features.
fn open_boards(state: &State) -> Boards {
    Boards(0b111_111_111 & !state.closed())
}
