//! The network's features of a position.

use crate::rules::{Boards, Cell, Side, State, completing};

/// Own cells (81), theirs (81), cells that would win their board for oneself (81) and for them (81), own boards (9),
/// theirs (9), drawn boards (9), the board to play in (9, or any: 1).
pub const FEATURES: usize = 361;

const THEIR_CELLS: usize = 81;
const THREATS: usize = 162;
const OWN_BOARDS: usize = 324;
const THEIR_BOARDS: usize = 333;
const DRAWN_BOARDS: usize = 342;
const FORCED: usize = 351;
const ANY: usize = 360;

/// The side whose view is taken: its cells are "own".
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

/// Features that enter, and features that leave.
#[derive(Debug, Clone)]
pub struct Features {
    entering: [u16; MOST],
    leaving: [u16; MOST_LEAVING],
    entering_len: u8,
    leaving_len: u8,
}

/// Each open board has at most eight cells, of which at most eight are taken or threatened by a side; closed ones count
/// once, and one feature is the board to play in.
const MOST: usize = 9 * 16 + 1;
/// The features of one board.
const MOST_LEAVING: usize = 24;

impl Features {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self { entering: [0; MOST], leaving: [0; MOST_LEAVING], entering_len: 0, leaving_len: 0 }
    }

    /// None again.
    #[inline]
    pub fn clear(&mut self) {
        (self.entering_len, self.leaving_len) = (0, 0);
    }

    /// Those that enter.
    #[must_use]
    pub fn entering(&self) -> &[u16] {
        &self.entering[..usize::from(self.entering_len)]
    }

    /// Those that leave.
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

    /// All that a position shows but the board to play in.
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

    /// The board to play in, or any.
    pub fn push_forced(&mut self, board: Option<usize>) {
        self.push(board.map_or(ANY, |board| FORCED + board) as u16);
    }

    /// The change of a board's features when the mover takes a cell that does not close it.
    #[inline]
    pub fn push_move(&mut self, state: &State, view: Perspective, cell: Cell) {
        let (board, bit) = (cell.board(), 1 << cell.within());
        let (side, other) = (state.mover(), state.mover().other());
        self.push(view.cell(side, cell));
        let (own, empty) = (state.cells(side, board), state.empty(board));
        let before = completing(own) & empty;
        // The cell itself is no threat of its side, or the move would win the board.
        for within in Boards(completing(own | bit) & empty & !bit & !before) {
            self.push(view.threat(side, Cell::at(board, within)));
        }
        if completing(state.cells(other, board)) & bit != 0 {
            self.push_leaving(view.threat(other, cell));
        }
    }

    /// The change of a board's features when the mover's move closes it: all that it showed leaves, and its fate
    /// enters.
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

/// The cells of the open boards count, the others do not.
fn open_boards(state: &State) -> Boards {
    Boards(0b111_111_111 & !state.closed())
}
