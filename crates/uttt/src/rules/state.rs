use super::board::{Boards, FULL, has_line};
use super::cell::{Cell, Side};
use super::hash;
use super::integer::Integer;
use search_core::{Outcome, Position, Sink};
use std::fmt;

/// A position: the cells of each side in each small board, and the state derived from them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// The cells taken, nine bits, by side and board.
    cells: [[u16; 9]; 2],
    /// The boards won, by side.
    won: [u16; 2],
    /// The boards that are won or full, in which nobody may play.
    closed: u16,
    /// The cell played last, as in the integer; may be up to 127 if all cells are empty.
    last: u8,
    /// The board to play in, or [`State::ANY`].
    forced: u8,
    mover: Side,
    key: u64,
}

/// The reason why an integer is not a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// A cell has the invalid symbol 3.
    #[error("cell {0} holds 3, which stands for nothing")]
    BadCell(Cell),
    /// The last move is outside the board.
    #[error("the last move is {0}, and the cells end at 80")]
    BadLast(usize),
}

impl State {
    /// The value of `forced` when any open board may be played in.
    const ANY: u8 = 9;

    /// The empty board, x to move anywhere; the integer 0.
    #[must_use]
    pub fn start() -> Self {
        Self {
            cells: [[0; 9]; 2],
            won: [0; 2],
            closed: 0,
            last: 0,
            forced: Self::ANY,
            mover: Side::X,
            key: hash::FORCED[Self::ANY as usize],
        }
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub fn mover(&self) -> Side {
        self.mover
    }

    /// The symbol in a cell.
    #[inline]
    #[must_use]
    pub fn at(&self, cell: Cell) -> Option<Side> {
        [Side::X, Side::O]
            .into_iter()
            .find(|side| self.cells[side.index()][cell.board()] >> cell.within() & 1 == 1)
    }

    /// The cell played last; `None` if that cell is empty, as on the empty board and in some positions edited by hand.
    #[must_use]
    pub fn last(&self) -> Option<Cell> {
        Cell::new(self.last.into()).filter(|&cell| self.at(cell).is_some())
    }

    /// The cells of `side` in a small board, nine bits.
    #[inline]
    #[must_use]
    pub fn cells(&self, side: Side, board: usize) -> u16 {
        self.cells[side.index()][board]
    }

    /// The boards that `side` has won.
    #[inline]
    #[must_use]
    pub fn won(&self, side: Side) -> u16 {
        self.won[side.index()]
    }

    /// The boards that are won or full.
    #[inline]
    #[must_use]
    pub fn closed(&self) -> u16 {
        self.closed
    }

    /// The board that the side to move must play in; `None` if any open board is allowed.
    #[inline]
    #[must_use]
    pub fn forced(&self) -> Option<usize> {
        (self.forced != Self::ANY).then_some(self.forced.into())
    }

    /// The empty cells of a board, nine bits.
    #[inline]
    #[must_use]
    pub fn empty(&self, board: usize) -> u16 {
        FULL & !(self.cells[0][board] | self.cells[1][board])
    }

    /// The boards that the side to move may play in; none when the game is over.
    #[inline]
    #[must_use]
    pub fn playable(&self) -> u16 {
        if self.outcome().is_some() {
            0
        } else if self.forced == Self::ANY {
            FULL & !self.closed
        } else {
            1 << self.forced
        }
    }

    /// Returns whether a legal move wins or fills its board.
    #[inline]
    #[must_use]
    pub fn closes_board(&self, cell: Cell) -> bool {
        let (board, bit) = (cell.board(), 1 << cell.within());
        has_line(self.cells(self.mover, board) | bit) || self.empty(board) == bit
    }

    /// The number of occupied cells.
    #[must_use]
    pub fn occupied(&self) -> u32 {
        self.cells.iter().flatten().map(|cells| cells.count_ones()).sum()
    }

    /// The winner, if either side has won.
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        // A position edited by hand may have lines of both sides: then the side that moved last has won.
        [self.mover.other(), self.mover].into_iter().find(|side| has_line(self.won[side.index()]))
    }

    /// The position's integer in the course's encoding.
    #[must_use]
    pub fn integer(&self) -> Integer {
        let mut integer = Integer::default().with_last(self.last.into());
        for side in [Side::X, Side::O] {
            for (board, &cells) in self.cells[side.index()].iter().enumerate() {
                for within in Boards(cells) {
                    integer.put(Cell::at(board, within), side.symbol());
                }
            }
        }
        integer
    }

    /// Plays a legal move without updating the hash key, for callers that have keys of their own.
    #[inline]
    pub(crate) fn play_unkeyed(&mut self, cell: Cell) {
        debug_assert!(self.is_legal(cell));
        self.place::<false>(cell);
    }

    /// Puts the mover's symbol into a cell, updates the derived state, and passes the turn.
    #[inline]
    fn place<const KEYED: bool>(&mut self, cell: Cell) {
        let (side, board, within) = (self.mover, cell.board(), cell.within());
        let cells = self.cells[side.index()][board] | 1 << within;
        self.cells[side.index()][board] = cells;
        if has_line(cells) {
            self.won[side.index()] |= 1 << board;
            self.close::<KEYED>(board, within, Some(side));
        } else if self.empty(board) == 0 {
            self.close::<KEYED>(board, within, None);
        } else if KEYED {
            self.key ^= hash::cell(side, board, within);
        }
        let forced = if self.closed >> within & 1 == 1 { Self::ANY } else { within as u8 };
        if KEYED {
            self.key ^= hash::FORCED[self.forced as usize] ^ hash::FORCED[forced as usize] ^ hash::O_TO_MOVE;
        }
        self.last = cell.index() as u8;
        self.forced = forced;
        self.mover = side.other();
    }

    /// Closes a board after its cell `newest` was filled; that cell is not in the hash key yet.
    #[inline]
    fn close<const KEYED: bool>(&mut self, board: usize, newest: usize, owner: Option<Side>) {
        self.closed |= 1 << board;
        if !KEYED {
            return;
        }
        self.key ^= hash::closed(board, owner);
        for side in [Side::X, Side::O] {
            for within in Boards(self.cells[side.index()][board] & !(1 << newest)) {
                self.key ^= hash::cell(side, board, within);
            }
        }
    }
}

impl TryFrom<Integer> for State {
    type Error = StateError;

    /// Accepts any cells: graders edit positions by hand, so the numbers of x and o need not match.
    fn try_from(integer: Integer) -> Result<Self, StateError> {
        let mut state = Self::start();
        state.last = integer.last() as u8;
        if integer.is_empty() {
            return Ok(state);
        }
        let last = Cell::new(integer.last()).ok_or(StateError::BadLast(integer.last()))?;
        for cell in (0..Cell::COUNT).filter_map(Cell::new) {
            let side = match integer.cell(cell) {
                0 => continue,
                1 => Side::X,
                2 => Side::O,
                _ => return Err(StateError::BadCell(cell)),
            };
            state.cells[side.index()][cell.board()] |= 1 << cell.within();
        }
        let count =
            |side: Side| state.cells[side.index()].iter().map(|cells| cells.count_ones()).sum::<u32>();
        state.mover = match state.at(last) {
            Some(side) => side.other(),
            None if count(Side::X) == count(Side::O) => Side::X,
            None => Side::O,
        };
        for board in 0..9 {
            // Both sides can have a line only in an edited position; the board then belongs to x.
            let owner = [Side::X, Side::O].into_iter().find(|&side| has_line(state.cells(side, board)));
            if let Some(side) = owner {
                state.won[side.index()] |= 1 << board;
            }
            if owner.is_some() || state.empty(board) == 0 {
                state.closed |= 1 << board;
            }
        }
        state.forced = if state.closed >> last.within() & 1 == 1 { Self::ANY } else { last.within() as u8 };
        state.key = state.whole_key();
        Ok(state)
    }
}

impl State {
    /// The hash key computed from scratch.
    fn whole_key(&self) -> u64 {
        let mut key = hash::FORCED[self.forced as usize];
        if self.mover == Side::O {
            key ^= hash::O_TO_MOVE;
        }
        for board in 0..9 {
            if self.closed >> board & 1 == 1 {
                let owner = [Side::X, Side::O].into_iter().find(|side| self.won(*side) >> board & 1 == 1);
                key ^= hash::closed(board, owner);
                continue;
            }
            for side in [Side::X, Side::O] {
                key ^= Boards(self.cells(side, board))
                    .fold(0, |key, within| key ^ hash::cell(side, board, within));
            }
        }
        key
    }
}

impl Position for State {
    type Move = Cell;
    type Undo = Self;

    #[inline]
    fn moves<S: Sink<Cell>>(&self, sink: &mut S) {
        for board in Boards(self.playable()) {
            sink.push_all(Boards(self.empty(board)).map(|within| Cell::at(board, within)));
        }
    }

    #[inline]
    fn is_legal(&self, cell: Cell) -> bool {
        cell.index() < Cell::COUNT
            && self.playable() >> cell.board() & 1 == 1
            && self.empty(cell.board()) >> cell.within() & 1 == 1
    }

    #[inline]
    fn play(&mut self, cell: Cell) -> Self {
        debug_assert!(self.is_legal(cell));
        let before = *self;
        self.place::<true>(cell);
        debug_assert_eq!(self.key, self.whole_key());
        before
    }

    #[inline]
    fn undo(&mut self, _: Cell, before: Self) {
        *self = before;
    }

    /// A line of won boards wins. All nine boards closed without a line is a draw.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if has_line(self.won[self.mover.other().index()]) {
            Some(Outcome::Loss)
        } else if has_line(self.won[self.mover.index()]) {
            Some(Outcome::Win)
        } else if self.closed == FULL {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }
}

impl Default for State {
    fn default() -> Self {
        Self::start()
    }
}

/// Writes the position's integer.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.integer().fmt(f)
    }
}

/// Writes the position's integer, which can be parsed again.
impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "State({self})")
    }
}

impl std::str::FromStr for State {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        Ok(Self::try_from(text.parse::<Integer>()?)?)
    }
}

/// The reason why a text is not a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The text is not an integer of 169 bits.
    #[error(transparent)]
    Integer(#[from] super::IntegerError),
    /// The integer is not a position.
    #[error(transparent)]
    State(#[from] StateError),
}
