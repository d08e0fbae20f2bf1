use super::{Move, Position};
use search_core::Position as _;

/// A game from its first position on, with what was taken back.
#[derive(Debug, Clone)]
pub struct Game {
    start: Position,
    now: Position,
    played: Vec<Recorded>,
    /// Taken back, the next to be played again last.
    undone: Vec<Move>,
}

/// A move of a game and the position it was played in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recorded {
    /// The move.
    pub mv: Move,
    /// The position before it.
    pub before: Position,
}

impl Game {
    /// A game that begins here.
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self { start, now: start, played: Vec::new(), undone: Vec::new() }
    }

    /// Where it began.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Where it stands.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.now
    }

    /// The moves so far.
    #[must_use]
    pub fn played(&self) -> &[Recorded] {
        &self.played
    }

    /// The number of the next move, from 1.
    #[must_use]
    pub fn number(&self) -> usize {
        self.played.len() + 1
    }

    /// The number of moves that can be played again.
    #[must_use]
    pub fn undone(&self) -> usize {
        self.undone.len()
    }

    /// Plays a legal move; what was taken back before is forgotten.
    pub fn play(&mut self, mv: Move) {
        self.undone.clear();
        self.push(mv);
    }

    /// Takes one move back; false at the beginning.
    pub fn undo(&mut self) -> bool {
        let Some(Recorded { mv, before }) = self.played.pop() else { return false };
        self.now = before;
        self.undone.push(mv);
        true
    }

    /// Plays again what was taken back last; false where there is nothing.
    pub fn redo(&mut self) -> bool {
        let Some(mv) = self.undone.pop() else { return false };
        self.push(mv);
        true
    }

    /// The number of times a position has stood on the board so far, the present one included.
    #[must_use]
    pub fn times(&self, position: &Position) -> usize {
        self.past().filter(|past| *past == position).count()
    }

    /// Moves that would bring a position about for the third time.
    #[must_use]
    pub fn third_repetitions(&self) -> Vec<Move> {
        let moves = self.now.move_list();
        moves
            .into_iter()
            .filter(|mv| mv.can_repeat())
            .filter(|&mv| {
                let mut next = self.now;
                next.play(mv);
                self.times(&next) >= 2
            })
            .collect()
    }

    /// Positions since the last move that nothing can undo, and the present one.
    fn past(&self) -> impl Iterator<Item = &Position> {
        let reversible = self
            .played
            .iter()
            .rev()
            .take_while(|recorded| recorded.mv.can_repeat())
            .map(|recorded| &recorded.before);
        std::iter::once(&self.now).chain(reversible)
    }

    fn push(&mut self, mv: Move) {
        debug_assert!(self.now.is_legal(mv), "{mv}: {:?}", self.now);
        let before = self.now.play(mv);
        self.played.push(Recorded { mv, before });
    }
}
