use super::{Move, Position};
use search_core::Position as _;

/// A game from its first position on, including moves taken back.
#[derive(Debug, Clone)]
pub struct Game {
    start: Position,
    now: Position,
    played: Vec<Recorded>,
    /// The moves taken back; the next one to replay is last.
    undone: Vec<Move>,
}

/// A played move with the position before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recorded {
    /// The move that was played.
    pub mv: Move,
    /// The position before it.
    pub before: Position,
}

impl Game {
    /// A game that begins at `start`.
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self { start, now: start, played: Vec::new(), undone: Vec::new() }
    }

    /// The first position.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The current position.
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

    /// The number of moves that can be replayed.
    #[must_use]
    pub fn undone(&self) -> usize {
        self.undone.len()
    }

    /// Plays a legal move. Moves taken back before are forgotten.
    pub fn play(&mut self, mv: Move) {
        self.undone.clear();
        self.push(mv);
    }

    /// Takes back a move; false at the beginning.
    pub fn undo(&mut self) -> bool {
        let Some(Recorded { mv, before }) = self.played.pop() else { return false };
        self.now = before;
        self.undone.push(mv);
        true
    }

    /// Replays the last move taken back; false if there is none.
    pub fn redo(&mut self) -> bool {
        let Some(mv) = self.undone.pop() else { return false };
        self.push(mv);
        true
    }

    /// The number of times that a position has occurred, the current one included.
    #[must_use]
    pub fn times(&self, position: &Position) -> usize {
        self.past().filter(|past| *past == position).count()
    }

    /// The moves that would repeat a position for the third time.
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

    /// The positions since the last irreversible move, and the current one.
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
