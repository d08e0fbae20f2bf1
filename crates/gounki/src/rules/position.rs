use super::{Army, Cell, Colour, Kind, Move, Stack, generate};
use search_core::{Outcome, Sink};

/// A board and the player to move, stored from that player's point of view: own men move towards higher ranks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub(super) own: Army,
    pub(super) enemy: Army,
    pub(super) colour: Colour,
    /// True if the last move left the board, which ends the game.
    pub(super) escaped: bool,
}

impl Position {
    /// The initial position: squares on dark cells and rounds on light ones, on each side's first two ranks.
    #[must_use]
    pub fn initial() -> Self {
        let dark = 0xaa55_aa55_aa55_aa55_u64;
        let white = Army { squares: [0xffff & dark, 0], rounds: [0xffff & !dark, 0] };
        let black = Army { squares: [dark >> 48 << 48, 0], rounds: [!dark >> 48 << 48, 0] };
        Self::new(white, black, Colour::White)
    }

    /// A position of these men, on the board's own cells.
    #[must_use]
    pub fn new(white: Army, black: Army, to_move: Colour) -> Self {
        debug_assert_eq!(white.occupied() & black.occupied(), 0, "a cell has one owner");
        let (own, enemy) = match to_move {
            Colour::White => (white, black),
            Colour::Black => (black.reversed(), white.reversed()),
        };
        Self { own, enemy, colour: to_move, escaped: false }
    }

    /// The player to move.
    #[must_use]
    pub fn to_move(&self) -> Colour {
        self.colour
    }

    /// The mover's men, on cells as the mover sees them.
    #[inline]
    #[must_use]
    pub fn own(&self) -> &Army {
        &self.own
    }

    /// The opponent's men, on cells as the mover sees them.
    #[inline]
    #[must_use]
    pub fn enemy(&self) -> &Army {
        &self.enemy
    }

    /// The stack on one of the board's own cells, with its colour.
    #[must_use]
    pub fn at(&self, cell: Cell) -> Option<(Colour, Stack)> {
        let cell = self.colour.view(cell);
        let (own, enemy) = (self.own.at(cell), self.enemy.at(cell));
        if !own.is_empty() {
            Some((self.colour, own))
        } else if !enemy.is_empty() {
            Some((self.colour.other(), enemy))
        } else {
            None
        }
    }

    /// The same board with the other player to move.
    #[must_use]
    pub fn other_view(&self) -> Self {
        Self {
            own: self.enemy.reversed(),
            enemy: self.own.reversed(),
            colour: self.colour.other(),
            escaped: self.escaped,
        }
    }

    /// The winner, if the game is over.
    #[must_use]
    pub fn winner(&self) -> Option<Colour> {
        self.is_over().then(|| self.colour.other())
    }

    /// True if the game is over; the player to move has then lost.
    #[inline]
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.escaped || self.own.occupied() == 0
    }

    /// True if the last move left the board.
    #[must_use]
    pub fn escaped(&self) -> bool {
        self.escaped
    }

    /// True if the mover can win now by leaving the board.
    #[inline]
    #[must_use]
    pub fn can_exit(&self) -> bool {
        !self.escaped && generate::can_exit(&self.own, &self.enemy)
    }

    /// Generates the mover's captures, from the mover's point of view.
    #[inline]
    pub fn captures<S: Sink<Move>>(&self, sink: &mut S) {
        if !self.is_over() {
            generate::captures(self, sink);
        }
    }

    /// Generates the moves of the mover's man or stack on a cell, from the mover's point of view; none if the cell has
    /// none.
    pub fn moves_from<S: Sink<Move>>(&self, from: Cell, sink: &mut S) {
        if !self.is_over() && self.own.occupied() & from.bit() != 0 {
            generate::moves_from(self, from, sink);
        }
    }
}

impl search_core::Position for Position {
    type Move = Move;
    /// A position is small enough to be copied.
    type Undo = Self;

    #[inline]
    fn moves<S: Sink<Move>>(&self, sink: &mut S) {
        if !self.is_over() {
            generate::moves(self, sink);
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        if mv.colour() != self.colour {
            return false;
        }
        let mut found = false;
        self.moves_from(mv.from(), &mut search_core::Visit(|other| found |= other == mv));
        found
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Self {
        let before = *self;
        let from = mv.from();
        let stack = self.own.at(from);
        self.own.clear(from);
        match mv.kind() {
            Kind::Step(to) => {
                self.enemy.clear(to);
                self.own.add(to, stack);
            }
            Kind::Exit => self.escaped = true,
            Kind::Deploy => {
                for (cell, shape) in mv.laid() {
                    self.own.lay(cell, shape);
                }
            }
        }
        (self.own, self.enemy) = (self.enemy.reversed(), self.own.reversed());
        self.colour = self.colour.other();
        before
    }

    #[inline]
    fn undo(&mut self, _: Move, before: Self) {
        *self = before;
    }

    /// The last move won if it left the board or captured the last man; a side to move without men has lost.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then_some(Outcome::Loss)
    }

    /// The key of the men as the mover sees them: a position and its mirror image with colours exchanged have the same
    /// key.
    #[inline]
    fn key(&self) -> u64 {
        let own = fold(self.own.squares, 0, fold(self.own.rounds, 1, u64::from(self.escaped)));
        fold(self.enemy.squares, 2, fold(self.enemy.rounds, 3, own))
    }
}

/// Mixes two bit planes into a hash, by both halves of a 128-bit product, so that every bit counts.
#[inline]
fn fold([low, high]: [u64; 2], which: usize, hash: u64) -> u64 {
    const KEYS: [[u64; 2]; 4] = [
        [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9],
        [0x94d0_49bb_1331_11eb, 0xd6e8_feb8_6659_fd93],
        [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db],
        [0x8ebc_6af0_9c88_c6e3, 0x5899_65cc_7537_4cc3],
    ];
    let [a, b] = KEYS[which];
    let product = u128::from(low ^ a ^ hash) * u128::from(high ^ b ^ hash.rotate_left(32));
    (product as u64) ^ (product >> 64) as u64 ^ hash.wrapping_mul(a)
}

/// Writes the colour to move and the configuration on one line.
impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", if self.colour == Colour::White { 'b' } else { 'n' })?;
        for cell in Cell::all() {
            match self.at(cell) {
                None => write!(f, " V0")?,
                Some((Colour::White, stack)) => write!(f, " B{}", stack.code())?,
                Some((Colour::Black, stack)) => write!(f, " N{}", stack.code())?,
            }
        }
        if self.escaped { write!(f, " (escaped)") } else { Ok(()) }
    }
}
